"""How long a battery lasts: calls so often, sleep between them, self-discharge."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from ecfit.choices.targets import Target
from ecfit.errors import UsageError, unknown_name
from ecfit.paths import DATA
from ecfit.units import quantity, share

YEAR_S = 365.25 * 86400
SHELF = 10  # years that cells are sold to keep for, roughly
EACH = ""  # the period of every call that has none of its own


class Duty(msgspec.Struct, frozen=True):
    """A call once in so many seconds: how long it takes, in seconds, and joules each time."""

    period_s: float
    duration_s: float
    energy_j: float
    energy_uncertainty_j: float = 0.0


class Battery(msgspec.Struct, frozen=True):
    """A cell: charge, the voltage that it is drawn at, which share of it can be used, and what it
    loses by itself in a year, as a share.
    """

    coulombs: float
    volts: float
    usable: float = 1.0
    self_discharge: float = 0.0

    @property
    def joules(self) -> float:
        """What a device can draw."""
        return self.coulombs * self.volts * self.usable


class Life(msgspec.Struct, frozen=True):
    """Mean power of the device, and years: expected, at least, at most."""

    power_w: float
    years: float
    years_low: float
    years_high: float


class Plan(msgspec.Struct, frozen=True):
    """A battery as it was named, the periods in seconds by name of the call, and the sleep power in
    watts, None where the chip's data sheet has to say it.
    """

    named: str
    battery: Battery
    periods: Mapping[str, float]
    sleep_w: float | None

    def period(self, call: str) -> float | None:
        """Seconds from one call of that name to the next; None if it is not called."""
        return self.periods.get(call, self.periods.get(EACH))


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cell that --battery knows: nominal charge, voltage, the share lost in a year."""

    milliampere_hours: float
    volts: float
    self_discharge: float
    source: str


class _Asleep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    microamperes: float
    source: str


class _Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cell: dict[str, Cell]
    asleep: dict[str, _Asleep]


@cache
def _known() -> _Known:
    return msgspec.toml.decode((DATA / "battery.toml").read_bytes(), type=_Known)


def cells() -> dict[str, Cell]:
    """The cells that --battery knows, by name."""
    return _known().cell


def life(battery: Battery, duties: Sequence[Duty], sleep_w: float) -> Life:
    """Years until the battery is empty. The bounds are those of the calls' energies alone.

    Errors: UsageError when the calls do not fit into their periods, or nothing draws anything.
    """
    busy = sum(duty.duration_s / duty.period_s for duty in duties)
    if busy > 1:
        raise UsageError(
            f"the tasks take {busy:.3g} times the time there is: --every must be longer"
        )
    power = sleep_w * (1 - busy) + sum(d.energy_j / d.period_s for d in duties)
    off = sum(d.energy_uncertainty_j / d.period_s for d in duties)
    loss = battery.joules * battery.self_discharge / YEAR_S
    if power + loss <= 0:
        raise UsageError("a device that draws nothing needs no battery: is --every missing?")

    def years(watts: float) -> float:
        return battery.joules / (max(watts, 0.0) + loss) / YEAR_S if watts + loss > 0 else 1e99

    return Life(power, years(power), years(power + off), years(power - off))


def plan(values: Mapping[str, Any], calls: Collection[str]) -> Plan | None:
    """What --battery, --every and --sleep ask for; None without them. `calls`: the names that
    --every may have. Errors: UsageError.
    """
    if not values["battery"]:
        if values["every"] or values["sleep"]:
            raise UsageError("--every and --sleep ask for the life of a --battery: name one")
        return None
    if not values["every"]:
        raise UsageError("--battery needs --every: how often something is computed, as 30s")
    battery = _battery(values["battery"])
    for name in ("usable", "self_discharge"):
        if values.get(name) is not None:
            part = share(values[name], f"--{name.replace('_', '-')}")
            battery = msgspec.structs.replace(battery, **{name: part})
    periods = {}
    for text in values["every"]:
        name, equals, period = text.rpartition("=")
        if equals and name.strip() not in calls:
            raise unknown_name("name in --every", name.strip(), calls)
        periods[name.strip()] = quantity(period, "time", "--every") / 1e6
    sleep = values["sleep"]
    return Plan(values["battery"], battery, periods, sleep and _sleep_w(sleep, battery.volts))


def _battery(text: str) -> Battery:
    """A cell by name, or CHARGE@VOLTAGE. Errors: UsageError."""
    charge, at, volts = text.partition("@")
    name = next((name for name in cells() if name.lower() == text.strip().lower()), None)
    if name is not None:
        cell = cells()[name]
        return Battery(cell.milliampere_hours * 3.6, cell.volts, self_discharge=cell.self_discharge)
    if not at:
        raise UsageError(
            f"--battery is one of {', '.join(cells())}, or CHARGE@VOLTAGE as 2400mAh@3V, "
            f"not '{text}'"
        )
    return Battery(
        quantity(charge, "charge", "--battery"), quantity(volts, "voltage", "--battery CHARGE@")
    )


def _sleep_w(text: str, volts: float) -> float:
    """Watts of a current or a power. Errors: UsageError."""
    if text.strip().endswith("W"):
        return quantity(text, "power", "--sleep")
    return quantity(text, "current", "--sleep") * volts


def check(asked: Plan, targets: Iterable[Target]) -> None:
    """Whether the currents of these chips are known. Errors: UsageError, which says what to do."""
    for target in targets:
        if not target.power:
            raise UsageError(
                f"{target.name}: no current is known while it computes, so no battery life is: "
                "write [[power]] into its --target-file (docs/adding-a-target.md)"
            )
        if asked.sleep_w is None and asleep_ua(target) is None:
            raise UsageError(
                f"{target.name}: its sleep current is not known here: name that of its data "
                "sheet, as --sleep 2uA"
            )


def asleep_ua(target: Target) -> float | None:
    """Microamperes asleep, by the chip's data sheet."""
    of_file = {state.state: state.milliamperes for state in target.power}.get("sleep")
    if of_file is not None:
        return of_file * 1000
    known = _known().asleep.get(target.name)
    return known.microamperes if known else None


def of_chip(
    asked: Plan,
    target: Target,
    calls: Iterable[tuple[str, float | None]],
    radio_uj: float | None = None,
) -> Life | None:
    """The life with these calls, each a name and microseconds, and with what a radio takes for
    each, in microjoules. It draws the active current of
    the data sheet, whatever the battery's voltage. None where a time is not known, nothing is
    called, or one call does not end before the next. `check` passes before.
    """
    volts, milliamperes = asked.battery.volts, target.power[0].milliamperes
    duties = []
    for name, time_us in calls:
        period = asked.period(name)
        if period is None:
            continue
        if time_us is None:
            return None
        seconds = time_us / 1e6
        joules = seconds * milliamperes / 1000 * volts + (radio_uj or 0.0) * 1e-6
        duties.append(Duty(period, seconds, joules))
    if not duties or sum(duty.duration_s / duty.period_s for duty in duties) > 1:
        return None
    sleep = asked.sleep_w
    if sleep is None:
        sleep = (asleep_ua(target) or 0.0) * 1e-6 * volts
    return life(asked.battery, duties, sleep)


def with_battery(
    asked: Plan,
    records: Sequence[Any],
    calls: Sequence[tuple[Target, str, float | None]],
    what: str,
    radios_uj: Sequence[float | None] = (),
) -> tuple[list[dict[str, Any]], list[str]]:
    """The fields of each record and `battery_years`, where its call alone is made; the lines under
    their table. `calls`: of each record chip, name and microseconds; `radios_uj`: what its radio
    takes, where there is one.
    """
    values = []
    radios_uj = radios_uj or [None] * len(calls)
    for record, (target, name, time_us), radio_uj in zip(records, calls, radios_uj, strict=True):
        lasting = of_chip(asked, target, [(name, time_us)], radio_uj)
        fields = msgspec.to_builtins(record)
        values.append(fields | {"battery_years": lasting and round(lasting.years, 4)})
    targets = {target.name: target for target, _, _ in calls}.values()
    lines = [
        said(
            asked,
            targets,
            what,
            radio="its radio is off between frames" if any(radios_uj) else "no radio",
        )
    ]
    if any((value["battery_years"] or 0) > SHELF for value in values):
        lines.append(f"years: most cells are sold to keep for {SHELF}; above that, ask their maker")
    late = any(
        (period := asked.period(name)) and time_us and time_us > period * 1e6
        for _, name, time_us in calls
    )
    if late:
        lines.append("years: none where a call takes longer than --every leaves it")
    return values, lines


def said(asked: Plan, targets: Iterable[Target], what: str, *, radio: str = "no radio") -> str:
    """The line under a table: which battery, how often what, and the currents."""
    cell = asked.battery
    often = ", ".join(f"{name or what} every {_time(s)}" for name, s in asked.periods.items())
    currents = [
        f"{target.name} {target.power[0].milliamperes:g} mA"
        + ("" if asked.sleep_w is not None else f", asleep {asleep_ua(target):g} µA")
        for target in targets
    ]
    asleep = "" if asked.sleep_w is None else f", asleep {asked.sleep_w / cell.volts * 1e6:g} µA"
    lost = f", {cell.self_discharge:.0%} a year lost by itself" if cell.self_discharge else ""
    return (
        f"years: {often}; {cell.coulombs / 3.6:g} mAh at {cell.volts:g} V{lost}; "
        f"{'; '.join(currents)}{asleep}; {radio}"
    )


def _time(seconds: float) -> str:
    for unit, size in (("h", 3600), ("min", 60), ("s", 1)):
        if seconds >= size:
            return f"{seconds / size:g} {unit}"
    return f"{seconds * 1000:g} ms"

"""What rows over a radio link say together: the channel that takes least, whether a server repeats
itself, and what a handshake costs a battery.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ecfit.errors import UsageError
from ecfit.measure.battery import cells
from ecfit.units import milliseconds
from ecfit_lab.energy.links import Link, find_link
from ecfit_lab.tls.configs import find_connection
from ecfit_lab.tls.record import FIRST_TIMER_S, TlsRecord

YEARS = 10
_WHO = {
    "both": "both sides authenticated",
    "shared": "by a shared key",
    "server": "the server alone authenticated",
}


def radio(name: str | None, rtt: str | None, bandwidth: str | None) -> Link | None:
    """The link of --link. Errors: UsageError, also of one whose radio sleeps: what it costs depends
    on when the server answers.
    """
    if name is None:
        return None
    if rtt or bandwidth:
        raise UsageError("--link has times of its own: leave --rtt and --bandwidth out")
    link = find_link(name)
    if link.wake_hz:
        raise UsageError(f"--link {link.name}: that radio sleeps; name 802.15.4 or thread")
    return link


def energy_uj(record: TlsRecord) -> float | None:
    """Of computation and radio, where the chip's current is known."""
    if record.energy_uj is None or record.radio_uj is None:
        return None
    return record.energy_uj + record.radio_uj


def sentences(records: Sequence[TlsRecord]) -> list[str]:
    """Of rows over a link; none where no row has one."""
    rows = [row for row in records if row.status == "ok" and row.link]
    several = len({row.connection for row in rows}) > 1
    told = "; ".join(filter(None, (_least(rows, who) for who in _WHO))) if several else ""
    least = [f"least energy: {told}"] if told else []
    return [*least, _repeats(rows), _a_day(rows), _radio(rows[0])] if rows else []


def _radio(row: TlsRecord) -> str:
    """Whose radio the energies are of: not the chip's, if that has none or another."""
    link = find_link(str(row.link))
    powers = f"{link.tx_milliwatts:g} mW sending, {link.rx_milliwatts:g} mW receiving"
    return f"radio: {link.description}; {powers}"


def _named(row: TlsRecord, rows: Sequence[TlsRecord]) -> str:
    """A row by what tells it from the others."""
    backend = f" {row.backend}" if len({r.backend for r in rows} - {"-"}) > 1 else ""
    chip = f" on {row.platform}" if len({r.platform for r in rows}) > 1 else ""
    return f"{row.connection}{backend}{chip}"


def _least(rows: Sequence[TlsRecord], who: str) -> str:
    """The channel that takes least energy, and how much more the next one takes; of several chips
    from the least to the most.
    """
    told: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for chip in dict.fromkeys(row.platform for row in rows):
        ranked = [
            (energy, row)
            for energy, row in _by_energy(rows)
            if row.platform == chip and find_connection(row.connection).authenticated == who
        ]
        for least, row in ranked[:1]:
            others = [pair for pair in ranked if pair[1].connection != row.connection]
            energy, name = (others[0][0], others[0][1].connection) if others else (least, "")
            several = len({r.backend for r in rows} - {"-"}) > 1 and row.backend != "-"
            best = f"{row.connection} {row.backend}" if several else row.connection
            told.setdefault((best, name), []).append((least, energy / least))
    texts = [
        f"{best} ({_range([pair[0] for pair in pairs], milliseconds)} mJ"
        + (
            f", {_range([pair[1] for pair in pairs], '{:.1f}'.format)} times less than {name})"
            if name
            else ")"
        )
        for (best, name), pairs in told.items()
    ]
    return f"{_WHO[who]}, {' or '.join(texts)}" if texts else ""


def _range(figures: Sequence[float], form: Callable[[float], str]) -> str:
    """From the least to the most, or the one figure that there is."""
    ends = dict.fromkeys(form(end) for end in (min(figures), max(figures)))
    return " to ".join(ends)


def _by_energy(rows: Sequence[TlsRecord]) -> list[tuple[float, TlsRecord]]:
    """The rows whose energy is known, with the least first."""
    known = [(energy, row) for row in rows if (energy := energy_uj(row)) is not None]
    return sorted(known, key=lambda pair: pair[0])


def _repeats(rows: Sequence[TlsRecord]) -> str:
    """Whether a server sends a flight again because the client takes so long."""
    without_tcp = [row for row in rows if row.repeats is not None]
    if not without_tcp:
        return "no server repeats a flight: TCP acknowledges it while the client computes"
    slowest = max(without_tcp, key=lambda row: row.answer_ms or 0)
    answer, timer = milliseconds(1000 * (slowest.answer_ms or 0)), f"its timer is {FIRST_TIMER_S} s"
    if again := [row for row in without_tcp if row.repeats]:
        names = "; ".join(f"{_named(row, rows)}: {row.repeats} times" for row in again)
        return (
            f"the server repeats a flight ({names}): the answer takes up to {answer} ms, {timer} "
            "and then twice as long. The table has no repeats"
        )
    return f"no server repeats a flight: the answer takes up to {answer} ms, {timer}"


def _a_day(rows: Sequence[TlsRecord]) -> str:
    """How much of a battery a handshake a day takes: whether a session should be kept."""
    known = _by_energy(rows)
    if not known:
        return "the current of this chip is not known: mJ are of the radio alone"
    cell = cells()["2xAA"]
    joules = cell.milliampere_hours * 3.6 * cell.volts
    a_joule = 100 * YEARS * 365.25 / joules  # each day, in per cent
    shares = [
        f"{milliseconds(a_joule * energy / 1000)} % ({_named(row, rows)})"
        for energy, row in (known[:1] + known[-1:] if len(known) > 1 else known)
    ]
    return (
        f"a handshake a day takes {' to '.join(shares)} of two AA cells, {joules:.0f} J, in "
        f"{YEARS} years"
    )

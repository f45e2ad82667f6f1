"""What the options of `measure` mean: a function of a foreign image and its arguments."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from ecfit.arguments.common import Common
from ecfit.arguments.further import FORMS
from ecfit.choices.targets import Memory, Target, find_target
from ecfit.errors import UsageError
from ecfit.paths import read_input
from ecfit.run.call import Argument, Call
from ecfit.units import quantity

MOST_BYTES = 1 << 20  # of an argument


def chosen_target(common: Common) -> Target:
    """The target, its memory where it was said to be. Errors: UsageError."""
    v = common.values
    common.values = {**v, "targets": (v["targets"],) if v["targets"] else ()}
    names = common.target_names()
    if len(names) > 1 or (not v["targets"] and not v["target_files"]):
        raise UsageError("--target names the one chip that the image is for; 'ecfit list targets'")
    target = find_target(names[0])
    if target.runner != "sim":
        raise UsageError(f"{target.name} is not simulated: choose a chip ('ecfit list targets')")
    starts = {
        kind: _number(v[f"{kind}_at"], f"--{kind}-at", 0, 2**32 - 4)
        for kind in ("flash", "ram")
        if v[f"{kind}_at"] is not None
    }
    moved = [_moved(memory, target.region(memory.kind), starts) for memory in target.memory]
    for region in moved:
        for beside in moved:
            if (
                region is not beside
                and region.start < beside.start + beside.size <= region.start + region.size
            ):
                raise UsageError(f"{region.name} and {beside.name} of {target.name} would overlap")
    return msgspec.structs.replace(target, memory=tuple(moved))


def _moved(memory: Memory, first: Memory, starts: dict[str, int]) -> Memory:
    start = memory.start + starts.get(memory.kind, first.start) - first.start
    if start % 4 or not 0 <= start <= 2**32 - memory.size:
        raise UsageError(f"--{memory.kind}-at: {memory.name} cannot begin at 0x{start:x}")
    return msgspec.structs.replace(memory, start=start)


def question(common: Common) -> Call:
    """The call that was asked for. Errors: UsageError."""
    v = common.values
    arguments = tuple(_argument(text, "--arg") for text in v["arguments"])
    puts = []
    for text in v["puts"]:
        name, equals, value = text.partition("=")
        argument = _argument(value, "--put") if name and equals else None
        if argument is None or argument.kind not in ("integer", "long", "bytes"):
            raise UsageError(
                "--put takes VARIABLE=VALUE: an integer, u64:N, bytes:HEX or secret:HEX, "
                f"not '{text}'"
            )
        size = {"integer": 4, "long": 8}.get(argument.kind)
        if size:
            data = (argument.value & (1 << 8 * size) - 1).to_bytes(size, "little")
            argument = msgspec.structs.replace(argument, data=data)
        puts.append((name, argument))
    asked = Call(
        function=v["function"],
        arguments=arguments,
        puts=tuple(puts),
        shows=tuple(_shown(text) for text in v["shows"]),
        before=v["before"],
        maps=tuple(_map(text) for text in v["maps"]),
        runs=v["runs"],
        seed=v["seed"],
        limit=v["limit"],
    )
    if asked.runs > 1 and not asked.secrets:
        raise UsageError("--n compares runs with different secrets: mark one, as --arg secret:HEX")
    return asked


def expected(common: Common) -> int | None:
    """What the function is to return, of 32 or 64 bits. Errors: UsageError."""
    text = common.values["expect"]
    return None if text is None else _number(text, "--expect", -(2**63), 2**64 - 1)


def _argument(text: str, option: str) -> Argument:
    kind, colon, value = text.partition(":")
    if not colon:
        return Argument(text, "integer", _number(text, option, -(2**31), 2**32 - 1))
    if kind == "u64":
        return Argument(text, "long", _number(value, option, -(2**63), 2**64 - 1))
    if kind in ("bytes", "secret"):
        return Argument(text, "bytes", data=_bytes(value, option), secret=kind == "secret")
    if kind == "buffer":
        return Argument(text, "buffer", data=bytes(_number(value, option, 1, MOST_BYTES)))
    if kind in ("symbol", "call") and value:
        return Argument(text, "symbol" if kind == "symbol" else "call", name=value)
    raise UsageError(f"{option} takes {FORMS}, not '{text}'")


def _bytes(text: str, option: str) -> bytes:
    if text.startswith("@"):
        try:
            data = read_input(Path(text[1:]))
        except OSError as error:
            raise UsageError(f"{option}: {text[1:]} cannot be read: {error.strerror}") from None
    else:
        try:
            data = bytes.fromhex(text)
        except ValueError:
            raise UsageError(
                f"{option}: pairs of hexadecimal digits are wanted, not '{text[:40]}'"
            ) from None
    if not 0 < len(data) <= MOST_BYTES:
        raise UsageError(f"{option}: {len(data)} bytes: 1 to {MOST_BYTES} can be given")
    return data


def _number(text: str, option: str, low: int, high: int) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        raise UsageError(
            f"{option} takes {FORMS}, not '{text}'"
            if option in ("--arg", "--put")
            else f"{option} takes an integer as 5 or 0x10, not '{text}'"
        ) from None
    if not low <= value <= high:
        raise UsageError(f"{option}: {text} is not between {low} and {high}")
    return value


def _shown(text: str) -> tuple[str, int | None]:
    name, colon, size = text.partition(":")
    return name, _number(size, "--show", 1, MOST_BYTES) if colon else None


def _map(text: str) -> tuple[int, int]:
    start, plus, size = text.partition("+")
    if not plus or not re.fullmatch(r"0x[0-9a-fA-F]{1,8}", start):
        raise UsageError(f"--map takes ADDRESS+SIZE, as 0x40021000+4KiB, not '{text}'")
    length, first = int(quantity(size, "size", "--map")), int(start, 16)
    if first % 4 or length % 4 or first + length > 2**32 or length > 1 << 28:
        raise UsageError("--map: address and size are multiples of 4, 256 MiB at most")
    return first, length

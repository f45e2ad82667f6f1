"""The cores on which not every backend of the library is constant-time, from lib/knobs.toml."""

from __future__ import annotations

from functools import cache

import msgspec

from ecfit.errors import UsageError
from ecfit.paths import LIB


class Core(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A core, known to the preprocessor by `when`, where only `constant` are constant-time."""

    name: str
    when: str
    constant: tuple[str, ...]
    reason: str


class _File(msgspec.Struct, frozen=True):
    core: tuple[Core, ...]


@cache
def delicate_cores() -> tuple[Core, ...]:
    """All of them. Errors: UsageError."""
    try:
        return msgspec.toml.decode((LIB / "knobs.toml").read_bytes(), type=_File).core
    except (OSError, msgspec.MsgspecError) as error:
        raise UsageError(f"lib/knobs.toml: {error}") from None

"""The cores of lib/knobs.toml, with the back ends that are known to be constant-time there."""

from __future__ import annotations

from functools import cache

import msgspec

from ecfit.errors import UsageError
from ecfit.paths import LIB

ALLOW = "ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"  # compiles for any core, with any backend
FPU = "ECFIT_FPU_PRESENT"  # the core has a unit, which a compiler for soft floats does not say
NO_UNIT = f"""\
#if !defined(__ARM_FP) && !defined({FPU})
#error "FPU words needs a floating-point unit, and this compiler has none: where the core has \\
one, define {FPU}"
#endif
"""
UNKNOWN = "it is not known whether this core multiplies in constant time"


class Core(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A core, known to the preprocessor by `when`, where only `constant` are constant-time."""

    name: str
    when: str
    constant: tuple[str, ...]
    reason: str

    @property
    def advice(self) -> str:
        """What else to take."""
        return f"take BACKEND {' or '.join(self.constant)}" if self.constant else "no BACKEND helps"


class _Cores(msgspec.Struct, frozen=True):
    core: tuple[Core, ...]


@cache
def known_cores() -> tuple[Core, ...]:
    """All of them. Errors: UsageError."""
    try:
        return msgspec.toml.decode((LIB / "knobs.toml").read_bytes(), type=_Cores).core
    except (OSError, msgspec.MsgspecError) as error:
        raise UsageError(f"lib/knobs.toml: {error}") from None


def cores_where_first(backend: str) -> tuple[Core, ...]:
    """The cores for which the default configuration takes a backend."""
    return tuple(core for core in known_cores() if core.constant[:1] == (backend,))


def any_of(cores: tuple[Core, ...]) -> str:
    """A condition of the preprocessor: it compiles for one of them."""
    return " || \\\n    ".join(f"({core.when})" for core in cores)

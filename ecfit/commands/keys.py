"""The command `keys`: key pairs from the system's random generator."""

from __future__ import annotations

import sys

from ecfit.arguments.common import Common
from ecfit.choices.curves import find_curve
from ecfit.errors import OK
from ecfit.measure.store import write_secret
from ecfit.oracle.keyformats import text
from ecfit.oracle.keygen import generate


def keys(common: Common) -> int:
    """Makes and writes key pairs. Errors: UsageError, OutputError."""
    curve, count = find_curve(common.values["curve"]), common.values["count"]
    output = text([generate(curve) for _ in range(count)], common.format)
    if common.path in (None, "-"):
        sys.stdout.write(output)
    else:
        assert common.path is not None
        write_secret(common.path, output, replace=common.values["force"])
    return OK

"""How the tests run a command line, and the peers that they make up."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from ecfit.show.layout import MOST_LINES

ECFIT = [sys.executable, "-c", "from ecfit.cli import main; main()"]
TIMEOUT = 120  # seconds for one command

PEER = """
description = "a peer of the tests"
licence = "MIT"
library_version = "1"
{more}
[curves]
secp256r1 = ["keygen", "ecdh", "sign", "verify"]
"""

# An adapter whose four operations run {body}; they may use all of bench_op.h.
ADAPTER = """
#include "bench_op.h"
{head}
static int body(uint8_t *out, const uint8_t *in) {{ {body} }}
int bench_keygen(uint8_t *out, const uint8_t *in) {{ return body(out, in); }}
int bench_ecdh(uint8_t *out, const uint8_t *in) {{ return body(out, in); }}
int bench_sign(uint8_t *out, const uint8_t *in) {{ return body(out, in); }}
int bench_verify(uint8_t *out, const uint8_t *in) {{ return body(out, in); }}
"""


class Done:
    """A command that has ended."""

    def __init__(self, process: subprocess.CompletedProcess[str]) -> None:
        self.code, self.out, self.err = process.returncode, process.stdout, process.stderr

    @property
    def error(self) -> str:
        """The one line on standard error."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("ecfit: ")
        return lines[0]


UNLIMITED = ("bench", "study", "fidelity", "progress")  # a line for each row, however many


def assert_readable(text: str, command: str) -> None:
    """No line is wider than 80 columns, and there are at most MOST_LINES."""
    lines = text.splitlines()
    assert not [line for line in lines if len(line) > 80 and " " in line.strip()]
    assert command in UNLIMITED or len(lines) <= MOST_LINES


Ecfit = Callable[..., Done]
MakePeer = Callable[..., str]

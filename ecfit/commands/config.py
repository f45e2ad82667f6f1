"""What is made to take along. The command `config`: the configuration header to compile with,
and tables that it needs. The command `keys`: key pairs from the system's random generator.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ecfit.arguments.common import Common
from ecfit.arguments.selection import ALL, rows
from ecfit.build.combs import missing_tables
from ecfit.build.parts import library_sources
from ecfit.build.toolchain import cpu_flags
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES, Curve, find_curve
from ecfit.choices.targets import Target
from ecfit.errors import OK, OutputError, UsageError
from ecfit.measure.bench import Row
from ecfit.measure.store import write_output, write_secret
from ecfit.oracle import keyformats, rfc7748, weierstrass
from ecfit.oracle.keyformats import KeyPair
from ecfit.paths import ROOT
from ecfit.show.report import emit

HEADER = "ecfit_config.h"
FIRST_WORDS = "/* ecfit_config.h"  # of a header that may be replaced


def config(common: Common) -> int:
    """Writes the header, and what it needs, to a folder; to standard output without one.

    Errors: UsageError.
    """
    row = _row(common)
    files = config_files(row, every_op=ALL in {op.lower() for op in common.values["ops"]})
    folder = common.values.get("folder")
    if folder is None:
        if len(files) > 1:
            raise UsageError(
                f"this configuration has tables of its own ({len(files) - 1} files): "
                "name a folder, -o DIR"
            )
        emit(files[HEADER], None)
        return OK
    write_files(Path(folder), files)
    sys.stderr.write(
        f"ecfit: wrote {', '.join(files)} to {folder}; compile with\n"
        f"  {compile_line(row.target, files[HEADER], folder)}\n"
    )
    return OK


def _row(common: Common) -> Row:
    """The one configuration that was asked for, of all curves in one image. Errors: UsageError."""
    names = common.values["curves"]
    every = [name for name, curve in CURVES.items() if knobs.find_slot(name)]
    together = "+".join(every if ALL in {name.lower() for name in names} else dict.fromkeys(names))
    selection = common.select(together=True, curves=(together,))
    found = [row for row in rows(selection) if row.offered]
    if not found:
        raise UsageError("nothing is left to configure: none of these curves has these operations")
    kinds = {(row.target.name, row.configuration.preset) for row in found}
    if len(kinds) > 1:
        raise UsageError("a header is for one target and one preset: name one of each")
    return found[0]


def config_files(row: Row, *, every_op: bool) -> dict[str, str]:
    """Names and texts: the header, and tables of the base point that lib/src does not have.

    `every_op`: all operations were asked for, and with them what the preset has beside them
    (point compression).
    Otherwise only what a setting names is there. Errors: UsageError, BuildError.
    """
    further = {curve.name: configuration for curve, configuration in row.more}
    header = knobs.header(
        row.configuration,
        [row.curve.name],
        row.image_ops,
        extras=every_op or bool(row.extras),
        more=further,
    )
    tables = _tables(
        {row.curve.name: row.configuration.settings}
        | {name: c.settings for name, c in further.items()}
    )
    return {HEADER: header, **tables}


def _tables(settings: Mapping[str, Sequence[tuple[str, str]]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for curve, values in settings.items():
        found |= missing_tables(curve, dict(values))
    return found


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Writes all of them below a folder, which is made. Errors: OutputError."""
    header = folder / HEADER
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"cannot write to {folder}: it is not a folder")
    if header.exists() and not header.read_text(encoding="utf-8", errors="replace").startswith(
        FIRST_WORDS
    ):
        raise OutputError(
            f"{header} is there, and not a configuration of this library: "
            "remove it, or name another folder"
        )
    try:
        for name in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write to {folder}: {error.strerror}") from None
    for name, text in sorted(files.items(), key=lambda item: item[0] == HEADER):  # the header last
        write_output(folder / name, text)


def compile_line(target: Target, header: str, folder: str) -> str:
    """The command that compiles the library with this header, which is in a folder."""
    sources = [str(source.relative_to(ROOT)) for source in library_sources(header)]
    compiler, flags = cpu_flags(target.arch, target.core)
    command = [compiler, *flags, "-Os", "-c", f"-I{folder}", "-Ilib/include", "-Ilib/src"]
    return f"{' '.join(command)} \\\n    {' '.join(sources)}"


def generate(curve: Curve) -> KeyPair:
    """A key pair: the private key is uniform in 1 .. n-1 (FIPS 186-5, A.2.1),
    or random bytes (RFC 7748, RFC 8032).
    """
    if curve.form != "weierstrass":
        private = secrets.token_bytes(curve.scalar_bytes)
        public = rfc7748.exchange_base if curve.form == "montgomery" else rfc7748.public_key
        return KeyPair(curve, private, public(curve.name, private))
    d = secrets.randbelow(curve.n - 1) + 1
    point = weierstrass.multiply(curve, d, weierstrass.base(curve))
    assert point is not None
    return KeyPair(
        curve, d.to_bytes(curve.scalar_bytes, "big"), weierstrass.encode_point(curve, point)
    )


def keys(common: Common) -> int:
    """Makes and writes key pairs. Errors: UsageError, OutputError."""
    curve, count = find_curve(common.values["curve"]), common.values["count"]
    made = keyformats.text([generate(curve) for _ in range(count)], common.format)
    if common.path in (None, "-"):
        sys.stdout.write(made)
    else:
        assert common.path is not None
        write_secret(common.path, made, replace=common.values["force"])
    return OK

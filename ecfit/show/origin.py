"""Where figures come from: version and commit, the cycle model, the flags of the compiler."""

from __future__ import annotations

import subprocess
from collections.abc import Container, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from ecfit import __version__
from ecfit.build.toolchain import usual_flags
from ecfit.choices.targets import Target, known_target
from ecfit.model import digest
from ecfit.paths import ROOT
from ecfit.sim.model import SimError, load_model

ORIGIN = ("kept", "ecfit_version", "ecfit_commit", "model_sha256", "flags")  # of `stamped`
UNKNOWN = "no commit is known of them"


def origin(*paths: Path) -> str:
    """The commit that last changed one of these paths of the checkout, and its day;
    whether they have been changed since.
    """
    names = [str(path.relative_to(ROOT)) for path in paths]
    last = _git("log", "-1", "--format=%H %cs", "--", *names)
    if not last:
        return UNKNOWN
    commit, _, day = last.partition(" ")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", *names)
    return f"commit {commit[:10]} of {day}{', changed since' if changed else ''}"


def stamped(values: Sequence[Any], kept: Container[str] = ()) -> Sequence[Any]:
    """Records with five fields more: `ecfit_version`, `ecfit_commit`, `model_sha256` of the cycle
    table with its changes, `flags` of the compiler, `kept`. Other values as they are.

    `kept`: libraries whose records were measured earlier and are kept in results/studies. Of them
    `kept` is true, and version, commit and model are null: they are not those of this run.
    """
    plain = [msgspec.to_builtins(value) for value in values]
    if not all("schema" in value and "target" in value for value in plain):
        return values
    return [value | _origin_of(value, value.get("library") in kept) for value in plain]


def _origin_of(record: dict[str, Any], kept: bool) -> dict[str, str | bool | None]:
    target, opt = known_target(record["target"]), record.get("opt")
    model = _model(target, record.get("model_rows")) if target and not kept else None
    return {
        "kept": kept,
        "ecfit_version": None if kept else __version__,
        "ecfit_commit": None if kept else _commit(),
        "model_sha256": model,
        "flags": " ".join(usual_flags(target.core, opt)) if target and opt else None,
    }


@cache
def _commit() -> str | None:
    """The commit of this checkout, with `-dirty` where files were changed; null without one."""
    return _git("describe", "--always", "--dirty", "--exclude=*", "--abbrev=12") or None


def _model(target: Target, rows: str | None) -> str | None:
    """The hash of all rows of the cycle table that the target uses, and of what was changed."""
    if not target.model:
        return None
    try:
        model = load_model(target.model, **target.model_options)
    except SimError:
        return None
    return digest([msgspec.to_builtins(model), rows])


def _git(*arguments: str) -> str:
    """What git reports of this checkout. Empty without one, without git, and where the package is
    installed inside a repository that is another project's.
    """
    if not (ROOT / ".git").exists():
        return ""
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()

"""Where figures come from: the commit that a checkout has them in."""

from __future__ import annotations

import subprocess
from pathlib import Path

from ecfit.paths import ROOT

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


def _git(*arguments: str) -> str:
    """The commit of the checkout, as git reports it. Empty if git reports nothing or is missing."""
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()

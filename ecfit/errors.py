"""Errors that a user can cause or mend: one line each, with the exit code of the command line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

OK, UNEXPECTED, USAGE, BUILD_FAILED, WRONG_RESULT = 0, 1, 2, 3, 4
CONSTANT_TIME, BUDGET, REGRESSION, INTERRUPTED = 5, 6, 7, 130


class EcfitError(Exception):
    """Base of all expected errors. The text is one line that says what is wrong and what to do.

    `status` is the word that a record carries when one row of many fails for this reason.
    """

    exit_code = UNEXPECTED
    status = "error"


class UsageError(EcfitError):
    """A name, value or combination that does not exist."""

    exit_code = USAGE
    status = "usage"


class BuildError(EcfitError):
    """A compiler, linker or generator refused its input."""

    exit_code = BUILD_FAILED
    status = "build failed"


class MissingToolError(BuildError):
    """A program that is needed is not installed; the text names the package."""

    status = "tool missing"


class PackageError(BuildError):
    """A peer's package cannot be had."""

    status = "package unavailable"


class HashMismatchError(PackageError):
    """A peer's package is not the one that is pinned."""

    status = "package hash mismatch"


BUILD_STATUSES = {
    error.status for error in (BuildError, MissingToolError, PackageError, HashMismatchError)
}


class BudgetError(EcfitError):
    """A budget that nothing keeps."""

    exit_code = BUDGET
    status = "budget"


class OutputError(EcfitError):
    """A result cannot be written."""

    exit_code = USAGE
    status = "output"


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """The error for a name that is not in `known`: nearest match first, then the list."""
    names = sorted({*known})
    near = difflib.get_close_matches(name.lower(), [n.lower() for n in names], n=1, cutoff=0.5)
    original = {n.lower(): n for n in names}
    hint = f"did you mean {original[near[0]]}? " if near else ""
    return UsageError(
        f"unknown {kind} '{name}': {hint}known: {', '.join(names) if names else 'none'}"
    )

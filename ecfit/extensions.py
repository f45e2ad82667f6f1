"""What other packages add: commands, and what commands of ecfit do more where these are installed.

A package registers it as an entry point (pyproject.toml): a command in the group `ecfit.commands`,
anything else in `ecfit.extensions`. Nothing of it is loaded before it is asked for.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ecfit.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

COMMANDS = "ecfit.commands"
EXTENSIONS = "ecfit.extensions"


@cache
def registered(group: str) -> dict[str, EntryPoint]:
    """What is registered in a group, by name."""
    from importlib.metadata import entry_points  # 20 ms

    return {point.name: point for point in entry_points(group=group)}


def extension(name: str) -> Any:
    """What is registered by this name. Errors: UsageError where no installed package has it."""
    point = registered(EXTENSIONS).get(name)
    if point is None:
        raise UsageError(f"no installed package has '{name}': reinstall ecfit, with its lab")
    return point.load()

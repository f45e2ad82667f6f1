"""Completion of values in a shell: chips, curves, presets, libraries, studies. docs/shell.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _targets() -> Iterable[str]:
    from ecfit.choices.targets import all_targets

    return all_targets()


def _curves() -> Iterable[str]:
    from ecfit.choices.curves import CURVES

    return CURVES


def _presets() -> Iterable[str]:
    from ecfit.choices.presets import all_presets

    return all_presets()


def _libraries() -> Iterable[str]:
    from ecfit.choices.peers import all_peers

    return ["ecfit", *all_peers({})]


def _ops() -> Iterable[str]:
    from ecfit.choices.curves import OPS

    return OPS


NAMES: dict[str, Callable[[], Iterable[str]]] = {
    "--target": _targets,
    "--curve": _curves,
    "--preset": _presets,
    "--lib": _libraries,
    "--op": _ops,
}


def completer(option: str) -> Completer | None:
    """What completes the last name of an option's comma list; None where nothing can."""
    names = NAMES.get(option)
    if names is None:
        return None

    def complete(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
        before, comma, last = typed.rpartition(",")
        found = [name for name in names() if name.lower().startswith(last.lower())]
        return [CompletionItem(f"{before}{comma}{name}") for name in found]

    return complete

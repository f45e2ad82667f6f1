"""The chart library of the page: Vega, Vega-Lite and their loader in one text of JavaScript."""

from __future__ import annotations

from functools import cache

from ecfit.errors import MissingToolError

PACKAGE = "vl-convert-python"
SNIPPET = "window.vegaEmbed = vegaEmbed;"  # all that the page calls; the rest stays inside


def find_library() -> None:
    """Finds out before minutes of work. Errors: MissingToolError."""
    try:
        import vl_convert  # noqa: F401
    except ImportError:
        raise MissingToolError(
            f"the page needs the Python package {PACKAGE}: .venv/bin/pip install -e '.[page]'"
        ) from None


@cache
def library() -> str:
    """The text, which asks nothing of the network. Errors: MissingToolError."""
    find_library()
    import vl_convert

    return f"(() => {{\n{vl_convert.javascript_bundle(SNIPPET)}\n}})();"

"""The chart library of the page: Vega, Vega-Lite and their loader in one text of JavaScript."""

from __future__ import annotations

from importlib.metadata import version

from ecfit.errors import MissingToolError
from ecfit.measure.store import Store
from ecfit.model import digest

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


def library(store: Store) -> str:
    """The text, which asks nothing of the network; kept, for it takes seconds to put together.
    Errors: MissingToolError.
    """
    find_library()
    import vl_convert

    return store.made_text(
        digest([PACKAGE, version(PACKAGE), SNIPPET]),
        lambda: f"(() => {{\n{vl_convert.javascript_bundle(SNIPPET)}\n}})();",
    )

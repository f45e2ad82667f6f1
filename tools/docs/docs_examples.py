"""An example for each function of the API: tools/docs/api_examples, in the names and sizes of each
header. tests/docs/test_api_examples.py compiles and runs them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from ecfit.choices.curves import CURVES

FOLDER = Path(__file__).resolve().parent / "api_examples"
WRITTEN_FOR = {"weierstrass": "secp256r1", "montgomery": "x25519", "edwards": "ed25519"}
FUNCTION = re.compile(
    r"^static int (example\w*)\(void\)\n\{\n(.*?)\n\}\n", re.MULTILINE | re.DOTALL
)
SHOWN = re.compile(r"/\* shown once \*/\n(.*?)\n\n(?=static int example)", re.DOTALL)
SPAKE2P = r"static ecfit_\w+_spake2p_context .*?(?=\n\nstatic int )"
ARRAY = re.compile(r"\b((?:peer_)?)(\w+)\[[^\]]+\]")


def source(name: str, header: str) -> str:
    """All examples of a header as a file of C. `header`: its text, which has the sizes."""
    form = CURVES[name].form if name in CURVES else name
    text = (FOLDER / f"{form}.c").read_text(encoding="utf-8")
    if form not in WRITTEN_FOR:
        return text
    sizes = {one[2]: one[0].partition("[")[2] for one in ARRAY.finditer(header)}
    shown = _shown(text)
    sized = ARRAY.sub(
        lambda one: f"{one[1]}{one[2]}[{sizes[one[2]]}" if one[2] in sizes else one[0], shown
    )
    named = text.replace(shown, sized).replace(WRITTEN_FOR[form], name)
    return _without(named, lambda call: f"ecfit_{name}{call}" in header)


def _without(text: str, there: Callable[[str], bool]) -> str:
    """The examples of functions that the curve has, and what these share."""
    for one in FUNCTION.finditer(text):
        call = one[1].removeprefix("example")
        if not there(f"{call}("):
            text = text.replace(f"{one[0]}\n", "").replace(f"\n{one[0]}", "")
    if not there("_verify_context"):
        text = re.sub(r"^static ecfit_\w+_verify_context .*\n", "", text, flags=re.MULTILINE)
    if not there("_spake2p_context"):
        text = re.sub(SPAKE2P, "", text, flags=re.DOTALL)
    return text


def examples(name: str, header: str) -> tuple[str, dict[str, str]]:
    """What all examples of a header share, and the lines of each by the function that it calls."""
    text = source(name, header)
    start = f"ecfit_{name}" if name in CURVES else "ecfit"
    found = {}
    for one in FUNCTION.finditer(text):
        lines = [line.removeprefix("    ") for line in one[2].split("\n")]
        assert lines.pop() == "return 0;", one[1]
        found[start + one[1].removeprefix("example")] = "\n".join(lines)
    return _shown(text), found


def _shown(text: str) -> str:
    found = SHOWN.search(text)
    assert found is not None
    return found[1]

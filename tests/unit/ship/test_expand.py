"""The preprocessor of amalgams: what is expanded, what stays, and what is needed of it."""

from __future__ import annotations

import pytest

from ecfit.errors import BuildError
from ecfit.ship.expand import Expander
from ecfit.ship.items import cut, needed
from ecfit.ship.layout import laid_out
from ecfit.ship.tokens import text_of, tokens_of

TEMPLATE = """#define ECFIT_CAT_(a, b) a##_##b
#define ECFIT_CAT(a, b) ECFIT_CAT_(a, b)
#define N(name) ECFIT_CAT(CURVE, name)
#define ECFIT_STRING(x) #x
#define ECFIT_FILE_(path, kind) ECFIT_STRING(path##_##kind.inc)
#define ECFIT_FILE(path, kind) ECFIT_FILE_(path, kind)
"""


def expanded(*roots: str, **files: str) -> str:
    """What becomes of a file `main`, which may include the others and `template`."""
    texts = {"template": TEMPLATE, **files}
    expander = Expander(lambda name: texts[name], ("template",))
    expander.file("main")
    items = cut(expander.pieces)
    return laid_out(needed(items, roots or [n for i in items if i.public for n in i.names]))


def test_nothing_of_a_text_is_lost() -> None:
    text = "a /* b\n * c */ \"d\\\" /* e\" '\\'' 0x1fu 1.5e-3 ->##\\\n f // g\n"
    assert text_of(tokens_of(text)) == text


def test_names_and_contexts_are_resolved_and_constants_stay() -> None:
    text = expanded(
        main='#include "template"\n#define CURVE p\n#define CTX\n#define CTX_\n#define LIMBS 8\n'
        "/* N(f): LIMBS words. */\nint N(f)(CTX int *a)\n{\n    int b[LIMBS];\n"
        "    return N(f)(CTX_ & b[0]) + *a;\n}\n"
    )
    assert text == (
        "#define LIMBS 8\n\n/* p_f: LIMBS words. */\nint p_f(int *a)\n{\n    int b[LIMBS];\n"
        "    return p_f(&b[0]) + *a;\n}\n"
    )


def test_files_named_by_macros() -> None:
    text = expanded(
        main='#include "template"\n#define KIND two\n#include ECFIT_FILE(group/one, KIND)\n',
        **{"group/one_two.inc": "/* template: needs nothing; layer group: two\n * more */\nint x;\n"
           "int f(void)\n{\n    return x;\n}\n"},
    )  # fmt: skip
    assert text.startswith("/* group/one_two.inc - two\n * more */\n\nint x;")


def test_what_nothing_needs_is_left_out_with_its_comment() -> None:
    text = expanded(
        "f",
        main="/* main */\n\n/* one */\nstatic int a;\n\n/* two */\nstatic int b;\n\n#define B b\n"
        "int f(void)\n{\n    return B;\n}\n\nint g(void)\n{\n    return a;\n}\n",
    )
    assert "one" not in text
    assert "/* two */\nstatic int b;" in text
    assert "g(void)" not in text


@pytest.mark.parametrize(("later", "stays"), [("X", True), ("x", False)])
def test_a_name_that_means_something_else_later_is_undefined_again(later: str, stays: bool) -> None:
    text = expanded(
        main="#define X 1\nint f(void)\n{\n    return X;\n}\n#undef X\n"
        f"int g(int {later})\n{{\n    return {later};\n}}\n"
    )
    assert ("#undef X" in text) == stays


def test_conditions_of_the_compiler_stay_and_guards_go() -> None:
    text = expanded(
        main="#ifndef ECFIT_A_H\n#define ECFIT_A_H\n#if defined(__GNUC__)\n#define W 1\n#else\n"
        "#define W 2\n#endif\nint f(void)\n{\n    return W;\n}\n#endif\n"
    )
    assert text.startswith("#if defined(__GNUC__)\n#define W 1\n#else\n#define W 2\n#endif\n")
    assert "ECFIT_A_H" not in text


def test_long_statements_are_broken_at_their_outermost_commas() -> None:
    body = f"return {'a' * 40}(bb(cc, dd, {'e' * 20}), ff(gg, hh, {'i' * 20}), jj);"
    text = expanded(main=f"int f(void)\n{{\n    {body}\n}}\n")
    assert max(map(len, text.splitlines())) <= 100
    assert f"{'e' * 20}),\n{' ' * 52}ff(" in text, text


def test_a_slot_that_is_not_filled_is_an_error() -> None:
    with pytest.raises(BuildError, match="a slot of the configuration is not filled"):
        expanded(main="#include ECFIT_NO_SUCH_SLOT\n")

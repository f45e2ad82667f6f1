"""Changes of C text, one at a time: operators, constants, conditions, calls.
Used by tools/mutants.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

SWAPS = {
    "+": "-",
    "-": "+",
    "*": "+",
    "<<": ">>",
    ">>": "<<",
    "&": "|",
    "|": "&",
    "^": "&",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "&&": "||",
    "||": "&&",
    "+=": "-=",
    "-=": "+=",
    "|=": "&=",
    "&=": "|=",
    "^=": "|=",
    "++": "--",
    "--": "++",
    "~": "",
    "!": "",
    "<<=": ">>=",
    ">>=": "<<=",
    "%": "/",
    "/": "*",
}
TOKEN = re.compile(
    r"(?P<skip>/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\s+"
    r"|^[ \t]*\#(?:\\\n|[^\n])*)"
    r"|(?P<number>0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<operator><<=|>>=|->|\.\.\.|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)",
    re.S | re.M,
)
CALL = re.compile(r"^[ \t]*(?:\(void\))?(?:\w|N\(\w+\)|F\(\w+\))+\([^;{}]*\);", re.M)
CONDITION = re.compile(r"\b(if|while) \(")


class Mutant(NamedTuple):
    """One change of a file: the text of [start, end) becomes `new`."""

    path: str
    start: int
    end: int
    new: str
    line: int
    kind: str
    shown: str

    @property
    def name(self) -> str:
        """How it is called in lists: it holds as long as the line stays as it is."""
        return f"{self.path}: {self.kind}: {self.shown}"


def mutants(path: str, text: str) -> Iterator[Mutant]:
    """Every change of a file."""
    for start, end, new, kind in sorted(_changes(text)):
        line = text.count("\n", 0, start)
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", start)
        before, after = text[first:start], text[end : max(last, end)]
        shown = " ".join(f"{before}[{text[start:end]} -> {new}]{after}".split())
        yield Mutant(path, start, end, new, line + 1, kind, shown)


def applied(mutant: Mutant, text: str) -> str:
    """The changed text."""
    return text[: mutant.start] + mutant.new + text[mutant.end :]


def _changes(text: str) -> Iterator[tuple[int, int, str, str]]:
    tokens = [match for match in TOKEN.finditer(text) if match.lastgroup != "skip"]
    for index, match in enumerate(tokens):
        token, at = match.group(), match.start()
        before = tokens[index - 1].group() if index else ";"
        if match.lastgroup == "number":
            if before not in {"ECFIT_ALIGN", "["} and not _in_table(text, at):
                yield at, match.end(), _other_number(token), "constant"
        elif token in SWAPS and _is_operator(token, tokens, index):
            yield at, match.end(), SWAPS[token], "operator"
    for match in CONDITION.finditer(text):
        if not _inside_comment(text, match.start()):
            at = match.end()
            yield at, _closing(text, at), f"!({text[at : _closing(text, at)]})", "condition"
    for match in CALL.finditer(text):
        if not _inside_comment(text, match.start()) and not match.group().strip().startswith(
            "return"
        ):
            yield match.start(), match.end(), ";", "call"


def _other_number(token: str) -> str:
    digits = token.rstrip("uUlL")
    suffix = token[len(digits) :]
    value = int(digits, 0)
    return (
        f"{value + 1 if value < 2 else value - 1:#x}{suffix}"
        if digits[:2] in {"0x", "0X"}
        else f"{value + 1 if value < 2 else value - 1}{suffix}"
    )


def _is_operator(token: str, tokens: list[re.Match[str]], index: int) -> bool:
    """Not a star of a pointer, not an address, not the sign of a number."""
    before = tokens[index - 1] if index else None
    if token in {"!", "~", "++", "--"}:
        return True
    if before is None or token in {"&", "*", "-", "+"}:
        operand = before is not None and (
            before.lastgroup in {"name", "number"} or before.group() in {")", "]"}
        )
        if not operand or before is None:
            return False
        if token == "*":
            after = tokens[index + 1].group() if index + 1 < len(tokens) else ""
            types = {
                "uint8_t",
                "mp_word",
                "void",
                "const",
                "volatile",
                "mod",
                "ecfit_rng",
                "ecfit_bytes",
                "work",
                "task",
                "int",
            }
            return (
                before.group() not in types
                and after not in {")", "const", ","}
                and not _declares(tokens, index)
            )
        return before.group() not in {"return", "sizeof", "case"}
    return True


def _declares(tokens: list[re.Match[str]], index: int) -> bool:
    """Whether the star stands in a declaration: N(pt) *p,
    of which a type or the beginning of a statement stands before.
    """
    first = index - 1
    if tokens[first].group() == ")":
        while first > 0 and tokens[first].group() != "(":
            first -= 1
        first -= 1
    return tokens[first - 1].group() in {
        ";",
        "{",
        "}",
        "(",
        ",",
        "const",
        "volatile",
        "CTX",
        "static",
        "CTX_LAST",
    }


def _in_table(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : text.find("\n", at)]
    return len(re.findall(r"0x[0-9a-fA-F]{4,}|\bMP_W", line)) >= 2 or "_Static_assert" in line


def _inside_comment(text: str, at: int) -> bool:
    return text.rfind("/*", 0, at) > text.rfind("*/", 0, at)


def _closing(text: str, at: int) -> int:
    depth = 1
    while depth:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at - 1

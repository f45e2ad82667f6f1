"""Changes of C text, one at a time: operators, constants, conditions, calls; in tables of costs,
rows, roles and cases as well. Used by tools/mutants/mutants.py and tools/mutants/sim_mutants.py.
"""

from __future__ import annotations

import re
from collections import Counter
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
SKIPPED = r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\s+|"
DIRECTIVES = r"^[ \t]*\#(?:\\\n|[^\n])*"
# All but what a macro stands for.
OUTSIDE_MACROS = r"^[ \t]*\#[ \t]*define \w+(?:\([^)]*\))?|^[ \t]*\#(?![ \t]*define )[^\n]*|\\\n"
REST = (
    r"|(?P<number>0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<operator><<=|>>=|->|\.\.\.|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)"
)
TOKEN = re.compile(rf"(?P<skip>{SKIPPED}{DIRECTIVES}){REST}", re.S | re.M)
TOKEN_IN_MACROS = re.compile(rf"(?P<skip>{SKIPPED}{OUTSIDE_MACROS}){REST}", re.S | re.M)
CALL = re.compile(r"^[ \t]*(?:\(void\))?(?:\w|N\(\w+\)|F\(\w+\))+\([^;{}]*\);", re.M)
CONDITION = re.compile(r"\b(if|while) \(")
# Of tables of operations: OP(name, row, "roles").
OPERATION = re.compile(r"^(?:OP|OP_SP|BOTH|BOTH_SP)\(\w+, (\w+)(?:, \"([^\"]*)\")?\)", re.M)
ROW = re.compile(r"\bROW_[a-z]\w*\b")
CASE = re.compile(r"^ *case \w+:(?: return [^;]*;)?", re.M)
ANSWER = re.compile(r"\b(?:true|false)\b")


class Mutant(NamedTuple):
    """One change of a file: the text of [start, end) becomes `new`."""

    path: str
    start: int
    end: int
    new: str
    line: int
    kind: str
    shown: str
    nth: int = 1  # of those of the file that look alike

    @property
    def name(self) -> str:
        """How it is called in lists: it holds as long as the line stays as it is."""
        again = f" ({self.nth})" if self.nth > 1 else ""
        return f"{self.path}: {self.kind}: {self.shown}{again}"


Change = tuple[int, int, str, str]  # start, end, new text, kind


def mutants(path: str, text: str, *, tables: bool = False) -> Iterator[Mutant]:
    """Every change of a file. With `tables`, of macros, rows, roles, cases and answers too."""
    changes = set(_changes(text, TOKEN_IN_MACROS if tables else TOKEN))
    if tables:
        changes |= set(_changes_of_tables(text))
    alike: Counter[tuple[str, str]] = Counter()
    for start, end, new, kind in sorted(changes):
        line = text.count("\n", 0, start)
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", start)
        before, after = text[first:start], text[end : max(last, end)]
        shown = " ".join(f"{before}[{text[start:end]} -> {new}]{after}".split())
        alike[kind, shown] += 1
        yield Mutant(path, start, end, new, line + 1, kind, shown, alike[kind, shown])


def applied(mutant: Mutant, text: str) -> str:
    """The changed text."""
    return text[: mutant.start] + mutant.new + text[mutant.end :]


def _changes_of_tables(text: str) -> Iterator[Change]:
    """A row becomes the next other one of the file, a role none, a case is left out,
    and an answer is turned round.
    """
    lines = [
        match for match in OPERATION.finditer(text) if not _inside_comment(text, match.start())
    ]
    rows = list(dict.fromkeys(match[1] for match in lines))
    for match in lines:
        yield *match.span(1), rows[(rows.index(match[1]) + 1) % len(rows)], "row"
        for index, role in enumerate(match[2] or ""):
            if role != "-":
                yield match.start(2) + index, match.start(2) + index + 1, "-", "role"
    named = [match for match in ROW.finditer(text) if not _inside_comment(text, match.start())]
    rows = list(dict.fromkeys(match[0] for match in named))
    for match in named:
        other = rows[(rows.index(match[0]) + 1) % len(rows)]
        if other != match[0]:
            yield *match.span(), other, "row"
    for match in CASE.finditer(text):
        yield *match.span(), "", "case"
    for match in ANSWER.finditer(text):
        if not _inside_comment(text, match.start()):
            yield *match.span(), {"true": "false", "false": "true"}[match[0]], "answer"


def _changes(text: str, token_of: re.Pattern[str]) -> Iterator[Change]:
    tokens = [match for match in token_of.finditer(text) if match.lastgroup != "skip"]
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

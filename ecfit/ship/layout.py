"""How expanded text is laid out: names have other lengths now, and types are known as such."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ecfit.ship.items import Item
from ecfit.ship.tokens import BLANK, text_of, tokens_of

WIDTH = 100
_UNARY = re.compile(r"([(,] ?)([&*]) (?=[\w(])")  # "& g" was laid out as if it were a product
_CLAUSE = re.compile(r"[,;:.](?= )|(?= {3})")  # where a comment is broken, if it can be
_BREAK_AFTER = {",", "&&", "||", "?", ":", "=", "|", "^", "+"}


def laid_out(items: Sequence[Item], *, wrap: bool = True) -> str:
    """The text of items, a blank line between them where one stood or belongs; `wrap`: statements
    have their lines broken again.
    """
    types = {name for item in items if item.kind == "code" for name in item.names}
    types &= set(re.findall(r"typedef[^;]*?\b(\w+);", "\n".join(item.text for item in items)))
    pointer = re.compile(rf"\b({'|'.join(sorted(types))}) \* (?=\w)") if types else None
    lines: list[str] = []
    last: Item | None = None
    for item in items:
        text = item.text
        if item.kind == "code":
            text = pointer.sub(r"\1 *", text) if pointer else text
            text = _UNARY.sub(r"\1\2", text)
            text = _commented(text)
            text = "\n".join(_wrapped(text.split("\n"))) if wrap else text
        elif item.kind in {"header", "remark"}:
            text = _commented(_titled(text) if item.kind == "header" else text)
        elif item.kind == "define":
            text = _continued(text)
        if last is not None and _apart(last, item):
            lines.append("")
        lines += text.rstrip().split("\n")
        last = item
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _apart(last: Item, item: Item) -> bool:
    if last.always and item.always and last.path == item.path:  # #ifdef and what is between
        return item.blank
    if item.blank or "header" in {last.kind, item.kind} or last.path != item.path:
        return True
    return last.kind != item.kind and "code" in {last.kind, item.kind} and item.kind != "undef"


def _titled(text: str) -> str:
    """The header of a file with its name in a line by itself where both are too long for one."""
    first = text.split("\n", 1)[0]
    return text.replace(" - ", "\n * ", 1) if len(first) > WIDTH else text


def _continued(text: str) -> str:
    """A macro whose names made its line too long goes on in the next lines."""
    name = re.match(r"#define \w+(?:\([^)]*\))? ", text)
    if name is None or "\n" in text or len(text) <= WIDTH:
        return text
    body = folded([f"    {text[name.end() :]}"]) if len(text) - name.end() > WIDTH - 6 else None
    return " \\\n".join([name[0].rstrip(), *(body or [f"    {text[name.end() :]}"])])


def _commented(text: str) -> str:
    """With lines of comments broken that are too long: names in them have other lengths now."""
    lines: list[str] = []
    for line in text.split("\n"):
        rest = line
        while len(rest) > WIDTH and rest.startswith(("/* ", " * ")):
            ends = [clause.end() for clause in _CLAUSE.finditer(rest, WIDTH // 3, WIDTH)]
            at = ends[-1] if ends else rest.rfind(" ", 0, WIDTH)
            lines.append(rest[:at].rstrip())
            rest = f" * {rest[at:].lstrip()}"
        lines.append(rest)
    return "\n".join(lines)


def _wrapped(lines: Sequence[str]) -> Iterable[str]:
    """Statements over several lines, or too long for one, with their arguments aligned again."""
    at = 0
    comment = False
    while at < len(lines):
        line = lines[at]
        at += 1
        opens = "/*" in line and "*/" not in line[line.rfind("/*") :]
        if comment or opens or line.lstrip().startswith("/*"):
            comment = opens or (comment and "*/" not in line)
            yield line
            continue
        group = [line]
        while _depth(group) > 0 and at < len(lines):
            group.append(lines[at])
            at += 1
        yield from _statement(group)


def _depth(lines: Iterable[str]) -> int:
    """Round brackets that are open."""
    tokens = tokens_of("\n".join(lines))
    return sum({"(": 1, ")": -1}.get(token.text, 0) for token in tokens)


def _statement(group: list[str]) -> Iterable[str]:
    joined = group[0].rstrip() + "".join(
        ("" if before.rstrip().endswith("(") else " ") + line.strip()
        for before, line in pairwise(group)
    )
    code, behind = _without_last_comment(joined)
    if len(group) == 1 and len(joined) <= WIDTH:
        return group
    if "/*" in code or ('"' in code and len(group) > 1) or code.rstrip().endswith("}"):
        return group if max(map(len, group)) <= WIDTH else folded(group)
    if len(joined) <= WIDTH:
        return [joined]
    if behind:
        indent = " " * (len(code) - len(code.lstrip()))
        return [f"{indent}{behind}", *_statement([code])]
    return folded([code])


def _without_last_comment(line: str) -> tuple[str, str]:
    tokens = tokens_of(line)
    if tokens and tokens[-1].kind == "comment":
        return text_of(tokens[:-1]).rstrip(), tokens[-1].text
    return line, ""


def folded(lines: Sequence[str]) -> list[str]:
    """Broken after commas and operators, outermost first, each line as full as it can be."""
    out: list[str] = []
    for whole in lines:
        indent = len(whole) - len(whole.lstrip())
        parts = _parts(whole.strip())
        text = " " * indent
        if len(text + parts[0][0]) > WIDTH and "(" in parts[0][0]:
            head, bracket, rest = parts[0][0].rpartition("(")
            text += f"{head}{bracket}\n{text}    "
            parts[0] = rest, parts[0][1]
        while parts:
            count = _fitting(len(text.rsplit("\n", 1)[-1]), parts)
            text += " ".join(part for part, _ in parts[:count])
            parts = parts[count:]
            if parts:
                text += "\n" + " " * _column(text, indent)
        out += text.split("\n")
    return out


def _fitting(column: int, parts: Sequence[tuple[str, float]]) -> int:
    """How many parts go into a line: up to the outermost of its breaks, and there the last."""
    width, count = column - 1, 0
    while count < len(parts) and width + 1 + len(parts[count][0]) <= WIDTH:
        width += 1 + len(parts[count][0])
        count += 1
    if count == len(parts) or count == 0:
        return max(count, 1)
    return min(range(1, count + 1), key=lambda n: (parts[n - 1][1], -n))


def _parts(text: str) -> list[tuple[str, float]]:
    """What stays together in a line, and how deep in brackets the break behind it is."""
    parts: list[tuple[str, float]] = []
    part, depth = "", 0
    for token in tokens_of(text):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(token.text, 0)
        if token.kind in BLANK and token.kind != "comment":
            last = part.rsplit(" ", 1)[-1]
            if last[-1:] in {",", ";"} or last in _BREAK_AFTER:
                parts.append((part, depth + (1.5 if last == "=" else 0)))
                part = ""
            else:
                part += " "
        else:
            part += token.text
    return [*parts, (part, 0)] if part else parts


def _column(text: str, indent: int) -> int:
    """Where a line goes on: behind the innermost bracket that is open, else four further in."""
    stack: list[int] = []
    column = 0
    tokens = tokens_of(text)
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.text == "(":
            stack.append(indent + 4 if following and following.kind == "newline" else column + 1)
        elif token.text == ")" and stack:
            stack.pop()
        column = 0 if token.kind == "newline" else column + len(token.text)
    return stack[-1] if stack else indent + 4

#!/usr/bin/env python3
"""House rules of lib/src that a compiler does not check; exit code 1 and one line per finding.

layers       a file names only functions, and includes only files, of its own layer and of those
             to its left: ct <- hash <- mp <- field <- group <- mul <- api <- curve;
             what it defines carries its layer's prefix
first line   every template says what it needs and which layer it is of
#if          outside of ct.h only as include guards, on a choice of the configuration, by its
             flags, and on CURVE_IS_.. and FIELD_IS_..; none inside of another; below 15 per 1000
             lines, guards counted and generated tables not. Of the headers in lib/include, only
             ecfit_config.h, ecfit_config_check.h and its folder (generated) and the C++ guard of
             ecfit.h have more
files        each that lib/leaves.toml names is there
#undef       what the templates of a curve define is undefined before the next curve, by
             curve/end.inc or by themselves; and nothing else is
masks        of mp, only layer mp and calls of assembly open a mask; elsewhere no mask is made of a
             bit by C. Where a secret decides, its value is declared public before C looks at it:
             by ECFIT_DECLASSIFY, the next statement
slots        each file of a slot defines what lib/slots.md says of the slot
width        no line of lib/src and lib/include is wider than 100 columns, generated tables and
             configuration headers apart
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from gen.gen_end import INCLUDE_GUARD, WHOLE_INCLUDE, template_macros, without_comments

ROOT = Path(__file__).resolve().parents[2]

LAYERS = ["ct", "hash", "mp", "field", "group", "mul", "api", "curve"]
# Prefixes of names, of template names N(...) and F(...) and of plain ones;
# what matches none is local or a parameter.
PREFIXES = {
    "ct": ("ct_", "bytes_"),
    "hash": ("sha256_", "sha512_", "shake256_", "hmac_"),
    "mp": ("mp_",),
    "field": ("mod_", "fe_"),
    "group": ("pt_",),
    "mul": ("mul_",),
    "api": ("sc_", "nonce_", "der_", "verify_", "task_", "spake_"),
}
FIRST_LINE = re.compile(r"/\* template: needs .+; layer (\w+)")
FIRST_LINE_SHAPE = "/* template: needs ...; layer ..."
CONDITIONAL = re.compile(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef)\b", re.MULTILINE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include "(\w+)/', re.MULTILINE)
NAME = re.compile(r"\b[NF]\((\w+)\)|\b([a-z]\w*)\b")
DEFINITION = re.compile(
    r"^(?:ECFIT_(?:STATIC|NOINLINE|INLINE) |static )(?:[NF]\(\w+\)(?!\()|[\w \t*])*?"
    r"(?:[NF]\((\w+)\)|\b(?![NF]\()(\w+))\(",
    re.MULTILINE,
)
CONDITIONAL_FILES = {
    "src/ct.h",
    "include/ecfit.h",
}
CONFIGURATION = re.compile(r"^include/ecfit_config")  # generated: the default, and what checks it
GENERATED = re.compile(r"^src/curve/(?:comb|params)/")
CONDITIONALS_PER_1000 = 15
# What a condition may ask for.
CHOICE = re.compile(  # and whether the core multiplies, which ct.h asks
    r"defined|ECFIT_\w+_(?:IS_\w+|ENABLED)|(?:CURVE|FIELD)_IS_\w+|ECFIT_NO_MULTIPLIER"
)
CONDITION = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|endif)\b((?:.*\\\n)*.*)", re.MULTILINE)
# inline assembly, which a compiler may have or not
OF_HOSTS = ("src/mp/w64/", "src/field/w64/", "src/field/inverse/steps_twenty.inc")
PROCESSOR = re.compile(r"defined|__x86_64__|__GNUC__")
TRAITS = "src/field/traits.h"
BY_TRAIT = re.compile(r"^#include ([A-Z_]+)$", re.MULTILINE)
SLOT = re.compile(r"^## `(\w+)`(?:: ([\w ]+))?\n\n```c\n(.*?)^```", re.MULTILINE | re.DOTALL)
SLOT_FUNCTION = re.compile(r"^[a-z][\w *]*?([NF]\(\w+\)|\bm\w+)\(", re.MULTILINE)
# A function: the comment above, its head, its body.
FUNCTION = re.compile(
    r"(?P<contract>/\*(?:(?!\*/).)*\*/\n)?(?P<head>^[A-Za-z](?:(?!/\*)[^;{}#=])*\)\n)"
    r"\{\n(?P<body>.*?)^\}$",
    re.MULTILINE | re.DOTALL,
)
PUBLIC = re.compile(r"CT: (?:no\b|.*; else no\b)|_var\b|_var\)", re.DOTALL)  # in contract or head
OPENED = re.compile(r"\.word\b|\bmp_mask \w+ = \{")
TO_ASSEMBLY = re.compile(r"(?:\becfit_\w+|\bFUSED\(\w+\)|_ROUTINE\(\w+\))\([^;]*[(, ]\w+\.word[,)]")
MADE = re.compile(
    r"\b0 - (?:mp_|[NF]\(|\((?!size_t\)))|(?:& 1|>> \(\w+ - 1\)|\bmp_\w+\([^;]*\))\)* - 1\b"
)
LOOKED_AT = re.compile(r"\b(?:mp_mask_var|mp_is_some)\(")
DECLARED = re.compile(r"\s*(\w+) = [^;]*;\s*ECFIT_DECLASSIFY\(\1\);")
WIDTH = 100


def layer_of_name(name: str) -> str | None:
    """The layer whose prefix the name carries."""
    return next((layer for layer, prefixes in PREFIXES.items() if name.startswith(prefixes)), None)


def layer_of_file(relative: str, text: str) -> str | None:
    """Layer of a file of lib/src: for a template the one that it names, "any" included.

    None for files of no layer.
    """
    if relative.endswith(".inc"):
        match = FIRST_LINE.match(text)
        return match.group(1) if match else None
    if relative == "ct.h":
        return "ct"
    return "curve" if relative.startswith("curve/") else None


def check_template(relative: str, text: str) -> Iterator[str]:
    """The first line, and that the layer it names is that of the folder."""
    layer = layer_of_file(relative, text)
    folder = relative.split("/", maxsplit=1)[0]
    if layer is None:
        yield f"{relative}:1: the first line must be: {FIRST_LINE_SHAPE}"
    elif layer not in {folder, "any"}:
        yield f"{relative}:1: says layer {layer}, but stands in {folder}/"


def check_layers(relative: str, text: str) -> Iterator[str]:
    """Names and includes of layers to the right; definitions under another layer's prefix."""
    layer = layer_of_file(relative, text)
    if layer not in LAYERS:
        return
    rank = LAYERS.index(layer)
    code = without_comments(text)
    for match in NAME.finditer(code):
        name = match.group(1) or match.group(2)
        other = layer_of_name(name)
        if other and LAYERS.index(other) > rank:
            place = f"{relative}:{line_of(code, match)}"
            yield f"{place}: {name} is of layer {other}, to the right of {layer}"
    for match in INCLUDE.finditer(code):
        other = match.group(1)
        if other in LAYERS and LAYERS.index(other) > rank:
            place = f"{relative}:{line_of(code, match)}"
            yield f"{place}: includes a file of layer {other}, to the right of {layer}"
    for match in DEFINITION.finditer(code):
        name = match.group(1) or match.group(2)
        other = layer_of_name(name)
        if layer not in {"curve", other}:
            prefixes = " or ".join(PREFIXES[layer])
            place = f"{relative}:{line_of(code, match)}"
            yield f"{place}: {name} is defined in layer {layer}: prefix {prefixes}"


def check_masks(relative: str, text: str) -> Iterator[str]:
    """Masks that C could look into: opened or made outside of mp, looked at while secret."""
    if layer_of_file(relative, text) not in LAYERS[LAYERS.index("field") :]:
        return
    for function in FUNCTION.finditer(text):
        public = PUBLIC.search((function["contract"] or "") + function["head"])
        body, at = without_comments(function["body"]), function.start("body")
        for match in re.finditer(r"[^;{}]*[;{}]", body):
            statement = match.group()
            line = text.count("\n", 0, at) + 1 + body.count("\n", 0, match.end())
            place = f"{relative}:{line}"
            if OPENED.search(statement) and not TO_ASSEMBLY.search(statement):
                yield f"{place}: opens a mask: mp/base.inc has what combines and opens them"
            if MADE.search(statement) and not public:
                yield f"{place}: makes a mask of a bit: mp_mask_of, mp_mask_unless"
            if LOOKED_AT.search(statement) and not (
                public or DECLARED.match(body[match.start() :])
            ):
                yield f"{place}: looks at a mask that is neither public nor declared so at once"


def check_conditionals(lib: Path) -> Iterator[str]:
    """Where #if stands, what it asks for, and how many there are."""
    lines = count = 0
    for path in sorted([*(lib / "src").rglob("*.[chi]*"), *(lib / "include").rglob("*.h")]):
        relative = str(path.relative_to(lib))
        text = path.read_text(encoding="utf-8")
        code = without_comments(text)
        guards = {match.start() for match in INCLUDE_GUARD.finditer(code)}
        found = list(CONDITIONAL.finditer(code))
        if not (relative in CONDITIONAL_FILES or CONFIGURATION.match(relative)):
            yield from _conditions(relative, code, guards)
        if relative.startswith("src/") and not GENERATED.search(relative):
            lines += text.count("\n")
            count += len(found)
    if count * 1000 >= CONDITIONALS_PER_1000 * lines:
        yield f"src: {count} #if in {lines} lines: must be below {CONDITIONALS_PER_1000} per 1000"


def _conditions(relative: str, code: str, guards: set[int]) -> Iterator[str]:
    """What is wrong with the conditions of a file."""
    open_: list[bool] = []  # whether it is a guard
    for match in CONDITION.finditer(code):
        word, asked = match.groups()
        place = f"{relative}:{line_of(code, match)}"
        if word == "endif":
            open_.pop()
            continue
        guard = match.start() in guards
        if word != "elif":
            if not guard and False in open_:
                yield f"{place}: #if inside of another"
            open_.append(guard)
        names = re.findall(r"[A-Za-z_]\w*", asked)
        ours = names and all(CHOICE.fullmatch(name) for name in names)
        of_host = relative.startswith(OF_HOSTS) and all(PROCESSOR.fullmatch(name) for name in names)
        if not (guard or ours or of_host):
            yield f"{place}: #if outside ct.h that asks for no choice of the configuration"


def check_undefined(src: Path) -> Iterator[str]:
    """Macros that a curve leaves to the next one, and #undef of what no template defines."""
    defined, undefined = template_macros(src, end=True)
    for name in sorted(defined.keys() - undefined.keys()):
        yield f"{defined[name]}: defines {name}, which curve/end.inc does not undefine"
    for name in sorted(undefined.keys() - defined.keys()):
        yield f"{undefined[name]}: undefines {name}, which no template defines"


def slot_files(lib: Path, slot: str) -> list[Path]:
    """The files that the choices of knobs.toml and the lines of leaves.toml put into a slot."""
    knobs = tomllib.loads((lib / "knobs.toml").read_text(encoding="utf-8"))["knob"]
    choices = [choice for knob in knobs for choice in knob.get("choices", {}).values()]
    named = {
        file.replace("{curve}", "*")
        for choice in choices
        for macro, file in choice.get("macros", {}).items()
        if macro in {f"ECFIT_{slot}", f"ECFIT_{{CURVE}}_{slot}"}
    }
    named |= {file for macro, file in leaf_files(lib) if macro == f"ECFIT_{{CURVE}}_{slot}"}
    return sorted({path for pattern in named for path in (lib / "src").glob(pattern)})


def leaf_files(lib: Path) -> list[tuple[str, str]]:
    """The macros of leaves.toml, each with every file that it may name."""
    leaves = tomllib.loads((lib / "leaves.toml").read_text(encoding="utf-8"))["leaf"]
    return [
        (leaf["macro"], line.split()[-1].replace("{curve}", "*"))
        for leaf in leaves
        for line in leaf["lines"].strip().splitlines()
    ]


def check_leaves(lib: Path) -> Iterator[str]:
    """Files that leaves.toml names and that are not there."""
    for macro, file in leaf_files(lib):
        if not list((lib / "src").glob(file)):
            yield f"leaves.toml: {macro}: there is no {file}"


def code_with_includes(src: Path, path: Path) -> str:
    """The code of a file and of those that it includes by name, or by a trait that has its usual
    value.
    """
    text = path.read_text(encoding="utf-8")
    names = WHOLE_INCLUDE.findall(text)
    traits = (src / TRAITS.removeprefix("src/")).read_text(encoding="utf-8")
    usual = dict(re.findall(r'#define (\w+) "([\w/.]+)"', traits))
    names += [usual[name] for name in BY_TRAIT.findall(text) if name in usual]
    code = without_comments(text)
    return code + "".join(code_with_includes(src, src / name) for name in names)


def check_slots(lib: Path) -> Iterator[str]:
    """Functions of a slot's contract that a file of the slot does not define."""
    for slot, stems, text in SLOT.findall((lib / "slots.md").read_text(encoding="utf-8")):
        files = slot_files(lib, slot)
        files = [path for path in files if not stems or path.stem in stems.split()]
        functions = SLOT_FUNCTION.findall(without_comments(text))
        if not files or not functions:
            yield f"slots.md: {slot}: no such slot, or no function"
        for path in files:
            code = code_with_includes(lib / "src", path)
            for function in functions:
                if not re.search(rf"\b{re.escape(function)}\([^;{{}}]*\)\n?\s*{{", code):
                    relative = path.relative_to(lib)
                    yield f"{relative}: does not define {function} of the slot {slot} (slots.md)"


def check_width(lib: Path) -> Iterator[str]:
    """Lines that are too wide."""
    for path in sorted([*(lib / "src").rglob("*.[chi]*"), *(lib / "include").rglob("*.h")]):
        relative = str(path.relative_to(lib))
        if GENERATED.search(relative) or CONFIGURATION.match(relative):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if len(line) > WIDTH:
                yield f"{relative}:{number}: {len(line)} columns, at most {WIDTH}"


def line_of(text: str, match: re.Match[str]) -> int:
    """Line number of a match."""
    return text.count("\n", 0, match.start()) + 1


def findings(lib: Path) -> list[str]:
    """All findings in a library folder."""
    found: list[str] = []
    src = lib / "src"
    for path in sorted(src.rglob("*.[chi]*")):
        relative = str(path.relative_to(src))
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".inc":
            found += check_template(relative, text)
        found += check_layers(relative, text)
        found += check_masks(relative, text)
    whole = [*check_undefined(src), *check_conditionals(lib), *check_slots(lib), *check_width(lib)]
    return [*found, *whole, *check_leaves(lib)]


def main() -> None:
    """Command line: no arguments."""
    found = findings(ROOT / "lib")
    if found:
        sys.exit("\n".join(f"lint_lib: {line}" for line in found))


if __name__ == "__main__":
    main()

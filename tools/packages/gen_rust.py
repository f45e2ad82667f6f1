"""The bindings of packages/rust/ecfit-sys: the public headers in Rust, prototype by prototype;
those of curves once for each family.

An array of n bytes is a pointer to [u8; n], so that Rust checks sizes; its length is that of the
C prototype. What the headers say of a function stands there alone.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from ecfit.choices.knobs import curve_slots
from ecfit.prose import WIDTH

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ROOT / "lib" / "include"
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_FUNCTION = re.compile(
    r"^(?:ECFIT_CHECK )?((?:const )?\w+ \*?)(ecfit_\w+)\(([^;{]*)\);", re.MULTILINE
)
_TASK = re.compile(r"typedef struct (\w+_task) \{\s*uint64_t blocks\[([^;]+)\];")
_ARRAY = re.compile(r"(\w+): (\*\w+) \[u8; (\d+)\]")
_ENUM = re.compile(r"^    (ECFIT_\w+) = (\d+)", re.MULTILINE)
_NUMBER = re.compile(r"^#define (ECFIT_\w+) (0x[0-9a-f]+|\d+)u?$", re.MULTILINE)
TYPES = {
    "uint8_t": "u8", "uint32_t": "u32", "uint64_t": "u64", "size_t": "usize", "unsigned": "c_uint",
    "ecfit_status": "ecfit_status", "const char *": "*const c_char",
    "void": "c_void", "int": "c_int",
}  # fmt: skip
HEAD = """\
// Generated from lib/include by tools/packages/gen_packages.py.
// lib/include/ecfit/CURVE.h has the contracts.

use core::ffi::{c_char, c_int, c_uint, c_void};

/// How an operation ended: `ecfit.h`. Where C has shorter enumerations, the calling convention
/// extends what is returned to a word.
pub type ecfit_status = c_uint;

/// The caller's source of random bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_rng {
    pub fill: Option<unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_int>,
    pub context: *mut c_void,
}

/// The caller's source of a message that need not fit into RAM.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_reader {
    pub read: Option<unsafe extern "C" fn(*mut c_void, *mut u8, u64, usize) -> c_int>,
    pub context: *mut c_void,
}

/// A piece of a message.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_bytes {
    pub data: *const u8,
    pub size: usize,
}

/// A SHA-256 of data that comes in parts.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_sha256_context {
    pub size: u64,
    pub words: [u32; 24],
}

/// A SHA-384 or SHA-512 of data that comes in parts.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_sha512_context {
    pub size: u64,
    pub words: [u64; 24],
}
"""


MACRO = """\
// A curve of this family, where its feature is on: what its header declares, and a module in which
// the functions have no prefix, so that one macro of the crate `ecfit` serves all curves.
#[rustfmt::skip]
macro_rules! {family} {{
    (
{takes}
    ) => {{
{task}\
        #[cfg(feature = $feature)]
        unsafe extern "C" {{
{prototypes}
        }}

        #[cfg(feature = $feature)]
        #[doc = concat!("The functions of ", $feature, " by short names.")]
        pub mod $module {{
            pub use super::{{
{names}
            }};
        }}
    }};
}}
"""
APART = re.compile(
    "(ed(25519|448)_(verify_(start|start_ctx|update|finish)|sign_parts(_ctx)?)"
    "|_schnorr_(sign|verify)|_spake2p_[a-z_]+)$"
)
TASK = """\
        #[cfg(feature = $feature)]
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $task {
            pub blocks: [u64; $blocks],
        }

"""


def bindings() -> str:
    """packages/rust/ecfit-sys/src/bindings.rs. Errors: ValueError where a prototype is new, or
    where the curves of a family differ in more than names and sizes.
    """
    main = _plain("ecfit.h")
    prototypes = [_filled(prototype, 4, 8) for prototype in _functions(main).values()]
    parts = [HEAD, *_constants(main)]
    parts += ["\n".join(["#[rustfmt::skip]", 'unsafe extern "C" {', *prototypes, "}", ""])]
    families: dict[str, list[str]] = {}
    for slot in curve_slots():
        families.setdefault(slot.family, []).append(slot.name)
    for family, curves in families.items():
        macros, calls = zip(*(_curve(family, curve) for curve in curves), strict=True)
        if len(set(macros)) > 1:
            raise ValueError(f"the headers of {', '.join(curves)} declare different functions")
        parts += [macros[0], "".join(calls)]
    curves_apart = ("ed25519", "ed448", "secp256k1", "secp256r1")
    apart = [line for curve in curves_apart for line in _apart(curve)]
    return "\n".join([*parts, *apart])


def _apart(curve: str) -> list[str]:
    """What not all curves of a family have, or with their own sizes: signatures of messages in
    parts of the two Edwards curves, Schnorr signatures of secp256k1, SPAKE2+ of secp256r1.
    """
    text = _plain(f"ecfit/{curve}.h")
    lines = []
    for name, blocks in re.findall(r"struct (\w+_context) {\s*uint64_t blocks\[(\d+)\]", text):
        struct = TASK.replace("$feature", f'"{curve}"').replace("$task", name)
        lines += [*textwrap.dedent(struct.replace("$blocks", blocks)).strip().splitlines(), ""]
    own = [_filled(line, 4, 8) for n, line in _functions(text).items() if APART.search(n)]
    return [
        *lines,
        f'#[cfg(feature = "{curve}")]',
        "#[rustfmt::skip]",
        'unsafe extern "C" {',
        *own,
        "}",
        "",
    ]


def _plain(name: str) -> str:
    text = (HEADERS / name).read_text(encoding="utf-8")
    return _COMMENT.sub("", text)


def _constants(text: str) -> list[str]:
    lines = [f"pub const {name}: ecfit_status = {value};" for name, value in _ENUM.findall(text)]
    lines += [
        f"pub const {name}: u32 = {value};"
        for name, value in _NUMBER.findall(text)
        if name != "ECFIT_VERSION_NUMBER"  # the crate says it
    ]
    return ["\n".join(lines) + "\n"]


def _functions(text: str) -> dict[str, str]:
    """The prototypes of a header by their names."""
    found = {}
    for kind, name, parameters in _FUNCTION.findall(text):
        result = "" if kind == "void " else f" -> {TYPES[kind.strip()]}"
        listed = [_parameter(" ".join(part.split())) for part in parameters.split(",")]
        found[name] = f"pub fn {name}({', '.join(filter(None, listed))}){result};"
    return found


def _curve(family: str, curve: str) -> tuple[str, str]:
    """The macro that declares a curve of a family, and its call for this curve. A macro cannot join
    names, so the call has those of all functions, and the size of each array.
    """
    text = _plain(f"ecfit/{curve}.h")
    functions = {n: line for n, line in _functions(text).items() if not APART.search(n)}
    given = {"$feature:literal": f'"{curve}"', "$module:ident": curve}
    prototypes = "\n".join(functions.values())
    for name, _, size in _ARRAY.findall(prototypes):
        if given.setdefault(f"{name} ${name}_size:literal", f"{name} {size}") != f"{name} {size}":
            raise ValueError(f"{curve}: {name} has two sizes")
    prototypes = _ARRAY.sub(r"\1: \2 [u8; $\1_size]", prototypes)
    tasks = _TASK.findall(text)
    for name, blocks in tasks:
        given["task $task:ident $blocks:literal"] = f"task {name} {_length(blocks)}"
        prototypes = prototypes.replace(name, "$task")
    names = []
    for name in functions:
        short = name.removeprefix(f"ecfit_{curve}").removeprefix("_") or "exchange"
        given[f"${short}:ident"] = name
        prototypes = prototypes.replace(f" {name}(", f" ${short}(")
        names += [f"${short} as {short},"]
    macro = MACRO.format(
        family=family,
        takes=_filled(", ".join(given), 8, 8),
        task=TASK if tasks else "",
        prototypes="\n".join(_filled(line, 12, 16) for line in prototypes.splitlines()),
        names=_filled(" ".join(sorted(names)), 16, 16),
    )
    return macro, f"{family}! {{\n{_filled(', '.join(given.values()), 4, 4)}\n}}\n"


def _filled(text: str, first: int, others: int) -> str:
    """In lines that end after a comma, with these margins."""
    lines = textwrap.fill(
        re.sub("(?<!,) ", "\0", text), WIDTH, break_on_hyphens=False,
        initial_indent=first * " ", subsequent_indent=others * " ",
    )  # fmt: skip
    return lines.replace("\0", " ")


def _parameter(text: str) -> str:
    """`const uint8_t hash[32]` and its like. Errors: ValueError."""
    if text == "void":
        return ""
    found = re.fullmatch(r"(const )?(\w+) (\*?)(\w+)(?:\[(.+)\])?", text)
    if found is None:
        raise ValueError(f"no type in Rust is known for: {text}")
    constant, kind, pointer, name, length = found.groups()
    rust = TYPES.get(kind, kind)
    if length:
        rust = f"[{rust}; {_length(length)}]"
    if pointer or length:
        rust = f"*{'const' if constant else 'mut'} {rust}"
    return f"{name}: {rust}"


def _length(text: str) -> int:
    """A size in a prototype: a number, or a macro of ecfit.h."""
    found = re.fullmatch(r"(\w+)\((\d+)\)", text)
    if found is None:
        return int(text)
    size = int(found[2])
    blocks = 15 * ((size + 7) // 8) + 30
    sizes = {
        "ECFIT_DER_MAX": 2 * size + 9,
        "ECFIT_TASK_BLOCKS": blocks,
        "ECFIT_WORK_BYTES": 8 * blocks,
    }
    return sizes[found[1]]

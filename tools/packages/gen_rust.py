"""The bindings of packages/rust/ecfit-sys: the public headers in Rust, prototype by prototype.

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
_ENUM = re.compile(r"^    (ECFIT_\w+) = (\d+)", re.MULTILINE)
_NUMBER = re.compile(r"^#define (ECFIT_\w+) (0x[0-9a-f]+|\d+)u?$", re.MULTILINE)
TYPES = {
    "uint8_t": "u8", "uint32_t": "u32", "size_t": "usize", "unsigned": "c_uint",
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


def bindings() -> str:
    """packages/rust/ecfit-sys/src/bindings.rs. Errors: ValueError where a prototype is new."""
    main = _plain("ecfit.h")
    parts = [HEAD, *_constants(main), _functions(main)]
    for slot in curve_slots():
        text = _plain(f"ecfit/{slot.name}.h")
        gate = f'#[cfg(feature = "{slot.name}")]'
        for name, blocks in _TASK.findall(text):
            parts += [
                f"{gate}\n#[repr(C)]\n#[derive(Clone, Copy)]\n"
                f"pub struct {name} {{\n    pub blocks: [u64; {_length(blocks)}],\n}}\n"
            ]
        parts += [f"{gate}\n{_functions(text)}", f"{gate}\n{_short_names(slot.name, text)}"]
    return "\n".join(parts)


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


def _functions(text: str) -> str:
    """A prototype in a line, however long: the change of a new curve is a third of it."""
    lines = ["#[rustfmt::skip]", 'unsafe extern "C" {']
    for kind, name, parameters in _FUNCTION.findall(text):
        result = "" if kind == "void " else f" -> {TYPES[kind.strip()]}"
        listed = [_parameter(" ".join(part.split())) for part in parameters.split(",")]
        lines += [f"    pub fn {name}({', '.join(filter(None, listed))}){result};"]
    return "\n".join([*lines, "}", ""])


def _short_names(curve: str, text: str) -> str:
    """A module whose functions have no prefix, so that one macro serves all curves."""
    names = []
    for _, name, _ in _FUNCTION.findall(text):
        short = name.removeprefix(f"ecfit_{curve}").removeprefix("_") or "exchange"
        names += [f"{name}\0as\0{short},"]  # together on a line
    indent = " " * 8
    listed = textwrap.fill(
        " ".join(sorted(names)), WIDTH, initial_indent=indent, subsequent_indent=indent
    ).replace("\0", " ")
    head = f"/// The functions of {curve} by short names.\npub mod {curve} {{\n"
    return f"{head}    pub use super::{{\n{listed}\n    }};\n}}\n"


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

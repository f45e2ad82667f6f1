"""The values that flow through the bench, all immutable: configuration, image, record."""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec

SCHEMA = 1
DEFAULT_LIMIT = 2_000_000_000  # instructions of one operation
LEAK = "leak"  # as a verdict
Place = Literal["flash", "ram"]  # where code runs


# Knobs that came when records were already kept, with the value that leaves all as it was:
# a configuration with them has the key that it had without.
ADDED = frozenset(
    {("STATUS_TEXT", "none"), ("HASH_STREAM", "none"), ("FPU", "none"), ("READ", "first")}
)


class Configuration(msgspec.Struct, frozen=True, order=True):
    """A library and all its settings. `settings` is complete and sorted,
    so that equal choices are equal values.

    For ecfit the names are knobs, curve knobs as "secp256r1.MULV"; for a peer they are its options.
    `preset` is the preset that the settings began with, None for a peer.
    """

    library: str
    preset: str | None
    settings: tuple[tuple[str, str], ...]
    changed: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """16 hex digits that name these settings, whatever preset they came from."""
        counted = [list(pair) for pair in self.settings if pair not in ADDED]
        return digest([self.library, counted])[:16]

    @property
    def label(self) -> str:
        """Short name for tables: the preset, or "-", and what was changed on top."""
        return " ".join([self.preset or "-", *self.changed])


class Toolchain(msgspec.Struct, frozen=True):
    """A compiler as found: the command that compiles, the one that links,
    its version x.y.z and its optimisation.

    `identity` is all that it says of itself, and the hash of the C library:
    part of the content key. `debug`: what it compiles with as well where source lines are read.
    """

    name: str
    compile: tuple[str, ...]
    link: tuple[str, ...]
    version: str
    opt: str
    identity: str
    debug: tuple[str, ...] = ("-g",)

    @property
    def label(self) -> str:
        """For records: "gcc 12.2.1"."""
        return f"{self.name} {self.version}"


class Symbol(msgspec.Struct, frozen=True):
    """A function of an image: address without the Thumb bit, size in bytes."""

    name: str
    address: int
    size: int


class Segment(msgspec.Struct, frozen=True):
    """Bytes to load at an address."""

    address: int
    data: bytes


class Line(msgspec.Struct, frozen=True):
    """From this address on the code is of that source line, as "file:line"; empty:
    of none that is known.
    """

    address: int
    source: str


class Frame(msgspec.Struct, frozen=True):
    """A function's own stack in bytes, whom it calls,
    and why that may not be all (ecfit.build.stackbound).
    """

    name: str
    bytes: int
    calls: tuple[str, ...] = ()
    open: tuple[str, ...] = ()


# Why a bound leaves something out.
POINTER, GROWS, RECURSION, UNKNOWN, DEEPER = (
    "calls through a pointer",
    "stack of variable size",
    "recursion",
    "not in the image",
    "a run took more",
)
LABEL = "an assembly label without .type and .size"  # there, but nobody says where it ends


class StackBound(msgspec.Struct, frozen=True):
    """The most stack that an operation can need, in bytes; `open`: calls that this leaves out."""

    bytes: int
    open: tuple[str, ...] = ()


class Mark(msgspec.Struct, frozen=True):
    """At this address so many bytes become public: of a register and the ones behind it, or
    of the memory that a register points to (lib/src/ct.h, firmware/bench_mark.h).
    """

    address: int
    register: str
    bytes: int
    memory: bool = False


class Image(msgspec.Struct, frozen=True):
    """A built image: what to load, where things are, and what its sections weigh, in bytes.

    `sections`: sizes of .text .data .bss (library only, the glue apart); `foreign`: bytes of .text
    and .data that came from libgcc or libc, `origins`: by source. For the host the one segment
    is the shared library. `public_at`: what secrets are followed up to. `lines`: of the source, by
    address, if they were asked for.
    """

    key: str
    segments: tuple[Segment, ...] = ()
    symbols: dict[str, int] = {}
    functions: tuple[Symbol, ...] = ()
    sections: dict[str, int] = {}
    foreign: int = 0
    origins: dict[str, int] = {}
    lines: tuple[Line, ...] = ()
    public_at: tuple[Mark, ...] = ()
    frames: tuple[Frame, ...] = ()


class Leak(msgspec.Struct, frozen=True):
    """A secret that decides about time: what it decides, where, by which calls it came there,
    and how often.

    `secret` names the secrets that it was computed from. The same of a secret that is declared
    public, where it is: then `bytes` are how many at a time, of what is `declared`, a block of
    memory or registers by number. `input`: the number of the public input with which it was seen
    first, from 1; `during`: what else was out of the ordinary in that run.
    """

    kind: str
    function: str
    source: str | None
    address: int
    path: tuple[str, ...]
    secret: tuple[str, ...]
    count: int
    declared: str | None = None
    bytes: int | None = None
    input: int = 1
    during: str | None = None


class Sizes(msgspec.Struct, frozen=True):
    """What a library adds to an image, in bytes."""

    flash_bytes: int | None = None
    foreign_bytes: int | None = None
    static_ram_bytes: int | None = None


class Observation(msgspec.Struct, frozen=True):
    """The results of the runs of one operation. Cycles, instructions, hashes: one per run;
    stack, heap: most, in bytes. `prepare_cycles`: of building a table in RAM, once, before
    the first operation; not in `cycles`.

    `status` is "ok", or names the first thing that went wrong, `detail` in a sentence.
    `accepted`: what this library takes that others refuse. `version`: what the library that ran
    says it is, where that is not known before.
    """

    status: str = "ok"
    detail: str | None = None
    cycles: tuple[int, ...] = ()
    prepare_cycles: int | None = None
    instructions: tuple[int, ...] = ()
    trace_hashes: tuple[str, ...] = ()
    stack_bytes: int | None = None
    heap_bytes: int | None = None
    times_us: tuple[float, ...] = ()
    time_spread: float | None = None
    profile: dict[tuple[str, ...], int] = {}
    leaks: tuple[Leak, ...] = ()
    declared: tuple[Leak, ...] = ()
    accepted: tuple[str, ...] = ()
    version: str | None = None


class Measurement(msgspec.Struct, frozen=True):
    """All that is kept of a measured operation under its content key."""

    observation: Observation
    sizes: Sizes = Sizes()
    stack: StackBound | None = None


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One measured operation. Units are in the names; absent figures are null.
    See docs/design.md, section 6.
    """

    schema: int = SCHEMA
    library: str
    library_version: str
    curve: str
    op: str
    image_ops: str
    target: str
    core: str
    mode: str | None
    preset: str | None
    changed: str | None = None
    config_key: str
    toolchain: str
    opt: str
    model_rows: str | None = None
    runner: str
    seed: int
    runs: int
    status: str = "ok"
    detail: str | None = None
    cycles: int | None = None
    cycles_min: int | None = None
    cycles_max: int | None = None
    cycles_mean: float | None = None
    instructions: int | None = None
    time_us: float | None = None
    stack_bytes: int | None = None
    static_stack_bytes: int | None = None
    static_stack_open: str | None = None
    heap_bytes: int | None = None
    static_ram_bytes: int | None = None
    ram_bytes: int | None = None
    flash_bytes: int | None = None
    foreign_bytes: int | None = None
    energy_uj: float | None = None
    trace_hash: str | None = None
    trace_hashes: int | None = None
    error_class: str | None = None
    prepare_cycles: int | None = None
    time_spread: float | None = None


class FunctionRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen of a function. Fields as of a record of `bench`; `arguments` as they
    were given; `result`: what it returned, as an unsigned word, of 64 bits where debug information
    says so; `result_high`: the second register of a result, where nothing says how long it is and
    something was written to it; `outputs`: buffers and variables, in hexadecimal.
    `constant_time`: "ok", "leak", or null where nothing is secret; `findings`: so many places where
    a secret decides about time, and `leaks` names them. `flash_bytes` and `static_ram_bytes` are
    those of the whole image; records of older versions have none.
    """

    schema: int = SCHEMA
    elf: str
    elf_sha256: str
    function: str
    arguments: str
    target: str
    core: str
    mode: str
    seed: int
    runs: int
    status: str
    detail: str | None
    result: int | None
    cycles: int | None
    cycles_min: int | None
    cycles_max: int | None
    instructions: int | None
    time_us: float | None
    energy_uj: float | None
    stack_bytes: int | None
    static_ram_bytes: int | None = None
    flash_bytes: int | None = None
    trace_hash: str | None
    trace_hashes: int | None
    constant_time: str | None
    findings: int | None
    leaks: str | None
    outputs: str | None
    error_class: str | None
    result_high: int | None = None


class Verdict(msgspec.Struct, frozen=True):
    """What was seen of the constant-time behaviour of a row: the runs that followed secrets,
    and the runs that compare, one record for each public input.

    `declared`: where those runs met something secret that is declared public; `accepted`: what
    the library takes that others refuse. `marks`: how many places of the images say that something
    is public.
    """

    taint: Record
    leaks: tuple[Leak, ...]
    declared: tuple[Leak, ...]
    accepted: tuple[str, ...]
    equality: tuple[Record, ...]
    marks: int = 0


def digest(value: object) -> str:
    """SHA-256 of a value's JSON form, as hex: the content keys of images and records."""
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()

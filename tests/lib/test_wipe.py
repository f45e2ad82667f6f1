"""What an operation with a secret leaves: labels of secrets in the RAM and the registers of a chip,
known words on the stack of a host.
"""

from __future__ import annotations

import re
import subprocess

import pytest
from ref.curves import SECP256R1

from ecfit.build.build import build
from ecfit.build.parts import make_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.targets import find_target
from ecfit.measure.store import Store
from ecfit.run.leaks import declare_public
from ecfit.sim.machine import Machine, Region, RunResult, load_model
from workshop.library import build as lib_build
from workshop.library.api import Status
from workshop.library.images import ARENA_OUT, LIMIT, POOL, READY, RETURNED
from workshop.paths import C_TESTS, SRC
from workshop.scale import some

PRIVATE, DRAWN = 1, 2  # labels
ARENA = 2 * ARENA_OUT
RETURN = {"arm": b"\x70\x47", "rv32": b"\x82\x80"}  # the instruction that returns: bx lr, c.jr ra
FAILS = b"\x01\x20"  # Arm: movs r0, #1; a reader then returns that it failed
STORE = b"\x2d\xed\x10\x0a\x01\xbe"  # vpush {s0-s15}; bkpt 1: they stand in memory then
REGISTERS = {"arm": [*range(13), 14, 16], "rv32": [*range(1, 32)], "avr": [*range(32), 33]}


class Traced:
    """A configuration in an image for a chip whose secrets are followed. Where the core has a
    floating-point unit, an operation returns to STORE.
    """

    def __init__(
        self,
        curve: str,
        preset: str,
        target: str,
        compiler: str,
        opt: str,
        *named: str,
        **sets: str,
    ) -> None:
        self.target, self.curve = find_target(target), CURVES[curve]
        ops = (*self.curve.ops, *named)
        config = resolve(self.curve, preset, sets, self.target.backend, ops=ops if named else ())
        parts = make_parts(config, curve, ops, {}, pieces="RESUME" in sets)
        toolchain = find_toolchain(compiler, self.target.arch, self.target.core, opt)
        request = Request(self.target, config, curve, ops, toolchain, parts)
        self.image = Store().made_image(request.key, lambda: build(request))
        regions = [Region(m.name, m.start, m.size, m.kind) for m in self.target.memory]
        self.ram = [region for region in regions if region.kind == "ram"]
        model = load_model(self.target.model or "", **self.target.model_options)
        self.machine = Machine(model, regions, None)
        for segment in self.image.segments:
            self.machine.load(segment.address, segment.data)
        declare_public(self.machine, self.image, self.target.arch)
        self.back = self.image.symbols["bench_return"]
        if self.target.fpu:
            flash = self.target.region("flash")
            self.back = flash.start + flash.size - len(STORE)
            self.machine.load(self.back, STORE)

    def left(
        self, op: str, data: bytes, labels: int = PRIVATE | DRAWN, status: int = 0
    ) -> list[int]:
        """Runs bench_<op> from reset with a private key in front of the input and a secret pool
        of random bytes; the addresses of RAM that have one of these labels afterwards, input,
        output and pool apart. `status`: what it must return
        """
        symbols, machine = self.image.symbols, self.machine
        self.begin(data)
        for region in self.ram:
            machine.secret(region.start, region.size, 0)
        machine.secret(symbols["bench_pool"], POOL, DRAWN)
        machine.secret(symbols["bench_arena"], self.curve.scalar_bytes, PRIVATE)
        assert self.run(op, taint=True).result == status
        known = {
            symbols[name] + i
            for name, size in (("bench_arena", ARENA), ("bench_pool", POOL))
            for i in range(size)
        }
        found = {region.start: machine.labels(region.start, region.size) for region in self.ram}
        return [
            start + i
            for start, some in found.items()
            for i, label in enumerate(some)
            if label & labels and start + i not in known
        ]

    def registers(self, labels: int = PRIVATE | DRAWN) -> list[int]:
        """The registers, flags among them, that have one of these labels after that run, by the
        simulator's numbers.
        """
        numbers = REGISTERS["arm" if self.target.arch.startswith("arm") else self.target.arch]
        return [i for i in numbers if self.machine.register_labels(i) & labels]

    def depth(self, op: str, data: bytes, *, clearing: bool) -> int:
        """Bytes of stack of a run of bench_<op>; without what clears, of the operation alone."""
        for segment in self.image.segments:
            self.machine.load(segment.address, segment.data)
        for function in self.image.functions:
            if "_sc_wipe_" in function.name and not clearing:
                back = RETURN["rv32" if self.target.arch == "rv32" else "arm"]
                self.machine.load(function.address & ~1, back)
        self.begin(data)
        return self.image.symbols["image_stack_top"] - self.run(op).stack_low

    def begin(self, data: bytes) -> None:
        """From reset to the input, and a pool of random bytes."""
        symbols, machine = self.image.symbols, self.machine
        ready = machine.reset(self.target.region("flash").start, limit=LIMIT)
        assert (ready.stop, ready.bkpt) == ("bkpt", READY), ready
        machine.write(symbols["bench_arena"], data)
        machine.write(symbols["bench_pool"], bytes(range(1, 256)) * 2 + b"\7\7")
        machine.write(symbols["bench_pool_used"], bytes(4))

    def run(self, op: str, *, taint: bool = False) -> RunResult:
        """bench_<op> on the input."""
        symbols = self.image.symbols
        result = self.machine.call(
            symbols[f"bench_{op}"],
            (symbols["bench_arena"] + ARENA_OUT, symbols["bench_arena"]),
            sp=symbols["image_stack_top"],
            return_to=self.back,
            limit=4 * LIMIT,  # brainpoolP512r1 with CHECK=verify takes more than one
            taint=taint,
        )
        assert (result.stop, result.bkpt) == ("bkpt", RETURNED), result
        return result


def arguments(curve: str, op: str) -> bytes:
    """An input of bench_<op> with the private key 0x0102.., and the base point of the curve."""
    of = CURVES[curve]
    key = bytes(range(1, of.scalar_bytes + 1))
    if op == "ecdh" and of.form == "weierstrass":
        size = of.field_bytes
        return key + b"\4" + of.gx.to_bytes(size, "big") + of.gy.to_bytes(size, "big")
    return key + bytes([9]) + bytes(159)


HEDGED = {
    "WIPE": "stack",
    "CHECK": "verify",
    "NONCE": "hedged",
    "BLIND": "coordinates",
    "SHA256": "own",
    "SHA512": "own",
}
LATE = {"WIPE": "stack", "READ": "late"}
CASES: dict[str, tuple[str, str, str, str, str, dict[str, str]]] = {
    "P-256 gcc": ("secp256r1", "balanced", "nrf52840", "gcc", "Os", {}),
    "P-256 clang": ("secp256r1", "balanced", "nrf52840", "clang", "O2", {}),
    "P-256 fast gcc": ("secp256r1", "fast", "samd20", "gcc", "Os", {}),
    "P-256 fast clang": ("secp256r1", "fast", "nrf52840", "clang", "O2", {}),
    "X25519 clang": ("x25519", "balanced", "nrf52840", "clang", "O2", {}),
    "X25519 comb gcc": ("x25519", "balanced", "cc2538", "gcc", "O2", {"MULG": "comb_edwards"}),
    "Ed25519 gcc": ("ed25519", "balanced", "nrf52840", "gcc", "O2", {"SIGN": "eddsa"}),
    "P-256 checked": ("secp256r1", "balanced", "nrf52840", "gcc", "Os", {"CHECK": "verify"}),
    "P-384 gcc": ("secp384r1", "balanced", "nrf52840", "gcc", "O3", {}),
    "P-384 clang": ("secp384r1", "fast", "cc2538", "clang", "O3", {}),
    "P-384 hedged": ("secp384r1", "balanced", "cc2538", "clang", "O2", {"NONCE": "hedged"}),
    "P-521 clang": ("secp521r1", "balanced", "samd20", "clang", "O3", {}),
    "brainpoolP384r1 gcc": ("brainpoolP384r1", "balanced", "nrf52840", "gcc", "Os", {}),
    "P-384 fast checked": ("secp384r1", "fast", "samd20", "gcc", "Os", {"CHECK": "verify"}),
    "P-384 fast masked": ("secp384r1", "fast", "samd20", "gcc", "Os", {"BLIND": "both"}),
    "Ed448 checked": ("ed448", "balanced", "samd20", "gcc", "Os", {"CHECK": "verify"}),
    "Ed448 checked clang": ("ed448", "fast", "ibex", "clang", "O3", {"CHECK": "verify"}),
    "X25519 AVR": ("x25519", "balanced", "atmega328p", "gcc", "Os", {}),
    "P-256 checked random": (
        "secp256r1",
        "balanced",
        "samd20",
        "clang",
        "O3",
        {"CHECK": "verify", "NONCE": "random"},
    ),
    "Ed25519 checked": ("ed25519", "balanced", "nrf52840", "clang", "Os", {"CHECK": "verify"}),
    "P-256 late": ("secp256r1", "lowram", "samd20", "gcc", "Os", {**LATE, "MULV": "ladder_coz"}),
    "P-256 late comb": (
        "secp256r1",
        "lowram",
        "ibex",
        "clang",
        "O3",
        {**LATE, "MULG": "comb_flash"},
    ),
    "P-256 M0 gcc O2": ("secp256r1", "balanced", "samd20", "gcc", "O2", {}),
    "P-256 M3 clang": ("secp256r1", "compact", "cc2538", "clang", "Os", {}),
    "P-256 RV32 gcc": ("secp256r1", "balanced", "ibex", "gcc", "O3", {}),
    "P-256 AVR": ("secp256r1", "balanced", "atmega1284p", "gcc", "Os", {}),
    "P-256 M0 pieces": ("secp256r1", "balanced", "samd20", "clang", "O2", {"RESUME": "steps"}),
    "P-256 RV32 pieces": ("secp256r1", "balanced", "ibex", "gcc", "O3", {"RESUME": "steps"}),
    "X25519 M0": ("x25519", "compact", "samd20", "gcc", "O3", {}),
    "X25519 words": ("x25519", "compact", "nrf52840", "gcc", "Os", {"FPU": "words"}),
    "X25519 RV32": ("x25519", "compact", "ibex", "clang", "O2", {}),
    "Ed25519 M0": ("ed25519", "compact", "samd20", "gcc", "O3", {}),
    "Ed25519 RV32": ("ed25519", "fast", "ibex", "gcc", "O2", {"SIGN": "eddsa"}),
    "P-384 keygen": ("secp384r1", "balanced", "nrf52840", "gcc", "Os", HEDGED),
    "P-384 lowram checked": ("secp384r1", "lowram", "cc2538", "gcc", "O2", HEDGED),
    "P-384 tiny checked": ("secp384r1", "tiny", "cc2538", "gcc", "O3", HEDGED),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", some(CASES, 2))
def test_no_secret_is_left(name: str) -> None:
    curve, preset, target, compiler, opt, sets = CASES[name]
    chip = Traced(curve, preset, target, compiler, opt, **sets)
    for op in CURVES[curve].ops:
        if op != "verify":
            left = chip.left(op, arguments(curve, op))
            assert left == [], (op, [hex(address) for address in left[:20]], len(left))
            assert chip.registers() == [], op


@pytest.mark.parametrize("curve", ["ed25519", "secp256r1"])
def test_a_refused_signature_is_cleared(curve: str) -> None:
    """A table of the base point that has changed: two signatures are made that nobody gets. They
    may be wrong, and give the key away.
    """
    chip = Traced(curve, "balanced", "nrf52840", "gcc", "Os", CHECK="verify")
    files = sorted((SRC / "curve" / "comb").glob(f"{curve}_t*.inc"))
    tables = [re.findall(r"\b0x(\w{16})\b", file.read_text(encoding="utf-8")) for file in files]
    heads = {b"".join(int(w, 16).to_bytes(8, "little") for w in table[:4]) for table in tables}
    (found,) = [(s, head) for s in chip.image.segments for head in heads if head in s.data]
    segment, head = found
    at = segment.data.index(head)
    for place in range(at, at + 8 * (96 if curve == "ed25519" else 64), 32):
        chip.machine.load(segment.address + place, bytes([segment.data[place] ^ 1]))
    assert chip.left("sign", arguments(curve, "sign"), status=Status.FAULT) == []
    assert chip.registers() == []


@pytest.mark.parametrize(
    ("curve", "target", "compiler", "opt"),
    [("ed25519", "nrf52840", "gcc", "O2"), ("ed448", "samd20", "clang", "Os")],
)
def test_signing_in_parts_leaves_nothing(curve: str, target: str, compiler: str, opt: str) -> None:
    """Where it ends well, and where the reader fails."""
    chip = Traced(curve, "balanced", target, compiler, opt, "sign_parts", WIPE="stack")
    reader = next(f for f in chip.image.functions if f.name == "copy")
    assert chip.left("sign_parts", arguments(curve, "sign")) == []
    assert chip.registers() == []
    chip.machine.load(reader.address & ~1, FAILS + RETURN["arm"])
    assert chip.left("sign_parts", arguments(curve, "sign"), status=Status.READ_FAILED) == []
    assert chip.registers() == []


@pytest.mark.parametrize(
    ("curve", "target", "sets"),
    [
        ("secp256r1", "samd20", {}),
        ("x25519", "samd20", {}),
        ("ed25519", "nrf52840", {}),
        ("x25519", "ibex", {}),
        ("x25519", "nrf52840", {"FPU": "words"}),
    ],
)
def test_without_it_registers_hold_secrets(curve: str, target: str, sets: dict[str, str]) -> None:
    """That the test above can find them, s0 to s15 among them: these stand on the stack."""
    chip = Traced(curve, "compact", target, "gcc", "Os", WIPE="none", **sets)
    op = CURVES[curve].ops[0]
    assert op == "keygen"
    left = chip.left(op, arguments(curve, op))
    saved = range(chip.image.symbols["image_stack_top"] - 64, chip.image.symbols["image_stack_top"])
    assert any(address in saved for address in left) if sets else chip.registers()


@pytest.mark.parametrize("curve", ["secp256r1", "x25519", "ed25519"])
def test_without_it_secrets_are_left(curve: str) -> None:
    """What WIPE is for, and that the test above can find something."""
    sets = {"SIGN": "eddsa"} if curve == "ed25519" else {}
    chip = Traced(curve, "balanced", "nrf52840", "gcc", "Os", WIPE="none", **sets)
    for op in CURVES[curve].ops:
        if op != "verify":
            assert len(chip.left(op, arguments(curve, op))) > 3 * CURVES[curve].scalar_bytes


PIECES = {"RESUME": "steps", "WORK": "caller"}
BLINDED: dict[str, tuple[str, str, dict[str, str]]] = {
    "halves": ("tiny", "ecdh", {"MULV": "halves"}),
    "ladder_x": ("tiny", "ecdh", {"MULV": "ladder_x"}),
    "window": ("balanced", "ecdh", {"MULV": "window"}),
    "window, affine table": ("balanced", "ecdh", {"MULV": "window", "TABLE": "affine"}),
    "binary": ("balanced", "ecdh", {"MULV": "binary"}),
    "digits": ("lowram", "ecdh", {"MULV": "digits"}),
    "digits_four": ("lowram", "ecdh", {"MULV": "digits_four"}),
    "ladder_coz": ("lowram", "ecdh", {"MULV": "ladder_coz"}),
    "ladder_coz, late": ("lowram", "sign", {"MULV": "ladder_coz", "READ": "late"}),
    "comb": ("balanced", "sign", {}),
    "comb, digits": ("lowram", "sign", {"MULG": "comb_flash"}),
    "pieces": ("balanced", "ecdh", PIECES),
    "pieces, complete": ("tiny", "ecdh", PIECES),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", some(BLINDED, 3))
def test_what_is_computed_depends_on_what_is_drawn(name: str) -> None:
    """BLIND = coordinates, whose results are the same without it: the label of what was drawn is
    on the points that a multiplication leaves where nothing is cleared.
    """
    preset, op, sets = BLINDED[name]
    chip = Traced("secp256r1", preset, "samd20", "gcc", "Os", WIPE="none", BLIND="coordinates",
                  **sets)  # fmt: skip
    left = chip.left(op, arguments("secp256r1", op), DRAWN)
    assert len(left) > 300, "the number alone is 40 bytes"


HOST = {
    "gcc-O0": ["gcc", "-O0"],
    "gcc-O2": ["gcc", "-O2"],
    "gcc-O2-lto": ["gcc", "-O2", "-flto"],
    "gcc-O3-lto": ["gcc", "-O3", "-flto"],
    "clang-Os": ["clang", "-Os"],
    "clang-O3": ["clang", "-O3"],
}
KEY = bytes(range(1, 33))
NONCE = bytes(range(101, 133))


def host_left(command: list[str], op: str, backend: str, **sets: str) -> list[int]:
    """How often the key, the nonce and the key times R stand on the stack of a host."""
    config = lib_build.configuration("balanced", backend, RESUME="steps", NONCE="random", **sets)
    whole = [*command, "-std=gnu11", "-pthread", "-Wall", "-Wextra", "-Werror"]
    path = lib_build.build(config, [SRC / "ecfit.c", C_TESTS / "stack_left.c"], whole)
    scaled = (int.from_bytes(KEY, "big") << 256) % SECP256R1.n
    secrets = [KEY, KEY[::-1], NONCE, NONCE[::-1], scaled.to_bytes(32, "little")]
    run = subprocess.run(
        [str(path), op, *(secret.hex() for secret in secrets)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    return [int(line) for line in run.stdout.split()]


@pytest.mark.parametrize("compiler", HOST)
def test_nothing_known_is_left_on_the_stack_of_a_host(compiler: str) -> None:
    """Whatever is optimised away, with the caller in view or not."""
    for op in ("keygen", "public", "ecdh", "sign", "pieces", "given_up"):
        assert host_left(HOST[compiler], op, "w64") == [0] * 5, op


def test_known_words_are_found_on_the_stack_without_it() -> None:
    """Key, nonce and the key times R, where nothing is cleared."""
    found = host_left(HOST["gcc-O2"], "sign", "w64", WIPE="none")
    assert found[1] > 0 or found[4] > 0
    assert found[3] > 0 or found[2] > 0
    assert sum(host_left(HOST["gcc-O2"], "ecdh", "w64", WIPE="none")) > 0

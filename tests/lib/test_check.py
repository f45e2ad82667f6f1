"""CHECK=verify: what a fault makes of a signature is not given out.

On the simulator, one instruction left out, at places all over a signature; or a bit of each point
in the table of the base point changed for good. Without the check such signatures come out, and
the private key follows from one of Ed25519; with it none does. Here a sample; sweep `faults`
(tools/faults/faults_signing.py) tries all instructions, and docs/faults.md has its counts.
"""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from ref import codec, ecdsa, rfc8032
from ref.curves import SECP256R1
from ref.group import multiply_base

from ecfit.build.build import build
from ecfit.build.parts import make_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.targets import find_target
from ecfit.errors import UsageError
from ecfit.measure.store import Store
from ecfit.sim.machine import Region, load_model
from ecfit.sim.state import StoppableMachine
from tools.faults import faults_signing
from workshop.library.images import ARENA_OUT, LIMIT, POOL, READY
from workshop.library.signing import KEY as KEY_FOLLOWS
from workshop.library.signing import REFUSED, RIGHT, VALID, WRONG, SignBuild, SignRig, guessable
from workshop.paths import ROOT, SRC

OK, FAULT = 0, 7
KEY = bytes(range(1, 33))
MESSAGE = bytes(range(100, 132))  # of Ed25519; of P-256 the hash
PLACES = 60
ED = rfc8032.EDCURVES["ed25519"]
POINT = multiply_base(SECP256R1, int.from_bytes(KEY, "big"))
PUBLIC = {
    "secp256r1": codec.encode_point(SECP256R1, POINT),
    "ed25519": rfc8032.public_key(ED, KEY),
}


class Signer:
    """Signatures of one key and message on a Cortex-M0+ whose runs can be disturbed."""

    def __init__(self, curve: str, **sets: str) -> None:
        self.curve, target = CURVES[curve], find_target("samd20")
        if curve == "ed25519":  # CHECK is of this function, and not of eddsa_pair
            sets = {"SIGN": "eddsa", **sets}
        config = resolve(self.curve, "balanced", sets, target.backend)
        toolchain = find_toolchain("gcc", target.arch, target.core, "Os")
        parts = make_parts(config, curve, ["sign"], {})
        request = Request(target, config, curve, ("sign",), toolchain, parts)
        self.image = Store().made_image(request.key, lambda: build(request))
        regions = [Region(m.name, m.start, m.size, m.kind) for m in target.memory]
        model = load_model(target.model or "", **target.model_options)
        self.machine = StoppableMachine(model, regions, None)
        for segment in self.image.segments:
            self.machine.load(segment.address, segment.data)
        ready = self.machine.reset(target.region("flash").start, limit=LIMIT)
        assert (ready.stop, ready.bkpt) == ("bkpt", READY), ready
        symbols = self.image.symbols
        known = PUBLIC[curve] if curve == "ed25519" else b""
        self.machine.write(symbols["bench_arena"], KEY + known + MESSAGE)
        self.machine.write(symbols["bench_pool"], (bytes(range(1, 256)) * 3)[:POOL])
        self.machine.write(symbols["bench_arena"] + ARENA_OUT, b"\xa5" * 64)
        self.machine.call(
            symbols["bench_sign"],
            (symbols["bench_arena"] + ARENA_OUT, symbols["bench_arena"]),
            sp=symbols["image_stack_top"],
            return_to=symbols["bench_return"],
            limit=0,
        )
        self.begin = self.machine.save()
        self.status, self.right = self.finish()
        self.instructions = self.machine.executed

    def finish(self) -> tuple[int | None, bytes]:
        """Status, or None of a run that does not come back, and output."""
        machine, symbols = self.machine, self.image.symbols
        machine.on(10**8)
        back = machine.at_breakpoint and machine.pc == symbols["bench_return"] & ~1
        return (
            machine.register(0) if back else None,
            bytes(machine.read(symbols["bench_arena"] + ARENA_OUT, 64)),
        )

    def skipped(self, number: int) -> tuple[int | None, bytes]:
        """The outcome when the instruction of this number is left out."""
        machine = self.machine
        machine.restore(self.begin)
        machine.on(number)
        half = int.from_bytes(machine.read(machine.pc, 2), "little")
        machine.pc += 4 if half >> 11 in (0b11101, 0b11110, 0b11111) else 2
        return self.finish()

    def holds(self, signature: bytes) -> bool:
        """Whether a signature is valid, by the reference."""
        if self.curve.name == "ed25519":
            return rfc8032.verify(ED, signature, PUBLIC["ed25519"], MESSAGE)
        assert POINT is not None
        pair = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
        return ecdsa.verify(SECP256R1, POINT, MESSAGE, pair)

    def outcomes(self) -> tuple[Counter[int | None], list[bytes]]:
        """Of a skip at each place: how often each status came; the wrong signatures given out."""
        statuses: Counter[int | None] = Counter()
        wrong = []
        for place in range(PLACES):
            status, out = self.skipped(self.instructions * (2 * place + 1) // (2 * PLACES))
            statuses[status] += 1
            if status == OK and not self.holds(out):
                wrong.append(out)
            if status not in (OK, None):
                assert out == bytes(64), status
        return statuses, wrong


def scalar_of(right: bytes, wrong: bytes) -> int:
    """The scalar of an EdDSA key from two signatures of one message, if they had the same nonce:
    S - S' = (k - k') a.
    """
    public, n = PUBLIC["ed25519"], ED.n

    def k_of(signature: bytes) -> int:
        return int.from_bytes(ED.hash(signature[:32] + public + MESSAGE), "little")

    s, other = (int.from_bytes(one[32:], "little") for one in (right, wrong))
    return (s - other) * pow(k_of(right) - k_of(wrong), -1, n) % n


@pytest.mark.parametrize("curve", PUBLIC)
def test_no_fault_gives_a_wrong_signature(curve: str) -> None:
    checked, plain = Signer(curve, CHECK="verify"), Signer(curve)
    assert (checked.status, checked.right) == (plain.status, plain.right)
    assert checked.status == OK and checked.holds(checked.right)
    statuses, wrong = checked.outcomes()
    assert not wrong
    assert statuses[FAULT] > PLACES // 4
    without, given_out = plain.outcomes()
    assert len(given_out) > PLACES // 2, "what the check is for"
    print(f"{curve}: {PLACES} skips: {dict(statuses)} checked, {dict(without)} not")


def test_the_key_follows_from_what_is_given_out_without_it() -> None:
    """Of Ed25519: a right signature, and one whose R went wrong."""
    plain = Signer("ed25519")
    _, given_out = plain.outcomes()
    right = rfc8032.expand(ED, KEY)[0] % ED.n
    others = [wrong for wrong in given_out if wrong[:32] != plain.right[:32]]
    assert right in {scalar_of(plain.right, wrong) for wrong in others}


@pytest.mark.parametrize("curve", PUBLIC)
def test_a_table_that_has_changed(curve: str) -> None:
    """A fault that lasts: a bit of each point of the comb, so that every multiplication has it.
    With one bit or another the public key of Ed25519 is no point any more.
    """
    file = (SRC / f"curve/comb/{curve}_t4_v1.inc").read_text(encoding="utf-8")
    first, *rest = (int(word, 16) for word in re.findall(r"\b0x\w{16}\b", file))
    for sets, wanted in (({}, OK), ({"CHECK": "verify"}, FAULT)):
        signer = Signer(curve, **sets)
        (segment,) = (s for s in signer.image.segments if first.to_bytes(8, "little") in s.data)
        table = segment.data.index(first.to_bytes(8, "little"))
        for bit in range(6 if curve == "ed25519" else 1):
            data = bytearray(segment.data)
            for point in range(8):
                data[table + (1 + len(rest)) * point] ^= 1 << bit
            signer.machine.restore(signer.begin)
            signer.machine.load(segment.address, bytes(data))
            status, out = signer.finish()
            assert status == wanted
            assert not signer.holds(out)
            assert any(out) == (wanted == OK)


CHECKED = (("CHECK", "verify"),)
RIGS = [
    SignBuild("samd20", "gcc", "Os", "secp128r1", "balanced", "ecdsa_sign", CHECKED),
    SignBuild("ibex", "clang", "Os", "secp128r1", "balanced", "ecdsa_sign", CHECKED),
    SignBuild("stm32wle5", "gcc", "Os", "ed25519", "balanced", "sign", CHECKED),
]
AROUND = ("_sign", "_sc_holds", "_sc_nonce", "_nonce_", "_sc_make", "_sc_sum", "bytes_")


@pytest.mark.parametrize("build", RIGS, ids=str)
def test_no_instruction_left_out_gives_another_signature(build: SignBuild) -> None:
    """Each of the functions around the arithmetic, and one in 100 of all that is executed."""
    rig = SignRig(build)
    points = sorted({*rig.points(*AROUND)[:: 1 if rig.arm else 2], *rig.sample(60)})
    found = Counter(outcome for _, outcome in rig.outcomes(points))
    print(f"{build}: {len(points)} skips: {dict(found)}")
    assert not found.keys() & {VALID, KEY_FOLLOWS, WRONG}
    assert min(found[RIGHT], found[REFUSED]) > len(points) // 8


def test_the_search_finds_what_is_given_out_without_it() -> None:
    """Wrong signatures, other valid ones, and pairs from which the key follows."""
    rig = SignRig(SignBuild("stm32wle5", "gcc", "Os", "secp128r1", "balanced", "ecdsa_sign"))
    points = [*rig.points("_sign")[::3], *rig.sample(40)]
    found = {outcome for _, outcome in rig.outcomes(sorted(points))}
    assert found >= {VALID, KEY_FOLLOWS, WRONG}


@pytest.mark.parametrize(
    ("curve", "sets"), [("ed25519", {"SIGN": "eddsa_pair"}), ("secp256r1", {"RESUME": "steps"})]
)
def test_what_has_no_check_is_refused(curve: str, sets: dict[str, str]) -> None:
    assert resolve(CURVES[curve], "balanced", sets, "w32")
    with pytest.raises(UsageError, match="CHECK"):
        resolve(CURVES[curve], "balanced", {"CHECK": "verify", **sets}, "w32")


def test_what_follows_from_two_nonces() -> None:
    n, k, other = ED.n, 3**150 % ED.n, 5**107 % ED.n
    for related in (k, n - k, k ^ 1 << 200, k + (0xDEADBEEF << 96), k << 8, k >> 32, 77, 77 << 180):
        assert guessable(n, k, related % n), hex(related)
    assert not guessable(n, k, other)


def test_the_record_has_all_lines_and_none_is_broken() -> None:
    record = json.loads((ROOT / "results" / "faults-signing.json").read_text(encoding="utf-8"))
    plan = faults_signing.plan()
    assert record.keys() == {str(line) for line in plan}
    for line, count in plan.items():
        one = record[str(line)]
        assert not faults_signing.broken(line, one), line
        assert count or one["skip"] == one["points"], line

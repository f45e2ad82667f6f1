"""What `make long WHAT=ct` runs: that every line of its plan can be, and that a finding is not lost
on the way. Instructions that a Cortex-M33 skips, and functions for public data alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path

import msgspec
import pytest

from ecfit import cli
from ecfit.arguments.selection import rows, select
from ecfit.build.build import build
from ecfit.build.parts import make_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.peers import all_peers
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import Target, find_target
from ecfit.choices.variants import known
from ecfit.commands.ct import DECLARED, LEAK, NOT_COMPARED, checks
from ecfit.errors import UsageError
from ecfit.measure.bench import Bench
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.model import Configuration
from tools import ct
from workshop.cli.ct_planted import follow
from workshop.paths import VARIANTS


def test_every_line_can_be_run(capfd: pytest.CaptureFixture[str]) -> None:
    """Names and settings are accepted: the refusal is that of an operation without a secret."""
    for line in ct.PLAN:
        first = line.targets.split(",")[0]
        once = msgspec.structs.replace(line, targets=first, builds=line.builds[:1])
        for arguments in once.commands():
            where = arguments.index("--op")  # a line names its operations: these are refused
            refused = [*arguments[: where + 1], "verify", *arguments[where + 2 :]]
            assert cli.run(["ct", *refused]) == 2
            said = capfd.readouterr().err
            assert "nothing to check: the operations with a secret" in said, (line, said)


def test_every_preset_and_curve_is_planned() -> None:
    first = ct.PLAN[0]
    assert first.targets == "lpc1114,cc2538,nrf52840,nrf5340,ibex"
    assert (first.presets, first.curves, first.builds, first.sets) == (
        "all",
        "all",
        ("gcc Os",),
        ("",),
    )


# Choices that no line has: what no operation with a secret uses, or `ecfit ct` cannot follow.
LEFT_OUT = {
    "KEYGEN": {"none"},  # there is no operation then
    "ECDH": {"none"},
    "SIGN": {"none"},
    "VERIFY": {"hardened", "none", "eddsa_all", "eddsa_hardened"},  # public data
    "INVERT_VAR": {"gcd"},
    "DER": {"strict"},
    "STATUS_TEXT": {"english"},
    "HASH_STREAM": {"own"},  # the same compression, byte by byte
    "SHA256": {"caller"},  # the caller's code
    "SHA512": {"caller"},
    "SHAKE256": {"caller"},
    "BACKEND": {"w64"},  # no core of the simulator has its products
}


def test_every_choice_is_planned() -> None:
    """Of each slot, in a preset or in a setting of some line, but for what is left out."""
    planned: dict[str, set[str]] = {}
    for line in ct.PLAN:
        for arguments in line.commands():
            given = dict(zip(arguments[::2], arguments[1::2], strict=True))
            sets = [w for n, w in zip(arguments[::2], arguments[1::2], strict=True) if n == "--set"]
            for name, value in configured(given, dict(one.split("=") for one in sets)):
                planned.setdefault(name, set()).add(str(value))
    for knob in knobs.all_knobs().values():
        missing = set(knob.choices) - planned.get(knob.name, set())
        said = f"{knob.name}: a choice stands in a line of ct.PLAN, or above in LEFT_OUT"
        assert missing == LEFT_OUT.get(knob.name, set()), said


def configured(given: dict[str, str], sets: dict[str, str]) -> Iterator[tuple[str, str | int]]:
    """The settings of all configurations that the arguments of `ecfit ct` choose."""
    chosen = all_presets() if given["--preset"] == "all" else given["--preset"].split(",")
    curves = CURVES if given["--curve"] == "all" else given["--curve"].split(",")
    for target, preset, curve in product(given["--target"].split(","), chosen, curves):
        try:
            yield from knobs.resolve(
                CURVES[curve], preset, sets, find_target(target).backend
            ).settings
        except UsageError:
            continue  # as `ecfit ct` leaves out what cannot be


def test_checked_signatures_are_planned() -> None:
    """The plan has `CHECK = verify` for ECDSA, and for EdDSA with every preset on every core."""
    found = {line.name: line for line in ct.PLAN if "CHECK=verify" in line.sets}
    assert found["verified"].curves == ct.WEIERSTRASS
    edwards = found["verified, EdDSA"]
    assert (edwards.presets, edwards.curves, edwards.targets) == (
        "all",
        "ed25519,ed448",
        ct.PLAN[0].targets,
    )


@known(VARIANTS)
def test_a_finding_ends_in_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And does not keep the rest from being run: three operations of two settings,
    one of them leaks.
    """
    planted = ct.Line(
        "planted", "balanced", "secp128r1", "lpc1114", sets=("MULV=naf_var", "MULV=window")
    )
    monkeypatch.setattr(ct, "PLAN", (planted,))
    assert ct.follow("other", []) == 0
    assert "0 operations" in capsys.readouterr().out
    assert ct.follow("planted", []) == 5
    out = capsys.readouterr().out
    assert "ct: planted: 6 operations, " in out
    assert "0 findings" not in out
    assert "0 not run" in out


# ---- skipped instructions ------------------------------------------------------------------------

TARGET = "nrf5340"
NOTICED = Settings(runs=1, model_rows=(("skipped", 7),))
SKIPPED = r"""
uint32_t x = word(in);
__asm__ volatile("cmp %0, #5\n it eq\n moveq %0, #1" : "+r"(x) : : "cc");
sink = x;
"""


@pytest.mark.parametrize("settings, found", [(NOTICED, True), (Settings(runs=1), False)])
def test_one_that_is_planted(tmp_path: Path, settings: Settings, found: bool) -> None:
    """It is found with the changed model, and not with the model as it is."""
    seen = [c for c in follow(tmp_path, TARGET, {"planted": SKIPPED}, settings) if c.status == LEAK]
    assert [(c.kind, "planted" in str(c.function)) for c in seen] == [("condition", True)] * found


@pytest.mark.parametrize(
    "curve, ops",
    [
        ("secp256r1", ("keygen", "ecdh", "sign")),
        ("x25519", ("keygen", "ecdh")),
        ("ed25519", ("keygen", "sign")),
    ],
)
def test_none_in_the_library(curve: str, ops: tuple[str, ...]) -> None:
    chosen = select(
        targets=[TARGET], libraries=["ecfit"], curves=[curve], ops=ops,
        presets=["balanced"], sets=(), mode="datasheet", peers=all_peers(),
    )  # fmt: skip
    bench = Bench(NOTICED, all_peers(), Store())
    done = [c for row in rows(chosen) for c in checks(bench.constant_time(row))]
    assert done != []
    assert [c for c in done if c.status not in ("ok", DECLARED, NOT_COMPARED)] == []


# ---- functions whose names end in _var -----------------------------------------------------------

VAR_TARGET = "cc2538"
# Each function that C calls: its arguments, `a` bytes of the private key; the routines below it.
P256, K256 = (
    {f"ecfit_{curve}_mul_var", f"ecfit_{curve}_sqr_var"} for curve in ("secp256r1", "secp256k1")
)
P25519 = {"ecfit_p25519_mul_var", "ecfit_p25519_sqr_var"}
FORMULA = "static const uint16_t code[] = {0x0301, 0x0311, 0};"  # products of field/op.h
FUNCTIONS = {
    "ecfit_secp256r1_fe_mul_var": ("a, a, a", {"ecfit_secp256r1_mul_var"}),
    "ecfit_secp256r1_pt_double_var": ("a", P256),
    "ecfit_secp256r1_pt_add_var": ("a, a + 32, a + 8", P256),
    "ecfit_secp256r1_pt_add_affine_var": ("a, a + 32", P256),
    "ecfit_secp256k1_fe_mul_var": ("a, a, a", {"ecfit_secp256k1_mul_var"}),
    "ecfit_secp256k1_pt_double_var": ("a", K256),
    "ecfit_secp256k1_pt_add_var": ("a, a + 32, a + 8", K256),
    "ecfit_secp256k1_pt_add_affine_var": ("a, a + 32", K256),
    "ecfit_p25519_product_var": ("a, a, a", {"ecfit_p25519_mul_var"}),
    "ecfit_p25519_run_var": ("a, code", P25519),
}


def test_a_secret_in_any_of_them_is_found(tmp_path: Path) -> None:
    """Called in ECDH with words of the private key in all operands."""
    planted = {
        name.removeprefix("ecfit_"): (
            f"extern void {name}(); {FORMULA} uint32_t a[96];\n"
            "for (unsigned i = 0; i < 96; i++) a[i] = word(in) + i;\n"
            f"{name}({arguments}); sink = (int)code[0];"
        )
        for name, (arguments, _) in FUNCTIONS.items()
    }
    leaks = [c for c in follow(tmp_path, VAR_TARGET, planted) if c.status == LEAK]
    assert {leak.kind for leak in leaks} == {"operand"}
    found = {(str(leak.path).split(" > ")[1], leak.function) for leak in leaks}
    first = {routine for _, routines in FUNCTIONS.values() for routine in routines}
    assert {function for _, function in found} == first
    assert {path for path, _ in found} <= set(planted)


@pytest.mark.parametrize("curve", ["secp256r1", "secp256k1", "ed25519"])
def test_no_operation_with_a_secret_is_linked_with_one(curve: str) -> None:
    """Signing that verifies what it made has a multiplication in constant time for that."""
    target = find_target(VAR_TARGET)
    config = resolve(CURVES[curve], "fast", {"CHECK": "verify"}, target.backend)
    assert dict(config.settings)["PRODUCT_VAR"] == "long"
    secret, public = (
        {name for name in names if name.startswith("ecfit_") and name.endswith("_var")}
        for names in linked(target, config, curve)
    )
    assert secret == set()
    assert public, "this test looks for names that do not exist"


def test_no_operation_with_a_secret_inverts_as_public_data_are_inverted() -> None:
    """With INVERT_VAR=gcd, which branches on what it inverts; signing that verifies, neither."""
    target = find_target("samd20")
    sets = {"CHECK": "verify", "REDUCE": "solinas", "INVERT_VAR": "gcd"}
    config = resolve(CURVES["secp256r1"], "compact", sets, target.backend)
    secret, public = (
        {name for name in names if "mod_inv_n_var" in name}
        for names in linked(target, config, "secp256r1")
    )
    assert secret == set()
    assert public, "this test looks for a name that does not exist"


def linked(target: Target, config: Configuration, curve: str) -> Iterator[set[str]]:
    """The functions in an image of the operations with secrets, and in one of verification."""
    toolchain = find_toolchain("gcc", target.arch, target.core, "Os")
    for ops in (tuple(op for op in CURVES[curve].ops if op != "verify"), ("verify",)):
        parts = make_parts(config, curve, ops, {})
        request = Request(target, config, curve, ops, toolchain, parts)
        image = Store().made_image(request.key, partial(build, request))
        yield {function.name for function in image.functions}

"""Functions for public data alone, whose names end in `_var`: `ecfit ct` finds each where a secret
reaches it, and no operation with a secret is linked with one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from ecfit.build.build import build
from ecfit.build.parts import make_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.targets import Target, find_target
from ecfit.commands.ct import LEAK
from ecfit.measure.store import Store
from ecfit.model import Configuration
from workshop.cli.ct_planted import follow

TARGET = "cc2538"
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
    leaks = [c for c in follow(tmp_path, TARGET, planted) if c.status == LEAK]
    assert {leak.kind for leak in leaks} == {"operand"}
    found = {(str(leak.path).split(" > ")[1], leak.function) for leak in leaks}
    first = {routine for _, routines in FUNCTIONS.values() for routine in routines}
    assert {function for _, function in found} == first
    assert {path for path, _ in found} <= set(planted)


@pytest.mark.parametrize("curve", ["secp256r1", "secp256k1", "ed25519"])
def test_no_operation_with_a_secret_is_linked_with_one(curve: str) -> None:
    """Signing that verifies what it made has a multiplication in constant time for that."""
    target = find_target(TARGET)
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

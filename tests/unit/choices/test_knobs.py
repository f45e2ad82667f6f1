"""Knobs: resolution, validation, the generated header and what the C preprocessor makes of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES, OPS
from ecfit.choices.presets import Place, all_presets
from ecfit.errors import UsageError
from ecfit.paths import DATA, LIB

P256 = CURVES["secp256r1"]


def settings(
    preset: str | None = None, sets: dict[str, str] | None = None, backend: str = "w32m16"
) -> dict[str, str]:
    return dict(knobs.resolve(P256, preset, sets or {}, backend).settings)


def refusal(sets: dict[str, str], preset: str = "balanced", curve: str = "secp256r1") -> str:
    with pytest.raises(UsageError) as caught:
        knobs.resolve(CURVES[curve], preset, sets, "w32")
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("preset", all_presets())
def test_presets_are_valid_and_complete(preset: str) -> None:
    chosen = settings(preset)
    assert list(chosen) == sorted(knobs.all_knobs())
    assert chosen["BACKEND"] == "w32m16"


@pytest.mark.parametrize("preset", all_presets())
def test_presets_set_nothing_without_effect(preset: str) -> None:
    place = Place("secp256r1", "weierstrass", 256, "w32m16", frozenset(CURVES["secp256r1"].ops))
    own = {name: str(value) for name, value in all_presets()[preset].chosen(place).items()}
    own = knobs.find_slot("secp256r1").fitted(own)  # what it takes in place of a value of others
    assert settings("balanced", own, "w32m16") == settings(preset)


def test_order_of_precedence() -> None:
    assert settings(backend="w64")["BACKEND"] == "w64"
    assert settings(sets={"BACKEND": "W32"}, backend="w32m16")["BACKEND"] == "w32"
    assert settings("tiny")["NONCE"] == "random"
    assert settings("tiny", {"sign": "none"})["SIGN"] == "none"


def test_former_names_are_taken() -> None:
    """Wherever a value can be given; the configuration has today's name, and so the same key."""
    former = {"c8": "w8", "c16": "w32m16", "C32": "w32", "c64": "w64"}
    for old, new in former.items():
        assert settings(sets={"REDUCE": "mont"}, backend=old)["BACKEND"] == new
        assert settings(sets={"BACKEND": old, "REDUCE": "mont"})["BACKEND"] == new
    every = [choice for knob in knobs.all_knobs().values() for choice in knob.choices.values()]
    names = [name for choice in every for name in choice.formerly]
    for knob in knobs.all_knobs().values():
        assert not set(names) & set(knob.choices), "a former name is a name"
    assert len(names) == len(set(names))


def test_values_that_are_gone_are_no_values() -> None:
    """Each names one that there is, and neither a default nor a preset asks for it."""
    for knob in knobs.all_knobs().values():
        assert not set(knob.gone) & set(knob.values)
        for instead in knob.gone.values():
            assert set(knob.values) & set(instead.replace(",", " ").split()), knob.name


def test_equal_settings_have_equal_keys() -> None:
    plain = knobs.resolve(P256, "balanced", {}, "w32m16")
    same = knobs.resolve(P256, "balanced", {"WINDOW": "4", "secp256r1.window": "4"}, "w32m16")
    other = knobs.resolve(P256, "balanced", {"WINDOW": "5"}, "w32m16")
    assert plain.key == same.key != other.key
    assert (same.changed, other.changed) == ((), ("WINDOW=5",))


@pytest.mark.parametrize(
    ("sets", "words"),
    [
        ({"WINDW": "4"}, ("unknown knob 'WINDW'", "did you mean WINDOW?")),
        ({"WINDOW": "9"}, ("WINDOW is 3 to 5, not 9", "stack")),
        ({"WINDOW": "1"}, ("WINDOW is 3 to 5, not 1",)),
        ({"WINDOW": "four"}, ("WINDOW is a number", "'four'")),
        ({"BACKEND": "w33"}, ("unknown value of BACKEND 'w33'", "did you mean w32?")),
        ({"secp256r1.BACKEND": "w32"}, ("BACKEND holds for the whole library",)),
        ({"COORDINATES": "complete"}, ("needs COORDINATES=jacobian",)),
        ({"MULV": "Ladder"}, ("MULV: ladder is gone: use ladder_x, or halves",)),
        ({"COMB_BLOCKS": "3"}, ("COMB_BLOCKS: 3 is gone: use 4",)),
        ({"COMB_BLOCKS": "12"}, ("COMB_BLOCKS is 1, 2, 4, 8, 11, not 12",)),
        ({"SHA256": "none"}, ("NONCE=deterministic needs SHA256=own or unrolled or caller",)),
    ],
)
def test_refusals_say_why(sets: dict[str, str], words: tuple[str, ...]) -> None:
    text = refusal(sets)
    assert all(word in text for word in words), text


def test_setting_without_effect_is_refused() -> None:
    text = "COMB_TEETH has no effect with MULG=as_var: it needs"
    assert f"secp256r1: {text} comb_flash" == refusal({"COMB_TEETH": "5"}, "tiny")
    found = refusal({"COMB_TEETH": "5"}, "balanced", "x25519")
    assert f"x25519: {text} comb_edwards" == found


@pytest.mark.parametrize(
    ("curve", "value", "has"),
    [
        ("x25519", "comb_flash", "weierstrass and edwards"),
        ("x448", "comb_flash", "weierstrass and edwards"),
        ("ed25519", "comb_edwards", "montgomery"),
        ("secp256r1", "comb_edwards", "montgomery"),
    ],
)
def test_combs_of_other_families_are_refused(curve: str, value: str, has: str) -> None:
    text = f"{curve} has no MULG={value}: it is for {has} curves"
    assert refusal({"MULG": value}, curve=curve) == text


def test_unknown_preset_lists_the_known() -> None:
    with pytest.raises(UsageError, match="did you mean tiny"):
        knobs.resolve(P256, "tinny", {}, "w32m16")


def test_header_drops_operations() -> None:
    header = knobs.header(
        knobs.resolve(P256, "tiny", {}, "w32m16"), ["secp256r1"], ["ecdh"], extras=False
    )
    lines = header.splitlines()
    for op in OPS:
        dropped = f'#define ECFIT_SECP256R1_{op.upper()} "none.h"' in lines
        assert dropped == (op != "ecdh")


def test_header_names_files_that_exist() -> None:
    for preset in all_presets():
        for line in knobs.header(
            knobs.resolve(P256, preset, {}, "w32m16"), ["secp256r1"]
        ).splitlines():
            if line.endswith('"'):
                assert (LIB / "src" / line.split('"')[1]).is_file(), line


def preprocess(folder: Path, header: str) -> subprocess.CompletedProcess[str]:
    (folder / "ecfit_config.h").write_text(header, encoding="utf-8")
    source = '#include "ecfit_config.h"\n#include "ecfit_config_check.h"\n'
    command = ["cc", "-E", "-Wundef", "-Werror", f"-I{folder}", f"-I{LIB / 'include'}", "-"]
    return subprocess.run(
        command, input=source, capture_output=True, text=True, timeout=30, check=False
    )


@pytest.mark.parametrize("preset", all_presets())
def test_config_check_accepts_presets(preset: str, tmp_path: Path) -> None:
    header = knobs.header(knobs.resolve(P256, preset, {}, "w32m16"), ["secp256r1"])
    done = preprocess(tmp_path, header)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (
            "SECP256R1_WINDOW 4",
            "SECP256R1_WINDOW 8",
            "ECFIT_SECP256R1_WINDOW: define it, 3 to 5",
        ),
        ("#define ECFIT_SECP256R1_WINDOW 4", "", "ECFIT_SECP256R1_WINDOW: define it, 3 to 5"),
        (
            "MULV_IS_WINDOW",
            "MULV_IS_HALVES",
            "ECFIT_SECP256R1_MULV: halves and ladder_x need COORDINATES complete",
        ),
        ("#define ECFIT_INVERT_IS_DIVSTEPS 1", "", "ECFIT_INVERT: define exactly one of"),
        ("_SIGN_IS_ECDSA", "_SIGN_IS_EDDSA", "ECFIT_SECP256R1_SIGN: define exactly one of"),
        (
            "MULV_IS_WINDOW",
            "MULV_IS_COZ",
            "ECFIT_SECP256R1_MULV: coz is gone: use window with WINDOW=3 and TABLE=affine",
        ),
        (
            "SECP256R1_COMB_BLOCKS 1",
            "SECP256R1_COMB_BLOCKS 7",
            "ECFIT_SECP256R1_COMB_BLOCKS: 7 is gone: use 8",
        ),
    ],
)
def test_config_check_refuses(before: str, after: str, message: str, tmp_path: Path) -> None:
    header = knobs.header(knobs.resolve(P256, "balanced", {}, "w32m16"), ["secp256r1"])
    assert before in header
    done = preprocess(tmp_path, header.replace(before, after))
    assert done.returncode != 0
    assert message in done.stderr


def test_presets_have_no_stray_fields() -> None:
    assert {path.stem for path in (DATA / "presets").iterdir()} == set(all_presets())


def test_a_preset_names_backends_that_there_are() -> None:
    offered = knobs.all_knobs()["BACKEND"].values
    for preset in all_presets().values():
        assert set(preset.backends) <= set(offered)
        assert {where.family for where in preset.where} <= {
            "",
            "weierstrass",
            "montgomery",
            "edwards",
        }


def test_a_preset_may_ask_for_more_with_a_backend() -> None:
    cases: tuple[tuple[str, str, dict[str, str], str], ...] = (
        ("ed25519", "armv6m", {}, "4"),
        ("ed25519", "armv7em", {}, "8"),
        ("ed25519", "armv7em", {"BACKEND": "w32"}, "4"),
        ("ed25519", "armv7em", {"COMB_BLOCKS": "2"}, "2"),
        ("secp384r1", "armv6m", {}, "2"),
        ("secp384r1", "armv7em", {}, "4"),
        ("secp256r1", "armv6m", {}, "4"),
    )
    for curve, backend, sets, blocks in cases:
        settings = dict(knobs.resolve(CURVES[curve], "fast", sets, backend).settings)
        assert settings["COMB_BLOCKS"] == blocks

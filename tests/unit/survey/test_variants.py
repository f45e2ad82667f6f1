"""Values of knobs that only studies measure: nothing else knows them."""

from __future__ import annotations

import json

import pytest

from ecfit import cli
from ecfit.choices import knobdocs, knobs
from ecfit.choices.curves import CURVES
from ecfit.choices.variants import known
from ecfit.errors import CONSTANT_TIME, UsageError
from workshop.paths import VARIANTS

VALUES = [
    *(("COORDINATES", value) for value in ("homogeneous", "affine")),
    *(("MULV", value) for value in ("naf_var", "binary_var")),
    *(("WINDOW", value) for value in ("2", "6", "7")),
    ("MULG", "comb_ram"),
]


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_only_studies_know_a_variant(name: str, value: str) -> None:
    """Others are told what to use instead; it is in no header and on no page."""
    with pytest.raises(UsageError, match=f"{name}: {value} is gone: use "):
        knobs.resolve(CURVES["secp256r1"], "balanced", {name: value}, "armv6m")
    assert value not in knobs.all_knobs()[name].values
    with known(VARIANTS):
        found = knobs.resolve(CURVES["secp256r1"], "balanced", {name: value}, "armv6m")
        assert dict(found.settings)[name] == value
        assert set(VALUES) == {
            (knob.name, one)
            for knob in knobs.all_knobs().values()
            for one in knob.values
            if one not in knobs.library_knobs()[knob.name].values
        }
    page = next(text for path, text in knobdocs.texts().items() if path.name == "knobs.md")
    assert f"`{value}`: use " in page
    assert f"{name}={value} " not in page


@pytest.mark.parametrize(
    ("sets", "words"),
    [
        ({"COORDINATES": "affine", "BLIND": "coordinates"}, "needs BLIND=none or scalar"),
        ({"COORDINATES": "homogeneous", "TABLE": "affine"}, "needs TABLE=projective"),
        ({"MULV": "naf_var", "BLIND": "scalar"}, "needs BLIND=none or coordinates"),
        ({"COORDINATES": "complete", "MULG": "comb_ram", "MULD": "two"}, "needs COORDINATES="),
    ],
)
@known(VARIANTS)
def test_a_variant_serves_as_what_it_stands_in_for_but_where_it_says(
    sets: dict[str, str], words: str
) -> None:
    def resolve(**chosen: str) -> None:
        knobs.resolve(CURVES["secp256r1"], "balanced", chosen, "w32")

    resolve(COORDINATES="affine", MULV="naf_var", WINDOW="7", BLIND="none")
    resolve(MULG="comb_ram", MULD="strauss", COMB_TEETH="6")
    with pytest.raises(UsageError, match=words):
        resolve(**sets)


@known(VARIANTS)
def test_a_multiplication_that_leaks_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["ct", "--target", "lpc1114", "--set", "MULV=naf_var", "--op", "ecdh", "--n", "1"]
    assert cli.run([*line, "--quiet", "--format", "json"]) == CONSTANT_TIME
    found = [one for one in json.loads(capsys.readouterr().out) if one["kind"] == "branch"]
    assert "naf_var.inc" in {str(one["source"]).split(":")[0].rpartition("/")[2] for one in found}


@known(VARIANTS)
def test_a_table_in_ram_counts_with_what_builds_it(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {}
    for value in ("comb_flash", "comb_ram"):
        line = ["bench", "--target", "lpc1114", "--op", "keygen", "--set", f"MULG={value}"]
        assert cli.run([*line, "--set", "WIPE=none", "--quiet", "--format", "json"]) == 0
        rows[value] = json.loads(capsys.readouterr().out)[0]
    flash, ram = rows["comb_flash"], rows["comb_ram"]
    assert flash["prepare_cycles"] is None
    assert ram["prepare_cycles"] > 1_000_000
    assert ram["ram_bytes"] >= ram["static_ram_bytes"] + ram["stack_bytes"]
    assert ram["stack_bytes"] > flash["stack_bytes"]

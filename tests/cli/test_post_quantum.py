"""KEMs and ML-DSA on the command line: there for those who ask by name, and nowhere else."""

from __future__ import annotations

import json

import pytest

from ecfit.choices.curves import CURVES, KEMS, POST_QUANTUM, SIGNATURES
from workshop.cli.run import Ecfit


def test_curves_are_listed_alone_and_the_others_are_found(ecfit: Ecfit) -> None:
    def names(*words: str) -> list[str]:
        return [
            one["name"]
            for one in json.loads(ecfit("list", "curves", *words, "--format", "json").out)
        ]

    assert names() == list(CURVES)
    assert names("kem") == list(KEMS)
    assert names("ML-DSA") == list(SIGNATURES)
    assert names("FIPS 20") == list(POST_QUANTUM)


def test_help_names_nothing_post_quantum(ecfit: Ecfit) -> None:
    for command in ("bench", "size", "profile", "ct", "fit"):
        text = ecfit(command, "--help").out.lower()
        assert "kem" not in text
        assert "caps" not in text
        assert "dsa" not in text.replace("ecdsa", "").replace("eddsa", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("config", "--curve", "mlkem768"),
        ("amalgamate", "--curve", "mlkem768"),
        ("config", "--curve", "mldsa44"),
        ("fit", "--target", "nrf52840", "--need", "mlkem768:ecdh"),
        ("bench", "--lib", "pqclean", "--target", "nrf52840", "--op", "decaps", "--quiet"),
        ("bench", "--lib", "pqclean", "--curve", "mlkem768", "--op", "ecdh", "--quiet"),
        ("bench", "--curve", "mlkem768", "--target", "nrf52840", "--quiet"),
    ],
)
def test_what_does_not_go_together_is_one_line(ecfit: Ecfit, arguments: tuple[str, ...]) -> None:
    done = ecfit(*arguments)
    assert done.code == 2
    assert done.error


def test_an_operation_that_needs_more_ram_than_there_is(ecfit: Ecfit) -> None:
    """Ibex has 16 KiB: one library asks for memory, the other one uses its stack."""
    done = ecfit(
        "bench", "--lib", "pqclean,mlkem-native", "--curve", "mlkem768", "--op", "decaps",
        "--target", "ibex", "--format", "json", "--quiet",
    )  # fmt: skip
    assert done.code == 4
    statuses = {one["library"]: (one["status"], one["detail"]) for one in json.loads(done.out)}
    assert statuses["pqclean"][0] == "out of memory"
    assert statuses["mlkem-native"][0] == "stack overflow into data"
    assert "more than ibex has" in statuses["mlkem-native"][1]

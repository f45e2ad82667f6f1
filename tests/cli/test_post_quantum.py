"""KEMs and ML-DSA on the command line: there for those who ask by name, and nowhere else; and
`ecfit fit` with a hybrid group.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ecfit.choices.curves import CURVES, KEMS, POST_QUANTUM, SIGNATURES
from workshop.cli.handed_over import runs_right
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


# ---- fit: our curve beside the KEM of another project, in one image ------------------------------

ASK = ("fit", "--target", "nrf52840", "--preset", "tiny", "--quiet")
GROUP = (*ASK, "--need", "X25519MLKEM768", "--lib", "ecfit,pqclean", "--minimise", "flash")
HELD = 2400 + 1088 + 32  # bytes of a decapsulation key, a ciphertext and a secret


def answer(ecfit: Ecfit, *more: str, code: int = 0) -> dict[str, Any]:
    """The answer as json."""
    done = ecfit(*GROUP, *more, "--format", "json")
    assert done.code == code, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def records(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The records of the first place, by library and operation."""
    return {f"{one['library']} {one['op']}": one for one in found["places"][0]["records"]}


def test_an_image_has_both_and_they_are_what_they_are_alone(ecfit: Ecfit) -> None:
    """Instructions and stack are those of each alone; flash is at most both and what aligns them,
    and RAM counts what the caller holds for the KEM.
    """
    found = answer(ecfit)
    assert found["needs"] == {"x25519": ["keygen", "ecdh"], "mlkem768": ["keygen", "decaps"]}
    both, alone = records(found), {}
    for command in found["places"][0]["again"].split(" && "):
        for one in json.loads(ecfit(*command.split()[1:], "--format", "json").out):
            alone[f"{one['library']} {one['op']}"] = one
    assert both.keys() == alone.keys()
    for name, one in both.items():
        assert one["status"] == "ok"
        assert one["stack_bytes"] == alone[name]["stack_bytes"]
        assert one["instructions"] == alone[name]["instructions"]
    (flash,) = {one["flash_bytes"] for one in both.values()}
    sizes = {one["library"]: one["flash_bytes"] for one in alone.values()}
    assert max(sizes.values()) < flash < sum(sizes.values()) + 8
    (limit,) = answer(ecfit, "--ram", "64KiB")["limits"]
    assert limit["spent"] == both["pqclean decaps"]["ram_bytes"] + HELD


def test_one_byte_too_little_is_said(ecfit: Ecfit) -> None:
    """A budget that is kept to the byte; one byte less is answered with what would fit."""
    found = answer(ecfit, "--flash", "24KiB", "--ram", "64KiB")
    flash, ram = (limit["spent"] for limit in found["limits"])
    exact = answer(ecfit, "--flash", f"{flash}B", "--ram", f"{ram}B")
    assert exact["fits"]
    for least, option in ((flash, "--flash"), (ram, "--ram")):
        done = ecfit(*GROUP, option, f"{least - 1}B")
        assert done.code == 6
        needed = f"{least:,}".replace(",", " ")
        assert f"nearest: would fit with {needed} B for {option} {least - 1}B" in done.out


def test_8_kib_of_ram_are_too_little_for_packaged_libraries(ecfit: Ecfit) -> None:
    """The question of an engineer: which library comes closest, and with how much RAM."""
    limits = ("--flash", "24KiB", "--ram", "8KiB")
    libraries = ("--lib", "ecfit,mlkem-native,pqclean")  # the third takes 40 KiB of flash
    done = ecfit(*ASK, "--need", "x25519mlkem768", *libraries, *limits)
    assert done.code == 6
    assert "tiny; pqclean" in done.out
    assert "nearest: would fit with 18 308 B for --ram 8KiB" in done.out
    assert "code of pqclean of 2024 (crate pqcrypto-mlkem 0.1.1)" in " ".join(done.out.split())


def test_only_our_half_is_written(ecfit: Ecfit, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = ecfit(*GROUP, "-o", str(out))
    assert done.code == 0, done.err
    assert "mlkem" not in (out / "ecfit.c").read_text(encoding="utf-8").lower()
    told = " ".join((out / "evidence.md").read_text(encoding="utf-8").split())
    assert "mlkem768: code of pqclean of 2024" in told
    assert runs_right(out, "nrf52840", "x25519", ("keygen", "ecdh"))


def test_a_client_that_verifies_too(ecfit: Ecfit) -> None:
    """A hybrid group beside a need of its own curve; a limit of both halves together."""
    need = ("--need", "secp256r1mlkem768", "--need", "secp256r1:verify", "--lib", "ecfit,pqclean")
    group = "secp256r1mlkem768.keygen=1s"
    done = ecfit(*ASK, *need, "--time", group, "--format", "json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["needs"]["secp256r1"] == ["keygen", "ecdh", "verify"]
    (limit,) = found["limits"]
    both = records(found)
    parts = [both[f"{library} keygen"]["time_us"] for library in ("ecfit", "pqclean")]
    assert limit["spent"] == pytest.approx(sum(parts))


@pytest.mark.parametrize("need", ["mlkem768:decaps", "mldsa44:verify"])
def test_a_scheme_alone_is_searched_among_libraries(ecfit: Ecfit, need: str) -> None:
    done = ecfit("fit", "--target", "nrf52840", "--need", need, "--quiet", "--format", "json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["configurations"] > 1
    assert found["places"][0]["records"][0]["library"] != "ecfit"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--need", "x25519mlkem768:keygen"), "stands for a client's operations"),
        (("--need", "x25519mlkem768", "--lib", "pqclean"), "add --lib ecfit"),
        (("--need", "mlkem768:sign"), "mlkem768 has no sign: it has keygen, encaps, decaps"),
        (("--need", "x25519mlkem768", "--time", "decaps=1"), "as 200ms"),
        (("--need", "x25519:ecdh", "--time", "x25519mlkem768.keygen=1s"), "no --need names"),
    ],
)
def test_bad_questions_are_one_line(ecfit: Ecfit, arguments: tuple[str, ...], text: str) -> None:
    done = ecfit("fit", "--target", "nrf52840", *arguments)
    assert done.code == 2
    assert text in done.error


@pytest.mark.parametrize("command", ["config", "bench"])
def test_a_group_where_a_curve_is_asked_for(ecfit: Ecfit, command: str) -> None:
    """The answer names the command that knows it."""
    done = ecfit(command, "--target", "nrf52840", "--curve", "X25519MLKEM768")
    assert done.code == 2
    assert "not a curve: `ecfit fit --need X25519MLKEM768`" in done.error

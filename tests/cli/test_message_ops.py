"""The operations that are to be named: of messages, of recovery, and of a message in parts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workshop.cli.run import Ecfit

HASHES = "ecfit_sha256("


def records(ecfit: Ecfit, *words: str) -> list[dict[str, object]]:
    """What a command measures."""
    done = ecfit(*words, "--quiet", "--format", "json")
    assert done.code == 0, done.err
    found: list[dict[str, object]] = json.loads(done.out)
    return found


def test_they_are_measured_with_their_hash(ecfit: Ecfit) -> None:
    """On Arm and RISC-V, with right results; a preset without a hash gets one."""
    words = ("bench", "--target", "samd20,ibex", "--curve", "secp256r1,secp384r1", "--preset")
    found = records(ecfit, *words, "tiny", "--op", "sign_message,verify_message")
    assert {record["op"] for record in found} == {"sign_message", "verify_message"}
    assert {record["status"] for record in found} == {"ok"}
    assert {record["changed"] for record in found} == {"SHA256=own", "SHA512=own"}
    size = ("size", "--target", "samd20", "--preset", "tiny", "--op", "verify,verify_message")
    flash = {record["op"]: record["flash_bytes"] for record in records(ecfit, *size)}
    assert isinstance(flash["verify"], int) and isinstance(flash["verify_message"], int)
    assert 400 < flash["verify_message"] - flash["verify"] < 1200


def test_schnorr_signatures_are_measured_and_followed(ecfit: Ecfit) -> None:
    """Against the oracle, in a preset without a hash, which gets one."""
    ask = ("--target", "samd20", "--curve", "secp256k1", "--preset")
    for record in records(ecfit, "bench", *ask, "tiny", "--op", "sign_schnorr,verify_schnorr"):
        assert (record["status"], record["changed"]) == ("ok", "SHA256=own")
    checks = records(ecfit, "ct", *ask, "balanced", "--op", "sign_schnorr", "--n", "2")
    assert {check["status"] for check in checks} <= {"ok", "declared"}


def test_spake2p_is_measured_and_followed(ecfit: Ecfit) -> None:
    """Both sides against the oracle, in a preset without a hash, which gets one."""
    ask = ("--target", "nrf52840", "--curve", "secp256r1", "--preset", "lowram", "--op")
    for record in records(ecfit, "bench", *ask, "spake2p_prover,spake2p_verifier"):
        assert (record["status"], record["changed"]) == ("ok", "SHA256=own")
    checks = records(ecfit, "ct", *ask, "spake2p_prover", "--n", "2")
    assert {check["status"] for check in checks} <= {"ok", "declared"}


def test_all_is_what_it_was(ecfit: Ecfit) -> None:
    found = records(ecfit, "size", "--target", "samd20", "--preset", "balanced", "--op", "all")
    ops = {record["op"] for record in found}
    assert ops == {"keygen", "ecdh", "sign", "verify", "keygen+ecdh+sign+verify"}


def test_constant_time_follows_them(ecfit: Ecfit) -> None:
    done = ecfit("ct", "--target", "samd20", "--preset", "tiny", "--op", "sign_message", "--quiet",
                 "--n", "2", "--format", "json")  # fmt: skip
    assert done.code == 0, done.err
    checks = json.loads(done.out)
    assert {check["op"] for check in checks} == {"sign_message"}
    assert {check["status"] for check in checks} <= {"ok", "declared"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--op", "sign_message", "--set", "SHA256=none"), "needs a hash, not SHA256=none"),
        (("--op", "verify_message", "--curve", "ed25519"), "no verify_message on ed25519"),
        (("--op", "verify_message", "--lib", "micro-ecc"), "micro-ecc has no verify_message"),
        (("--op", "verify_parts", "--curve", "x448"), "no verify_parts on x448"),
        (
            ("--op", "verify_parts", "--curve", "ed448", "--set", "SHAKE256=caller"),
            "does not go with SHAKE256=caller",
        ),
        (("--op", "sign_parts"), "no sign_parts on secp256r1"),
        (
            ("--op", "sign_parts", "--curve", "ed25519", "--set", "CHECK=verify"),
            "does not go with CHECK=verify",
        ),
        (
            ("--op", "sign_parts", "--curve", "ed25519", "--set", "SHA512=caller"),
            "does not go with SHA512=caller",
        ),
        (("--op", "recover_key", "--set", "INSTANCE=shared"), "does not go with INSTANCE=shared"),
        (("--op", "sign_schnorr"), "no sign_schnorr on secp256r1"),
        (("--op", "spake2p_prover", "--curve", "secp384r1"), "no spake2p_prover on secp384r1"),
        (("--op", "spake2p_prover", "--set", "INSTANCE=shared"), "not go with INSTANCE=shared"),
        (("--op", "spake2p_verifier", "--set", "SHA256=none"), "needs a hash, not SHA256=none"),
        (
            ("--op", "sign_schnorr", "--curve", "secp256k1", "--set", "CHECK=verify"),
            "does not go with CHECK=verify",
        ),
        (
            ("--op", "verify_schnorr", "--curve", "secp256k1", "--set", "SHA256=none"),
            "needs a hash, not SHA256=none",
        ),
    ],
)
def test_errors(ecfit: Ecfit, words: tuple[str, ...], said: str) -> None:
    done = ecfit("bench", "--target", "samd20", "--quiet", *words)
    assert done.code == 2
    assert said in done.err


@pytest.mark.parametrize(
    ("words", "has_hash", "has_call"),
    [
        (("--op", "verify"), False, False),
        (("--op", "verify", "--set", "SHA256=own"), True, False),
        (("--op", "verify_message", "--preset", "tiny"), True, True),
    ],
)
def test_an_amalgam_has_the_hash_that_was_asked_for(
    ecfit: Ecfit, tmp_path: Path, words: tuple[str, ...], has_hash: bool, has_call: bool
) -> None:
    """And its configuration makes it again, byte for byte."""
    out, again = tmp_path / "out", tmp_path / "again"
    ask = ("amalgamate", "--target", "samd20", "--quiet")
    assert ecfit(*ask, *words, "-o", str(out)).code == 0
    interface = (out / "ecfit.h").read_text(encoding="utf-8")
    assert (HASHES in interface, "ecdsa_verify_message(" in interface) == (has_hash, has_call)
    assert (HASHES in (out / "ecfit.c").read_text(encoding="utf-8")) == has_hash
    done = ecfit(*ask, "--config", str(out / "ecfit_config.h"), "-o", str(again))
    assert done.code == 0, done.err
    for file in out.iterdir():
        assert file.read_bytes() == (again / file.name).read_bytes(), file.name


@pytest.mark.parametrize(
    ("words", "calls"),
    [
        (("--op", "recover_key"), {"recover(": True, "sign_recoverable(": False}),
        (("--op", "sign_recoverable"), {"recover(": False, "sign_recoverable(": True}),
        (("--op", "sign,verify"), {"recover(": False, "sign_recoverable(": False}),
        (("--op", "all"), {"recover(": False, "sign_recoverable(": False, "spake2p": False}),
        (("--op", "spake2p_verifier"), {"spake2p_verifier_start(": True}),
        (("--curve", "ed25519", "--op", "verify_parts"), {"verify_finish(": True}),
        (
            ("--curve", "ed448", "--op", "verify_parts"),
            {"verify_finish(": True, "ecfit_reader": False},
        ),
        (
            ("--curve", "ed25519", "--op", "sign_parts"),
            {"sign_parts(": True, "ecfit_reader": True, "verify_finish(": False},
        ),
        (
            ("--curve", "secp256k1", "--op", "sign,verify_schnorr"),
            {"schnorr_verify(": True, "schnorr_sign(": False},
        ),
        (("--curve", "ed25519", "--op", "verify"), {"verify_finish(": False}),
    ],
)
def test_an_amalgam_has_the_operations_that_were_named(
    ecfit: Ecfit, tmp_path: Path, words: tuple[str, ...], calls: dict[str, bool]
) -> None:
    """And its configuration makes it again, byte for byte."""
    out, again = tmp_path / "out", tmp_path / "again"
    ask = ("amalgamate", "--target", "samd20", "--quiet")
    assert ecfit(*ask, *words, "-o", str(out)).code == 0
    interface = (out / "ecfit.h").read_text(encoding="utf-8")
    assert {call: call in interface for call in calls} == calls
    done = ecfit(*ask, "--config", str(out / "ecfit_config.h"), "-o", str(again))
    assert done.code == 0, done.err
    for file in out.iterdir():
        assert file.read_bytes() == (again / file.name).read_bytes(), file.name


def test_a_budget_holds_the_hash(ecfit: Ecfit) -> None:
    """What fits a verification alone does not fit that of a message."""
    ask = ("fit", "--target", "samd20", "--preset", "tiny", "--flash", "2200B", "--quiet", "--need")
    assert ecfit(*ask, "secp256r1:verify").code == 0
    done = ecfit(*ask, "secp256r1:verify_message")
    assert done.code == 6, done.out
    more = (*ask[:6], "4KiB", *ask[7:])
    done = ecfit(*more, "secp256r1:verify_message", "--time", "verify_message=2s", "--weights",
                 "secure-boot", "--format", "json")  # fmt: skip
    assert done.code == 0, done.err
    assert "SHA256=own" in done.out

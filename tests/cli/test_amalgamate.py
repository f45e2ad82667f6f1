"""`ecfit amalgamate`: files that stand alone, made again the same; errors with nothing left."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from ecfit.ship.delivery import example
from workshop.cli.handed_over import runs_right
from workshop.cli.run import Ecfit

ROOT = Path(__file__).resolve().parents[2]
ASK = ("amalgamate", "--target", "samd20", "--quiet")
STRICT = ("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic", "-Werror")
CONFIG = "ecfit_config.h"
FILES = {
    "LICENSE", "SHA256SUMS", "ecfit_asm.S", "ecfit.c", "ecfit.h", "ecfit_config.h", "evidence.json",
    "evidence.md", "example.c",
}  # fmt: skip


def texts(folder: Path) -> dict[str, str]:
    """All files of a folder."""
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_the_example_calls_what_was_asked_for() -> None:
    """A message is hashed by the call, and a signature read from DER, where the files have that."""
    header = (ROOT / "lib/include/ecfit/secp256r1.h").read_text(encoding="utf-8")
    from_der = "if (ecfit_secp256r1_signature_from_der(signature, der, der_size) != ECFIT_OK)"
    assert from_der in example(header)
    assert "int example(const uint8_t *der, size_t der_size, const uint8_t pub" in example(header)
    header = header.replace("_signature_from_der(", "_signature_from_other(")
    assert "int example(const uint8_t signature[64], const uint8_t pub" in example(header)
    assert "status = ecfit_secp256r1_ecdsa_verify_message(" in example(header)
    without = header.replace("_verify_message(", "_other(")
    assert "status = ecfit_secp256r1_ecdsa_verify(" in example(without)


def test_files_stand_alone_and_can_be_made_again(ecfit: Ecfit, tmp_path: Path) -> None:
    out = tmp_path / "new" / "out"
    done = ecfit(*ASK, "--preset", "tiny", "--op", "verify", "-o", str(out))
    assert done.code == 0, done.err
    files = texts(out)
    assert set(files) == FILES
    assert [path.name for path in out.parent.iterdir()] == ["out"]
    line = re.split(r"compile\s+there\s+with:\n", done.err)[-1].replace("\\\n", " ").split()
    assert "-ffunction-sections" in line  # as docs/amalgam.md has it
    subprocess.run([*line, *STRICT, "-std=c99", "example.c"], cwd=out, check=True)
    for path in out.glob("*.o"):
        path.unlink()
    sums = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=out, check=True, text=True,
                          capture_output=True)  # fmt: skip
    assert sums.stdout.count(": OK") == len(FILES) - 1
    assert "ecfit_secp256r1_ecdsa_verify(" in files["ecfit.h"]
    assert "ecdsa_sign" not in files["ecfit.h"] + files["ecfit.c"]
    assert " *   secp256r1: CHECK = none, WIPE = none\n */" in files["ecfit.h"]
    assert max(map(len, files["example.c"].splitlines())) <= 100
    assert "status = ecfit_secp256r1_ecdsa_verify(" in files["example.c"]
    (record,) = json.loads(files["evidence.json"])
    assert (record["status"], record["op"]) == ("ok", "verify")
    assert runs_right(out, "samd20", "secp256r1", ("verify",))
    again = files["evidence.md"].partition("measure it again: `ecfit ")[2].partition("`")[0]
    by_file = [*ASK, "--config", str(out / CONFIG), "-o"]
    for number, words in enumerate((shlex.split(again)[:-1], by_file)):
        second = tmp_path / str(number)
        assert ecfit(*words, str(second), "--quiet").code == 0
        assert texts(second) == files


def test_the_evidence_says_what_was_measured(ecfit: Ecfit, tmp_path: Path) -> None:
    """The length of the message, and functions in the image that no row runs."""
    words = ("--op", "verify_message", "--preset", "tiny", "--set", "HASH_STREAM=own,DER=strict")
    done = ecfit(*ASK, *words, "-o", str(tmp_path / "out"))
    assert done.code == 0, done.err
    text = (tmp_path / "out" / "evidence.md").read_text(encoding="utf-8")
    assert "- verify_message: the message has 32 bytes." in text
    assert "- flash: the functions of DER and HASH_STREAM count too" in text


def test_the_configuration_header_alone_is_that_of_config(ecfit: Ecfit, tmp_path: Path) -> None:
    """And it makes the same folder again: of two families, whose values of INVERT differ."""
    words = ("--curve", "secp256r1,x25519", "--op", "ecdh", "--preset", "compact")
    out, again = tmp_path / "out", tmp_path / "again"
    done = ecfit(*ASK, *words, "-o", str(out))
    assert done.code == 0, done.err
    header = ecfit("config", "--target", "samd20", *words)
    assert (out / CONFIG).read_text(encoding="utf-8") == header.out
    done = ecfit(*ASK, "--config", str(out / CONFIG), "-o", str(again))
    assert done.code == 0, done.err
    assert texts(again) == texts(out)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--curve", "secp999"), "unknown curve 'secp999': did you mean"),
        (("--curve", "ed25519", "--op", "ecdh"), "none of these curves has these operations"),
        (("--curve", "x25519", "--op", "ecdh,sign"), "x25519 has no sign here"),
        (("--op", "prove"), "unknown operation 'prove'"),
        (("--set", "MULV=fast"), "unknown value of MULV"),
        (("--config", "missing.h"), "cannot read missing.h: No such file or directory"),
        (("--config", "{header}"), "decides by the compiler (#if)"),
        (("--config", "{header}", "--preset", "tiny"), "--config says it all"),
    ],
)
def test_errors_are_one_line_and_leave_nothing(
    ecfit: Ecfit, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    header = Path(__file__).resolve().parents[2] / "lib" / "include" / CONFIG
    asked = [word.format(header=header) for word in words]
    done = ecfit(*ASK, *asked, "-o", str(tmp_path / "out"))
    assert done.code == 2
    assert said in done.error
    assert not list(tmp_path.iterdir())


def test_a_folder_in_the_way(ecfit: Ecfit, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine", encoding="utf-8")
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    for name, said in (
        ("full", "it is not empty; name a new folder"),
        ("file", "it is not a folder"),
        ("file/below", "cannot be written to"),
    ):
        done = ecfit(*ASK, "-o", str(tmp_path / name))
        assert done.code == 2
        assert said in done.error
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "full", "mine"]

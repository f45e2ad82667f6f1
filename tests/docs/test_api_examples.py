"""The examples of the API pages: each function has one, they compile for every curve without a
warning, and they run; so does our code on the page that compares interfaces.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from ecfit.choices.curves import CURVES, EVERY_OP, NAMED
from ecfit.choices.knobs import header, resolve
from tools.docs import docs_api, docs_examples, docs_site

ROOT = Path(__file__).resolve().parents[2]
CC = ("cc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-I.",
      f"-I{ROOT}/lib/include", f"-I{ROOT}/lib/src", f"-I{ROOT}/lib/msg")  # fmt: skip
HEADERS = {name: path.read_text(encoding="utf-8") for name, path in docs_site.headers().items()}
MOST_LINES = 7
PIECES = ("keygen", "ecdh", "ecdsa_sign", "ecdsa_verify")
# In the order in which they run: of those, the functions that a configuration defines.
ORDER = {
    "weierstrass": (
        "keygen", "public_key", "ecdh", "ecdsa_sign", "ecdsa_verify",
        "ecdsa_sign_recoverable", "ecdsa_recover", "ecdsa_verify_hardened", "signature_to_der",
        "signature_from_der", "ecdsa_verify",
        "ecdsa_sign_message", "ecdsa_verify_message", "schnorr_sign", "schnorr_verify",
        "spake2p_scalars", "spake2p_prover_start", "spake2p_verifier_start",
        "spake2p_prover_finish", "spake2p_verifier_finish", "compress", "decompress",
        *(f"{one}_in" for one in PIECES),
        *(part for one in PIECES for part in (f"{one}_start", "step", f"{one}_finish")),
        "keygen_start", "abort",
    ),
    "montgomery": ("keygen", "public_key", ""),
    "edwards": (
        "keygen", "public_key", "sign", "verify", "verify_hardened", "verify_start",
        "verify_update", "verify_finish", "sign_hedged", "verify", "sign_parts", "verify",
        "key_pair", "sign_pair", "verify", "sign_ctx", "verify_ctx",
        "verify_start_ctx", "verify_update", "verify_finish", "sign_parts_ctx",
        "verify_start_ctx", "verify_update", "verify_finish", "sign_ph", "verify_ph",
    ),
}  # fmt: skip
# Together they define every function.
SETS: dict[str, list[dict[str, str]]] = {
    "weierstrass": [{"DER": "strict"}, {"VERIFY": "hardened"},
                    {"RESUME": "steps"}, {"RESUME": "steps", "WORK": "caller"}],
    "montgomery": [{}],
    "edwards": [{"SIGN": "eddsa_all", "VERIFY": "eddsa_all"}, {"VERIFY": "eddsa_hardened"},
                {"SIGN": "eddsa_hedged"}, {"SIGN": "eddsa_pair"}],
}  # fmt: skip
MESSAGES = ("writer", "epoch", "jss", "cose", "recovery", "recovery_secp256r1", "sign_es256")
FILL = """
#include <string.h>
static int fill(void *context, uint8_t *out, size_t size)
{
    static uint32_t x = 1;
    (void)context;
    for (; size; size--) {
        x = x * 1664525u + 1013904223u;
        *out++ = (uint8_t)(x >> 24);
    }
    return 0;
}
static int read_flash(void *chip, uint8_t *out, uint64_t offset, size_t size)
{
    (void)chip;
    memcpy(out, "21 degrees" + offset, size);
    return 0;
}
"""


@pytest.mark.parametrize("name", sorted(HEADERS))
def test_every_function_has_an_example_that_compiles(name: str, tmp_path: Path) -> None:
    _, found = docs_examples.examples(name, HEADERS[name])
    assert set(found) == set(docs_api.functions(HEADERS[name]))
    for function, example in found.items():
        assert f"{function}(" in example
        assert len(example.split("\n")) <= MOST_LINES
    (tmp_path / "examples.c").write_text(docs_examples.source(name, HEADERS[name]) + FILL)
    subprocess.run([*CC, "-fsyntax-only", "examples.c"], cwd=tmp_path, check=True)


def test_the_examples_are_on_the_page() -> None:
    page = docs_site.made_pages()["api/secp521r1.md"]()
    entry = page.partition("## `ecfit_secp521r1_compress`")[2].partition("\n## ")[0]
    assert "ecfit_secp521r1_compress(compressed, public_key) != ECFIT_OK" in entry
    assert "static uint8_t private_key[66], public_key[133]" in page


CURVES_RUN = [
    pytest.param(name, marks=() if name in docs_examples.WRITTEN_FOR.values() else pytest.mark.ci)
    for name in CURVES
]


@pytest.mark.parametrize("name", CURVES_RUN)
def test_they_run(name: str, tmp_path: Path) -> None:
    """On this machine, in configurations that together define every function."""
    curve, called = CURVES[name], set()
    for sets in SETS[curve.form]:
        settings = resolve(curve, "balanced", sets, "w32")
        (tmp_path / "ecfit_config.h").write_text(
            header(settings, [name], (*EVERY_OP, *(set(NAMED) & set(curve.every_op)))),
            encoding="utf-8",
        )
        library = f"{ROOT}/lib/src/ecfit.c"
        subprocess.run([*CC, "-c", library, "-o", "ecfit.o"], cwd=tmp_path, check=True)
        said = ["nm", "--defined-only", "ecfit.o"]
        out = subprocess.run(said, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
        defined = set(re.findall(r" T (\w+)$", out, re.MULTILINE))
        mine = [
            one for one in ORDER[curve.form] if f"ecfit_{name}{'_' * bool(one)}{one}" in defined
        ]
        if "verify_start_ctx" in mine and "sign_ctx" not in mine:  # what it would verify
            at = mine.index("verify_start_ctx")
            del mine[at : at + 3]
        called |= set(mine)
        run_these(docs_examples.source(name, HEADERS[name]), mine, tmp_path)
    assert called == {one for one in ORDER[curve.form] if declared(name, one)}


def declared(name: str, function: str) -> bool:
    """Whether a curve has the function."""
    return f"ecfit_{name}{'_' * bool(function)}{function}(" in HEADERS[name]


def test_hashes_and_messages_run(tmp_path: Path) -> None:
    """Those of ecfit.h and of ecfit_msg.h, in the order of the headers."""
    sets = {"STATUS_TEXT": "english", "HASH_STREAM": "own", "SHA512": "own", "SHAKE256": "own"}
    curves = ["secp256r1", "ed25519"]
    settings = resolve(CURVES["secp256r1"], "balanced", sets, "w32", several=True)
    (tmp_path / "ecfit_config.h").write_text(header(settings, curves), encoding="utf-8")
    messages = [f"{ROOT}/lib/msg/{one}.c" for one in MESSAGES]
    for path in [f"{ROOT}/lib/src/ecfit.c", *messages]:
        subprocess.run([*CC, "-c", path], cwd=tmp_path, check=True)
    objects = [f"{Path(path).stem}.o" for path in messages]
    subprocess.run(["ar", "rcs", "msg.a", *objects], cwd=tmp_path, check=True)
    for name in ("ecfit", "ecfit_msg"):
        _, found = docs_examples.examples(name, HEADERS[name])
        run_these(
            docs_examples.source(name, HEADERS[name]),
            [one.removeprefix("ecfit_") for one in found],
            tmp_path,
            "msg.a",
        )


def run_these(source: str, functions: list[str], folder: Path, *more: str) -> None:
    """Runs these examples, one after the other. The peer is the device itself."""
    lines = [f"if (example{'_' * bool(one)}{one}()) return {n};" for n, one in
             enumerate(functions, 1)]  # fmt: skip
    peer = "memcpy(peer_public_key, public_key, sizeof public_key);"
    lines = [line + peer * ("peer_public_key" in source) for line in lines]
    if "private_key[" in source:
        lines.insert(0, "fill(NULL, private_key, sizeof private_key);")
    main = "int main(void) { " + " ".join(lines) + " return 0; }\n"
    (folder / "examples.c").write_text(source + FILL + main, encoding="utf-8")
    subprocess.run([*CC, "examples.c", *more, "ecfit.o", "-o", "examples"], cwd=folder, check=True)
    done = subprocess.run([folder / "examples"], check=False, timeout=60)
    assert done.returncode == 0, functions[done.returncode - 1]


# ---- docs/api-compared.md ------------------------------------------------------------------------

PAGE = (ROOT / "docs" / "api-compared.md").read_text(encoding="utf-8")


def test_our_five_tasks_compile(tmp_path: Path) -> None:
    code = PAGE.partition("```c\n")[2].partition("```")[0]
    source = tmp_path / "tasks.c"
    source.write_text(f'#include "ecfit.h"\n{code}')
    include = [f"-I{ROOT / 'lib' / name}" for name in ("include", "src")]
    command = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *include]
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

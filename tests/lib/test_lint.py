"""The lint of lib/src, and that it can find something; warnings of two compilers; what the objects
call and keep; generated files.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest
from gen import generate

from ecfit import cli
from ecfit.build import combs
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES, OPS
from tools.checks import lint_lib
from workshop.library import build as lib_build
from workshop.library.build import CONFIGURATIONS
from workshop.library.rfc_api import SETTINGS
from workshop.paths import INCLUDE, LIB, ROOT, SRC
from workshop.scale import some

PLANTED = {
    "mp/planted.inc": (
        "/* template: needs mp_word; layer mp */\n"
        "ECFIT_STATIC int mp_x(void)\n{\n    return mod_inv();\n}\n",
        "mod_inv",
    ),
    "field/planted.inc": (
        '/* template: needs mod; layer field */\n#include "mul/two.inc"\n',
        "includes a file of layer mul",
    ),
    "group/planted.inc": ("/* points */\n", "the first line must be"),
    "mul/planted.inc": (
        "/* template: needs CURVE; layer group */\n",
        "says layer group, but stands in mul/",
    ),
    "api/planted.inc": ("/* template: needs CURVE; layer api */\n#if X\n#endif\n", "#if outside"),
    "api/planted_nested.inc": (
        "/* template: needs CURVE; layer api */\n"
        "#ifdef ECFIT_SQUARE_IS_OWN\n#if ECFIT_CURVE_X25519_ENABLED\n#endif\n#endif\n",
        "#if inside of another",
    ),
    "hash/planted.inc": (
        "/* template: needs ct.h; layer hash */\nECFIT_STATIC int helper(void)\n",
        "prefix sha256_",
    ),
    "curve/planted.inc": (
        "/* template: needs nothing; layer curve */\n#define PLANTED 1\n",
        "defines PLANTED, which curve/end.inc does not undefine",
    ),
    "curve/planted_end.inc": (
        "/* template: needs nothing; layer curve */\n#undef PLANTED\n",
        "undefines PLANTED, which no template defines",
    ),
    "mul/halves.inc": (
        '/* template: needs CURVE; layer mul */\n#include "mul/mul_two.inc"\n'
        "ECFIT_INLINE void N(mul_point)(CTX mp_word *xy)\n{\n}\n",
        "does not define N(mul_point_x) of the slot MULV",
    ),
    "group/planted_mask.inc": (
        "/* template: needs CURVE; layer group */\n"
        "/* CT: values */\nECFIT_STATIC mp_word N(pt_x)(mp_mask a, mp_mask b)\n{\n"
        "    return a.word & b.word;\n}\n",
        "planted_mask.inc:5: opens a mask",
    ),
    "mul/planted_mask.inc": (
        "/* template: needs CURVE; layer mul */\n"
        "/* CT: k */\nECFIT_STATIC mp_word N(mul_z)(const mp_word *k)\n{\n"
        "    return k[1] & (0 - mp_bit(k, 0));\n}\n",
        "planted_mask.inc:5: makes a mask of a bit",
    ),
    "mul/planted_sign.inc": (
        "/* template: needs CURVE; layer mul */\n"
        "/* CT: k */\nECFIT_STATIC mp_word N(mul_z)(const mp_word *k)\n{\n"
        "    return k[1] & ((k[0] & 1) - 1);\n}\n",
        "planted_sign.inc:5: makes a mask of a bit",
    ),
    "api/planted_mask.inc": (
        "/* template: needs CURVE; layer api */\n"
        "/* CT: k */\nECFIT_STATIC int N(sc_x)(const mp_word *k)\n{\n"
        "    int valid = 1;\n    if (mp_mask_var(mp_is_zero(k, LIMBS))) {\n"
        "        valid = 0;\n    }\n    ECFIT_DECLASSIFY(valid);\n    return valid;\n}\n",
        "planted_mask.inc:6: looks at a mask that is neither public",
    ),
    "mul/planted_wide.inc": (
        f"/* template: needs nothing; layer mul */\n/* {95 * '-'} */\n",
        "101 columns, at most 100",
    ),
}


COMBINED = "equal = mp_mask_and(mp_is_zero(h, LIMBS), mp_is_zero(s, LIMBS));"


def copy(folder: Path) -> None:
    """What the lint reads."""
    shutil.copytree(SRC, folder / "src")
    shutil.copytree(INCLUDE, folder / "include")
    for name in ("knobs.toml", "leaves.toml", "slots.md"):
        shutil.copy(LIB / name, folder / name)


def test_layers_first_lines_and_conditionals() -> None:
    assert lint_lib.findings(LIB) == []


def test_planted_violations_are_found(tmp_path: Path) -> None:
    """Each alone, in one copy, which has no finding before it."""
    copy(tmp_path)
    assert lint_lib.findings(tmp_path) == []
    for relative, (text, expected) in PLANTED.items():
        path = tmp_path / "src" / relative
        kept = path.read_bytes() if path.exists() else None
        path.write_text(text, encoding="utf-8")
        (found,) = lint_lib.findings(tmp_path)
        assert relative in found
        assert expected in found
        path.unlink() if kept is None else path.write_bytes(kept)


@pytest.mark.parametrize(
    "line",
    [
        "equal = mp_is_zero(h, LIMBS) & mp_is_zero(s, LIMBS);",
        "equal = mp_is_zero(h, LIMBS) ? mp_is_zero(s, LIMBS) : 0;",
        "equal = !mp_is_zero(h, LIMBS);",
        "equal = 0 - mp_bit(h, 0);",
    ],
)
def test_no_operator_of_c_takes_a_mask(line: str, tmp_path: Path) -> None:
    """The line of the addition that clang 19 once made a branch of, and others."""
    copy(tmp_path)
    path = tmp_path / "src/group/jacobian_plain.inc"
    text = path.read_text(encoding="utf-8")
    assert text.count(COMBINED) == 1
    path.write_text(text.replace(COMBINED, line), encoding="utf-8")
    command = ["gcc", "-fsyntax-only", f"-I{tmp_path}/include", f"-I{tmp_path}/src"]
    done = subprocess.run(
        [*command, "-DCONFIG_ECFIT_SECP224R1", str(tmp_path / "src/ecfit.c")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"{path.name}:{text[: text.index(COMBINED)].count(chr(10)) + 1}:" in done.stderr


def test_a_leaf_without_a_file_is_found(tmp_path: Path) -> None:
    copy(tmp_path)
    (tmp_path / "src/field/armv6m/redc.inc").unlink()
    assert any("leaves.toml: ECFIT_{CURVE}_REDUCE" in line for line in lint_lib.findings(tmp_path))


def test_too_many_conditionals_are_found(tmp_path: Path) -> None:
    copy(tmp_path)
    with (tmp_path / "src" / "ct.h").open("a", encoding="utf-8") as file:
        file.write("#if 1\n#endif\n" * 200)
    assert any("per 1000" in line for line in lint_lib.findings(tmp_path))


WARNINGS = [
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Wshadow",
    "-Wredundant-decls",
    "-Wstrict-prototypes",
    "-Wundef",
    "-Werror",
]


@pytest.mark.parametrize(
    ("name", "compiler"),
    [
        pytest.param(name, compiler, marks=[pytest.mark.ci] if number % 5 else [])
        for number, (name, compiler) in enumerate(product(CONFIGURATIONS, ("gcc", "clang")))
    ],
)
def test_no_warnings(name: str, compiler: str, tmp_path: Path) -> None:
    assert shutil.which(compiler), f"{compiler} is missing"
    config = CONFIGURATIONS[name]
    # Words narrower than int: every sum is an int first, and a cast at each would
    # hide the arithmetic.
    narrow = ["-Wno-conversion"] if dict(config.settings)["BACKEND"] in ("w8", "w16") else []
    command = [compiler, "-std=c11", "-O2", *WARNINGS, *narrow, "-c"]
    lib_build.build(config, [SRC / "ecfit.c"], command, suffix=".o")


FOR_CHIPS = {  # the back ends in assembly
    "nrf51822": ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb"],
    "stm32f103": ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb"],
    "nrf52840": ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb"],
    "esp32c3": ["riscv64-unknown-elf-gcc", "-march=rv32imc", "-mabi=ilp32"],
}


@pytest.mark.parametrize("chip", FOR_CHIPS)
def test_no_warnings_on_a_chip_with_several_curves(chip: str, tmp_path: Path) -> None:
    """Where all structures are packed, one line says so: words could not be loaded."""
    curves = "secp256r1,secp384r1,secp256k1,ed25519,x25519"
    words = ["--target", chip, "--curve", curves, "--preset", "fast", "-o", str(tmp_path)]
    assert cli.run(["config", *words]) == 0
    include = [f"-I{path}" for path in (tmp_path, INCLUDE, SRC)]
    specs = ["--specs=picolibc.specs"] if chip == "esp32c3" else []
    command = [*FOR_CHIPS[chip], *specs, "-std=c11", "-Os", *WARNINGS, *include, "-c"]
    command += [str(SRC / "ecfit.c"), "-o", str(tmp_path / "it.o")]
    run(*command)
    packed = subprocess.run(
        [*command, "-fpack-struct"], capture_output=True, text=True, check=False
    )
    assert packed.returncode == 1
    assert "ecfit_has_to_be_compiled_without_fpack_struct" in packed.stderr


def test_every_value_of_every_knob_is_tested() -> None:
    """Both ends of each number, and all choices of each slot; leaving an operation out
    is tested below.
    """
    configurations = [*CONFIGURATIONS.values(), *(setting.config for setting in SETTINGS.values())]
    used = {pair for config in configurations for pair in config.settings}
    used |= lib_build.ELSEWHERE
    wanted = set()
    for knob in knobs.all_knobs().values():
        values = knob.values if knob.kind == "slot" else (knob.values[0], knob.values[-1])
        wanted |= {(knob.name, value) for value in values}
    operations = {op.upper() for op in OPS}
    assert {pair for pair in wanted - used if pair[0] not in operations} == set()


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("name", ["tiny-w32m16", "balanced-w32"])
def test_each_operation_alone(name: str, op: str) -> None:
    """Slots left out leave nothing behind: no warning, and no other operation in the object."""
    command = ["gcc", "-std=c11", "-O2", *WARNINGS, "-c"]
    path = lib_build.build(CONFIGURATIONS[name], [SRC / "ecfit.c"], command, suffix=".o", ops=[op])
    symbols = {
        line.split()[0]
        for line in run("nm", "--defined-only", "-g", "--format=posix", str(path)).splitlines()
    }
    functions = {symbol for symbol in symbols if symbol.startswith("ecfit_secp256r1_")}
    verbs = {
        "keygen": {"keygen", "public_key"},
        "sign": {"ecdsa_sign"},
        "verify": {"ecdsa_verify"},
    }.get(op, {op})
    others = functions - {f"ecfit_secp256r1_{verb}" for verb in verbs}
    always = ("public_key_check", "compress", "decompress")
    assert others <= {f"ecfit_secp256r1_{verb}" for verb in always}
    assert f"ecfit_secp256r1_{min(verbs)}" in functions


@pytest.mark.sampled
@pytest.mark.parametrize("path", sorted((SRC / "curve").glob("*.c")), ids=lambda path: path.stem)
def test_each_curve_compiles_alone(path: Path, tmp_path: Path) -> None:
    """Everything of ecfit.c before the first curve, then this curve and no other."""
    unit = (SRC / "ecfit.c").read_text(encoding="utf-8")
    common = unit[: unit.index("#if ECFIT_CURVE_")]
    source = tmp_path / "alone.c"
    source.write_text(f'{common}#include "curve/{path.name}"\n', encoding="utf-8")
    for preset, backend in some([("balanced", "w64"), ("tiny", "w32")], 2):
        command = ["gcc", "-std=c11", "-O2", *WARNINGS, "-c"]
        config = knobs.resolve(CURVES[path.stem], preset, {"BACKEND": backend}, backend)
        lib_build.build(config, [source], command, suffix=".o", curves=[path.stem])


def test_the_documented_command(tmp_path: Path) -> None:
    """One line of cc with the default configuration, as the head of ecfit.c says."""
    includes = [f"-I{INCLUDE}", f"-I{SRC}"]
    run("cc", "-c", *includes, str(SRC / "ecfit.c"), "-o", str(tmp_path / "ecfit.o"))
    symbols = run("nm", "--defined-only", "-g", str(tmp_path / "ecfit.o"))
    assert all(
        f"ecfit_secp256r1_{verb}" in symbols
        for verb in ("keygen", "ecdh", "ecdsa_sign", "ecdsa_verify")
    )


@pytest.mark.parametrize("language", ["c", "c++"])
def test_the_header_alone(language: str, tmp_path: Path) -> None:
    source = tmp_path / "header.h"
    source.write_text('#include "ecfit.h"\necfit_rng test_rng;\n', encoding="utf-8")
    run(
        "clang",
        f"-x{language}",
        "-fsyntax-only",
        "-Wall",
        "-Wextra",
        "-Werror",
        f"-I{INCLUDE}",
        str(source),
    )


# Functions that a compiler or the header may call. They move bytes, and their time does not depend
# on the values.
ALLOWED_CALLS = {"memcpy", "memset"}
CORTEX_M0 = ["-mcpu=cortex-m0", "-mthumb"]
CROSS = {
    "gcc": ["arm-none-eabi-gcc", *CORTEX_M0],
    "clang": ["clang", "--target=thumbv6m-none-eabi", *CORTEX_M0, "-ffreestanding"],
}


@pytest.mark.parametrize("opt", ["-Os", "-O2", "-O3"])
@pytest.mark.parametrize("compiler", CROSS)
@pytest.mark.parametrize("preset", ["tiny", "balanced"])
def test_the_object_for_a_cortex_m0(preset: str, compiler: str, opt: str) -> None:
    """No call into libgcc (its long multiply branches on its operands) or libc,
    and no data that changes.
    """
    command = [*CROSS[compiler], "-std=c11", opt, "-c"]
    assert shutil.which(command[0]), f"{command[0]} is missing"
    path = lib_build.build(
        CONFIGURATIONS[f"{preset}-w32m16"], [SRC / "ecfit.c"], command, suffix=".o"
    )
    symbols = run("arm-none-eabi-nm", "--undefined-only", "--format=posix", str(path))
    called = {line.split()[0] for line in symbols.splitlines()}
    assert called <= ALLOWED_CALLS, called - ALLOWED_CALLS
    sizes = run("arm-none-eabi-size", str(path)).splitlines()[1].split()
    assert sizes[1:3] == ["0", "0"], "data and bss"


def test_a_call_into_libgcc_is_found() -> None:
    """w32 on this core multiplies 32 by 32 bits to 64: that is why it has a backend of its own."""
    allowed = "-DECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"
    command = [*CROSS["gcc"], "-std=c11", "-Os", "-c", allowed]
    path = lib_build.build(CONFIGURATIONS["tiny-w32"], [SRC / "ecfit.c"], command, suffix=".o")
    assert "__aeabi_lmul" in run("arm-none-eabi-nm", "--undefined-only", str(path))


def run(*command: str) -> str:
    """Standard output of a tool."""
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


# ---- everything generated in lib is what its generator writes today ------------------------------


def test_generated_files_are_up_to_date() -> None:
    assert generate.outdated(ROOT) == []


def test_a_difference_is_found(tmp_path: Path) -> None:
    for path in generate.generated():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    assert generate.outdated(tmp_path) == []
    first, second = sorted(generate.generated())[:2]
    (tmp_path / first).unlink()
    text = (tmp_path / second).read_text(encoding="utf-8")
    (tmp_path / second).write_text(text.replace("f", "e", 1), encoding="utf-8")
    orphan = tmp_path / "lib/src/curve/comb/orphan.inc"
    orphan.write_text("/* generated by `lib/gen/gen_comb.py none` */\n", encoding="utf-8")
    assert generate.outdated(tmp_path) == sorted(
        [str(first), str(second), "lib/src/curve/comb/orphan.inc (no generator)"]
    )


def test_tables_of_other_sizes_are_made() -> None:
    """What stands in lib/src is not made again; other sizes are, for both families."""
    settings = {"MULG": "comb_flash", "COMB_TEETH": "4", "COMB_BLOCKS": "1", "MULD": "strauss"}
    other = {**settings, "COMB_TEETH": "3", "COMB_BLOCKS": "4"}
    assert combs.missing_tables("secp256r1", settings) == {}
    assert combs.missing_tables("x25519", other) == {}
    for curve in ("secp256r1", "ed25519"):
        (name, text), *none = combs.missing_tables(curve, other).items()
        assert (name, none) == (f"curve/comb/{curve}_t3_v4.inc", [])
        assert "ECFIT_FLASH mp_word N(comb)[16 * " in text
    own = {"MULG": "as_var", "MULD": "naf"}
    assert combs.missing_tables("secp256r1", {**own, "WNAF_G": "7"}) == {}
    assert combs.missing_tables("x25519", {**own, "WNAF_G": "3"}) == {}
    ((name, text),) = combs.missing_tables("secp256r1", {**own, "WNAF_G": "3"}).items()
    assert name == "curve/comb/secp256r1_odd_w3.inc"
    assert "ECFIT_FLASH mp_word N(odd)[2 * " in text


@pytest.mark.parametrize("curve", CURVES)
def test_every_prototype_has_its_contract(curve: str) -> None:
    """In the comment right above it, where an editor finds it; and ecfit.h has the curve."""
    text = (INCLUDE / "ecfit" / f"{curve}.h").read_text(encoding="utf-8")
    prototypes = re.findall(rf"^(?:ECFIT_CHECK )?[a-z]\w+ ecfit_{curve}\w*\(", text, re.MULTILINE)
    described = re.findall(rf" \*/\n(?:ECFIT_CHECK )?[a-z]\w+ ecfit_{curve}\w*\(", text)
    assert prototypes
    assert len(described) == len(prototypes)
    unchecked = re.findall(r"^(\w+) ecfit_\w+\(", text, re.MULTILINE)
    assert set(unchecked) <= {"void"}, "a result that nobody need look at"
    assert f'#include "ecfit/{curve}.h"' in (INCLUDE / "ecfit.h").read_text(encoding="utf-8")

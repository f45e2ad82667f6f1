"""What the commands print when all is well: records, formats, the cache."""

from __future__ import annotations

import csv
import io
import json
import resource
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ecfit import __version__
from ecfit.model import Record
from ecfit.paths import ROOT
from workshop.cli.run import Ecfit, MakePeer

QUICK = ("--op", "ecdh", "--preset", "balanced", "--mode", "zero-ws", "--quiet")
DESIGN_FIELDS = """
    schema library library_version curve op target core preset config_key toolchain runner seed
    status cycles instructions time_us stack_bytes static_stack_bytes heap_bytes ram_bytes
    flash_bytes foreign_bytes energy_uj trace_hash error_class
"""
ORIGIN = ("kept", "ecfit_version", "ecfit_commit", "model_sha256", "flags")


def records(ecfit: Ecfit, *arguments: str) -> list[dict[str, Any]]:
    done = ecfit(*arguments, "--format", "json")
    assert done.code == 0, done.err
    found: list[dict[str, Any]] = json.loads(done.out)
    return found


def processor_seconds() -> float:
    """Processor time of all commands that have ended: unlike the clock on the wall,
    not moved by other load.
    """
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_records_have_the_fields_of_the_design(ecfit: Ecfit) -> None:
    (record,) = records(ecfit, "bench", *QUICK)
    assert set(DESIGN_FIELDS.split()) <= record.keys()
    assert list(record) == [*Record.__struct_fields__, *ORIGIN]
    msgspec.convert(record, Record, strict=True)
    assert (record["schema"], record["status"], record["error_class"]) == (1, "ok", "A")
    assert record["time_us"] == pytest.approx(record["cycles"] / 48, abs=0.001)
    assert record["ram_bytes"] == record["static_ram_bytes"] + record["stack_bytes"]
    assert record["cycles"] == record["cycles_min"] == record["cycles_max"]
    assert 1_000_000 < record["instructions"] < record["cycles"] < 60_000_000
    assert 500 < record["stack_bytes"] < 4000
    assert 1000 < record["flash_bytes"] < 8000
    assert 0 <= record["foreign_bytes"] < 1000
    assert record["stack_bytes"] <= record["static_stack_bytes"] < 1.1 * record["stack_bytes"]


def test_a_record_says_where_it_comes_from(ecfit: Ecfit) -> None:
    """A change of the cycle table changes its hash, and nothing else of the four."""
    size = ("bench", *QUICK, "--target", "samd20")
    (one,), (other,) = records(ecfit, *size), records(ecfit, *size, "--model", "multiply=32")
    assert one["ecfit_version"] == __version__
    git = ["git", "rev-parse", "--short=12", "HEAD"]
    head = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    assert one["ecfit_commit"].removesuffix("-dirty") == head
    assert "-mcpu=cortex-m0plus" in one["flags"].split()
    assert "-Os" in one["flags"].split()
    assert len(one["model_sha256"]) == 64
    assert one["model_sha256"] != other["model_sha256"]
    same = ("ecfit_version", "ecfit_commit", "flags")
    assert [one[name] for name in same] == [other[name] for name in same]


def test_both_presets_and_all_operations_on_samd20(ecfit: Ecfit) -> None:
    """The second line of "It is done when": every row is there and right."""
    found = records(
        ecfit, "bench", "--target", "samd20", "--curve", "secp256r1", "--preset", "tiny,balanced",
        "--op", "keygen,ecdh,sign,verify", "--quiet",
    )  # fmt: skip
    assert [(r["preset"], r["op"], r["status"]) for r in found] == [
        (preset, op, "ok")
        for preset in ("tiny", "balanced")
        for op in ("keygen", "ecdh", "sign", "verify")
    ]
    assert {r["image_ops"] for r in found} == {"keygen+ecdh+sign+verify"}


def test_n_runs_are_constant_in_time_and_trace(ecfit: Ecfit) -> None:
    (record,) = records(ecfit, "bench", *QUICK, "--n", "3", "--target", "rp2040")
    assert record["runs"] == 3
    assert record["cycles_min"] == record["cycles_max"]
    assert record["trace_hashes"] == 1
    assert record["trace_hash"]


def test_runs_whose_traces_differ(ecfit: Ecfit) -> None:
    """micro-ecc's verification runs on public data: its path depends on them."""
    arguments = (
        "bench",
        "--lib",
        "micro-ecc",
        "--op",
        "verify",
        "--n",
        "3",
        "--mode",
        "zero-ws",
        "--quiet",
    )
    (record,) = records(ecfit, *arguments)
    assert record["trace_hash"] is None
    assert record["trace_hashes"] == 3
    assert record["cycles_min"] < record["cycles"] < record["cycles_max"]


def test_seed_changes_inputs_not_the_constant_time_count(ecfit: Ecfit) -> None:
    one, two = (records(ecfit, "bench", *QUICK, "--seed", seed)[0] for seed in ("1", "2"))
    assert (one["cycles"], one["trace_hash"]) == (two["cycles"], two["trace_hash"])
    arguments = ("bench", "--lib", "micro-ecc", "--op", "sign", "--mode", "zero-ws", "--quiet")
    three, four = (records(ecfit, *arguments, "--seed", seed)[0] for seed in ("1", "2"))
    assert three["trace_hash"] != four["trace_hash"]


def test_names_are_case_insensitive_and_have_aliases(ecfit: Ecfit) -> None:
    plain = records(ecfit, "bench", *QUICK)
    other = records(
        ecfit, "bench", "--target", "LPC1114", "--curve", "P-256", "--lib", "ECFIT", "--op", "ECDH",
        "--preset", "Balanced", "--mode", "Zero-WS", "--set", "window=4", "--opt", "os",
        "--toolchain", "GCC", "--quiet",
    )  # fmt: skip
    assert plain == other


def test_knobs_move_figures(ecfit: Ecfit) -> None:
    four = records(ecfit, "bench", *QUICK)[0]
    five = records(ecfit, "bench", *QUICK, "--set", "WINDOW=5")[0]
    assert five["stack_bytes"] > four["stack_bytes"]
    assert five["config_key"] != four["config_key"]
    assert five["changed"] == "WINDOW=5"


def test_operations_cost_more_together(ecfit: Ecfit) -> None:
    found = records(ecfit, "size", "--lib", "ecfit,micro-ecc", "--op", "ecdh,verify", "--quiet")
    for library in ("ecfit", "micro-ecc"):
        sizes = {r["op"]: r["flash_bytes"] for r in found if r["library"] == library}
        assert list(sizes) == ["ecdh", "verify", "ecdh+verify"]
        assert (
            max(sizes["ecdh"], sizes["verify"])
            < sizes["ecdh+verify"]
            < sizes["ecdh"] + sizes["verify"]
        )


@pytest.mark.parametrize(("toolchain", "opt"), [("gcc", "O2"), ("clang", "Os")])
def test_other_compilers(ecfit: Ecfit, toolchain: str, opt: str) -> None:
    (record,) = records(ecfit, "bench", *QUICK, "--toolchain", toolchain, "--opt", opt)
    assert record["toolchain"].startswith(toolchain)
    assert record["opt"] == opt
    assert record["status"] == "ok"


def test_host(ecfit: Ecfit) -> None:
    found = records(
        ecfit, "bench", "--target", "host", "--lib", "ecfit,micro-ecc", "--op", "all", "--quiet"
    )
    assert len(found) == 8
    for record in found:
        assert record["runner"] == "host"
        assert record["cycles"] is None
        assert record["error_class"] is None
        assert 1 < record["time_us"] < 1e6


def test_one_operation_alone_on_the_host(ecfit: Ecfit) -> None:
    """The adapter names all four; what is not asked for must not be missed."""
    (record,) = records(ecfit, "bench", "--target", "host", "--op", "verify", "--quiet")
    assert (record["status"], record["image_ops"]) == ("ok", "verify")


def test_csv_md_and_table_agree_with_json(ecfit: Ecfit) -> None:
    (record,) = records(ecfit, "bench", *QUICK)
    text = ecfit("bench", *QUICK, "--format", "csv").out
    (row,) = csv.DictReader(io.StringIO(text))
    assert row == {name: "" if value is None else str(value) for name, value in record.items()}
    cycles = f"{record['cycles']:,}".replace(",", " ")
    md = ecfit("bench", *QUICK, "--format", "md").out.splitlines()
    assert md[1].startswith("| --- |")
    assert f"| {cycles} |" in md[2]
    table = ecfit("bench", *QUICK).out
    assert cycles in table
    assert "\x1b" not in table
    assert "mode zero-ws" in " ".join(table.lower().split())


def test_output_file(ecfit: Ecfit, tmp_path: Path) -> None:
    done = ecfit("bench", *QUICK, "--format", "json", "-o", "out.json", cwd=tmp_path)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert json.loads((tmp_path / "out.json").read_text())[0]["status"] == "ok"
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_progress_is_plain_lines_without_a_terminal(ecfit: Ecfit) -> None:
    done = ecfit("bench", *QUICK[:-1])
    assert done.err.startswith("[1/1] ecfit balanced secp256r1 ecdh on lpc1114: ")
    assert "\x1b" not in done.err


def test_second_run_answers_from_the_cache(ecfit: Ecfit, tmp_path: Path) -> None:
    arguments = (
        "bench",
        "--target",
        "lpc1114,rp2040",
        "--lib",
        "ecfit,micro-ecc",
        "--preset",
        "tiny,balanced",
        "--quiet",
    )
    first = ecfit(*arguments, "--format", "json")
    before = processor_seconds()
    second = ecfit(*arguments, "--format", "json")
    assert processor_seconds() - before < 1.5
    assert first.code == second.code == 0
    assert first.out == second.out


def test_no_cache_runs_again_and_agrees(ecfit: Ecfit) -> None:
    assert records(ecfit, "bench", *QUICK) == records(ecfit, "bench", *QUICK, "--no-cache")


@pytest.mark.parametrize("kind", ["images", "measurements"])
def test_corrupted_cache_is_made_again(ecfit: Ecfit, cache: Path, kind: str) -> None:
    before = records(ecfit, "bench", *QUICK)
    for path in (cache / kind).iterdir():
        data = bytearray(path.read_bytes())
        data[-1] ^= 1
        path.write_bytes(bytes(data))
    if kind == "images":  # make it look at the images again
        for path in (cache / "measurements").iterdir():
            path.unlink()
    assert records(ecfit, "bench", *QUICK) == before


def test_profile(ecfit: Ecfit) -> None:
    (record,) = records(ecfit, "bench", *QUICK)
    arguments = ("profile", "--op", "ecdh", "--mode", "zero-ws", "--quiet")
    costs = records(ecfit, *arguments)
    assert sum(cost["self_cycles"] for cost in costs) == record["cycles"]
    assert (
        next(c for c in costs if c["function"] == "bench_ecdh")["total_cycles"] == record["cycles"]
    )
    stacks = ecfit(*arguments, "--format", "collapsed").out.splitlines()
    assert sum(int(line.rpartition(" ")[2]) for line in stacks) == record["cycles"]
    assert all(line.startswith("ecfit balanced ecdh lpc1114;bench_ecdh") for line in stacks)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("targets", {"lpc1114", "rp2040", "samd20", "host"}),
        ("libs", {"ecfit", "micro-ecc"}),
        ("curves", {"secp256r1"}),
        ("knobs", {"BACKEND", "WINDOW", "NONCE"}),
        ("presets", {"tiny", "balanced", "lowram"}),
    ],
)
def test_listings(ecfit: Ecfit, kind: str, names: set[str]) -> None:
    found = records(ecfit, "list", kind)
    assert names <= {entry["name"] for entry in found}
    table = ecfit("list", kind).out
    assert all(name in table for name in names)


def test_doctor(ecfit: Ecfit) -> None:
    assert all(check["state"] == "ok" for check in records(ecfit, "doctor")[:3])


def test_help_answers_at_once(ecfit: Ecfit) -> None:
    ecfit("--help")
    before = processor_seconds()
    assert ecfit("--help").code == 0
    assert processor_seconds() - before < 0.5


def test_mean_of_several_runs(ecfit: Ecfit) -> None:
    """Beside the median; of one run it is that run."""
    quick = ("bench", "--lib", "micro-ecc", "--op", "keygen", "--mode", "zero-ws", "--quiet")
    (one,) = records(ecfit, *quick)
    assert one["cycles_mean"] == one["cycles"]
    (two,) = records(ecfit, *quick, "--n", "2")
    assert two["cycles_mean"] == (two["cycles_min"] + two["cycles_max"]) / 2
    assert two["cycles"] == two["cycles_min"] < two["cycles_max"]


def test_changed_cycle_model(ecfit: Ecfit) -> None:
    """What if a row cost more: the record says so, has no class, and stays out of what is kept."""
    (before,) = records(ecfit, "bench", *QUICK)
    (changed,) = records(ecfit, "bench", *QUICK, "--model", "multiply=32")
    (after,) = records(ecfit, "bench", *QUICK)
    assert after == before
    assert (before["model_rows"], before["error_class"]) == (None, "A")
    assert (changed["model_rows"], changed["error_class"]) == ("multiply=32", None)
    assert changed["cycles"] > before["cycles"]
    done = ecfit("bench", *QUICK, "--model", "multiply=32")
    assert "what if: the cycle model is changed, multiply=32" in done.out


def test_wrong_changes_of_a_model(ecfit: Ecfit) -> None:
    for change, message in (
        ("mul=3", "--model: cycle model 'cortex-m0' has no row 'mul': known: alu, multiply"),
        ("multiply=fast", "--model multiply: cycles are a number from 0 to 255, not 'fast'"),
        ("multiply=256", "from 0 to 255"),
        ("multiply=-1", "from 0 to 255"),
        ("multiply", "--model takes ROW=CYCLES, not 'multiply'"),
        ("fetch_buffer=9", "too many words in the core's fetch buffer"),
    ):
        done = ecfit("bench", *QUICK, "--model", change)
        assert done.code == 2, change
        assert message in done.error
    for target in ("host", "esp8266"):
        done = ecfit("bench", *QUICK, "--target", target, "--model", "multiply=32")
        assert done.code == 2
        assert f"--model: {target} is not simulated, so it has no cycle model" in done.error


def test_compiler_by_its_path(ecfit: Ecfit, tmp_path: Path) -> None:
    gcc = shutil.which("arm-none-eabi-gcc")
    assert gcc is not None
    (found,) = records(ecfit, "bench", *QUICK)
    (named,) = records(ecfit, "bench", *QUICK, "--cc", gcc)
    assert named == found
    (tmp_path / "cc").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "cc").chmod(0o755)
    host = shutil.which("gcc")
    assert host is not None
    for path, message in (
        (str(tmp_path / "none"), "there is no program of that name"),
        (str(tmp_path), "there is no program of that name"),
        (str(tmp_path / "cc"), "does not run"),
        (host, ", not for arm"),
    ):
        done = ecfit("bench", *QUICK, "--cc", path)
        assert done.code == 2, path
        assert message in done.error
        assert f"--cc {path}" in done.error


@pytest.mark.parametrize(
    ("target", "name"), [("lpc1114", "arm-none-eabi-gcc"), ("ibex", "riscv64-unknown-elf-gcc")]
)
def test_a_compiler_that_came_without_a_c_library(
    ecfit: Ecfit, tmp_path: Path, target: str, name: str
) -> None:
    """Headers and linker are the usual one's, and what it makes is the same."""
    cc = tmp_path / "cc"
    cc.write_text(
        '#!/bin/sh\ncase "$*" in *--specs=*) echo "error: no specs" >&2; exit 1 ;; esac\n'
        f'exec {shutil.which(name)} "$@"\n'
    )
    cc.chmod(0o755)
    quick = (*QUICK, "--target", target)
    (named,) = records(ecfit, "bench", *quick, "--cc", str(cc))
    (usual,) = records(ecfit, "bench", *quick)
    assert named == usual


@pytest.mark.parametrize("name", ["clang-19", "clang-22"])
def test_a_newer_clang_links_for_risc_v(ecfit: Ecfit, name: str) -> None:
    """Its debug information has relocations that an older linker does not know."""
    cc = shutil.which(name)
    assert cc is not None
    wanted = (*QUICK, "--target", "ibex", "--toolchain", "clang")
    (record,) = records(ecfit, "bench", *wanted, "--cc", cc)
    assert record["status"] == "ok"


def test_settings_of_functions_that_no_operation_needs_show_in_flash(ecfit: Ecfit) -> None:
    plain, der = (
        json.loads(ecfit("size", "--op", "sign", *more, "--quiet", "--format", "json").out)[0]
        for more in ((), ("--set", "DER=strict"))
    )
    assert der["flash_bytes"] > plain["flash_bytes"] + 100


def test_several_compilers_and_levels(ecfit: Ecfit) -> None:
    done = ecfit(
        "size", "--op", "ecdh", "--toolchain", "gcc,clang", "--opt", "Os,O2", "--sort", "flash",
        "--quiet", "--format", "json",
    )  # fmt: skip
    records = json.loads(done.out)
    assert {(r["toolchain"].split()[0], r["opt"]) for r in records} == {
        ("gcc", "Os"), ("gcc", "O2"), ("clang", "Os"), ("clang", "O2"),
    }  # fmt: skip
    sizes = [record["flash_bytes"] for record in records]
    assert sizes == sorted(sizes)


def prepared(ecfit: Ecfit, library: str, curve: str, *settings: str) -> dict[str, Any]:
    done = ecfit(
        "bench", "--target", "nrf52840", "--lib", library, "--curve", curve, "--op", "sign",
        *(part for one in settings for part in ("--set", one)), "--quiet", "--format", "json",
    )  # fmt: skip
    return dict(json.loads(done.out)[0])


def test_what_users_set_up_once_is_counted_apart(ecfit: Ecfit) -> None:
    """A group kept with its table: 2.28 signs in less than half the cycles; on the heap."""
    made, kept = (
        prepared(ecfit, "mbedtls2", "secp256r1", f"mbedtls2.GROUP={value}")
        for value in ("made", "kept")
    )
    assert made["prepare_cycles"] is None and made["status"] == kept["status"] == "ok"
    assert kept["cycles"] < made["cycles"] / 2 < kept["prepare_cycles"] * 2
    assert kept["heap_bytes"] > made["heap_bytes"]


def test_a_context_is_made_once(ecfit: Ecfit) -> None:
    found = prepared(ecfit, "secp256k1", "secp256k1")
    assert found["status"] == "ok"
    assert found["prepare_cycles"] > 100_000 and found["heap_bytes"] > 100


def test_what_cannot_be_set_up_is_refused(ecfit: Ecfit, peer: MakePeer) -> None:
    """An adapter that keeps nothing of a good input: the operation is not run."""
    keeps = "int bench_prepare_ecdh(const uint8_t *in) { (void)in; return 7; }"
    done = ecfit(
        "bench", "--lib", "mine", "--peer-dir", peer("return 0;", keeps), "--op", "ecdh",
        "--target", "samd20", "--quiet", "--format", "json",
    )  # fmt: skip
    (record,) = json.loads(done.out)
    assert done.code == 4
    assert record["detail"] == "ecdh failed with status 7"

"""Targets and peers are data: complete, with a source per number, and refused when they are not."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import msgspec
import pytest

from ecfit.choices import peers, targets
from ecfit.errors import BuildError, UsageError
from ecfit.paths import DATA
from ecfit.show.layout import Column, to_table
from ecfit.show.report import to_csv, to_md
from ecfit.sim.machine import FlashTiming, Machine, Region, load_model
from ecfit.units import grouped, median_int, milliseconds

CHIPS = [target for target in targets.all_targets().values() if target.runner == "sim"]


def test_the_targets_of_the_first_release() -> None:
    assert {"lpc1114", "rp2040", "samd20", "host"} <= targets.all_targets().keys()


@pytest.mark.parametrize("target", CHIPS, ids=lambda target: target.name)
def test_every_number_has_a_source(target: targets.Target) -> None:
    assert target.clock is not None
    memories, modes = target.memory, target.modes.values()
    power = target.power
    sources = [
        target.clock.source,
        *(m.source for m in memories),
        *(m.source for m in modes),
        *(p.source for p in power),
    ]
    assert all(0 < state.volts < 6 and 0 < state.milliamperes < 200 for state in power)
    assert all(len(source) > 10 for source in sources)
    assert {"zero-ws", "datasheet"} <= target.modes.keys()
    for mode in target.modes.values():
        assert len(mode.reason) > 10


def test_a_class_says_where_a_time_is_a_lower_bound() -> None:
    """Each of these has a mode that waits longer, for the upper bound."""
    bounds = {(t.name, name): mode for t in CHIPS for name, mode in t.modes.items() if mode.bound}
    assert bounds.keys() == {
        ("cc2538-16mhz", "datasheet"),
        ("efr32mg24", "datasheet"),
        ("nrf54l15", "datasheet"),
        ("stm32h743", "datasheet"),
    }
    for (name, _), mode in bounds.items():
        assert mode.accuracy == "C lower bound"
        assert targets.find_target(name).modes[mode.bound or ""].wait_states > mode.wait_states
    assert targets.find_target("stm32u575").modes["datasheet"].accuracy == "C"


@pytest.mark.parametrize("target", CHIPS, ids=lambda target: target.name)
def test_targets_fit_the_simulator(target: targets.Target) -> None:
    model = load_model(target.model or "", **target.model_options)
    regions = [Region(m.name, m.start, m.size, m.kind) for m in target.memory]
    for mode in target.modes.values():
        with Machine(model, regions, FlashTiming(mode.wait_states, mode.line_bits)):
            pass


def test_unknown_target_and_mode() -> None:
    with pytest.raises(UsageError, match="did you mean lpc1114"):
        targets.find_target("lpc114")
    with pytest.raises(UsageError, match="has no mode 'fast': known: zero-ws, datasheet"):
        targets.find_target("LPC1114").mode("fast")


def write_peer(folder: Path, text: str) -> Path:
    (folder / "peer.toml").write_text(text, encoding="utf-8")
    (folder / "adapter.c").touch()
    return folder


PEER = 'description = "d"\nlicence = "MIT"\nlibrary_version = "1"\n[curves]\nsecp256r1 = ["ecdh"]\n'


def test_peer_options(tmp_path: Path) -> None:
    text = (
        PEER + '[options.LEVEL]\nhelp = "h"\nvalues = ["1", "2"]\ndefault = "1"\ndefine = "LEVEL"\n'
    )
    peer = peers.load_peer("mine", write_peer(tmp_path, text))
    assert peer.defines(peer.configure({}), "secp256r1") == ("LEVEL=1",)
    assert peer.configure({"level": "2"}).changed == ("LEVEL=2",)
    with pytest.raises(UsageError, match=r"mine\.LEVEL is one of 1, 2, not '3'"):
        peer.configure({"LEVEL": "3"})
    with pytest.raises(UsageError, match="unknown option of mine 'LEVL': did you mean LEVEL"):
        peer.configure({"LEVL": "1"})


@pytest.mark.parametrize("text", ["", "x = [", PEER + "[stray]\na = 1\n", 'description = "only"\n'])
def test_bad_peer_toml(text: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"peer\.toml: ") as caught:
        peers.load_peer("mine", write_peer(tmp_path, text))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[curves]\nsecp256r2 = ["sign"]', "unknown curve 'secp256r2': did you mean secp256r1"),
        ('[curves]\nx25519 = ["sign"]', "unknown operation of x25519 'sign'"),
        (
            '[curves]\n[options.A]\nhelp = ""\nvalues = ["1"]\ndefault = "2"',
            "unknown value of the option A '2'",
        ),
        ('[curves]\n[variants]\nfast = { SPEED = "9" }', "unknown option of mine 'SPEED'"),
    ],
)
def test_peer_that_names_what_is_not_there(text: str, words: str, tmp_path: Path) -> None:
    head = 'description = "d"\nlicence = "l"\nlibrary_version = "1"\n'
    with pytest.raises(UsageError, match=re.escape(words)) as caught:
        peers.load_peer("mine", write_peer(tmp_path, head + text))
    assert "peer.toml: " in str(caught.value)


def test_sources_by_pattern(tmp_path: Path) -> None:
    for name in ("b.c", "a.c", "a.h"):
        (tmp_path / name).touch()
    assert [path.name for path in peers.source_files(tmp_path, ["b.c", "*.c"])] == ["b.c", "a.c"]


@pytest.mark.parametrize("name", ["*.S", "missing.c"])
def test_sources_that_are_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(BuildError, match=f"no file .* '{re.escape(name)}'"):
        peers.source_files(tmp_path, [name])


def test_not_a_peer(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"needs peer\.toml and adapter\.c"):
        peers.load_peer("mine", tmp_path)


def test_peers_of_the_repository_are_pinned() -> None:
    for peer in peers.all_peers().values():
        assert (peer.package is None) == (peer.system is not None)
        assert peer.system is None or peer.cores == ("host",)
        assert peer.package is None or len(peer.package.sha256) == 64
        assert peer.licence
        assert peer.differences


def test_figures_as_text() -> None:
    assert [grouped(None), grouped(0), grouped(1234567)] == ["-", "0", "1 234 567"]
    assert [milliseconds(v) for v in (None, 1.5e6, 23456.0, 1234.0, 12.0)] == [
        "-",
        "1 500",
        "23.5",
        "1.23",
        "0.0120",
    ]
    assert median_int([3, 1, 2]) == 2
    assert median_int([1, 2]) == 1


class Two(msgspec.Struct):
    """A value with a figure that may be absent."""

    a: str
    b: int | None


def test_formats() -> None:
    assert to_csv([Two("x,y", 1), Two("z", None)]) == 'a,b\n"x,y",1\nz,\n'
    columns, cells = [Column("a"), Column("b", True)], [["x|y", "1"]]
    assert to_md(columns, cells, ["note"]) == "| a | b |\n| --- | ---: |\n| x\\|y | 1 |\n\n- note\n"
    table = to_table(columns, cells, ["note"], colour=False)
    assert "x|y" in table
    assert "\x1b" not in table
    assert table.endswith("note\n")


def test_a_malformed_target_file_does_not_break_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(DATA / "targets", tmp_path / "targets")
    shutil.copytree(DATA / "models", tmp_path / "models")
    (tmp_path / "targets" / "broken.toml").write_text("name = ", encoding="utf-8")
    twice = (tmp_path / "targets" / "samd20.toml").read_text(encoding="utf-8")
    (tmp_path / "targets" / "twice.toml").write_text(twice, encoding="utf-8")
    monkeypatch.setattr(targets, "DATA", tmp_path)
    targets.all_targets.cache_clear()
    try:
        assert "samd20" in targets.all_targets()
        told = targets.malformed()
        assert any(line.startswith("broken.toml: ") for line in told)
        assert any("twice.toml: there is a target samd20 already" in line for line in told)
        with pytest.raises(UsageError, match=r"broken\.toml: "):
            targets.find_target("broken")
    finally:
        targets.all_targets.cache_clear()


def test_an_option_has_its_default_by_core(tmp_path: Path) -> None:
    text = (
        PEER + '[options.KIND]\nhelp = "h"\nvalues = ["a", "b"]\ndefault = "a"\n'
        'per_core = { cortex-m0 = "b" }\nwhy = "its manual"\n[op_left_out]\nsign = ["NO_SIGN"]\n'
    )
    peer = peers.load_peer("mine", write_peer(tmp_path, text))
    assert peer.configure({}).settings == peer.configure({}, "cortex-m4").settings
    assert peer.configure({}, "cortex-m0").settings == (("KIND", "b"),)
    assert peer.configure({}, "cortex-m0").changed == ()
    assert peer.configure({"KIND": "a"}, "cortex-m0").changed == ("KIND=a",)
    configuration = peer.configure({})
    assert peer.defines(configuration, "secp256r1", ("ecdh", "sign")) == ()
    assert peer.defines(configuration, "secp256r1", ("ecdh",)) == ("NO_SIGN",)
    bad = text.replace('cortex-m0 = "b"', 'cortex-m0 = "c"')
    with pytest.raises(UsageError, match="unknown value of the option KIND 'c'"):
        peers.load_peer("mine", write_peer(tmp_path, bad))


def test_bearssl_runs_the_code_that_its_manual_has_for_a_core() -> None:
    bearssl = peers.all_peers()["bearssl"]
    chosen = {
        target.core: dict(bearssl.configure({}, target.core).settings)["IMPLEMENTATION"]
        for target in CHIPS
    }
    assert {core for core, code in chosen.items() if code == "m15"} == {
        "cortex-m0", "cortex-m0plus", "cortex-m3",
    }  # fmt: skip


def test_wolfssl_runs_the_code_that_its_template_chooses_for_a_core() -> None:
    wolfssl = peers.all_peers()["wolfssl"]
    long_products = {"cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33"}  # UMAAL, UMLAL
    for target in CHIPS:
        chosen = dict(wolfssl.configure({}, target.core).settings)
        arm = target.core.startswith("cortex-m")
        curve = str(int(target.core in long_products))
        asm = {"MATH": "asm" if arm else "c", "ASM_25519": curve}
        assert chosen == {**asm, "SMALL": "1", "SMALL_25519": "0"}
    assert dict(wolfssl.configure({}, "host").settings)["SMALL"] == "0"


def test_wolfssl_has_the_assembly_of_each_option() -> None:
    """Its P-256 has assembly where its Curve25519 has none, and the other way round."""
    wolfssl = peers.all_peers()["wolfssl"]
    for math, code, p256, x25519 in (
        ("asm", "0", True, False),
        ("c", "1", False, True),
        ("asm", "1", True, True),
        ("generic", "0", False, False),
    ):
        chosen = wolfssl.configure({"MATH": math, "ASM_25519": code}, "cortex-m4")
        patterns = wolfssl.assembly_of(chosen)
        assert ("sp_256_mont_*" in patterns) == p256
        assert ("fe_*" in patterns) == x25519


@pytest.mark.parametrize("peer", peers.all_peers().values(), ids=lambda peer: peer.name)
def test_each_peer_answers_what_all_are_asked(peer: peers.Peer) -> None:
    """Every question of docs/adding-a-peer.md; rows that an answer names are variants."""
    assert peer.fair_play is not None
    answers = msgspec.structs.asdict(peer.fair_play)
    assert all(len(answer) > 3 for answer in answers.values())
    named = re.findall(r"[a-z]+-kept", " ".join(answers.values()))
    assert {*named} == {name for name in peer.variants if name.endswith("-kept")}

"""The page as a text: what it is made of, and what cannot break out of it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest

from ecfit.choices.targets import find_target
from ecfit.paths import ROOT
from ecfit.show.origin import UNKNOWN, origin
from ecfit_studies.page.cycles import frames
from ecfit_studies.page.page import FILES, SCRIPTS, Content, chapters, render
from ecfit_studies.page.setups import Setup, command, failures, setups
from ecfit_studies.questions.anchors import STUDY
from ecfit_studies.survey.records import kept, records_path


@pytest.fixture(scope="module")
def some() -> list[Setup]:
    return setups([record for record in kept(STUDY) if record.curve == "secp256r1"])


def content(found: list[Setup], **changes: object) -> Content:
    plain = Content("ecfit report", "origin", True, "datasheet", (find_target("samd20"),), found,
                    [], [])  # fmt: skip
    return msgspec.structs.replace(plain, **changes)


def test_every_record_is_in_one_setup(some: list[Setup]) -> None:
    ran = [r for r in kept(STUDY) if r.curve == "secp256r1" and r.status == "ok"]
    groups = {(r.target, r.group) for r in ran}
    usual = [setup for setup in some if setup.compiler.endswith("-Os")]
    assert sum(setup.label.count(", ") + 1 for setup in usual) == len(groups)
    assert [setup.place for setup in some] == list(range(len(some)))
    first = {(s.target, s.group, s.compiler.partition(" -")[2]): s for s in some}
    assert len(first) == len(some)
    for record in ran:
        one = first.get((record.target, record.group, record.opt))
        if one is not None:
            assert one.ops[record.op].cycles == record.cycles
            assert one.flash_bytes == record.flash_bytes


def test_commands_have_what_differs_from_the_usual() -> None:
    one = next(r for r in kept(STUDY) if r.group == "micro-ecc c" and r.target == "samd20")
    text = command(msgspec.structs.replace(one, mode="worst", toolchain="clang 14", opt="O2"))
    assert text.startswith("ecfit bench --target samd20 --lib micro-ecc --curve secp256r1 --op ")
    assert "--set micro-ecc." in text
    assert text.endswith("--mode worst --toolchain clang --opt O2")


def test_another_level_is_a_setup_where_it_is_on_the_front() -> None:
    usual = [r for r in kept(STUDY) if (r.group, r.target, r.curve, r.opt)
             == ("ecfit tiny", "samd20", "secp256r1", "Os")]  # fmt: skip
    faster, worse = (
        [msgspec.structs.replace(r, opt=opt, time_us=(r.time_us or 0) * by) for r in usual]
        for opt, by in (("O2", 0.5), ("O3", 2))
    )
    found = setups(
        [*usual, *worse, *(msgspec.structs.replace(r, flash_bytes=9999) for r in faster)]
    )
    assert [(s.label, s.short, s.opt) for s in found] == [
        ("ecfit tiny", "tiny", "Os"),
        ("ecfit tiny -O2", "tiny -O2", "O2"),
    ]
    assert found[1].command.endswith("--opt O2")
    assert found[1].ops["sign"].time_us == found[0].ops["sign"].time_us * 0.5


def test_what_failed_is_told_once_and_is_no_setup() -> None:
    one = next(record for record in kept(STUDY) if record.library == "ecfit")
    failed = [msgspec.structs.replace(one, status="trap", detail="why")] * 2
    assert list(failures(failed)) == ["ecfit balanced on samd20, secp256r1, keygen: trap: why"]
    assert setups(failed) == []


def test_frames_keep_all_cycles_and_leave_out_what_cannot_be_seen() -> None:
    stacks = {("f",): 10, ("f", "g"): 30_000, ("f", "h"): 20, ("f", "g", "k"): 100}
    found = frames("sign", stacks)
    assert [(frame.caller, frame.name, frame.own) for frame in found] == [
        (-1, "sign", 0), (0, "f", 30), (1, "g", 30_000), (2, "k", 100)
    ]  # fmt: skip


def test_names_of_a_user_cannot_end_an_element(some: list[Setup]) -> None:
    evil = msgspec.structs.replace(some[0], label="</script><script>alert(1)</script>")
    text = render(content([evil], failures=["<img src=x onerror=alert(1)>"]), "")
    assert "alert(1)</script>" not in text
    assert "<img" not in text


def test_chapters_are_those_that_have_something_to_show(some: list[Setup]) -> None:
    assert [c.name for c in chapters(content(some))] == ["fits", "origin"]
    both = (find_target("samd20"), find_target("nrf52840"))
    assert [c.name for c in chapters(content(some, targets=both))] == ["fits", "origin"]


def test_the_same_content_is_the_same_page(some: list[Setup]) -> None:
    assert render(content(some), "") == render(content(some), "")


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_are_javascript(name: str) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed; Chromium runs them in tests/cli/test_report.py")
    subprocess.run([node, "--check", str(FILES / name)], check=True)


def test_origin_is_a_commit_or_says_that_none_is_known() -> None:
    path = records_path(STUDY)
    if (ROOT / ".git").exists():
        assert origin(path).startswith("commit ")
    assert origin(Path(ROOT, "no", "such", "file")) == UNKNOWN

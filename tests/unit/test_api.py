"""The commands as functions: they have the options of the command line, give what it prints, print
nothing themselves, and say what is wrong. The examples of docs/python.md run.
"""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import msgspec
import pytest

from ecfit import api
from ecfit.cli import cli, run
from ecfit.commands.ct import Check
from ecfit.errors import EcfitError, OutputError
from ecfit.model import Record

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"
NAMES = ("bench", "size", "ct", "measure", "fit", "amalgamate")
FUNCTIONS = {name: getattr(api, name) for name in NAMES}
# Options of the command line that say how to print, and where or how long to work.
OF_A_TERMINAL = {
    "--columns", "--wide", "--notes", "--sort", "--format", "--quiet", "--debug", "--output",
    "--explain", "--help-all", "--scheduler", "--limit", "--model",
}  # fmt: skip
LEFT_OUT = {  # of single functions
    "bench": {"--battery", "--every", "--sleep"},  # a Record has time and energy to compute it
    "fit": {"--no-cache"},
    "amalgamate": {"--config", "--no-cache"},
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_has_the_options_of_its_command(name: str) -> None:
    """With their defaults."""
    options = {
        max(parameter.opts, key=len): parameter
        for parameter in cli.commands[name].params
        if isinstance(parameter, click.Option)
    }
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    taken = {f"--{parameter.replace('_', '-')}": p for parameter, p in parameters.items()}
    assert set(taken) <= set(options)
    assert set(options) - set(taken) - OF_A_TERMINAL == LEFT_OUT.get(name, set())
    for option, parameter in taken.items():
        default = options[option].default
        if parameter.default not in (inspect.Parameter.empty, None, (), False):
            listed = default[0] if isinstance(default, tuple) else default
            assert parameter.default == listed, option


def test_the_functions_give_what_the_commands_print(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """And print nothing."""
    options = {"target": "samd20", "curve": "x25519", "op": "ecdh", "preset": "tiny"}
    words = [text for name, value in options.items() for text in (f"--{name}", value)]
    path = tmp_path / "printed.json"
    for name, kind in (("bench", Record), ("size", Record), ("ct", Check)):
        given = FUNCTIONS[name](**options)
        assert capsys.readouterr() == ("", "")
        assert run([name, *words, "--quiet", "--format", "json", "-o", str(path)]) == 0
        decoder = msgspec.json.Decoder(list[kind])  # type: ignore[valid-type]
        assert given == decoder.decode(path.read_bytes())


def test_a_row_that_fails_is_a_record_and_a_wrong_name_an_error(tmp_path: Path) -> None:
    (record,) = api.bench(target="samd20", curve="ed25519", op="ecdh")
    assert (record.status, record.cycles) == ("not offered", None)
    for call, text in WRONG.items():
        with pytest.raises(EcfitError, match=text):
            call()
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").touch()
    with pytest.raises(OutputError, match="there"):
        api.amalgamate(tmp_path / "there", target="samd20", curve="x25519")


WRONG: dict[Callable[[], object], str] = {
    lambda: api.bench(target="samd2"): "fits several chips",
    lambda: api.bench(curve=["x25519", "x25518"]): "curve",
    lambda: api.bench(n=0): "0 is not in the range",
    lambda: api.bench(set={"WIPE": "no"}): "WIPE",
    lambda: api.fit(need=()): "say what is needed",
    lambda: api.fit(need="x25519:ecdh", flash="eight"): "--flash",
    lambda: api.measure(elf="none.elf", function="f", target="samd20"): "none.elf",
    lambda: api.ct(op="verify"): "operations with a secret",
}


def test_the_command_line_does_not_load_them() -> None:
    code = "import sys; import ecfit.cli; assert 'ecfit.api' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def examples() -> list[str]:
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(len(examples())))
def test_the_examples_of_the_page_run(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each alone, in an empty folder; an object to measure is there."""
    monkeypatch.chdir(tmp_path)
    Path("sum.c").write_text("int sum(int a, int b) { return a + b; }", encoding="utf-8")
    subprocess.run(["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-c", "sum.c"], check=True)
    exec(compile(examples()[number], str(PAGE), "exec"), {"__name__": "__main__"})


def test_records_are_rows_of_plain_values() -> None:
    """As pandas takes them: one row a record, a column a field."""
    (row,) = msgspec.to_builtins(api.size(target="samd20", curve="x25519", op="ecdh"))
    assert {type(value) for value in row.values()} <= {str, int, float, bool, type(None)}

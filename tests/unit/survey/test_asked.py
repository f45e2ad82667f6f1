"""What `ecfit fit` answers to the figures of other libraries: that it is ahead of them, still."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from ecfit.errors import USAGE
from ecfit.fit.asked import Asked, answers
from ecfit_studies.survey.front import at_most
from ecfit_studies.survey.ranking import compared, without_preset
from tools.docs import fit_ahead

ECFIT = str(Path(sys.executable).with_name("ecfit"))
SAMPLE = 12


@pytest.mark.check
def test_every_answer_keeps_the_limits_that_a_row_is() -> None:
    found = answers()
    rows = list(without_preset(compared()))
    assert fit_ahead.needed(found, rows) == found, "run tools/docs/fit_ahead.py --again"
    for one in found:
        assert at_most(one.figures, one.limits)


def test_an_answer_that_exceeds_its_limits_or_that_no_row_asks_for_is_not_kept() -> None:
    place = ("nrf52840", "x25519", "ecdh")
    limits = {"flash": 900.0, "ram": 90.0, "ecdh": 9.0}
    good = Asked(*place, limits, "fast", {}, dict(limits), 1)
    worse = msgspec.structs.replace(good, figures={**limits, "ram": 91.0})
    other = msgspec.structs.replace(good, target="cc2538")
    fewer = msgspec.structs.replace(good, figures={"flash": 1.0, "ram": 1.0})
    rows = [(place, limits)]
    assert fit_ahead.needed([worse, other, fewer, good, good], rows) == [good]
    assert fit_ahead.needed([good], [(place, {**limits, "ecdh": 9.1})]) == []


@pytest.mark.ci
def test_a_sample_of_the_answers_measures_the_same() -> None:
    measured = fit_ahead.measurer(2)
    for one in random.Random(7).sample(answers(), SAMPLE):
        assert fit_ahead.again(one, measured) == one, "run tools/docs/fit_ahead.py --again"


@pytest.mark.ci
def test_fit_keeps_these_limits() -> None:
    """A question of few operations, as a user types it. Of X25519: searches on others take long."""
    some = [one for one in answers() if one.curve == "x25519"]
    one = min(some, key=lambda one: (len(one.figures), one.measured, one.target))
    command = [ECFIT, *one.command(), "--format=json", "--quiet"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    for limit in msgspec.json.decode(done.stdout)["limits"]:
        assert limit["spent"] <= limit["budget"]


@pytest.mark.check
def test_the_command_is_a_question_to_fit() -> None:
    command = [ECFIT, *answers()[0].command(), "--set=NONCE=1"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == USAGE
    assert b"NONCE" in done.stderr

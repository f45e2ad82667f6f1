"""The cycle models of Ibex, CV32E40P and Hazard3 against their RTL, with tolerance 0."""

from __future__ import annotations

import msgspec
import pytest

from ecfit.choices.targets import all_targets
from ecfit.sim.machine import load_model
from workshop.rigs.rtl_build import CONFIGURATIONS, OUTSIDE, need_verilator
from workshop.rigs.rtl_run import (
    KEPT,
    OPERATIONS,
    Equal,
    check,
    kernels,
    outcome,
    programs,
    share,
)

PROGRAMS = 2000
SEED = 34

pytestmark = pytest.mark.usefixtures("riscv_compiler")


def records() -> list[Equal]:
    """What was kept as evidence."""
    return msgspec.json.decode(KEPT.read_bytes(), type=list[Equal])


@pytest.mark.ci
@pytest.mark.every
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_modelled_equals_rtl(name: str) -> None:
    """Cycles and memory at the end: of all kernels, of random programs, and of the configuration's
    share of ten operations. What was kept as evidence says the same.
    """
    need_verilator()
    equal, differences = check(CONFIGURATIONS[name], PROGRAMS, SEED, share(name))
    assert differences == []
    (kept,) = (one for one in records() if one.name == name)
    assert set(equal.operations) < set(kept.operations)
    assert equal == msgspec.structs.replace(kept, operations=equal.operations)


def test_who_claims_rtl_has_a_record_of_it() -> None:
    """The class of a mode without waits, by the model and the options of its target."""
    kept = records()
    evidence = [(one.core, one.options) for one in kept]
    claims = 0
    for target in all_targets().values():
        for name, mode in target.modes.items():
            if mode.error_class == "RTL":
                assert (target.model, target.model_options) in evidence, (target.name, name)
                assert mode.wait_states == 0, (target.name, name)
                commits = [one.commit for one in kept if one.core == target.model]
                assert commits[0][:8] in mode.reason, (target.name, name)
                claims += 1
    assert claims == 7


@pytest.mark.parametrize("name", OUTSIDE)
def test_rows_of_what_no_package_carries(name: str) -> None:
    """Kept with the commit that `make long WHAT=rtl` takes; kernels and programs are today's, and
    have the cycles and the memory that its RTL gave.
    """
    (kept,) = (one for one in records() if one.name == name)
    core = OUTSIDE[name].core
    assert (kept.repository, kept.commit) == (core.repository, core.commit)
    assert (kept.programs, len(kept.operations)) == (PROGRAMS, len(OPERATIONS))
    model = load_model(kept.core, **kept.options)
    jobs = list(kernels(model))
    assert kept.kernels == len(jobs)
    jobs += programs(model, PROGRAMS, SEED, core.fails_on)
    assert sum(job.instructions for job in jobs[kept.kernels :]) == kept.instructions
    assert outcome(jobs) == kept.outcome
    one_off = jobs[7]._replace(cycles=jobs[7].cycles + 1)
    assert outcome([*jobs[:7], one_off, *jobs[8:]]) != kept.outcome

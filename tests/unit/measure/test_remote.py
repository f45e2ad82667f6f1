"""A bench whose rows are measured elsewhere: a study asks there, with each row's own compiler."""

from __future__ import annotations

from ecfit.choices.curves import find_curve
from ecfit.choices.peers import all_peers
from ecfit.choices.targets import find_target
from ecfit.measure.bench import Bench, Observe, Row, null_row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.model import Measurement
from ecfit_studies.survey.plan import own
from ecfit_studies.survey.study import Job, find_study, measure


class Elsewhere:
    """Builds and runs with nothing but the job."""

    places = 2

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, str]] = []

    def measured(self, settings: Settings, row: Row, key: str, observe: Observe) -> Measurement:
        bench = Bench(settings, all_peers({}), Store(enabled=False))
        assert bench.key(row, observe) == key
        self.asked.append((settings.opt, row.target.name, row.op))
        image, null = (bench.image(bench.request(one)) for one in (row, null_row(row)))
        return bench.run(row, image, null, observe)


def job(opt: str) -> Job:
    """A row of a study, compiled in that way."""
    curve, target = find_curve("x25519"), find_target("samd20")
    mode, configuration = target.mode("datasheet"), own(curve, target)
    row = Row(target, mode, "datasheet", configuration, curve, "ecdh", ("ecdh",))
    return Job(row, opt, opt=opt)


def test_a_study_asks_where_the_rows_are_measured() -> None:
    jobs = [job("Os"), job("O2")]
    study, elsewhere = find_study("knobs"), Elsewhere()
    store = Store(enabled=False)
    far = Bench(Settings(), all_peers({}), store, elsewhere)
    near = Bench(Settings(), all_peers({}), store)
    assert dict(measure(study, jobs, far)) == dict(measure(study, jobs, near))
    assert sorted(elsewhere.asked) == [("O2", "samd20", "ecdh"), ("Os", "samd20", "ecdh")]

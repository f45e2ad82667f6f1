"""A fit with a budget for a whole handshake: a kept connection replayed on the chip.

A handshake is what its operations take and a rest, which one replay tells: that of the reference,
less its operations. With it the search estimates; the winner is replayed itself, and where that
shows that the rest was wrong, the search is done again with the right one.
"""

from __future__ import annotations

import msgspec

from ecfit.build.parts import OWN
from ecfit.choices.presets import DEFAULT_PRESET
from ecfit.errors import BudgetError, BuildError, UsageError
from ecfit.fit.fit import Answer, Done, Planned, configuration_of, figures_together, rows_of
from ecfit.fit.question import Limit, Question
from ecfit.fit.together import fit_together
from ecfit.measure.bench import Bench
from ecfit.model import Configuration
from ecfit.paths import ROOT
from ecfit_lab.tls.configs import OWN_BACKEND, find_connection
from ecfit_lab.tls.connections import failure, handshake, replayed
from ecfit_lab.tls.image import Client, image
from ecfit_lab.tls.link import Recording, read_recording

KEPT = ROOT / "results" / "golden" / "tls"
OF_CURVES = {"secp256r1": "tls1.3-ecdsa", "secp384r1": "tls1.3-ecdsa-p384"}
ROUNDS = 4  # of search and replay


def fit_handshake(question: Question, bench: Bench, measured: Done) -> Answer:
    """As :func:`fit_together`, with the budget for a handshake kept by what the winner showed.
    Errors: as of that; UsageError for a curve, chip or library that no connection is of.
    """
    limit = next((limit for limit in question.limits if limit.replayed), None)
    if limit is None:
        return fit_together(question, bench, measured)
    recording = _recording(question, limit)
    rest, mistake = _rest(question, bench, measured, recording, limit), 0.0
    for _ in range(ROUNDS):
        told = f"an estimate: {rest / 1000:.4g} ms beside its operations"
        answer = fit_together(_with(question, limit, rest, told), bench, measured)
        best = answer.rows[answer.best][0].configuration
        if not answer.fits or best.library != OWN:
            return answer
        operations = msgspec.structs.replace(limit, rest=0.0).spent(answer.figures(answer.best))
        took = _handshake_us(question, bench, recording, best)
        mistake, rest = took - operations - rest, took - operations
        if took <= limit.most:
            told = (
                f"measured: a kept {recording.connection} connection replayed with the winner, "
                f"{abs(mistake) / 1000:.3g} ms {'above' if mistake > 0 else 'below'} its estimate"
            )
            return msgspec.structs.replace(answer, question=_with(question, limit, rest, told))
    raise BudgetError(
        f"{limit.option}: {ROUNDS} searches found winners whose handshake takes longer than was "
        f"estimated: allow {took / 1000:.4g} ms"
    )


def _with(question: Question, limit: Limit, rest: float, told: str) -> Question:
    known = msgspec.structs.replace(limit, rest=rest, told=told)
    limits = tuple(known if one == limit else one for one in question.limits)
    return msgspec.structs.replace(question, limits=limits)


def _recording(question: Question, limit: Limit) -> Recording:
    """The kept connection that --need names, or that of the curve. Errors: UsageError."""
    curve = question.needs[0].curve.name
    if not limit.connection and curve not in OF_CURVES:
        raise UsageError(
            f"--time handshake: connections are kept of {', '.join(OF_CURVES)}, not of {curve}"
        )
    if OWN not in question.libraries:
        raise UsageError(f"--time handshake is of {OWN} below a client: add --lib {OWN}")
    return read_recording(str(KEPT / f"{limit.connection or OF_CURVES[curve]}.json"))


def _rest(
    question: Question, bench: Bench, measured: Done, recording: Recording, limit: Limit
) -> float:
    """Microseconds of a handshake beside its operations, with the usual preset."""
    preset = (*question.presets, DEFAULT_PRESET)[0]
    planned = Planned(OWN, preset, question.sets)
    reference = configuration_of(question, bench.peers, planned)
    records = measured(rows_of(question, reference))
    figures = figures_together(question, records)
    if figures is None:
        failed = next(record for record in records if record.status != "ok")
        raise BudgetError(f"{reference.label} does not run: {failed.status}: {failed.detail}")
    return _handshake_us(question, bench, recording, reference) - limit.spent(figures)


def _handshake_us(
    question: Question, bench: Bench, recording: Recording, configuration: Configuration
) -> float:
    """Of the kept connection with this configuration. Errors: UsageError, BudgetError."""
    target = question.target
    changes = dict(change.partition("=")[::2] for change in configuration.changed)
    client = Client(
        target,
        find_connection(recording.connection),
        f"{OWN_BACKEND}{configuration.preset}",
        compiler=bench.settings.toolchain,
        sets=tuple(sorted(changes.items())),
    )
    try:
        built = image(client, bench.peers, bench.store)
        ran, link = replayed(client, built, recording, question.mode_name)
    except BuildError as error:
        raise UsageError(f"--time handshake: no TLS client on {target.name}: {error}") from None
    word, sentence = failure(ran, recording.payload_bytes)
    if word != "ok" or link.differs or target.clock is None:
        why = link.differs or sentence
        raise UsageError(f"--time handshake: no TLS client on {target.name}: {why}")
    return handshake(ran)[0] / target.clock.hz * 1e6

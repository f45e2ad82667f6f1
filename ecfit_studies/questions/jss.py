"""Signed readings: what they cost a sensor from end to end, in three forms, beside the paper's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from ecfit.choices.curves import MESSAGE_OPS, Curve, find_curve
from ecfit.choices.published import Series, load_document
from ecfit.choices.targets import Target
from ecfit.measure.bench import Row
from ecfit.units import grouped, milliseconds
from ecfit_lab.energy.airtime import blocks, message
from ecfit_lab.energy.link_table import columns, link_table
from ecfit_lab.energy.links import COMPARED, find_link
from ecfit_lab.message.operations import form
from ecfit_studies.questions import remote
from ecfit_studies.survey.comparison import board_uj, board_watts
from ecfit_studies.survey.coverage import reproduced
from ecfit_studies.survey.plan import own, source
from ecfit_studies.survey.riot import RiotImage, images
from ecfit_studies.survey.study import Ask, Job, Section, Study, StudyRecord

PAPER, NEAR = "messages/jss-cc2538", 0.10
RADIO, SLEEPS = "802.15.4", "802.15.4-contikimac"
SAMPLE = (
    "reading: it has two numbers, as in the paper: chip_temp 20953 and measurement_id 34. The form "
    "with recovery contains these numbers without their names, so the receiver must know the "
    "names. `sign ms` is the time from the reading to the finished message; it includes the hash "
    "and the nonce. `code B` is all the code for that. The paper's firmware grew by 5.89 kB"
)
TRANSMISSION = (
    f"transmission: it is computed for CoAP over {RADIO}, and assumes that no frame is lost. "
    "`transmission ms` is for a sensor whose radio never sleeps. `radio sleeps ms` is for a sensor "
    "whose radio sleeps, and wakes up 8 times a second, which is Contiki's default for this board. "
    "The published time also has two operating systems in it, and an unknown gateway"
)


def plan(ask: Ask) -> list[Job]:
    """Each form on each curve; then the rows of the paper's tables 4 and 6."""
    jobs = [job for job in remote.plan(ask) if job.row.mode_name == "fitted"]
    paper = [job for job in jobs if not job.group.startswith("pinol")]
    return [job for target in ask.targets for job in _messages(ask, target)] + paper


def _messages(ask: Ask, target: Target) -> list[Job]:
    document, jobs = load_document(PAPER), []
    for curve in ask.curves:
        for op in MESSAGE_OPS[curve != ask.curves[0] :]:  # unsigned once
            mode = target.mode(ask.mode)
            row = Row(target, mode, ask.mode, own(curve, target), curve, op, (op,))
            series = _paper(curve, op) if target.name == "cc2538-16mhz" else None
            said = {"time_us": series.figures["sign"] * 1000} if series and series.figures else {}
            where = source(document) if said else None
            jobs.append(Job(row, "message", published=said, source=where))
    return jobs


@cache
def _paper(curve: Curve, op: str) -> Series | None:
    """What the paper says of this form: unsigned, and JSS on secp192r1."""
    name = {"plain": "disabled", "jss": "enabled"}.get(op)
    found = [s for s in load_document(PAPER).series if s.configuration == name]
    return found[0] if found and (op == "plain" or found[0].curve == curve.name) else None


def _size(record: StudyRecord) -> int:
    return form(find_curve(record.curve), record.op).size


def _said(record: StudyRecord, name: str) -> str:
    series = _paper(find_curve(record.curve), record.op)
    return f"{series.message[name]:g}" if series else "-"


def _row(record: StudyRecord) -> list[str]:
    plain = record.op == "plain"
    cost, sleeps = (message(find_link(name), _size(record)) for name in (RADIO, SLEEPS))
    return [
        "-" if plain else record.curve,
        form(find_curve(record.curve), record.op).label,
        milliseconds(record.published.get("time_us")),
        milliseconds(record.time_us),
        _said(record, "bytes"),
        str(_size(record)),
        _said(record, "blocks"),
        str(blocks(_size(record))),
        _said(record, "transmission_ms"),
        milliseconds(cost.time_us),
        milliseconds(sleeps.time_us),
        milliseconds(record.energy_uj),
        milliseconds(board_uj(record)),
        milliseconds(sleeps.energy_uj),
        grouped(record.flash_bytes),
        grouped(record.stack_bytes),
    ]


_TITLES = (
    "curve", "form", ">published ms", ">sign ms", ">published B", ">B", ">published blocks",
    ">blocks", ">published transmission ms", ">transmission ms", ">radio sleeps ms", ">core mJ",
    ">board mJ", ">radio mJ", ">code B", ">stack B",
)  # fmt: skip


def _seconds(record: StudyRecord) -> list[str]:
    said, joules = (record.published[name] for name in ("time_us", "energy_uj"))
    ratio = record.ratio.get("time_us", 0.0)
    figures = [f"{value / 1e6:.3f}" for value in (said, record.time_us or 0)]
    verdict = "within 10 %" if abs(ratio - 1) <= NEAR else "no"
    name = [record.group, record.curve, record.op, *figures, f"{ratio:.2f}", verdict]
    ours = board_uj(record) or 0.0
    energy = [f"{value / 1e6:.3f}" for value in (joules, ours)]
    return [*name, *energy, f"{ours / joules:.2f}", f"{joules / said * 1000:.1f}"]


_SECONDS = ("library", "curve", "op", ">published s", ">s", ">s ratio", "agrees", ">published J",
            ">board J", ">board J ratio", ">published mW")  # fmt: skip


LIVE = (
    "message: the paper's has 154 bytes. From a live sensor it has 184, because ours adds the boot "
    "epoch, of at most 30 characters; both take three blocks"
)
CONTRADICTIONS = (
    "the paper contradicts itself: its section 6 gives 195 % for 115 of 39 bytes, which are 295 %",
    "the paper contradicts itself: its section 5 gives 1418 B between the smallest and the largest "
    "of the codes of its table 2, whose figures give 1402 B",
    "the paper contradicts itself: its table 6 has secp192r1 `none` twice. The second one has the "
    "joules of the configuration `small`, as which we read it",
)
RIOT = (
    "made by tools/rigs/riot.py, which first runs the sensor: a CoAP client of others verifies its "
    "readings, and the gateway keeps them. `flash B` is code and data; the stacks of all threads "
    "are in `RAM B`. `sign ms` and `sign stack B` are of the very image, which takes and signs a "
    "reading on the simulated chip, and the reading verifies; the image does not boot there, as "
    "that chip has no peripherals, and hifive1b's core has no model",
    "the stand-ins: RIOT has its own networking; ecfit has its balanced preset. ARM's headers of "
    "the core are of CMSIS Core 5.4.0, and RIOT pins those of CMSIS 5.9.0. Not built: Zephyr, "
    "whose tree is too large to fetch, and Contiki-NG, which has 15 submodules and no back end for "
    "ECC left",
)


def _system(image: RiotImage) -> str:
    """Of which board, and what stands in for what the paper has."""
    code = "; ecfit and its hash for micro-ecc and the chip's" * image.signed
    return f"RIOT {image.riot} for Contiki{code}; {image.board}, {image.date}"


def _systems() -> Section:
    """Sizes and times of a whole firmware: the paper's under Contiki, ours under RIOT."""
    plainly, signing = load_document(PAPER).series
    disabled, enabled = plainly.message, signing.message
    cells = [
        ["paper: Contiki, Re-Mote", signed, str(round(said["firmware_kb"] * 1000)), more, share,
         "-", sign, "-", f"{said['bytes']:g}", f"{said['blocks']:g}",
         f"{said['transmission_ms']:g}"]
        for signed, said, more, share, sign in (
            ("no", disabled, "-", "-", "-"),
            ("yes", enabled, f"{enabled['firmware_overhead_kb'] * 1000:.0f}",
             f"{enabled['firmware_overhead_percent']:g} %", f"{signing.figures['sign']:g}"),
        )
    ]  # fmt: skip
    plain = {image.board: image.flash_bytes for image in images() if not image.signed}
    for image in images():
        more = image.flash_bytes - plain[image.board]
        size = image.message_bytes or form(find_curve("secp192r1"), MESSAGE_OPS[0]).size
        over = message(find_link(SLEEPS), size).time_us
        added = [grouped(more), f"{100 * more / plain[image.board]:.1f} %"]
        cells.append(
            [_system(image), "yes" if image.signed else "no", grouped(image.flash_bytes),
             *(added if image.signed else ["-", "-"]), grouped(image.ram_bytes),
             milliseconds(image.sign_us), grouped(image.sign_stack_bytes), str(size),
             str(blocks(size)), milliseconds(over)]
        )  # fmt: skip
    heads = ("system", "signed", ">flash B", ">signatures B", ">of it", ">RAM B", ">sign ms",
             ">sign stack B", ">message B", ">blocks", ">radio sleeps ms")  # fmt: skip
    return Section("The sensor on an operating system", columns(heads), cells, [*RIOT, LIVE])


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """Messages, links, and the paper's tables 4 and 6."""
    sections = []
    for target in dict.fromkeys(r.target for r in records):
        mine = [r for r in records if r.target == target and r.op in MESSAGE_OPS]
        said = [SAMPLE, TRANSMISSION, *board_watts(mine[0])]
        table = columns(_TITLES), [_row(r) for r in mine], said
        sections.append(Section(f"{target}: a signed reading", *table))
    first = [r for r in records if r.op in MESSAGE_OPS and r.target == records[0].target]
    compared = map(find_link, COMPARED)
    notes = [f"{link.name}: {link.description}. {link.source}" for link in compared]
    sections.append(_systems())
    links = link_table([([*_row(r)[:2]], _size(r)) for r in first], ("curve", "form"))
    sections.append(Section("The same over radio links", *links, notes))
    paper = [_seconds(r) for r in records if r.op not in MESSAGE_OPS and "energy_uj" in r.published]
    title = "The paper's tables 1, 3, 4 and 6: seconds, and the joules of the paper"
    lines = [*board_watts(records[0]), *CONTRADICTIONS]
    sections.append(Section(title, columns(_SECONDS), paper, lines))
    return sections


STUDY = Study(
    name="jss",
    title="Signed readings of a sensor: time, bytes, blocks and joules",
    about="A sensor can sign a reading in three forms: as JSON with a signature in it (JSS), as "
    "COSE_Sign1, or as a signature from which the receiver recovers the reading. This study "
    "measures what each form costs: time, bytes, and the energy of the core, the board and the "
    "radio.",
    targets=("cc2538-16mhz",),
    curves=("secp192r1", "secp256r1", "ed25519"),
    plan=plan,
    summarise=summarise,
    answer=partial(reproduced, number="004"),
    outside=("micro-ecc-2015",),
)

"""The answer of a fit as text: the table, what binds, what would have to give, and why."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from ecfit.build.parts import OWN
from ecfit.choices.curves import POST_QUANTUM
from ecfit.choices.knobs import all_knobs
from ecfit.choices.peers import Peer
from ecfit.fit.climb import climbs, values_in_turn
from ecfit.fit.estimate import Figures, Point
from ecfit.fit.fit import Answer, asks
from ecfit.fit.question import SIZES, USES, Limit, Question
from ecfit.fit.space import untried, varied
from ecfit.fit.together import changed
from ecfit.measure.battery import said
from ecfit.measure.bench import Row
from ecfit.show.layout import Cells, Column
from ecfit.show.notes import notes
from ecfit.units import grouped, microjoules, milliseconds, years

OTHERS = 4  # configurations named beside the winner


def table(answer: Answer, others: int = OTHERS) -> tuple[list[Column], Cells]:
    """The winner, or the nearest, and those after it."""
    q = answer.question
    operations = [f"{curve} {op}" if len(q.needs) > 1 else op for curve, op in q.operations()]
    energy = q.minimise == "energy" or any(limit.aim == "energy" for limit in q.limits)
    columns = [
        Column("place"),
        Column("configuration", text=True),
        *(
            Column(f"{name} ms", figure=True, rank=2 * energy or (len(q.needs) > 1) * (n + 2))
            for n, name in enumerate(operations)
        ),
        *[Column("all ms", figure=True)] * q.hybrid,
        *(Column(f"{name} µJ", figure=True) for name in operations if energy),
        *[Column("years", figure=True)] * bool(q.battery),
        *(Column(f"{name} B", figure=True) for name in SIZES),
    ]
    places = [answer.best, *answer.others[:others]]
    cells = []
    for number, point in enumerate(places):
        figures = answer.figures(point)
        first = "winner" if answer.fits else "nearest"
        cells.append([first if number == 0 else str(number + 1), label(answer, point)])
        for aim in ("time", "energy") if energy else ("time",):
            form = milliseconds if aim == "time" else microjoules
            cells[-1] += [form(figures.get(f"{c}.{op}.{aim}")) for c, op in q.operations()]
            cells[-1] += [form(q.total(aim, figures))] * (q.hybrid and aim == "time")
        cells[-1] += [years(q.years(figures))] * bool(q.battery)
        cells[-1] += [grouped(round(q.total(name, figures))) for name in SIZES]
    return columns, cells


def label(answer: Answer, point: Point) -> str:
    """The configuration of a point that was measured, as tables name it; of several curves each,
    and of several post-quantum schemes.
    """
    configurations = changed(answer.rows[point])
    kinds = [curve in POST_QUANTUM for curve, _ in configurations]
    texts = []
    for curve, configuration in configurations:
        text = configuration.label
        if configuration.library != OWN:
            text = " ".join([configuration.library, *configuration.changed])
        several = kinds.count(curve in POST_QUANTUM) > 1
        texts.append(f"{curve}: {text}" if several else text)
    return "; ".join(texts)


def lines(answer: Answer, peers: Mapping[str, Peer], *, explain: bool = False) -> list[str]:
    """What stands under the table."""
    texts = [asked(answer.question), *limits(answer), *stack_left(answer)]
    if answer.question.battery:
        texts.append(said(answer.question.battery, [answer.question.target], "each"))
    if not answer.fits:
        texts += gives(answer)
    texts += doubts(answer)
    what = "nothing that asks for less keeps the budget" if answer.fits else "of the nearest"
    texts += [f"NOTE: {what}: {text}" for text in asked_of_caller(answer, answer.best)]
    texts += foreign(answer, peers)
    texts.append(f"measure it again: `{again(answer, answer.best)}`")
    texts += searched(answer)
    if explain:
        texts += explained(answer)
    records = [r for p in (answer.best, *answer.others[:OTHERS]) for r in answer.records[p]]
    return texts + notes(records, peers, static_stack=False)[1:]


def asked_of_caller(answer: Answer, point: Point) -> list[str]:
    """What a point asks of the caller, each once."""
    configurations = changed(answer.rows[point])
    texts = [asks(answer.question, configuration) for _, configuration in configurations]
    return list(dict.fromkeys(text for requests in texts for text in requests))


def asked(q: Question) -> str:
    """The question in a line."""
    needs = "; ".join(f"{need.curve.name}: {', '.join(need.ops)}" for need in q.needs)
    within = ", ".join(_understood(limit) for limit in q.limits)
    small = f"the least {q.minimise}"
    if q.minimise in ("time", "energy"):
        counts = [f"{q.weights[op]} x {op}" for op in q.weights if _counts(q, op)]
        small += f" of {' + '.join(counts)}"
    why = f" ({q.use}: {USES[q.use].why})" if q.use else ""
    return f"{needs} on {q.target.name}, {f'within {within}, ' if within else ''}{small}{why}"


def _understood(limit: Limit) -> str:
    """A limit as it was given, and of a size the bytes that this means."""
    text = limit.option.removeprefix("--")
    return f"{text} ({grouped(round(limit.most))} B)" if limit.aim in SIZES else text


def _counts(q: Question, op: str) -> bool:
    return bool(q.weights[op]) and any(op in need.ops for need in q.needs)


def amount(aim: str, value: float) -> str:
    """A figure with its unit."""
    if aim == "time":
        return f"{milliseconds(value)} ms"
    return f"{microjoules(value)} µJ" if aim == "energy" else f"{grouped(round(value))} B"


def limits(answer: Answer) -> Iterator[str]:
    """Of each budget what is spent and left, and whether it binds."""
    q = answer.question
    for limit in q.limits:
        spent = limit.spent(answer.figures(answer.best))
        left = limit.most - spent
        rest = f"{amount(limit.aim, abs(left))} {'left' if left >= 0 else 'too much'}"
        text = f"{limit.option}: {amount(limit.aim, spent)}, {rest}"
        if limit.aim not in SIZES and q.mode is not None:
            text += f" (class {q.mode.error_class})"
        better = answer.without(limit) if answer.fits else None
        if better is not None:
            there, here = answer.figures(better), answer.figures(answer.best)
            more = limit.spent(there) - limit.most
            text += (
                f"; this is the limit: with {amount(limit.aim, more)} more, "
                f"{q.minimise} would be {amount(q.minimise, q.total(q.minimise, there))} "
                f"instead of {amount(q.minimise, q.total(q.minimise, here))}"
            )
            fewer = len(asked_of_caller(answer, better)) < len(asked_of_caller(answer, answer.best))
            text += ", and less is asked of the caller" if fewer else ""
        yield f"{text}; {limit.told}" if limit.told else text


def stack_left(answer: Answer) -> Iterator[str]:
    """What the chip has beside the deepest operation, where no limit says it."""
    q = answer.question
    if any(limit.aim in ("stack", "ram") for limit in q.limits):
        return
    size = q.target.region("ram").size
    left = size - round(q.total("ram", answer.figures(answer.best)))
    yield (
        f"stack left: {grouped(left)} B of the chip's {grouped(size)} B of RAM, for interrupts and "
        "the rest of the program"
    )


def doubts(answer: Answer) -> Iterator[str]:
    """Budgets about which the error of the model decides."""
    q, figures = answer.question, answer.figures(answer.best)
    near = [limit for limit in q.limits if q.doubts(limit, figures)]
    if q.mode is None or not near:
        return
    error, near_misses = q.mode.error, []
    for limit in near:
        share = limit.spent(figures) / limit.given - 1
        near_misses.append(
            f"{limit.option} is {'met' if share <= 0 else 'missed'} by {abs(share):.1%}"
        )
    of = f"class {q.mode.error_class}"
    accuracy = f"{of} is off by up to {error:.0%}"
    if q.mode.bound is not None:
        accuracy = f"{q.target.name} has an unknown flash: times are lower bounds"
    elif q.mode.error_class == "C":
        accuracy = f"{of} is not validated, and was off by up to {error:.0%} elsewhere"
    budgets = ", ".join(near_misses)
    yield f"WARNING: {budgets}, but {accuracy}; measure on the chip, or ask for --margin"


def gives(answer: Answer) -> Iterator[str]:
    """What each of the nearest would need of the budgets that it exceeds."""
    q = answer.question
    yield "nothing that was tried keeps these budgets"
    for number, point in enumerate((answer.best, *answer.others[: OTHERS - 1])):
        over = [limit for limit in q.limits if _over(limit, answer.figures(point))]
        needed = ", ".join(
            f"{amount(limit.aim, limit.spent(answer.figures(point)))} for {limit.option}"
            for limit in over
        )
        yield f"{'nearest' if number == 0 else number + 1}: would fit with {needed}"


def _over(limit: Limit, figures: Figures) -> bool:
    return limit.spent(figures) > limit.most


def again(answer: Answer, point: Point) -> str:
    """The command that measures a point again; of several curves its flash. Of several libraries
    a command for each.
    """
    libraries: dict[str, list[Row]] = {}
    for row in answer.rows[point]:
        name = row.configuration.library
        libraries.setdefault(name if name == OWN else row.curve.name, []).append(row)
    return " && ".join(_again(answer.question, rows) for rows in libraries.values())


def _again(q: Question, rows: Sequence[Row]) -> str:
    row, configurations = rows[0], changed(rows)
    several = len(configurations) > 1
    words = ["ecfit", "size" if several else "bench", "--target", q.target.name]
    curves = "+".join(curve for curve, _ in configurations)
    words += ["--curve", curves, "--op", ",".join(row.image_ops)]
    words += ["--lib", row.configuration.library]
    words += ["--preset", row.configuration.preset] if row.configuration.preset else []
    settings = []
    for curve, configuration in configurations:
        prefix = "" if configuration.library == OWN else f"{configuration.library}."
        for change in configuration.changed:
            of_curve = several and all_knobs()[change.partition("=")[0]].scope == "curve"
            settings.append(f"{curve}.{change}" if of_curve else f"{prefix}{change}")
    words += ["--set", ",".join(dict.fromkeys(settings))] if settings else []
    words += ["--mode", q.mode_name] if q.mode_name != "datasheet" and not several else []
    return shlex.join(words)


def foreign(answer: Answer, peers: Mapping[str, Peer]) -> Iterator[str]:
    """Of each part that another project has written: whose it is, and what its RAM contains."""
    for need in answer.question.needs:
        name = next(c.library for n, c in changed(answer.rows[answer.best]) if n == need.curve.name)
        if need.curve.name not in POST_QUANTUM:
            continue
        held = ", ".join(f"{grouped(need.curve.buffers(op))} B of {op}" for op in need.ops)
        yield (
            f"{need.curve.name}: code of {name} {peers[name].library_version}, which -o does not "
            f"write; RAM counts its keys and ciphertexts: {held}"
        )


def searched(answer: Answer) -> Iterator[str]:
    """How much was measured, and what the rest rests on."""
    outcome, inside = answer.found, _inside(answer)
    margins = outcome.margins
    if answer.told:
        yield answer.told
        return
    yield (
        f"searched {len(answer.space)} configurations, measured {inside}: no other "
        f"can be better while times are at most {100 * margins.speed:.1f} %, flash "
        f"{100 * margins.size:.0f} % and {margins.flash_bytes:.0f} B, stacks "
        f"{100 * margins.size:.0f} % and {margins.stack_bytes:.0f} B below their estimates"
    )
    if outcome.miss is not None:
        miss = outcome.miss
        aim = miss.figure.rpartition(".")[2]
        yield (
            f"the estimate that was furthest above what was measured: {miss.figure}, "
            f"{amount(aim, miss.estimate)} for {amount(aim, miss.measured)}"
        )
    if more := len(outcome.measured) - inside:
        yield (
            f"then changed one setting at a time, from there and from the presets: {more} more "
            "measured, until no change of one is better"
        )


def _inside(answer: Answer) -> int:
    """How many of those searched were measured."""
    return len({*answer.space} & answer.found.measured.keys())


def explained(answer: Answer) -> Iterator[str]:
    """What was varied, what was measured, why the rest was not."""
    q, outcome = answer.question, answer.found
    if answer.told:
        return
    if len(q.needs) == 1:
        yield "varied: " + ("; ".join(varied(answer.space)) or "only the presets")
    else:
        yield (
            "each curve was searched alone; combined: the configurations that no other of the "
            f"curve beats in flash, {q.minimise} and what is limited, by estimate"
        )
    yield (
        f"measured first, as estimates rest on them: {outcome.first}; then, because they "
        f"could have been the answer: {_inside(answer) - outcome.first}"
    )
    over = {limit.option: 0 for limit in q.limits}
    slower = 0
    for figures in outcome.open.values():
        broken = [limit.option for limit in q.limits if _over(limit, figures)]
        for option in broken:
            over[option] += 1
        slower += not broken
    for option, number in over.items():
        yield f"not measured, certain to exceed {option}: {number}"
    yield f"not measured, certain to be no better than the winner: {slower}"
    held = _held(q)
    if held:
        yield f"not tried, for --set to ask for: {'; '.join(held)}"


def front(answer: Answer) -> list[Point]:
    """Of those measured the ones that no other is as good as in time, flash, stack and RAM, and
    better in one.
    """
    q = answer.question
    totals = [q.totalling(aim) for aim in ("time", *SIZES)]
    values = {p: [total(answer.figures(p)) for total in totals] for p in answer.found.order}
    return [
        point
        for point in answer.different
        for mine in [values[point]]
        if not any(
            beside != values[point]
            and all(a <= b for a, b in zip(beside, values[point], strict=True))
            for beside in values.values()
        )
    ]


def _held(q: Question) -> list[str]:
    """Values of knobs that are not tried of themselves, by knob."""
    fixed = {name.rpartition(".")[2].upper() for name in q.sets}
    by_knob: dict[str, dict[str, None]] = {}
    for need in (need for need in q.needs if need.curve.name not in POST_QUANTUM):
        several = len(q.needs) > 1
        for name, value in untried(need.curve, q.target, fixed, several=several, asking=q.asking):
            if not (climbs(q) and value in values_in_turn(q, all_knobs()[name])):
                by_knob.setdefault(name, {})[value] = None
    return [f"{name}={'|'.join(values)}" for name, values in by_knob.items()]


def _modelled(answer: Answer, limit: Limit) -> dict[str, Any]:
    """The class of a limit's figures, and whether its error decides; sizes are exact."""
    q = answer.question
    if limit.aim in SIZES or q.mode is None:
        return {"class": None, "doubtful": False}
    doubtful = q.doubts(limit, answer.figures(answer.best))
    return {"class": q.mode.error_class, "doubtful": doubtful}


def _place(answer: Answer, point: Point) -> dict[str, Any]:
    """A configuration that is an answer, or near one."""
    q = answer.question
    return {
        "configuration": label(answer, point),
        "settings": {
            curve: dict(configuration.settings)
            for curve, configuration in changed(answer.rows[point])
        },
        "total": q.total(q.minimise, answer.figures(point)),
        **({"battery_years": q.years(answer.figures(point))} if q.battery else {}),
        "exceeds": [limit.option for limit in q.limits if _over(limit, answer.figures(point))],
        "asks": asked_of_caller(answer, point),
        "again": again(answer, point),
        "records": answer.records[point],
    }


def as_json(answer: Answer, answers: Mapping[str, Answer]) -> str:
    """The whole answer: question, limits, records of the winner and of those after it; `answers`:
    the winners of other aims.
    """
    q, outcome = answer.question, answer.found
    fields: dict[str, Any] = {
        "fits": answer.fits,
        "target": q.target.name,
        "mode": q.mode_name,
        "needs": {need.curve.name: list(need.ops) for need in q.needs},
        "minimise": q.minimise,
        "weights": {op: count for op, count in q.weights.items() if _counts(q, op)},
        "use": q.use,
        "limits": [
            {
                "option": limit.option,
                "aim": limit.aim,
                "most": limit.most,
                "budget": limit.given,
                "spent": limit.spent(answer.figures(answer.best)),
                **({"told": limit.told} if limit.told else {}),
                **_modelled(answer, limit),
                "binds": (answer.without(limit) is not None) if answer.fits else None,
            }
            for limit in q.limits
        ],
        "configurations": len(answer.space),
        "measured": _inside(answer),
        "changed": len(outcome.measured) - _inside(answer),
        "margins": outcome.margins,
        "places": [_place(answer, p) for p in (answer.best, *answer.others[:OTHERS])],
        "answers": {
            aim: _place(best_answer, best_answer.best)
            for aim, best_answer in answers.items()
            if best_answer.fits
        },
    }
    return msgspec.json.format(msgspec.json.encode(fields), indent=2).decode() + "\n"

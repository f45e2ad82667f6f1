"""From the options of `ecfit fit` to its question, every name and unit checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ecfit.arguments.common import Common
from ecfit.arguments.selection import ALL, find_op, select
from ecfit.build.parts import OWN
from ecfit.choices.curves import (
    ALL_OPS,
    BASE,
    CURVES,
    HYBRIDS,
    MEASURED,
    OPS,
    POST_QUANTUM,
    Curve,
    find_curve,
)
from ecfit.choices.peers import Peer
from ecfit.choices.targets import Target
from ecfit.errors import UsageError, unknown_name
from ecfit.fit.question import AIMS, CHANNELS, SIZES, USES, Channel, Limit, Need, Question, names
from ecfit.measure.battery import check, plan
from ecfit.units import quantity, share

HANDSHAKE = "handshake"  # of TLS 1.3: not an operation, but what operations are parts of
DEEP = ("stack", "ram")  # sizes that interrupts take some of
CLIENT = {False: ("keygen", "ecdh"), True: ("keygen", "decaps")}  # of a curve, of a KEM
KINDS = {"time": "time", "energy": "energy", **dict.fromkeys(SIZES, "size")}


def question(common: Common) -> Question:
    """The question that was asked. Errors: UsageError."""
    v = common.values
    named = _channel(v["needs"])
    channel = CHANNELS.get(named)
    if channel and v["libraries"] and OWN not in v["libraries"]:
        raise UsageError(f"--need {named} is of {OWN} below a client: add --lib {OWN}")
    asked = [f"{channel.curve}:{','.join(channel.counts)}"] if channel else v["needs"]
    needs = _needs(asked)
    selection = select(
        targets=common.target_names(),
        libraries=v["libraries"],
        curves=[need.curve.name for need in needs],
        ops=sorted({op for need in needs for op in need.ops}),
        presets=v["presets"],
        sets=(*channel.sets, *v["sets"]) if channel else v["sets"],
        mode=v["mode"].lower(),
        peers=common.peers(),
    )
    if len(selection.targets) != 1:
        raise UsageError("ecfit fit answers for one target at a time: name one")
    target = selection.targets[0]
    if target.runner != "sim":
        raise UsageError(f"ecfit fit needs modelled cycles, {target.name} has none: name a chip")
    limits = owned(tightened(_limits(v, needs, named), v["margin"]), target, needs)
    limits = reserved(limits, v["reserve"], target, needs)
    aim = v["minimise"].lower()
    if aim not in AIMS:
        raise unknown_name("aim of --minimise", aim, AIMS)
    if not target.power and (aim == "energy" or any(limit.aim == "energy" for limit in limits)):
        raise UsageError(f"{target.name} has no figures of its power: leave energy out")
    if target.clock is None and (
        aim not in SIZES or any(limit.aim not in SIZES for limit in limits)
    ):
        raise UsageError(
            f"the clock of {target.name} is not known here, so no time is: --minimise flash, stack "
            "or ram, without --time; or a --target-file with its clock"
        )
    battery = plan(v, {op for need in needs for op in need.ops})
    if battery:
        check(battery, [target])
    use = v["use"]
    return Question(
        target=target,
        mode=target.mode(selection.mode),
        mode_name=selection.mode,
        needs=needs,
        limits=limits,
        minimise=aim,
        weights=_weights(use, needs, channel),
        use=use and use.lower(),
        sets=selection.sets,
        presets=selection.presets,
        libraries=_libraries(selection.libraries, needs, common.peers(), target.core),
        extras=selection.extras,
        battery=battery,
    )


def _channel(texts: Sequence[str]) -> str:
    """The connection that --need names instead of a curve; "" where it names none.
    Errors: UsageError where it is not alone.
    """
    named = [text.lower() for text in texts if text.lower() in CHANNELS]
    if named and len(texts) > 1:
        raise UsageError(f"--need {named[0]} is a whole connection: name it alone")
    return named[0] if named else ""


def _needs(texts: Sequence[str]) -> tuple[Need, ...]:
    """CURVE:op,op, each curve once, or the name of a hybrid group. Errors: UsageError."""
    if not texts:
        raise UsageError("say what is needed: --need CURVE:op,op, as --need secp256r1:sign,verify")
    ops_of: dict[Curve, set[str]] = {}
    named: set[Curve] = set()
    for text in texts:
        name, _, listed = text.partition(":")
        group = HYBRIDS.get("".join(c for c in name.lower() if c.isalnum()))
        if group and listed:
            raise UsageError(f"{name} stands for a client's operations: name it without {listed}")
        for curve in (group.curve, group.kem) if group else ():
            ops_of.setdefault(curve, set()).update(CLIENT[curve.name in POST_QUANTUM])
        if not group:
            curve, ops = _need(text)
            if curve in named:
                raise UsageError(f"--need names {curve.name} twice: list its operations together")
            named.add(curve)
            ops_of.setdefault(curve, set()).update(ops)
    return tuple(Need(c, tuple(op for op in c.every_op if op in ops)) for c, ops in ops_of.items())


def _need(text: str) -> tuple[Curve, set[str]]:
    """CURVE:op,op. Errors: UsageError."""
    name, colon, listed = text.partition(":")
    asked = [op.strip() for op in listed.split(",") if op.strip()]
    if not colon or not name.strip() or not asked:
        raise UsageError(f"--need takes CURVE:op,op, as secp256r1:sign,verify, not '{text}'")
    curve = find_curve(name.strip(), MEASURED)
    every = OPS if curve.name in CURVES else curve.ops
    ops = {op for text in asked for op in (every if text.lower() == ALL else [find_op(text)])}
    if missing := [op for op in asked if op.lower() != ALL and find_op(op) not in curve.every_op]:
        listed = ", ".join(curve.every_op)
        raise UsageError(f"{curve.name} has no {missing[0]}: it has {listed}")
    return curve, ops


def _libraries(
    named: Sequence[str], needs: Sequence[Need], peers: Mapping[str, Peer], core: str
) -> tuple[str, ...]:
    """The libraries that were named, and where none of them has what is post-quantum, all that do.
    Ours has not: it takes part where a curve is needed.
    """
    wanted = [need for need in needs if need.curve.name in POST_QUANTUM]
    libraries = [name for name in named if name != OWN or len(wanted) < len(needs)]
    for need in wanted:
        of = need.curve.name
        able = [name for name, peer in peers.items() if {*need.ops} <= {*peer.ops(of, core)}]
        if not set(able) & set(libraries):
            libraries += [name for name in able if not peers[name].on_request]
    return tuple(libraries)


def _limits(values: Mapping[str, Any], needs: Sequence[Need], named: str = "") -> tuple[Limit, ...]:
    """The budgets, in the order of the options. Errors: UsageError."""
    limits = [
        Limit(f"--{aim} {values[aim]}", aim, names(needs, aim), most)
        for aim in SIZES
        if values[aim] is not None
        for most in [quantity(values[aim], "size", f"--{aim}")]
    ]
    for aim in ("time", "energy"):
        for text in values[f"{aim}s"]:
            what, equals, most = text.partition("=")
            if not equals:
                raise UsageError(f"--{aim} takes OP=LIMIT or CURVE.OP=LIMIT, not '{text}'")
            limit = quantity(most, KINDS[aim], f"--{aim} {what}")
            if aim == "time" and what.strip().lower() == HANDSHAKE:
                limits.append(_handshake(f"--{aim} {text}", limit, needs, named))
                continue
            group, _, op = what.strip().lower().rpartition(".")
            both = group in HYBRIDS and op in CLIENT[True]
            figures = _of_both(aim, group, op, needs) if both else _figures(aim, what, needs)
            counts = (1,) * len(figures) if both else ()
            for limited in (x for x in limits if x.aim == aim and not (x.counts or counts)):
                if twice := {*limited.figures} & {*figures}:
                    raise UsageError(f"--{aim} limits {min(twice)[: -len(aim) - 1]} twice")
            limits.append(Limit(f"--{aim} {text}", aim, figures, limit, counts))
    return tuple(limits)


def tightened(limits: Sequence[Limit], margin: str | None) -> tuple[Limit, ...]:
    """The limits of time and energy, each less this margin. A chip that takes longer than the
    model by no more than the margin still keeps the budget. Errors: UsageError.
    """
    if margin is None:
        return tuple(limits)
    part = share(margin, "--margin")
    if part == 1:
        raise UsageError(f"--margin takes per cent below 100 per cent, not '{margin}'")
    if all(limit.aim in SIZES for limit in limits):
        raise UsageError("--margin tightens --time and --energy: there is none of them")
    return tuple(
        limit if limit.aim in SIZES else _less(limit, part * limit.most, margin) for limit in limits
    )


def owned(limits: Sequence[Limit], target: Target, needs: Sequence[Need]) -> tuple[Limit, ...]:
    """The limits, and of a chip that no target file describes its flash and RAM, where nothing
    limits them.
    """
    aims = {limit.aim for limit in limits}
    own = [
        Limit(f"the chip's {shown}", aim, names(needs, aim), target.region(aim).size)
        for aim, shown in (("flash", "flash"), ("ram", "RAM"))
        if target.like and aim not in aims and not (aim == "ram" and "stack" in aims)
    ]
    return *limits, *own


def reserved(
    limits: Sequence[Limit], reserve: str | None, target: Target, needs: Sequence[Need]
) -> tuple[Limit, ...]:
    """Stacks and RAM with so much kept free; where neither has a limit, the chip's RAM is one.
    Errors: UsageError.
    """
    if reserve is None:
        return tuple(limits)
    size = quantity(reserve, "size", "--reserve-stack")
    if not any(limit.aim in DEEP for limit in limits):
        ram = Limit("the chip's RAM", "ram", names(needs, "ram"), target.region("ram").size)
        limits = (*limits, ram)
    for limit in limits:
        if limit.aim in DEEP and size >= limit.most:
            raise UsageError(f"--reserve-stack {reserve} is all of {limit.option}: leave some")
    return tuple(_less(x, size, reserve) if x.aim in DEEP else x for x in limits)


def _less(limit: Limit, taken: float, reason: str) -> Limit:
    return msgspec.structs.replace(
        limit, option=f"{limit.option} less {reason}", most=limit.most - taken, budget=limit.most
    )


def _handshake(option: str, most: float, needs: Sequence[Need], named: str) -> Limit:
    """A budget for a whole handshake, whose rest is not known yet. Errors: UsageError."""
    parts = CHANNELS[named].counts if named else USES["tls13-client"].counts
    if len(needs) != 1:
        raise UsageError(f"{option} is of one curve: name one --need")
    if missing := [op for op in parts if op not in needs[0].ops]:
        raise UsageError(
            f"{option}: a handshake needs {', '.join(parts)}, and --need has no {missing[0]}"
        )
    figures = tuple(f"{needs[0].curve.name}.{op}.time" for op in parts)
    return Limit(
        option, "time", figures, most, tuple(parts.values()), replayed=True, connection=named
    )


def _figures(aim: str, what: str, needs: Sequence[Need]) -> tuple[str, ...]:
    """What OP or CURVE.OP stands for among the operations needed. Errors: UsageError."""
    name, _, op_name = what.strip().rpartition(".")
    op, curve = find_op(op_name), find_curve(name, MEASURED).name if name else None
    chosen = [need for need in needs if op in need.ops and curve in (None, need.curve.name)]
    if not chosen:
        raise UsageError(f"--{aim} {what} is of an operation that no --need names")
    return tuple(f"{need.curve.name}.{op}.{aim}" for need in chosen)


def _of_both(aim: str, group: str, op: str, needs: Sequence[Need]) -> tuple[str, ...]:
    """What keygen or decaps of a hybrid group is the sum of. Errors: UsageError."""
    at = CLIENT[True].index(op)
    ops = [
        f"{curve.name}.{CLIENT[curve.name in POST_QUANTUM][at]}" for curve in HYBRIDS[group].parts
    ]
    return tuple(name for part in ops for name in _figures(aim, part, needs))


def _weights(use: str | None, needs: Sequence[Need], channel: Channel | None) -> dict[str, int]:
    """How often each operation counts: as often as the use or the connection has it, or once.
    Errors: UsageError.
    """
    if use is None and channel:
        return {op: channel.counts.get(op, 0) for op in ALL_OPS}
    if use is None:
        return dict.fromkeys(ALL_OPS, 1)
    if use.lower() not in USES:
        raise unknown_name("use of --weights", use, USES)
    counts, like = USES[use.lower()].counts, {**BASE, "decaps": "ecdh"}
    if not any(like.get(op, op) in counts for need in needs for op in need.ops):
        raise UsageError(
            f"{use} calls {', '.join(counts)}, and no --need names any of them: leave --weights out"
        )
    return {op: counts.get(like.get(op, op), 0) for op in ALL_OPS}

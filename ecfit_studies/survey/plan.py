"""What the plans of studies share: rows of a configuration, what a series says,
the table that compares them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ecfit.build.parts import OWN
from ecfit.build.toolchain import OPTS
from ecfit.choices import knobs
from ecfit.choices.curves import Curve
from ecfit.choices.peers import Peer
from ecfit.choices.presets import DEFAULT_PRESET, all_presets
from ecfit.choices.published import SECONDS, Document, Series
from ecfit.choices.targets import Target
from ecfit.measure.bench import Row
from ecfit.model import Configuration
from ecfit.paths import ROOT
from ecfit_studies.survey.study import Ask, Job

VARIANTS = ROOT / "evidence" / "variants"  # values of knobs that only studies measure
SHORT_TABLE = {
    "COMB_TEETH": "4",
    "COMB_BLOCKS": "4",
    "MULD": "strauss",
    "NONCE": "random",
    "WIPE": "none",
}  # as P256-Cortex-M4 has them
BARE = {
    "NONCE": "random",
    "SHA256": "none",
    "COMPRESS": "none",
    "WIPE": "none",
    "TABLE": "projective",
    "MULD": "bits_signed",
}  # what P256-Cortex-M4 and p256-m leave out, and the smallest verification
BARE_ROWS = {
    "bare": {"INVERT": "divsteps"},
    "bare no-table": {"INVERT": "windows", "MULV": "binary"},
}
LOOP = {"REDUCE": "solinas_loop"}
SQUARES = {"SQUARE": "own", "INVERT": "bingcd"}
PAIR = {"SIGN": "eddsa_pair"}
PAIR_ROWS = {
    "fast 5-teeth key pair": ("fast", {"COMB_TEETH": "5"}),
    "balanced 2-blocks key pair": ("balanced", {"COMB_BLOCKS": "2"}),
    "balanced 2-blocks long key pair": ("balanced", {"COMB_BLOCKS": "2", "PRODUCT_VAR": "long"}),
}  # larger combs of Ed25519, for the tables that libsodium and Monocypher have
EDWARDS = {"MULG": "comb_edwards"}
X_ROWS = {
    "balanced comb_edwards": ("balanced", EDWARDS),
    "fast 5-teeth comb_edwards": ("fast", EDWARDS | {"COMB_TEETH": "5", "COMB_BLOCKS": "4"}),
    "balanced bare": ("balanced", {"WIPE": "none"}),
}  # public keys of X25519 and X448 by a table, as libsodium makes them; nothing cleared
DIGITS = {"COORDINATES": "jacobian_run", "MULV": "digits", "MULD": "digits"}
DIGITS_ROWS = {
    "digits": DIGITS,
    "digits loop": DIGITS | LOOP,
    "digits_four loop": DIGITS | LOOP | {"MULV": "digits_four"},
    "digits_four loop unrolled": DIGITS | LOOP | {"MULV": "digits_four", "PRODUCT": "unrolled"},
}  # the least code that is not slow, with Jacobian formulas interpreted

FPU_ROWS = {
    "fpu": {"FPU": "words"},
    "fpu bare": {"FPU": "words", "WIPE": "none"},
}  # words in floating-point registers; the other libraries clear nothing, either

UNWIPED = {"NONCE": "random", "WIPE": "none"}  # as the other libraries are
X_ONLY = {"WIPE": "none", "INVERT": "fermat", "TABLE": "projective", "WINDOW": "4"}
LADDER = {
    "COORDINATES": "jacobian_run",
    "MULV": "ladder_coz",
    "MULD": "digits",
    "TABLE": "projective",
    "WIPE": "none",
}
LADDER_ROWS = {
    "compact ladder": ("compact", LADDER | {"INVERT": "windows"}),
    "compact ladder fermat": ("compact", LADDER | {"INVERT": "fermat"}),
    "compact ladder divsteps": ("compact", LADDER | {"INVERT": "divsteps"}),
    "compact ladder loop": ("compact", LADDER | LOOP | {"INVERT": "windows"}),
    "compact ladder squares": ("compact", LADDER | {"INVERT": "windows", "SQUARE": "own"}),
    "tiny ladder": ("tiny", LADDER),
}  # keys and ECDH of P-256 alone, as P256-cortex-ecdh has them
NARROW = {"INVERT": "fermat", "BACKEND": "armv6m"}  # the code of a Cortex-M0, on a Cortex-M3
NARROW_ROWS = {"compact ladder armv6m": ("compact", LADDER | NARROW)}
LATE_ROWS = {
    "lowram late": ("lowram", DIGITS | {"READ": "late"}),
    "lowram ladder late": ("lowram", LADDER | {"READ": "late"}),
}  # no copies of key and hash on the stack, for ECDH or signing in the RAM of p256-m
COMB_ROWS = {"tiny comb": ("tiny", {"MULG": "comb_flash"})}  # signing alone, as p256-m
P256_ROWS = {
    "ecdh": {
        "compact unwiped": ("compact", X_ONLY),
        "compact unwiped squares": ("compact", X_ONLY | {"SQUARE": "own"}),
    },
    "sign": {
        "balanced unwiped": ("balanced", UNWIPED | {"INVERT": "windows"}),
        "balanced unwiped 4-blocks": (
            "balanced",
            UNWIPED | {"COMB_BLOCKS": "4", "SQUARE": "as_mul"},
        ),
    },
}  # ECDH or signing alone on the Cortex-M4, with what P256-Cortex-M4 has
EDWARDS_ROWS = {
    "lowram 3-teeth": ("lowram", {"MULG": "comb_flash", "COMB_TEETH": "3"}),
    "balanced unwiped": ("balanced", {"WIPE": "none"}),
    "fast unwiped small": ("fast", {"WIPE": "none", "SHA512": "small"}),
}  # signing alone: a table takes less RAM than a multiplication by bits

# Libraries whose code comes only when it is asked for: no package carries it, or it is GPL.
ON_REQUEST = (
    *("c25519", "fe25519", "p256-cortex-ecdh", "x25519-cm0", "x25519-cortex-m4"),
    "wolfssl",
)
ON_REQUEST_SAID = (
    f"The libraries {', '.join(ON_REQUEST)} are measured only when they are asked for "
    "(docs/adding-a-peer.md), and at -Os."
)


def own(curve: Curve, target: Target, preset: str = DEFAULT_PRESET, **sets: str) -> Configuration:
    """A configuration of this library. Errors: UsageError."""
    return knobs.resolve(curve, preset, sets, target.backend)


def has_own(curve: Curve) -> bool:
    """Whether this library has the curve."""
    return any(slot.name == curve.name for slot in knobs.curve_slots())


def alike(target: Target, curve: Curve) -> list[tuple[str, Configuration]]:
    """Ours with what other libraries do by default: coordinates blinded, as micro-ecc and
    Mbed TLS have them; Ed25519's public key kept beside the private one, as all but us have it;
    the fast one with a short table, random nonces and nothing cleared, as P256-Cortex-M4 has them;
    the compact one without what that leaves out; the one of least RAM with parts of the fast one:
    its products, its reduction, that in a loop, products and reduction, and a faster inversion;
    and with Jacobian formulas interpreted, which is less code; public keys of X25519 and X448
    by a table, as libsodium makes them, or with nothing cleared, as others do; X25519 with the
    floating-point unit, as Emill's has it.
    """
    if not has_own(curve):
        return []
    reduce = {"REDUCE": dict(own(curve, target, "fast").settings)["REDUCE"]}
    unrolled = {"PRODUCT": "unrolled"}
    found = [
        (f"{OWN} lowram {' '.join(sets.values())}", own(curve, target, "lowram", **sets))
        for sets in (
            unrolled,
            reduce,
            *([LOOP] if reduce["REDUCE"] == "solinas" else []),
            reduce | SQUARES,
            reduce | unrolled,
            reduce | unrolled | {"INVERT": "bingcd"},
            reduce | unrolled | SQUARES,
        )
    ]
    if curve.form == "weierstrass":
        what, settings = "blinded", {"BLIND": "coordinates"}
        found.append((f"{OWN} fast short table", own(curve, target, "fast", **SHORT_TABLE)))
        for name, sets in BARE_ROWS.items():
            bare = own(curve, target, "compact", **(BARE | reduce | sets))
            found.append((f"{OWN} compact {name}", bare))
        for name, sets in DIGITS_ROWS.items():
            if reduce["REDUCE"] == "solinas" or sets == DIGITS:
                found.append((f"{OWN} lowram {name}", own(curve, target, "lowram", **sets)))
    elif "sign" in curve.ops:
        what, settings = "key pair", PAIR
        for name, (preset, sets) in PAIR_ROWS.items():
            found.append((f"{OWN} {name}", own(curve, target, preset, **(PAIR | sets))))
    else:
        for name, (preset, sets) in X_ROWS.items():
            found.append((f"{OWN} {name}", own(curve, target, preset, **sets)))
        if curve.name == "x25519" and target.fpu and target.backend == "armv7em":
            for name, sets in FPU_ROWS.items():
                found.append((f"{OWN} fast {name}", own(curve, target, "fast", **sets)))
        return found
    found += [
        (f"{OWN} {name} {what}", own(curve, target, name, **settings)) for name in all_presets()
    ]
    return found


def alike_with(
    target: Target, curve: Curve, ops: tuple[str, ...]
) -> list[tuple[str, Configuration]]:
    """Ours beside the presets in an image with these of its operations: the one of least RAM with
    products and reduction of the fast one, and a faster inversion; what other libraries leave out.
    """
    rows: dict[str, tuple[str, dict[str, str]]] = {}
    if curve.form == "weierstrass":
        reduce = dict(own(curve, target, "fast").settings)["REDUCE"]
        unrolled = {"PRODUCT": "unrolled", "REDUCE": reduce}
        inverted = unrolled | {"INVERT": "bingcd"}
        rows["lowram unrolled"] = "lowram", unrolled
        rows["lowram unrolled bingcd"] = "lowram", inverted
        if curve.name == "secp256k1":
            rows["lowram unrolled mont"] = "lowram", unrolled | {"REDUCE": "mont"}
            rows["lowram unrolled own bingcd"] = "lowram", inverted | {"SQUARE": "own"}
            rows["lowram unrolled digits bingcd"] = "lowram", inverted | DIGITS
        else:
            rows |= LADDER_ROWS if "ecdh" in ops else {}
            rows |= NARROW_ROWS if "ecdh" in ops and target.backend == "armv7m" else {}
            rows |= LATE_ROWS if "ecdh" in ops or "sign" in ops else {}
            if target.backend == "armv7em":
                rows |= P256_ROWS.get(ops[-1], {}) | (COMB_ROWS if "sign" in ops else {})
    elif "sign" in ops:
        rows |= EDWARDS_ROWS
    return [
        (f"{OWN} {name}", knobs.resolve(curve, preset, sets, target.backend, ops=ops))
        for name, (preset, sets) in rows.items()
    ]


def of_peer(peer: Peer, target: Target, curve: Curve) -> list[tuple[str, Configuration]]:
    """Its usual configuration on the core, and its variants that differ from that."""
    variants = peer.variants_on(curve.name, target.core)
    return [
        (f"{peer.name} {name}".strip(), peer.configure(settings, target.core))
        for name, settings in {"": {}, **variants}.items()
    ]


def usual_rows(ask: Ask, target: Target, curve: Curve) -> list[tuple[str, Configuration]]:
    """The presets, and every library that needs not be asked for, with its variants."""
    presets = all_presets() if has_own(curve) else {}
    found = [(f"{OWN} {name}", own(curve, target, name)) for name in presets]
    for peer in ask.peers.values():
        if peer.name not in ON_REQUEST:
            found += of_peer(peer, target, curve)
    return found


def on_request(ask: Ask) -> list[Job]:
    """The rows of libraries that come only when asked for, all at the usual level."""
    return [
        Job(row, name, opt=OPTS[0])
        for target in ask.targets
        for curve in ask.curves
        for peer in ask.peers.values()
        if peer.name in ON_REQUEST
        for name, configuration in of_peer(peer, target, curve)
        for row in rows(ask, target, configuration, curve)
    ]


def rows(
    ask: Ask,
    target: Target,
    configuration: Configuration,
    curve: Curve,
    *,
    only: Sequence[str] = (),
) -> list[Row]:
    """A row for each operation that the library has on this curve and core, or for `only` these,
    all in one image.
    """
    if configuration.library == OWN:
        left_out = {name.lower() for name, value in configuration.settings if value == knobs.NONE}
        offered = tuple(op for op in curve.ops if op not in left_out) if has_own(curve) else ()
    else:
        offered = ask.peers[configuration.library].ops(curve.name, target.core)
    ops = tuple(op for op in offered if op in only or not only)
    mode_name = ask.mode if target.runner == "sim" else None
    return [
        Row(target, target.mode(ask.mode), mode_name, configuration, curve, op, ops) for op in ops
    ]


def published(document: Document, series: Series, op: str) -> dict[str, float]:
    """The figures of a series for an operation, in the units of a record."""
    found: dict[str, float] = {}
    if op in series.figures:
        value = series.figures[op]
        found["time_us"] = (
            1e6 / value if series.unit == "per_s" else value * 1e6 / SECONDS[series.unit]
        )
    if op in series.energy_j:
        found["energy_uj"] = series.energy_j[op] * 1e6
    if op in series.stack_bytes:
        found["static_stack_bytes"] = series.stack_bytes[op]
    if series.code_bytes:
        found["flash_bytes"] = series.code_bytes
    if series.heap_bytes:
        found["heap_bytes"] = series.heap_bytes
    return found


def exchange(made: Sequence[Row], group: str, base: str) -> list[Job]:
    """Jobs of a key generation and an ECDH, which make a record of both together."""
    return [Job(row, group, base, ecdhe={} if row.op == "ecdh" else None) for row in made]


def source(document: Document) -> str:
    """The document of a figure, and the conditions of its measurement."""
    made = f"Version: {document.library_version}. Compiler: {document.compiler}"
    conditions = f"{document.conditions[:1].upper()}{document.conditions[1:]}"
    return f"{document.document} ({document.origin}). Conditions: {conditions}. {made}"

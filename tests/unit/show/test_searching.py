"""The presets that a search measures first."""

from __future__ import annotations

import msgspec

from ecfit.choices.curves import CURVES
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import find_target
from ecfit.fit.question import Limit, Need, Question
from ecfit.show.searching import preset_rows

ASKED = Question(
    target=find_target("samd20"),
    mode=None,
    mode_name="datasheet",
    needs=(Need(CURVES["secp256r1"], ("sign", "verify")),),
    limits=(),
    minimise="flash",
    weights={},
    use=None,
    sets={},
    presets=(),
    libraries=("ecfit",),
)


def named(**changes: object) -> set[str]:
    asked = msgspec.structs.replace(ASKED, **changes)
    found = dict(preset_rows(asked, {}))
    assert all([row.op for row in rows] == ["sign", "verify"] for rows in found.values())
    return set(found)


def test_presets_that_ask_something_of_the_caller_are_left_out() -> None:
    """The presets tiny and lowram leave secrets on the stack; tiny takes nonces from the caller."""
    assert named() == {*all_presets()} - {"tiny", "lowram"}
    assert named(sets={"NONCE": "random", "WIPE": "none"}) == {*all_presets()}
    assert "tiny" not in named(sets={"NONCE": "random"})


def test_nothing_is_measured_first_where_it_would_not_be_the_answer() -> None:
    """Other libraries, presets that were asked for, several curves, a handshake."""
    handshake = Limit("handshake=1s", "time", (), 1e6, counts=(1,), replayed=True)
    assert named(libraries=("micro-ecc",)) == named(presets=("fast",)) == set()
    assert named(needs=(*ASKED.needs, Need(CURVES["x25519"], ("ecdh",)))) == set()
    assert named(limits=(handshake,)) == set()

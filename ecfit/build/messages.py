"""The parts of an image for a message operation: our library, with lib/msg on top."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ecfit.build.parts import Parts, contents, own_parts
from ecfit.choices.curves import MESSAGE_OPS, Curve
from ecfit.errors import UsageError
from ecfit.model import Configuration
from ecfit.paths import FIRMWARE, LIB

SIGNERS = {  # lib/msg: the object and the file of a curve's algorithm
    "secp192r1": "es192",
    "secp256r1": "es256",
    "secp256k1": "es256k",
    "secp384r1": "es384",
    "secp521r1": "es512",
    "ed25519": "eddsa",
}
_USES = {"plain": (), "jss": ("sign",), "cose": ("sign",), "recover": ("keygen",)}
_FILES = {"plain": "jss", "jss": "jss", "cose": "cose", "recover": "recovery"}


def message_parts(configuration: Configuration, curve: Curve, ops: Sequence[str]) -> Parts:
    """The parts of an image that writes messages. Errors: UsageError."""
    if curve.name not in SIGNERS or not set(ops) <= set(MESSAGE_OPS):
        raise UsageError(f"no message is signed on {curve.name}: choose {', '.join(SIGNERS)}")
    used = [use for op in ops for use in _USES[op]]
    base = own_parts(configuration, curve.name, tuple(dict.fromkeys(used)))
    names = ["writer", *(_FILES[op] for op in ops)]
    names += [f"sign_{SIGNERS[curve.name]}"] if "sign" in used else []
    names += [f"recovery_{curve.name}"] if "recover" in ops else []
    folder = LIB / "msg"
    return msgspec.structs.replace(
        base,
        adapter=FIRMWARE / "adapter_message.c",
        identity=[*base.identity, contents(folder), names],
        sources=(*base.sources, *(folder / f"{name}.c" for name in dict.fromkeys(names))),
        include=(*base.include, folder),
        glue_defines=(
            *base.glue_defines,
            f"BENCH_SIGNER=ecfit_msg_{SIGNERS[curve.name]}",
            f"BENCH_RECOVERY=ecfit_msg_recovery_{curve.name}",
        ),
    )

#!/usr/bin/env python3
"""How long `ecfit fit` takes: results/fit/questions.json (sweep fit-questions).

Asks QUESTIONS, each in a process of its own with an empty cache, and keeps the processor seconds
(user and system, with all compilers) and what was measured. A search is stopped after LONGEST
seconds. A first question, which is not kept, has Python compile the modules.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile

from ecfit import __version__
from ecfit.measure.store import write_output
from ecfit.paths import LIB, ROOT
from ecfit.show.origin import origin

RECORD = ROOT / "results" / "fit" / "questions.json"
LONGEST = 60
QUESTIONS = """
--target samd20 --need secp256r1:sign,verify --flash 5KiB --stack 1KiB
--target nrf52840 --need secp256r1:ecdh,verify --flash 10KiB
--target samd20 --need x25519:ecdh --flash 3KiB
--target nrf52840 --need x25519:keygen,ecdh
--target cc2538 --need x25519:ecdh --stack 1KiB
--target atmega1284p --need x25519:keygen,ecdh --flash 8KiB
--target ibex --need x25519:ecdh --flash 4KiB
--target rp2040 --need ed25519:verify --flash 6KiB
--target nrf52840 --need ed25519:keygen,sign --flash 6KiB
--target cc2538 --need ed25519:verify --stack 1200
--target ibex --need ed25519:sign,verify
--target rp2040 --need secp256r1:keygen,ecdh
--target cc2538 --need secp256r1:verify --flash 4KiB
--target ibex --need secp256r1:sign,verify --flash 8KiB
--target nrf52840 --need secp256r1:all
--target ibex --need secp256k1:verify --flash 4KiB
--target nrf52840 --need secp256k1:sign,verify --flash 8KiB
--target rp2040 --need secp384r1:ecdh
--target nrf52840 --need secp384r1:verify --flash 8KiB
--target nrf52840 --need brainpoolP256r1:sign,verify --flash 10KiB
""".strip().splitlines()


def asked(question: str) -> dict[str, object]:
    """The row of a question."""
    command = ["fit", *shlex.split(question), "--quiet", "--format", "json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "ECFIT_CACHE": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # set-up has compiled the modules
        try:
            done = subprocess.run(
                [sys.executable, "-m", "ecfit", *command], env=environment, text=True,
                stdout=subprocess.PIPE, timeout=LONGEST, check=False,
            )  # fmt: skip
            answer = json.loads(done.stdout)
            row = {"measured": answer["measured"], "fits": answer["fits"], "stopped": False}
        except subprocess.TimeoutExpired:
            row = {"measured": None, "fits": None, "stopped": True}
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"question": question, "seconds": round(spent, 2), **row}


def main() -> None:
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    rows = []
    asked(QUESTIONS[0])
    for question in QUESTIONS:
        rows.append(asked(question))
        print(json.dumps(rows[-1]), flush=True)
    seconds = [float(str(row["seconds"])) for row in rows]
    told = {
        "made": f"ecfit {__version__}, {origin(LIB)}",
        "median": statistics.median(seconds),
        "most": max(seconds),
        "questions": rows,
    }
    write_output(RECORD, json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()

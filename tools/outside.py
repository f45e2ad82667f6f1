#!/usr/bin/env python3
"""Put code that no package carries beside its manifest: docs/adding-a-peer.md.

tools/outside.py NAME=CHECKOUT..   for each NAME of peers/outside: the files that its manifest pins,
                                   of that commit, from a checkout or a bare git directory

It writes build/outside/NAME, checks every hash, and prints the options --peer-dir that name these
folders. Exit code 2 for a name, a checkout or a hash that is wrong.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec

from ecfit.build.fetch import code_folder
from ecfit.choices.peers import Outside, Peer, outside_peers
from ecfit.errors import EcfitError, UsageError, unknown_name
from ecfit.paths import PEERS, ROOT

KEIL = PEERS / "outside" / "keil.sed"


def prepared(peer: Peer, checkout: Path, folder: Path) -> Path:
    """The peer's folder with its code, written anew. Errors: UsageError, PackageError."""
    outside = peer.outside
    if outside is None:
        raise UsageError(f"{peer.name} pins no files: docs/adding-a-peer.md says what to copy")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(peer.folder, folder)
    for name in outside.sha256:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content(outside, checkout, name))
    code_folder(msgspec.structs.replace(peer, folder=str(folder)))
    return folder


def content(outside: Outside, checkout: Path, name: str) -> bytes:
    """A file of the repository, or one that is made of it. Errors: UsageError."""
    made = outside.made.get(name)
    path = "/".join(filter(None, (outside.folder, made.of if made else name)))
    text = output(["git", "-C", str(checkout), "show", f"{outside.commit}:{path}"], b"")
    if made and made.keil:
        text = output(["sed", "-E", "-f", str(KEIL)], text)
    return output(["sed", "-E", made.sed], text) if made and made.sed else text


def output(command: list[str], given: bytes) -> bytes:
    """What a program writes. Errors: UsageError."""
    done = subprocess.run(command, input=given, capture_output=True, check=False)
    if done.returncode:
        error = done.stderr.decode(errors="replace").strip().splitlines() or ["failed"]
        raise UsageError(f"{' '.join(command)}: {error[0]}")
    return done.stdout


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", default=str(ROOT / "build" / "outside"), metavar="FOLDER")
    parser.add_argument("pairs", nargs="+", metavar="NAME=CHECKOUT")
    arguments = parser.parse_args()
    options = []
    try:
        for pair in arguments.pairs:
            name, _, checkout = pair.partition("=")
            if name not in outside_peers():
                raise unknown_name("peer of peers/outside", name, outside_peers())
            folder = Path(arguments.output, name)
            prepared(outside_peers()[name], Path(checkout), folder)
            options.append(f"--peer-dir {name}={folder}")
    except EcfitError as error:
        print(f"outside.py: {error}", file=sys.stderr)
        return 2
    print(" ".join(options))
    return 0


if __name__ == "__main__":
    sys.exit(main())

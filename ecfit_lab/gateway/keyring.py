"""The keys that are trusted: a folder with a file for each, read again when it changes.

The name of a key is that of its file: `attic.pem` and `attic.jwk` are both `attic`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from ecfit.errors import BuildError, OutputError, UsageError
from ecfit.oracle.keyreader import LARGEST, public_key
from ecfit_lab.message.algorithms import Key

ENDINGS = (".pem", ".jwk", ".json")


class Trusted(msgspec.Struct, frozen=True):
    """A key by its name. `identity` is the key's own, whatever its file is called."""

    name: str
    key: Key
    identity: str


class Keyring:
    """The keys of a folder. `valid` says whether a public key is a point of its curve; it may have
    to compile what tells, at the first key of a curve.
    """

    def __init__(self, folder: Path, valid: Callable[[Key], bool]) -> None:
        self.folder, self._valid = folder, valid
        self._seen: object = None
        self.keys: dict[str, Trusted] = {}

    def reload(self) -> list[str] | None:
        """Reads the folder where it has changed: a line for each file that is no key.

        None when nothing has changed. A key whose file is gone, or damaged, is no longer trusted.
        Errors: UsageError when there is no such folder; BuildError, OutputError of `valid` when
        the folder is read for the first time.
        """
        try:
            files = sorted(p for p in self.folder.iterdir() if p.suffix.lower() in ENDINGS)
            stats = [(p, p.stat()) for p in files]
            seen = [(p.name, s.st_mtime_ns, s.st_size, s.st_ino) for p, s in stats]
        except FileNotFoundError:
            if not self.folder.is_dir():
                raise UsageError(f"there is no folder of keys {self.folder}") from None
            return None  # a file went away just now: the next look sees it
        except OSError as error:
            raise UsageError(
                f"the keys in {self.folder} cannot be read: {error.strerror}"
            ) from None
        if seen == self._seen:
            return None
        found: dict[str, Trusted] = {}
        wrong = list(self._read(files, found))
        self._seen, self.keys = seen, found
        return wrong

    def forget(self) -> None:
        """Trusts nobody until the folder is read again."""
        self.keys, self._seen = {}, None

    def _read(self, files: list[Path], found: dict[str, Trusted]) -> Iterator[str]:
        for path in files:
            try:
                if not path.name.isprintable():
                    raise UsageError("its name is not text")
                with path.open("rb") as file:
                    curve, public = public_key(file.read(LARGEST + 1))
                key = Key(curve, public)
                if not key.algorithm or not self._valid(key):
                    raise UsageError("its point is not on the curve")
                if path.stem in found:
                    raise UsageError(f"there are two keys {path.stem}: the first is taken")
            except (UsageError, BuildError, OutputError, OSError) as error:
                if self._seen is None and isinstance(error, BuildError | OutputError):
                    raise  # no start without what verifies; later, the other keys stay
                yield f"{path.name if path.name.isprintable() else ascii(path.name)}: {error}"
                continue
            identity = hashlib.sha256(curve.encode() + b"\0" + public).hexdigest()[:32]
            found[path.stem] = Trusted(path.stem, key, identity)

    def find(self, bound: str | None, key_id: str | None) -> Trusted | str:
        """The key of a message, or why there is none.

        The sensor's own, else the one that the message names, else the only one there is.
        """
        if bound is not None and key_id is not None and key_id != bound:
            return f"the message names {key_id[:40]}, the sensor's key is {bound}"
        name = bound or key_id
        if name is None and len(self.keys) == 1:
            return next(iter(self.keys.values()))
        if name is None:
            return "the message names no key, and the sensor has none"
        return self.keys.get(name) or f"there is no key {name[:40]}"

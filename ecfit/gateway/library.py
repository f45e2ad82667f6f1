"""The compiled library that verifies, built where the cache does not have it."""

from __future__ import annotations

from ecfit.build import verifylib
from ecfit.measure.store import Store
from ecfit.message.algorithms import ALGORITHMS
from ecfit.run import verifier


def load() -> verifier.LibraryVerifier:
    """For all algorithms of messages. Errors: BuildError, MissingToolError."""
    key, files = verifylib.image([algorithm.curve for algorithm in ALGORITHMS])
    image = Store().made_image(key, lambda: verifylib.build(key, files))
    return verifier.load(image.segments[0].data)

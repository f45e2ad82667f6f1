"""Makes the reference and the generators importable; the library in every configuration."""

from __future__ import annotations

import pytest

from workshop.library import build as lib_build
from workshop.library.api import Library
from workshop.library.build import ADDITIONS, CONFIGURATIONS, NO_MULTIPLIER
from workshop.scale import some


@pytest.fixture(scope="session", params=CONFIGURATIONS)
def library(request: pytest.FixtureRequest) -> Library:
    """The public API of every preset with every portable backend."""
    config = CONFIGURATIONS[request.param]
    return Library(lib_build.shared(config), dict(config.settings))


@pytest.fixture(scope="session", params=some(CONFIGURATIONS, 3))
def fewer(request: pytest.FixtureRequest) -> Library:
    """Of these a third, in the outer ring all: of tests that are `sampled`."""
    config = CONFIGURATIONS[request.param]
    return Library(lib_build.shared(config), dict(config.settings))


@pytest.fixture(scope="session", params=[*CONFIGURATIONS, ADDITIONS])
def opened(request: pytest.FixtureRequest) -> Library:
    """The same with the insides exported; and once with additions in the place of products."""
    if request.param == ADDITIONS:
        config = lib_build.configuration("balanced", "w32m16")
        return Library(lib_build.shared(config, "open", flags=NO_MULTIPLIER), dict(config.settings))
    config = CONFIGURATIONS[request.param]
    return Library(lib_build.shared(config, "open"), dict(config.settings))


@pytest.fixture(scope="session", params=lib_build.TOYS, ids=lib_build.toy_name)
def toy(request: pytest.FixtureRequest) -> Library:
    """A toy curve in the place of secp256r1, through the same templates,
    with the insides exported.
    """
    curve, name = request.param
    config = lib_build.for_toys(CONFIGURATIONS[name])
    return Library(
        lib_build.shared(config, "open", curve),
        dict(config.settings),
        curve.name,
        curve.field_bytes,
    )

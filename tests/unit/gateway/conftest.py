"""A PostgreSQL for the tests of the gateway."""

from __future__ import annotations

from collections.abc import Iterator

import pg_cluster
import pytest


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """One for all tests of a worker, a schema for each (kept_readings.place_in)."""
    if pg_cluster.programs() is None:
        pytest.skip("PostgreSQL is not installed: tools/setup.sh test installs it")
    with pg_cluster.running() as url:
        yield url

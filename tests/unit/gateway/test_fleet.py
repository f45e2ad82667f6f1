"""Gateways that share sensors, while the database's clock jumps, or one of them dies or sleeps."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from ecfit_lab.gateway.coap import Sensor
from ecfit_lab.gateway.fleet import LEASE, Fleet
from workshop.devices import pg_cluster
from workshop.devices.kept_readings import server_url

SENSORS = [Sensor(f"coap://s{n}/t") for n in range(10)]
Shared = tuple[str, Callable[[float], None]]
COUNT = itertools.count()


@pytest.fixture
def shared() -> Iterator[Shared]:
    """A database whose clock can be moved."""
    with pg_cluster.clock(server_url(), f"fleet{next(COUNT)}") as made:
        yield made


def gateway(url: str, sensors: list[Sensor] = SENSORS) -> Fleet:
    return Fleet(url, sensors, lambda _: None, lambda _: None)


@pytest.mark.parametrize("jump", [0, 3600, -3600, 90, -90, -7, 7])
def test_the_sensors_of_a_dead_gateway_are_taken(shared: Shared, jump: int) -> None:
    """Within the time of a lease, whatever the clock did when it died."""
    url, move = shared
    dead, alive = gateway(url), gateway(url)
    for _ in range(2):
        dead.turn()
        alive.turn()
    assert len(dead.turn()) == len(alive.turn()) == 5
    move(jump)
    taken = set[Sensor]()
    for second in (2, 4, 6, 8):
        move(jump + second)
        taken = {*alive.turn()}
    assert taken == {*SENSORS}


@pytest.mark.parametrize("jump", [3600, -3600, 90, -90])
def test_two_that_live_share_again_after_a_jump(shared: Shared, jump: int) -> None:
    url, move = shared
    first, second = gateway(url), gateway(url)
    for _ in range(2):
        first.turn()
        second.turn()
    move(jump)
    for _ in range(3):
        first.turn()
        second.turn()
    mine, others = first.turn(), second.turn()
    assert len(mine) == len(others) == 5
    assert {*mine, *others} == {*SENSORS}


@pytest.mark.ci
def test_turns_at_once_never_wait_for_each_other(shared: Shared) -> None:
    """Four gateways, each of which takes the others for dead after a jump, while more of them come
    and go: no turn fails, as one does that the database ends because of a deadlock.
    """
    url, move = shared
    fleets = [gateway(url) for _ in range(4)]
    with ThreadPoolExecutor(5) as pool:
        for number in range(60):
            move(100 * number)
            leaving = gateway(url, SENSORS[::-1])
            work = [pool.submit(fleet.turn) for fleet in fleets]
            left = pool.submit(leaving._leave)
            assert all(len(one.result(timeout=30)) <= len(SENSORS) for one in work)
            left.result(timeout=30)


@pytest.mark.ci
def test_a_gateway_that_is_stopped_in_its_turn_holds_up_nobody(shared: Shared) -> None:
    """As a laptop that sleeps: the database ends its turn, and the others go on."""
    url, _ = shared
    stopped, alive = gateway(url), gateway(url)
    with ThreadPoolExecutor(1) as pool, pg_cluster.connect(url) as watch:
        begun = stopped._base.cursor()
        begun.execute("BEGIN")
        stopped._begin_turn(begun)
        waiting = pool.submit(alive.turn)
        assert {*waiting.result(timeout=3 * LEASE)} <= {*SENSORS}
        ((count,),) = watch.execute("SELECT count(*) FROM sensors WHERE owner IS NOT NULL")
        assert count

"""One limiter for a host and an account, whoever calls."""

import asyncio

import pytest

from resources.throttle import Throttle

DATABASES = ["sqlite", "postgresql"]
HOST, ACCOUNT = "service.example", "account_1"


@pytest.fixture
def here(opstore, clock):
    return Throttle(opstore, clock=clock)


@pytest.fixture
def elsewhere(opstore, clock):
    """The same limiter in another process."""
    return Throttle(opstore, clock=clock)


async def turns(limiter, clock, count):
    """When each of so many calls at once may go out, in seconds from now."""
    began, moments = clock.now(), []

    async def one():
        await limiter.turn(HOST, ACCOUNT)
        moments.append(clock.now() - began)

    await asyncio.gather(*(one() for _ in range(count)))
    return sorted(moments)


async def test_a_host_that_takes_every_call_is_not_slowed(here, clock):
    assert await turns(here, clock, 5) == [0] * 5
    assert clock.waits == []


async def test_what_one_process_is_told_holds_for_all(here, elsewhere, clock):
    here.slow_down(HOST, ACCOUNT, seconds=20)

    assert (await turns(elsewhere, clock, 1))[0] >= 20


async def test_other_accounts_and_other_hosts_go_on(here, clock):
    here.slow_down(HOST, ACCOUNT, seconds=20)

    await here.turn(HOST, "account_2")
    await here.turn("other.example", ACCOUNT)
    assert clock.waits == []


async def test_after_throttling_calls_go_out_one_by_one(here, elsewhere, clock):
    here.slow_down(HOST, ACCOUNT, seconds=10)
    elsewhere.slow_down(HOST, ACCOUNT, seconds=10)  # calls refused together count once
    moments = await turns(here, clock, 4)

    assert moments == pytest.approx([10, 10.25, 10.5, 10.75])


async def test_the_space_doubles_with_each_further_throttling_and_shrinks_with_success(here, clock):
    for _ in range(3):
        here.slow_down(HOST, ACCOUNT, seconds=1)
        clock.time += 1.5
    clock.time += 60
    assert await turns(here, clock, 3) == pytest.approx([0, 1, 2])

    here.ease(HOST, ACCOUNT)
    clock.time += 60
    assert await turns(here, clock, 3) == pytest.approx([0, 0.8, 1.6])

    for _ in range(20):
        here.ease(HOST, ACCOUNT)
    clock.time += 60
    assert await turns(here, clock, 3) == [0, 0, 0]


async def test_a_host_that_closes_again_while_one_waits_is_waited_for_again(here, elsewhere, clock):
    here.slow_down(HOST, ACCOUNT, seconds=5)
    waiting = asyncio.create_task(here.turn(HOST, ACCOUNT))
    began = clock.now()
    await asyncio.sleep(0)
    elsewhere.slow_down(HOST, ACCOUNT, seconds=40)
    await waiting

    assert clock.now() - began >= 40

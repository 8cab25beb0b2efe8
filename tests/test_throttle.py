"""One limiter for a host and an account, whoever calls."""

import asyncio
import subprocess
import sys
import textwrap
from contextlib import AsyncExitStack

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

    here.ease(HOST, ACCOUNT, most=10)
    clock.time += 60
    assert await turns(here, clock, 3) == pytest.approx([0, 0.8, 1.6])

    for _ in range(20):
        here.ease(HOST, ACCOUNT, most=10)
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


async def test_all_processes_together_have_no_more_calls_under_way_than_allowed(here, elsewhere):
    under_way, seen = 0, []

    async def call(limiter):
        nonlocal under_way
        async with limiter.place(HOST, ACCOUNT, most=3):
            under_way += 1
            seen.append(under_way)
            await asyncio.sleep(0)
            under_way -= 1

    await asyncio.gather(*(call(limiter) for limiter in (here, elsewhere) for _ in range(6)))

    assert len(seen) == 12
    assert max(seen) <= 3


async def test_after_throttling_half_as_many_go_at_once_and_one_more_with_each_round_of_successes(here, elsewhere, clock):
    async with AsyncExitStack() as busy:
        for _ in range(6):
            await busy.enter_async_context(elsewhere.place(HOST, ACCOUNT, most=8))
        elsewhere.slow_down(HOST, ACCOUNT, seconds=1)
    clock.time += 60

    assert room(here) == 3
    for _ in range(4):
        here.ease(HOST, ACCOUNT, most=8)
    assert room(here) == 4
    for _ in range(60):
        here.ease(HOST, ACCOUNT, most=8)
    assert room(here) == 8


def room(limiter):
    """How many calls could be under way at once."""
    taken = []
    while limiter._take_place(HOST, ACCOUNT, f"place {len(taken)}", 8):
        taken.append(f"place {len(taken)}")
    for place in taken:
        limiter._give_back(place)
    return len(taken)


VICTIM = """
    import asyncio, sys
    from resources.opstore import open_engine
    from resources.throttle import Throttle

    async def main():
        limiter = Throttle(open_engine(sys.argv[1]))
        async with limiter.place("service.example", "account_1", most=8), limiter.place("service.example", "account_1", most=8):
            print("ready", flush=True)
            sys.stdin.readline()

    asyncio.run(main())
"""


def test_the_places_of_a_killed_process_are_free_at_once(here, database):
    victim = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(VICTIM), database], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert victim.stdout.readline() == "ready\n"
    held = room(here)

    victim.kill()
    victim.communicate()

    assert (held, room(here)) == (6, 8)

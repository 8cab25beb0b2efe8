"""Slots of a process: never more are taken than there are, askers take turns, and whoever gives up waiting leaves no slot behind."""

import asyncio
import threading

from resources.slots import Slots


async def use(slots, asker, order, *, most=1):
    async with slots.one(asker, most=most):
        order.append(asker)
        await asyncio.sleep(0)


async def test_an_asker_with_one_call_waits_for_one_reply_of_an_asker_with_many():
    slots, order = Slots(), []

    await asyncio.gather(*(use(slots, "many", order) for _ in range(5)), use(slots, "one", order))

    assert order == ["many", "many", "one", "many", "many", "many"]


async def test_whoever_gives_up_waiting_leaves_the_slot_to_the_others():
    slots, order = Slots(), []
    async with slots.one("first", most=1):
        given_up, kept = (asyncio.create_task(use(slots, "second", order)) for _ in range(2))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.wait([given_up])
    await kept
    async with slots.one("first", most=1):
        late = asyncio.create_task(use(slots, "second", order))
        await asyncio.sleep(0)
    late.cancel()  # its slot has been given, and it does not know yet
    await asyncio.wait([late])
    await use(slots, "third", order)

    assert order == ["second", "third"]


def test_threads_with_event_loops_of_their_own_never_take_more_than_there_are():
    slots, most, taken, highest, done = Slots(), 3, set(), [], []

    async def call(name):
        async with slots.one(name[0], most=most):
            taken.add(name)
            highest.append(len(taken))
            await asyncio.sleep(0)
            taken.discard(name)
            done.append(name)

    async def calls(asker):
        await asyncio.gather(*(call((asker, number)) for number in range(50)))

    threads = [threading.Thread(target=lambda asker=asker: asyncio.run(calls(asker))) for asker in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(done) == 200
    assert max(highest) <= most

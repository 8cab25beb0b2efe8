"""The client and the ledger: written before it is sent, sent once whoever asks, answered from the ledger ever after."""

import asyncio
import json
from dataclasses import replace

import httpx
import pytest

from research_pipeline.errors import CallNotRecorded, LimitReached, RequestRefused, TransientFailure
from research_pipeline.study import Limits
from resources.calls import CallState
from resources.ledger import Ledger

URL = "https://docs.acme.example/logs"


class Service:
    """Answers every call alike, and remembers what it was asked."""

    def __init__(self, reply=None, status=200):
        self.reply = {"html": "<p>30 days</p>", "token_usage": 2} if reply is None else reply
        self.status = status
        self.requests = []

    def __call__(self, request):
        self.requests.append(request)
        return httpx.Response(self.status, json=self.reply)


async def test_a_call_is_written_down_before_it_is_sent(desk):
    seen = []

    def service(_request):
        seen.extend(desk.ledger.calls("cycle-1"))
        return httpx.Response(200, json={"html": "x", "token_usage": 2})

    async with desk.client(service) as client:
        await client.read_page(URL, desk.context())

    assert [(row.state, row.tokens_reserved, row.url) for row in seen] == [(CallState.PENDING, 5, URL)]
    assert [(row.state, row.tokens_spent) for row in desk.ledger.calls("cycle-1")] == [(CallState.SETTLED, 2)]


async def test_a_page_is_asked_for_once_and_is_the_same_ever_after(desk):
    service = Service({"html": "<p>é</p>", "token_usage": 2, "url": URL, "redirects": [], "headers": {"ETag": "1"}, "target_status": "200"})
    async with desk.client(service) as client:
        paid = await client.read_page(URL, desk.context())
        unpaid = await client.read_page(URL, desk.context(sub_question_id="acme.other", round=3, retry_failed=True))

    assert len(service.requests) == 1
    assert (paid.from_ledger, unpaid.from_ledger) == (False, True)
    assert replace(paid, from_ledger=True) == unpaid
    assert desk.archive.get(paid.body_hash).decode() == paid.body == "<p>é</p>"


async def test_callers_who_ask_the_same_at_once_pay_once(desk):
    service = Service()
    async with desk.client(service) as client:
        replies = await asyncio.gather(*(client.read_page(URL, desk.context(sub_question_id=f"acme.q{n}")) for n in range(5)))

    assert len(service.requests) == 1
    assert len({reply.body_hash for reply in replies}) == 1


async def test_what_another_process_has_under_way_is_waited_for(desk, opstore, clock):
    asked, answer = asyncio.Event(), asyncio.Event()
    sendings = []

    async def slow(_request):
        sendings.append("slow")
        asked.set()
        await answer.wait()
        return httpx.Response(200, json={"html": "from the first", "token_usage": 2})

    first = replace(desk, ledger=Ledger(opstore, clock=clock))
    async with first.client(slow) as one, desk.client(Service()) as two:
        under_way = asyncio.create_task(one.read_page(URL, desk.context()))
        await asked.wait()
        waiting = asyncio.create_task(two.read_page(URL, desk.context()))
        while len(clock.waits) < 3:  # noqa: ASYNC110 - the clock is no event
            await asyncio.sleep(0)
        answer.set()
        replies = await asyncio.gather(under_way, waiting)
    first.ledger.close()

    assert [reply.body for reply in replies] == ["from the first"] * 2
    assert sendings == ["slow"]
    assert clock.waits[0] < clock.waits[2]


async def test_a_caller_who_goes_away_leaves_nothing_under_way(desk):
    asked = asyncio.Event()

    async def hanging(_request):
        asked.set()
        await asyncio.Event().wait()

    async with desk.client(hanging) as client:
        task = asyncio.create_task(client.read_page(URL, desk.context()))
        await asked.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    async with desk.client(Service()) as client:
        await client.read_page(URL, desk.context())

    assert [(row.state, row.tokens_spent) for row in desk.ledger.calls("cycle-1")] == [(CallState.UNKNOWN, 5), (CallState.SETTLED, 2)]


async def test_a_page_that_failed_is_asked_for_again_in_a_further_round_only(desk):
    broken, whole = Service({"message": "url is wrong"}, status=422), Service()
    async with desk.client(broken) as client:
        for _ in range(2):
            with pytest.raises(RequestRefused):
                await client.read_page(URL, desk.context(retry_failed=True))
    async with desk.client(whole) as client:
        await client.read_page(URL, desk.context(round=2, retry_failed=True))

    assert (len(broken.requests), len(whole.requests)) == (1, 1)


async def test_a_recomputation_sends_nothing(desk):
    service = Service()
    async with desk.client(service) as client:
        with pytest.raises(CallNotRecorded):
            await client.read_page(URL, desk.context(ledger_only=True))
        paid = await client.read_page(URL, desk.context())
        assert await client.read_page(URL, desk.context(ledger_only=True)) == replace(paid, from_ledger=True)

    assert len(service.requests) == 1


async def test_the_calls_under_way_at_once_are_bounded(desk):
    under_way, most = 0, 0

    async def service(_request):
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return httpx.Response(200, json={"html": "x", "token_usage": 1})

    async with desk.client(service, max_concurrency=3) as client:
        await asyncio.gather(*(client.read_page(f"{URL}/{n}", desk.context()) for n in range(9)))

    assert most == 3


async def test_calls_that_do_not_fit_beside_those_under_way_wait_for_them(desk):
    desk.limits = Limits(max_tokens=70, max_discover_calls=9)
    service = Service({"data": {"urls": [URL]}, "token_usage": 2})
    async with desk.client(service) as client:
        await asyncio.gather(*(client.map_site(f"https://acme-{n}.example/", desk.context()) for n in range(4)))

    assert desk.ledger.spent("cycle-1").tokens == 8


async def test_a_limit_is_named_and_nothing_is_sent(desk):
    desk.limits = Limits(max_tokens=4)
    service = Service()
    async with desk.client(service) as client:
        with pytest.raises(LimitReached) as refused:
            await client.read_page(URL, desk.context())

    assert refused.value.rule == "token_limit"
    assert service.requests == []


async def test_a_map_is_kept_whole_outside_the_ledger(desk):
    urls = [f"https://docs.acme.example/{n}" for n in range(500)]
    service = Service({"data": {"urls": urls, "count": 500}, "token_usage": 8})
    async with desk.client(service) as client:
        paid = await client.map_site(URL, desk.context(), include=(".*",), depth=3)
        unpaid = await client.map_site(URL, desk.context(), include=(".*",), depth=3)
        await client.map_site(URL, desk.context(), include=(".*",))

    assert paid.urls == unpaid.urls == tuple(urls)
    assert json.loads(desk.archive.get(paid.body_hash)) == urls
    assert [json.loads(request.content)["maxDepth"] for request in service.requests] == [3, 2]


async def test_an_extraction_comes_with_the_page_it_is_checked_against(desk):
    service = Service({"data": [{"value": "30 days"}], "html": "<p>30 days</p>", "token_usage": 12})
    async with desk.client(service) as client:
        await client.extract(URL, "How long?", desk.context(), schema={"type": "object"})
        unpaid = await client.extract(URL, "How long?", desk.context(), schema={"type": "object"})

    assert (unpaid.items, unpaid.body, unpaid.tokens) == (({"value": "30 days"},), "<p>30 days</p>", 12)


def test_a_client_serves_one_event_loop_after_another(desk):
    service = Service()
    client = desk.client(service)

    async def read(url):
        async with client:
            return await client.read_page(url, desk.context())

    assert not asyncio.run(read(URL)).from_ledger
    assert not asyncio.run(read(URL + "/more")).from_ledger
    assert asyncio.run(read(URL)).from_ledger


# ── the account ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_account_is_asked_once_in_a_cycle_and_bounds_it(desk):
    service = Service({"data": {"tokenLimit": "100", "tokenUsage": "93"}})
    async with desk.client(service) as client:
        await client.open_cycle(desk.context())
        budget = await client.open_cycle(desk.context())

    assert budget.account_tokens == 7
    assert [str(request.url) for request in service.requests] == ["https://platform.example/api/v1/subscription-accounts"]


@pytest.mark.parametrize(
    "service", [Service({"message": "down"}, status=502), Service({"message": "no"}, status=403), Service({"data": {}})]
)
async def test_an_account_that_does_not_tell_leaves_the_studys_own_limit(desk, service):
    async with desk.client(service) as client:
        assert (await client.open_cycle(desk.context())).account_tokens is None


async def test_a_token_that_nobody_knows_stops_the_cycle_before_the_first_call(desk):
    async with desk.client(Service({"message": "Unauthorized access"}, status=401)) as client:
        budget = await client.open_cycle(desk.context())
        with pytest.raises(LimitReached) as refused:
            await client.read_page(URL, desk.context())

    assert budget.stop_rule == refused.value.rule == "token_rejected"
    assert desk.ledger.calls("cycle-1") == []


async def test_asking_the_account_is_tried_again(desk):
    answers = iter([httpx.Response(500), httpx.Response(200, json={"data": {"tokenLimit": 10, "tokenUsage": 4}})])
    async with desk.client(lambda _request: next(answers)) as client:
        assert (await client.account()).left == 6
    async with desk.client(lambda _request: httpx.Response(500)) as client:
        with pytest.raises(TransientFailure):
            await client.account()

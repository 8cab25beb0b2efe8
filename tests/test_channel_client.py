"""Channels over real HTTP: asked once per cycle and query, paced, retried by class; no answer of theirs costs or stops anything."""

import asyncio
from datetime import date

import pytest
from pydantic import SecretStr

from research_pipeline.channels import BUILT_IN, Query
from research_pipeline.errors import CallFailed, CallNotRecorded, LimitReached, ReplyMalformed, RequestRefused, Throttled, TransientFailure
from research_pipeline.retrying import RetryPolicy
from research_pipeline.study import Limits
from resources.channel_client import ChannelClient, Reach
from tests.channel_server import PAPERS, Said, atom, papers_json, service

QUERY = Query("audit logs", until=date(2026, 11, 30))
KEY = "s2k_0123456789abcdef"
HTML = Said("<html><body>Bad gateway</body></html>", content_type="text/html")


def client(desk, served, *, channel="arxiv", key="", apart=0.0):
    reach = Reach(BUILT_IN[channel], served.url, SecretStr(key), apart)
    return ChannelClient(
        {channel: reach}, seconds=5, retry=RetryPolicy(), ledger=desk.ledger, archive=desk.archive, throttle=desk.throttle, clock=desk.clock
    )


async def ask(desk, served, *queries, **changes):
    async with client(desk, served, **changes) as asking:
        channel = changes.get("channel", "arxiv")
        return await asyncio.gather(*(asking.search(channel, query, desk.context()) for query in queries or [QUERY]))


@pytest.fixture
def served():
    with service() as made:
        yield made


async def test_a_query_is_sent_once_in_a_cycle_and_answered_from_the_ledger_and_the_archive(desk, served):
    first, second = await ask(desk, served, QUERY, Query("audit  logs", until=QUERY.until))
    [again] = await ask(desk, served)

    assert first == second == again
    assert [item.title for item in again.results] == [title for _, title, _, _ in PAPERS]
    assert len(served.asked) == 1
    [call] = desk.ledger.calls("cycle-1")
    assert (call.tool, call.state, call.tokens_spent, call.arguments["query"]) == ("search", "settled", 0, "audit logs")
    assert desk.archive.get(call.body_hash) == atom().encode()
    assert desk.ledger.spent("cycle-1").discover_calls == 1


async def test_a_limit_forbids_a_query_before_it_is_sent(desk, served):
    desk.limits = Limits(max_discover_calls=1)
    await ask(desk, served)

    with pytest.raises(LimitReached):
        await ask(desk, served, Query("another", until=QUERY.until))
    assert len(served.asked) == 1


@pytest.mark.parametrize(
    ("said", "failure", "attempts"),
    [
        (Said(atom()[:-40]), ReplyMalformed, 3),
        (Said(""), ReplyMalformed, 3),
        (HTML, ReplyMalformed, 3),
        (Said("{}", content_type="application/json"), ReplyMalformed, 3),
        (Said("busy", 503, headers={"retry-after": "7"}), Throttled, 3),
        (Said("busy", 429, headers={"retry-after": "7"}), Throttled, 3),
        (Said("broken", 500), TransientFailure, 3),
        (Said("who are you", 401), RequestRefused, 1),
        (Said("no", 403), RequestRefused, 1),
        (Said("what", 400), RequestRefused, 1),
        (Said(b" " * 9_000_000), RequestRefused, 1),
        (Said("", 301, headers={"location": "https://evil.example/"}), RequestRefused, 1),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else str(value.status) if isinstance(value, Said) else str(value),
)
async def test_a_channel_that_goes_wrong_is_a_named_failure_that_costs_nothing_and_stops_no_cycle(desk, served, said, failure, attempts):
    served.says = lambda _asked: said

    with pytest.raises(failure) as refused:
        await ask(desk, served)
    assert type(refused.value) is failure
    assert len(served.asked) == attempts
    assert desk.ledger.budget("cycle-1").stop_rule is None
    assert desk.ledger.spent("cycle-1").tokens == 0
    assert "arxiv: audit logs" in desk.ledger.failed_maps("cycle-1")
    assert (7.0 in [round(wait, 1) for wait in desk.clock.waits]) == (failure is Throttled)


async def test_a_channel_that_recovers_is_asked_again_by_itself(desk, served):
    served.says = lambda _asked: Said("busy", 503) if len(served.asked) < 3 else Said()

    [found] = await ask(desk, served)

    assert len(found.results) == 2
    assert not desk.ledger.failed_maps("cycle-1")


async def test_a_channel_that_is_not_there_is_a_named_failure(desk, served):
    served.url = "http://127.0.0.1:9/query"

    with pytest.raises(TransientFailure, match="channel arxiv"):
        await ask(desk, served)


async def test_calls_are_as_far_apart_as_the_operators_ask(desk, served):
    await ask(desk, served, *(Query(f"audit {number}", until=QUERY.until) for number in range(4)), apart=3.0)

    assert len(served.asked) == 4
    assert desk.clock.time - 1_800_000_000 >= 9, "three seconds between one and the next"


async def test_a_key_travels_in_the_header_alone(desk, served, tmp_path):
    served.says = lambda _asked: Said(papers_json().replace("Soil", KEY), content_type="application/json")

    [found] = await ask(desk, served, channel="semantic-scholar", key=KEY)

    assert served.headers[0]["x-api-key"] == KEY
    assert len(found.results) == 2
    assert KEY not in repr(found) + repr(desk.ledger.calls("cycle-1")) + repr(served.asked)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


async def test_what_was_found_is_read_again_without_asking(desk, served):
    asking = client(desk, served)
    with pytest.raises(CallNotRecorded):
        asking.recorded("arxiv", QUERY, desk.context())
    [found] = await ask(desk, served)

    assert asking.recorded("arxiv", QUERY, desk.context()) == found
    served.says = lambda _asked: HTML
    other = Query("other", until=QUERY.until)
    with pytest.raises(CallFailed):
        await ask(desk, served, other)
    with pytest.raises(ReplyMalformed, match="text/html"):
        asking.recorded("arxiv", other, desk.context())


async def test_a_plugin_that_breaks_over_a_reply_is_a_failure_of_its_channel(desk, served):
    class Odd(type(BUILT_IN["arxiv"])):
        def read(self, content, _content_type):
            return [item["title"] for item in content]

    class Mute(Odd):
        def parameters(self, query):
            return {"q": query.words}

    reaches = {channel.__name__: Reach(channel(), served.url, SecretStr(""), 0.0) for channel in (Odd, Mute)}
    asking = ChannelClient(
        reaches, seconds=5, retry=RetryPolicy(), ledger=desk.ledger, archive=desk.archive, throttle=desk.throttle, clock=desk.clock
    )
    async with asking:
        with pytest.raises(ReplyMalformed, match="TypeError"):
            await asking.search("Odd", QUERY, desk.context())
        with pytest.raises(RequestRefused, match="AttributeError"):
            await asking.search("Mute", QUERY, desk.context())

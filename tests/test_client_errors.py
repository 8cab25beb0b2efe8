"""Each way in which the service can refuse or break, as an error of its class, with its attempts, waits, costs and stops."""

import asyncio
import itertools
import json
import logging
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest

from research_pipeline.errors import (
    AccountExhausted,
    CallFailed,
    LimitReached,
    PermissionRefused,
    RequestRefused,
    Throttled,
    TokenRejected,
    TransientFailure,
)

URL = "https://docs.acme.example/logs"
PAGE = {"html": "<p>30 days</p>", "token_usage": 2}
TOKEN = "atk_0123456789abcdef"


def script(*answers):
    """A service that gives these answers one after the other, and the last one for ever."""
    left = list(answers)

    def service(_request):
        answer = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(answer, Exception):
            raise answer
        status, body, *headers = answer
        content = {"json": body} if isinstance(body, dict) else {"content": body}
        return httpx.Response(status, headers=dict(*headers), **content)

    return service


async def failure_of(desk, service, **context):
    async with desk.client(service) as client:
        with pytest.raises(CallFailed) as failed:
            await client.read_page(URL, desk.context(**context))
    return failed.value


@pytest.mark.parametrize(
    ("answer", "error", "attempts", "cost"),
    [
        ((500, {"message": "fault"}), TransientFailure, 3, 15),
        ((500, {"message": "fault", "token_usage": 1}), TransientFailure, 3, 3),
        ((502, b"<html>bad gateway</html>", {"token_usage": "0"}), TransientFailure, 3, 0),
        ((520, {}, {"retry-after": "60"}), TransientFailure, 3, 15),
        ((408, {}), TransientFailure, 3, 0),
        ((200, b'{"html": "cut o', {"content-type": "application/json"}), TransientFailure, 3, 15),
        ((200, b"\x89PNG", {"content-type": "image/png"}), TransientFailure, 3, 15),
        (httpx.ReadTimeout("slow"), TransientFailure, 3, 15),
        (httpx.RemoteProtocolError("peer closed connection without sending complete message body"), TransientFailure, 3, 15),
        (httpx.ConnectError("refused"), TransientFailure, 3, 0),
        ((429, {"message": "Too many requests. Please try again later."}), Throttled, 3, 0),
        ((400, {"message": "Rate limit exceeded, slow down"}), Throttled, 3, 0),
        ((400, {"message": "url is missing"}), RequestRefused, 1, 0),
        ((404, {"message": "Cannot POST /", "errors": "Not Found"}), RequestRefused, 1, 0),
        ((422, {"message": "url is wrong", "token_usage": 1}), RequestRefused, 1, 1),
        ((202, {"data": {"taskId": 1}}), RequestRefused, 1, 0),
        ((302, b"", {"location": "https://elsewhere.example/"}), RequestRefused, 1, 0),
        ((401, {"message": "API token is required", "data": None}), TokenRejected, 1, 0),
        ((402, {"message": "pay"}), AccountExhausted, 1, 0),
        ((403, {"message": "Token limit exceeded"}), AccountExhausted, 1, 0),
        ((403, {"message": "Your plan's monthly usage limit has been reached"}), AccountExhausted, 1, 0),
        ((403, {"message": "insufficient_scope"}), PermissionRefused, 1, 0),
        ((403, {"message": "This token is limited to read access"}), PermissionRefused, 1, 0),
        ((403, {"message": "Rate limit reached, slow down"}), Throttled, 3, 0),
    ],
)
async def test_each_refusal_has_its_class_its_attempts_and_its_cost(desk, answer, error, attempts, cost):
    failed = await failure_of(desk, script(answer))

    assert type(failed) is error
    assert len(desk.ledger.calls("cycle-1")) == attempts
    assert desk.ledger.spent("cycle-1").tokens == cost
    assert desk.ledger.spent("cycle-1").failures_in_a_row == 1


async def test_a_refusal_tells_what_the_site_itself_answered(desk):
    failed = await failure_of(desk, script((500, {"message": "fault"}, {"x-status-code": "503"})))

    assert failed.message == "The service answered 500 (the site itself answered 503): fault"


async def test_a_failure_that_passes_is_survived(desk, clock):
    async with desk.client(script((503, {}), httpx.ReadTimeout("slow"), (200, PAGE))) as client:
        reply = await client.read_page(URL, desk.context())

    assert reply.body == "<p>30 days</p>"
    assert [row.state for row in desk.ledger.calls("cycle-1")] == ["failed", "failed", "settled"]
    assert 1 <= clock.waits[0] <= 2 <= clock.waits[1] <= 4
    assert desk.ledger.spent("cycle-1").steps == 1


@pytest.mark.parametrize(
    ("answer", "seconds"),
    [
        ((429, {}, {"retry-after": "7"}), 7),
        ((429, {}, {"retry-after": format_datetime(datetime.fromtimestamp(1_800_000_000, UTC) + timedelta(seconds=33), usegmt=True)}), 33),
        ((429, {}, {"retry-after": "86400"}), 120),
        ((429, {}, {"retry-after": "-3"}), 0),
        ((429, {"message": "Please try again in 45 seconds"}), 45),
        ((520, {}, {"retry-after": "60"}), 60),
    ],
)
async def test_the_wait_that_the_service_names_is_kept(desk, clock, answer, seconds):
    began = clock.now()
    async with desk.client(script(answer, (200, PAGE))) as client:
        await client.read_page(URL, desk.context())

    assert clock.now() - began == pytest.approx(seconds, abs=0.01)


@pytest.mark.parametrize("header", [{}, {"retry-after": "soon"}])
async def test_without_a_named_wait_throttling_backs_off_for_longer(desk, clock, header):
    began = clock.now()
    async with desk.client(script((429, {}, header), (200, PAGE))) as client:
        await client.read_page(URL, desk.context())

    assert 5 <= clock.now() - began <= 10


async def test_one_429_slows_every_call_to_the_host(desk, clock):
    began = clock.now()
    async with desk.client(script((429, {}, {"retry-after": "30"}), (200, PAGE)), max_concurrency=1) as client:
        await asyncio.gather(*(client.read_page(f"{URL}/{n}", desk.context()) for n in range(4)))
    sent = sorted(row.sent_at.timestamp() - began for row in desk.ledger.calls("cycle-1"))

    assert sent[0] == 0
    assert sent[1] == pytest.approx(30, abs=0.01)
    assert all(later > earlier for earlier, later in itertools.pairwise(sent))


async def test_a_403_without_a_reason_is_explained_by_the_account(desk):
    def service(request):
        used_up = httpx.Response(200, json={"data": {"tokenLimit": 1000, "tokenUsage": "1004"}})
        return used_up if request.method == "GET" else httpx.Response(403, json={"message": "Forbidden"})

    failed = await failure_of(desk, service)

    assert isinstance(failed, AccountExhausted)
    assert desk.ledger.budget("cycle-1").stop_rule == "account_exhausted"
    assert desk.ledger.budget("cycle-1").account_tokens == 0


@pytest.mark.parametrize(("status", "rule"), [(401, "token_rejected"), (402, "account_exhausted"), (403, "permission_refused")])
async def test_after_a_refusal_for_good_nothing_more_is_sent(desk, status, rule):
    asked = []

    def service(request):
        asked.append(request.method)
        return httpx.Response(status, json={"message": "no"})

    async with desk.client(service) as client:
        with pytest.raises(CallFailed):
            await client.read_page(URL, desk.context())
        with pytest.raises(LimitReached) as refused:
            await client.read_page(URL + "/other", desk.context())

    assert refused.value.rule == rule
    assert asked.count("POST") == 1


async def test_when_the_budget_ends_between_two_attempts_the_limit_is_the_reason(desk):
    desk.limits = desk.limits.model_copy(update={"max_tokens": 8})
    async with desk.client(script((500, {}))) as client:
        with pytest.raises(LimitReached) as refused:
            await client.read_page(URL, desk.context())

    assert refused.value.rule == "token_limit"
    assert [(row.state, row.final) for row in desk.ledger.calls("cycle-1")] == [("failed", False)]


async def test_a_hollow_reply_is_paid_and_settled(desk):
    async with desk.client(script((200, {"success": False, "error": "blocked", "html": "", "token_usage": 4}))) as client:
        reply = await client.read_page(URL, desk.context())

    assert (reply.hollow_reason, reply.tokens) == ("blocked", 4)
    assert desk.ledger.calls("cycle-1")[0].error == "blocked"
    assert desk.ledger.spent("cycle-1").failures_in_a_row == 0


async def test_the_token_travels_in_its_header_and_stands_nowhere_else(desk, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    requests, said = [], []

    def service(request):
        requests.append(request)
        if request.url.path != "/":
            return httpx.Response(200, json={"data": {"tokenLimit": 9, "user": {"latestApiToken": TOKEN}}})
        if b"echo" in request.content:
            return httpx.Response(200, json={"html": f"<p>curl -H 'x-api-token: {TOKEN}'</p>", "error": TOKEN, "token_usage": 1})
        return httpx.Response(422, json={"message": f"no such token={TOKEN} or Authorization: Bearer {TOKEN[:-1]}"})

    async with desk.client(service) as client:
        await client.open_cycle(desk.context())
        try:
            await client.read_page(URL, desk.context())
        except RequestRefused as failed:
            said += [str(failed), repr(failed), "".join(traceback.format_exception(failed))]
        reply = await client.read_page("https://docs.acme.example/echo", desk.context())
    said += [caplog.text, repr(reply), repr(client), *(repr(row) for row in desk.ledger.calls("cycle-1"))]

    assert [request.headers["x-api-token"] for request in requests] == [TOKEN] * 3
    assert all(TOKEN not in f"{request.url}{request.content}{request.headers.get('authorization')}" for request in requests)
    assert [text for text in said if TOKEN[:-1] in text] == []
    stored = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path for path in stored if TOKEN[:-1].encode() in path.read_bytes()] == []
    assert TOKEN not in desk.archive.get(reply.body_hash).decode()
    assert json.loads(requests[1].content)["url"] == URL

"""Models over real HTTP: typed answers, corrections, every way of failing, each request in the ledger, and no key anywhere else."""

import asyncio
import logging

import pytest
from pydantic import BaseModel

from research_pipeline.errors import (
    AccountExhausted,
    AnswerUnusable,
    ConfigurationError,
    LimitReached,
    RequestRefused,
    Throttled,
    TokenRejected,
    TransientFailure,
)
from research_pipeline.prompts import Prompt
from research_pipeline.study import Limits, ModelPrice
from resources.calls import CallState
from resources.models.resource import ModelResource
from tests.model_server import KEY, PRICE, CutOff, Hangs, Raw, Refuses, Status, provider

PROMPT = Prompt("colours", 3, "Name colours.", "")
WIRES = {"openai": "openai-chat:a-model", "anthropic": "anthropic:a-model"}


class Colour(BaseModel):
    name: str
    number: int


GREEN = {"name": "green", "number": 7}


def client_of(desk, server, wire="openai", *, price=PRICE, **fields):
    """A client of the scripted provider, which never makes a test wait."""
    resource = ModelResource(api_key=KEY, base_url=server.url if wire == "openai" else server.host, call_seconds=20, **fields)
    stated = None if price is None else ModelPrice(**price)
    return resource.client(
        WIRES.get(wire, wire), price=stated, ledger=desk.ledger, archive=desk.archive, throttle=desk.throttle, clock=desk.clock
    )


async def ask(desk, server, wire="openai", *, task="Which colour?", context=None, **fields):
    async with client_of(desk, server, wire, **fields) as client:
        return await client.ask(PROMPT, task, Colour, context or desk.context())


@pytest.mark.parametrize("wire", WIRES)
async def test_an_answer_comes_in_the_form_that_was_askedfor_and_is_paid_once(desk, wire):
    with provider(lambda _: GREEN) as server:
        first = await ask(desk, server, wire)
        again = await ask(desk, server, wire)

    assert (first.output, again.output) == (Colour(**GREEN), Colour(**GREEN))
    assert len(server.asked) == 1
    assert (first.requests, first.paid_usd, again.paid_usd) == (1, pytest.approx(server.usd), 0)
    [call] = desk.ledger.calls("cycle-1")
    assert (call.tool, call.state, call.arguments["model"], call.arguments["prompt"]) == ("model", "settled", WIRES[wire], "colours 3")
    assert call.usd_spent == pytest.approx(server.usd, abs=1e-6)
    assert server.usd < call.usd_reserved


@pytest.mark.parametrize("wire", WIRES)
async def test_an_answer_of_a_wrong_form_is_sent_back_and_each_reply_is_a_call_of_its_own(desk, wire):
    def script(asked):
        return [{"name": "green"}, {"name": "green", "number": "many"}, GREEN][asked.corrections]

    with provider(script) as server:
        first = await ask(desk, server, wire)
        again = await ask(desk, server, wire)

    assert first.output == again.output == Colour(**GREEN)
    assert (first.requests, len(server.asked), again.paid_usd) == (3, 3, 0)
    assert desk.ledger.spent("cycle-1").model_cost_usd == pytest.approx(server.usd, abs=3e-6)
    assert [call.state for call in desk.ledger.calls("cycle-1")] == [CallState.SETTLED] * 3


async def test_text_that_is_no_json_is_sent_back(desk):
    with provider(lambda asked: GREEN if asked.corrections else '{"name": "green", ') as server:
        answer = await ask(desk, server)

    assert (answer.output, answer.requests) == (Colour(**GREEN), 2)


async def test_a_server_without_tools_answers_in_its_text(desk):
    with provider(lambda _: GREEN) as server:
        answer = await ask(desk, server, answer_form="text")

    assert answer.output == Colour(**GREEN)
    assert "tools" not in server.asked[0].body


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("said", [Refuses(), CutOff(), {"name": "green"}], ids=["refusal", "over-long", "never right"])
async def test_a_model_that_never_gives_the_form_is_named_and_asking_again_is_answered_from_the_ledger(desk, wire, said):
    with provider(lambda _: said) as server:
        with pytest.raises(AnswerUnusable, match=r"a-model gave no answer to the prompt colours 3: ") as first:
            await ask(desk, server, wire)
        asked = len(server.asked)
        with pytest.raises(AnswerUnusable) as again:
            await ask(desk, server, wire)

    assert len(server.asked) == asked <= 3
    assert str(first.value) == str(again.value)
    assert desk.ledger.spent("cycle-1").model_cost_usd == pytest.approx(server.usd, abs=3e-6)


FAILURES = [
    (Status(429, headers={"retry-after": "7"}), Throttled, 3, 0),
    (Status(429, code="insufficient_quota", message="You exceeded your current quota"), AccountExhausted, 1, 0),
    (Status(401, message=f"Incorrect API key provided: {KEY}"), TokenRejected, 1, 0),
    (Status(404, message="no such model"), RequestRefused, 1, 0),
    (Status(400, message="maximum context length is 8192 tokens"), RequestRefused, 1, 0),
    (Status(500), TransientFailure, 3, 3),
    (Status(529, message="overloaded"), TransientFailure, 3, 3),
    (Raw(), TransientFailure, 3, 3),
    (Raw(b""), TransientFailure, 3, 3),
]


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(("said", "error", "sent", "charged"), FAILURES, ids=[f"{case[0]}"[:40] for case in FAILURES])
async def test_what_a_provider_does_wrong_has_a_class_and_a_price(desk, wire, said, error, sent, charged):
    with provider(lambda _: said) as server, pytest.raises(error) as raised:
        await ask(desk, server, wire)

    calls = desk.ledger.calls("cycle-1")
    assert [len(server.asked), len(calls)] == [sent, sent]
    assert sum(call.usd_spent > 0 for call in calls) == charged
    assert all(call.usd_spent in (0, call.usd_reserved) for call in calls)
    assert KEY not in str(raised.value) + repr(calls)


async def test_a_wait_that_the_provider_asks_for_is_kept(desk):
    with provider(lambda _: GREEN if len(server.asked) > 1 else Status(429, headers={"retry-after": "7"})) as server:
        answer = await ask(desk, server)

    assert answer.output == Colour(**GREEN)
    assert sum(desk.clock.waits) == pytest.approx(7)


async def test_a_request_that_takes_too_long_has_failed_and_is_charged_in_full(desk):
    with provider(lambda _: Hangs()) as server:
        resource = ModelResource(api_key=KEY, base_url=server.url, call_seconds=0.3, attempts=1)
        made = resource.client(
            WIRES["openai"],
            price=ModelPrice(**PRICE),
            ledger=desk.ledger,
            archive=desk.archive,
            throttle=desk.throttle,
            clock=desk.clock,
        )
        async with made as client:
            with pytest.raises(TransientFailure, match="in time"):
                await client.ask(PROMPT, "Which colour?", Colour, desk.context())

    [call] = desk.ledger.calls("cycle-1")
    assert (call.state, call.cost_known, call.usd_spent) == (CallState.FAILED, False, call.usd_reserved)


async def test_eight_callers_at_once_never_spend_more_than_the_budget_by_the_providers_own_count(desk):
    desk.limits = Limits(max_model_cost_usd=0.05, max_steps=500)
    with provider(lambda _: GREEN) as server:
        async with client_of(desk, server, max_concurrency=8, max_output_tokens=200) as client:

            async def caller(number):
                for turn in range(100):
                    await client.ask(PROMPT, f"Which colour? {number}.{turn} " + "word " * 500, Colour, desk.context())

            ends = await asyncio.gather(*(caller(number) for number in range(8)), return_exceptions=True)

    assert {(type(end), end.rule) for end in ends} == {(LimitReached, "model_cost_limit")}
    assert server.most_at_once > 1
    assert 0.8 * 0.05 < server.usd <= 0.05
    assert desk.ledger.spent("cycle-1").model_cost_usd <= 0.05


async def test_the_key_goes_into_a_header_and_nowhere_else(desk, caplog, tmp_path):
    with caplog.at_level(logging.DEBUG), provider(lambda _: {"name": KEY, "number": 1}) as server:
        await ask(desk, server)

    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in str(server.asked[0].body)
    assert KEY not in caplog.text
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


def test_a_model_without_a_known_price_is_refused_before_anything_is_sent(desk):
    with provider(lambda _: GREEN) as server, pytest.raises(ConfigurationError, match=r"Nobody knows what .* costs.*model_price"):
        client_of(desk, server, price=None)

    assert server.asked == []


def test_a_list_price_needs_no_word_in_the_study(desk):
    with provider(lambda _: GREEN) as server:
        client = client_of(desk, server, "openai-chat:gpt-5-mini", price=None)

    assert (client.setup.price.input, client.setup.price.output) == (pytest.approx(0.25), pytest.approx(2.0))


@pytest.mark.parametrize("name", ["nobody:a-model", "unnamed", "google:gemini-2.5-pro"])
async def test_a_model_that_cannot_be_askedis_refused_in_words(desk, name):
    with provider(lambda _: GREEN) as server, pytest.raises(ConfigurationError, match=name.partition(":")[0]):
        async with client_of(desk, server, name):
            pass


def test_a_key_is_not_sent_in_the_clear(desk):
    resource = ModelResource(api_key=KEY, base_url="http://models.example/v1")

    with pytest.raises(ConfigurationError, match="https only"):
        resource.client("openai-chat:m", price=ModelPrice(**PRICE), ledger=desk.ledger, archive=desk.archive, throttle=desk.throttle)

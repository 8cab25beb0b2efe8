"""Asking a model for an answer of a given form: every request in the ledger, every failure as one of the product's errors.

This module needs the extra `models`; `resources.models.resource` imports it when a model is configured.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, Literal, Self, TypeVar

import httpx2
from pydantic import SecretStr
from pydantic_ai import Agent, PromptedOutput, ToolOutput
from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.settings import ModelSettings

from research_pipeline.errors import AnswerUnusable
from research_pipeline.ids import content_id
from research_pipeline.pricing import Price
from research_pipeline.prompts import Prompt
from research_pipeline.retrying import RetryPolicy
from resources.calls import CallContext
from resources.client import BodyArchive
from resources.clock import Clock
from resources.failures import Redactor
from resources.ledger import Ledger
from resources.models.ledgered import Desk, LedgeredModel
from resources.models.providers import CONNECT_SECONDS, open_model
from resources.paying import Payee, Payer
from resources.protocol import one_line
from resources.throttle import Throttle

T = TypeVar("T")

AnswerForm = Literal["tool", "text"]


@dataclass(frozen=True, slots=True)
class ModelSetup:
    """How a model is reached and what it may take.

    Args:
        name: `provider:model`. base_url: empty: the provider's own. key: empty: the provider's own environment variable.
        price: of its tokens.
        seconds: wall clock of one request. output_tokens: most of one reply.
        corrections: how often a reply of another form is sent back with what is wrong with it.
        form: `tool`: the answer is the call of a tool, which providers hold to its schema; `text`: JSON in the text, for servers
            without tools.
    """

    name: str
    base_url: str
    key: SecretStr
    price: Price
    seconds: float
    output_tokens: int
    corrections: int
    form: AnswerForm
    max_concurrency: int
    retry: RetryPolicy


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What a model said, in the form that was asked for; unchecked. `requests` counts replies, corrections included; `paid_usd` is what
    was paid this time, without what the ledger had."""

    output: T
    requests: int
    cost_usd: float
    paid_usd: float


class ModelClient:
    """Use it as `async with`; it may be entered again, in another event loop too."""

    def __init__(self, setup: ModelSetup, *, ledger: Ledger, archive: BodyArchive, throttle: Throttle, clock: Clock) -> None:
        self.setup = setup
        self._ledger = ledger
        self._archive = archive
        self._throttle = throttle
        self._clock = clock
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        setup = self.setup
        # A redirect would carry the key to another host; each request has a deadline of its own.
        client = httpx2.AsyncClient(follow_redirects=False, timeout=httpx2.Timeout(setup.seconds, connect=CONNECT_SECONDS))
        http = await self._open.enter_async_context(client)
        self._model = open_model(setup.name, http=http, base_url=setup.base_url, key=setup.key)
        payee = Payee(
            setup.base_url or setup.name.partition(":")[0],
            content_id("account", setup.key.get_secret_value()),
            max_concurrency=setup.max_concurrency,
        )
        payer = Payer(payee, ledger=self._ledger, throttle=self._throttle, retry=setup.retry, clock=self._clock)
        redactor = Redactor(setup.key)
        self._desk = Desk(setup.name, setup.price, payer, self._archive, self._clock, redactor, setup.seconds)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._open.aclose()

    async def ask(self, prompt: Prompt, task: str, form: type[T], context: CallContext) -> Answer[T]:
        """The answer to a task, as `form`.

        Raises:
            LimitReached: a stop rule forbids the call; nothing was sent.
            CallFailed: nothing usable came, after as many attempts as are worth it. A `ServiceStop` ends the cycle.
            AnswerUnusable: replies came, and were refusals, cut off or of another form to the last.
        """
        model = LedgeredModel(self._model, self._desk, prompt=prompt.label, context=context)
        output = ToolOutput(form, name="answer") if self.setup.form == "tool" else PromptedOutput(form)
        agent = Agent(model, output_type=output, instructions=prompt.instructions, retries=self.setup.corrections)
        settings = ModelSettings(max_tokens=self.setup.output_tokens, timeout=self.setup.seconds, max_retries=0)
        try:
            run = await agent.run(task, model_settings=settings)
        except UnexpectedModelBehavior as error:
            said = self._desk.redactor.message(one_line(error.message))
            raise AnswerUnusable(f"{self.setup.name} gave no answer to the prompt {prompt.label}: {said}") from None
        known = model.settled
        paid = sum(settled.cost_usd for settled in known if not settled.from_ledger)
        return Answer(run.output, len(known), sum(settled.cost_usd for settled in known), paid)

"""A model of pydantic-ai whose every request is a paid call of the ledger. This module needs the extra `models`.

A request is known by what decides its reply: model, prompt, messages, form of the answer, limit. Times and ids that the library adds are
left out, so that a run that was killed asks the same again and is answered from the ledger; validation retries come out the same, too.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from research_pipeline.ids import content_id
from research_pipeline.limits import Tool
from research_pipeline.pricing import Price
from resources.calls import Call, CallContext, Outcome, Settled
from resources.client import BodyArchive
from resources.clock import Clock
from resources.failures import Redactor
from resources.models.failures import RAISED, failure_of
from resources.paying import Payer

_OF_THE_LIBRARY = frozenset({"timestamp", "run_id", "conversation_id", "metadata", "state", "id"})


@dataclass(frozen=True, slots=True)
class Desk:
    """What pays for requests: `seconds` is the time a reply may take, `name` the model's in full."""

    name: str
    price: Price
    payer: Payer
    archive: BodyArchive
    clock: Clock
    redactor: Redactor
    seconds: float


class LedgeredModel(WrapperModel):
    """One question's model: made for it, since the ledger wants to know on whose behalf a call is made and with which prompt."""

    def __init__(self, wrapped: Model, desk: Desk, *, prompt: str, context: CallContext) -> None:
        super().__init__(wrapped)
        self._desk = desk
        self._prompt = prompt
        self._context = context
        self.settled: list[Settled] = []

    async def request(
        self, messages: list[ModelMessage], model_settings: ModelSettings | None, model_request_parameters: ModelRequestParameters
    ) -> ModelResponse:
        """The reply to a request, from the ledger or from the provider.

        Raises:
            LimitReached, CallFailed, CallNotRecorded: see `resources.paying`.
        """
        most = (model_settings or {}).get("max_tokens", 0)
        request = _canonical(messages, model_request_parameters, most)
        call = Call(
            Tool.MODEL,
            "",
            {"model": self._desk.name, "prompt": self._prompt, "request": content_id("rq", request), "max_tokens": most},
            cost_usd=self._desk.price.at_most(len(request.encode()), most),
        )

        async def exchange() -> Outcome:
            return await self._exchange(messages, model_settings, model_request_parameters)

        settled = await self._desk.payer.settled(call, self._context, exchange)
        self.settled.append(settled)
        [reply] = ModelMessagesTypeAdapter.validate_json(self._desk.archive.get(settled.body_hash))
        return cast("ModelResponse", reply)

    async def _exchange(self, messages: list[ModelMessage], settings: ModelSettings | None, wanted: ModelRequestParameters) -> Outcome:
        try:
            async with asyncio.timeout(self._desk.seconds):
                reply = await self.wrapped.request(messages, settings, wanted)
        except RAISED as error:
            now = datetime.fromtimestamp(self._desk.clock.now(), UTC)
            raise failure_of(error, now=now, redactor=self._desk.redactor) from None
        used = reply.usage
        counted = used.input_tokens or used.output_tokens
        body_hash = self._desk.archive.put(self._desk.redactor.content(ModelMessagesTypeAdapter.dump_json([reply])))
        facts = {"input_tokens": used.input_tokens, "output_tokens": used.output_tokens, "finish": reply.finish_reason or ""}
        return Outcome(facts, body_hash, cost_usd=self._desk.price.cost(used.input_tokens, used.output_tokens) if counted else None)


def _canonical(messages: list[ModelMessage], wanted: ModelRequestParameters, most: int) -> str:
    forms = [{"name": tool.name, "description": tool.description, "schema": tool.parameters_json_schema} for tool in wanted.output_tools]
    dumped: list[Mapping[str, Any]] = ModelMessagesTypeAdapter.dump_python(messages, mode="json")
    request = {"messages": [_bare(message) for message in dumped], "answer": forms, "form": wanted.output_mode, "most": most}
    return json.dumps(request, ensure_ascii=False, sort_keys=True)


def _bare(message: Mapping[str, Any]) -> dict[str, Any]:
    parts = [{name: value for name, value in part.items() if name not in _OF_THE_LIBRARY} for part in message["parts"]]
    if message["kind"] == "response":
        return {"kind": "response", "parts": parts}
    return {**{name: value for name, value in message.items() if name not in _OF_THE_LIBRARY}, "parts": parts}

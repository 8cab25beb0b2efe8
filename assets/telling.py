"""What a grouped run did, told to Dagster: the materialisation of each partition, with its checks."""

# dagster types its metadata with a PathLike that has no parameter
# pyright: reportUnknownMemberType=false
from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import islice

import dagster as dg

from assets.bench import Outcome
from assets.checks import check_evaluations
from assets.describing import key_of
from assets.partitioned import StageSpec
from resources.event_log import stored_together

_STORED_TOGETHER = 25  # sub-questions: a fraction of a second, in which other processes wait with their events


class Teller:
    """Tells in the order in which it was told, beside the event loop of the round, so that no call waits for it."""

    def __init__(self, context: dg.OpExecutionContext, study: str) -> None:
        self._context = context
        self._study = study
        self._waiting: asyncio.Queue[tuple[StageSpec, Mapping[str, Outcome]] | None] = asyncio.Queue()

    def tell(self, spec: StageSpec, outcomes: Mapping[str, Outcome]) -> None:
        """What a stage came to; Dagster has it at the latest when `work` ends."""
        self._waiting.put_nowait((spec, outcomes))

    def end(self) -> None:
        """Nothing more is to be told: `work` ends when it has told all."""
        self._waiting.put_nowait(None)

    async def work(self) -> None:
        """Tell until the end."""
        while (told := await self._waiting.get()) is not None:
            spec, outcomes = told
            todo = iter(outcomes.items())
            while some := dict(islice(todo, _STORED_TOGETHER)):
                await asyncio.to_thread(self._store, spec, some)

    def _store(self, spec: StageSpec, some: Mapping[str, Outcome]) -> None:
        with stored_together(self._context.instance):
            for key, outcome in some.items():
                self._log(spec, key, outcome)

    def _log(self, spec: StageSpec, key: str, outcome: Outcome) -> None:
        asset = key_of(self._study, spec.name)
        self._context.log_event(dg.AssetMaterialization(asset, partition=key, metadata=outcome.metadata))
        for evaluation in check_evaluations(asset, outcome.checks, partition=key):
            self._context.log_event(evaluation)  # pyright: ignore[reportArgumentType]  # it takes checks, though its signature does not say so

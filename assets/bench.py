"""What every stage works with: the plan in force, the stores, and how each sub-question stands.

A stage is an async function from a bench and some sub-questions to one `Outcome` each. The partitioned assets call it for one
sub-question, a grouped run for many; both read the stage before from storage and write whole snapshots.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

from assets.previews import Shown
from research_pipeline.auditing import Check
from research_pipeline.errors import ConfigurationError
from research_pipeline.loop import Progress, State
from research_pipeline.loop_state import LoopEvent, opened
from research_pipeline.planning import SourcePlan
from research_pipeline.reading import read_html, read_markdown
from research_pipeline.records import Page, PageText
from research_pipeline.rubrics import demand_of
from resources.calls import CallContext
from resources.channel_client import ChannelClient
from resources.client import ScraperClient
from resources.operations import LoopStep
from resources.stores import Stores
from resources.warehouse import Snapshot

if TYPE_CHECKING:
    from resources.models.client import ModelClient

log = logging.getLogger("research")

# Depth and pages of a source's maps. A first one is shallow, since most sites have a sitemap; the next, asked for when candidates have
# run out, looks further.
MAPS = ((2, 3), (4, 20))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a stage did for one sub-question, as a person sees it."""

    metadata: Mapping[str, Shown]
    checks: Sequence[Check] = ()


@dataclass(frozen=True)
class Bench:
    """One piece of work on a cycle.

    Args:
        run_id: the Dagster run that does it.
        today: the cycle's run date, injected once and the same in every round.
        progress: how each sub-question of this work stands; its round has begun.
        rounds_granted: rounds beyond the plan's limit that a person allowed.
    """

    stores: Stores
    client: ScraperClient
    connected_model: ModelClient | None
    plan: SourcePlan
    cycle: str
    run_id: str
    today: date
    progress: Mapping[str, Progress]
    rounds_granted: int = 0
    connected_channels: ChannelClient | None = None

    @property
    def extracts_for_free(self) -> bool:
        """Whether asking a page costs nothing, so that pages may be asked on the chance that they say something."""
        return self.plan.extractor == "rules"

    @property
    def channels(self) -> ChannelClient:
        """The plan's channels.

        Raises:
            ConfigurationError: it names none.
        """
        if self.connected_channels is None:
            raise ConfigurationError("The plan names no channel.", remedy="Write `channel:` and `query:` in a source of the study.")
        return self.connected_channels

    @property
    def model(self) -> ModelClient:
        """The plan's model.

        Raises:
            ConfigurationError: it names none.
        """
        if self.connected_model is None:
            raise ConfigurationError("The plan names no model.", remedy="Write `model: provider:name` in the study.")
        return self.connected_model

    def call_context(self, key: str) -> CallContext:
        """On whose behalf a call is made."""
        return CallContext(
            study=self.plan.study,
            cycle=self.cycle,
            sub_question_id=key,
            limits=self.plan.limits,
            round=self.progress[key].round,
            run_id=self.run_id,
            retry_failed=True,
        )

    def snapshot(self, table: str, key: str, rows: Sequence[Mapping[str, object]]) -> Snapshot:
        """All rows of a table for one sub-question, as this work found them."""
        return Snapshot(table, self.plan.study, self.cycle, key, self.progress[key].round, self.run_id, rows)

    def record(
        self,
        state: State,
        ends: Mapping[str, tuple[State, str]],
        *,
        progress: Mapping[str, Progress] | None = None,
        events: Sequence[LoopEvent] = (),
    ) -> None:
        """Record the transitions of a stage, with what the cycle has spent by then: sub-question → next state and rule, if one decided.

        `events` are what the loop remembers of the stage.
        """
        spent = self.stores.ledger.spent(self.cycle)
        facts = {"tokens": spent.tokens, "pages": spent.pages, "discover_calls": spent.discover_calls, "steps": spent.steps}
        steps = [
            LoopStep(self.plan.study, self.cycle, key, self.progress[key].round, state, next_state, rule, facts, self.run_id)
            for key, (next_state, rule) in ends.items()
        ]
        told = [replace(event, data={**event.data, "spent": facts}) for event in events]
        if told and not self.stores.loop.state(self.cycle).questions:
            told.insert(0, opening_event(self.plan))
        self.stores.operations.record_steps(steps, progress=progress, events=told)

    def text_of(self, page: Page) -> PageText:
        """A page as it was archived, read."""
        return read_archived(self.stores, page, today=self.today)


def opening_event(plan: SourcePlan) -> LoopEvent:
    """The first event of the loop of a cycle that follows a plan."""
    return opened(plan.question, plan.sub_questions, [demand_of(rubric) for rubric in plan.rubrics])


Stage = Callable[[Bench, Sequence[str]], Awaitable[Mapping[str, Outcome]]]


@dataclass(frozen=True, slots=True)
class Ready:
    """Sub-questions of which a stage has what it waits for, and the rest of the stage, for them or any of them."""

    keys: Sequence[str]
    stage: Stage


Arriving = Callable[[Bench, Sequence[str]], AsyncGenerator[Ready]]


def read_archived(stores: Stores, page: Page, *, today: date) -> PageText:
    """A page as it was archived, read."""
    return read_body(stores, page.body_hash, url=page.final_url, content_type=page.content_type, today=today)


@lru_cache(maxsize=256)  # about 100 MB of ordinary pages: a vendor's site is read once per process, not once per stage and sub-question
def read_body(stores: Stores, body_hash: str, *, url: str, content_type: str, today: date) -> PageText:
    """An archived body as blocks; Markdown is parsed to the same blocks as HTML. No body at all is an empty page."""
    body = stores.archive.get(body_hash).decode() if body_hash else ""
    if content_type.startswith("text/markdown"):
        return read_markdown(body, url=url, today=today)
    return read_html(body, url=url, today=today)

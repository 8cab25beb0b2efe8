"""What the operations of a loop share: the cycle that is meant, where each question stands, and work that is begun and waited for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from assets.bench import read_archived
from assets.opening import Footing, current_cycle, cycle_lease
from assets.weighing import wanted_next
from research_pipeline.driving import Driver
from research_pipeline.errors import UnknownName
from research_pipeline.ids import canonical_url
from research_pipeline.limits import StopRule
from research_pipeline.loop import Action, Progress, State, goes_on
from research_pipeline.loop_replies import Refusal, budget_left, reply_of
from research_pipeline.loop_state import EventKind, LoopEvent, LoopState, NextStep
from research_pipeline.loop_work import Works
from research_pipeline.records import Page, PageStatus
from research_pipeline.service import Research
from research_pipeline.study import STUDY_NAME
from resources.studies import StudyFile

PATIENCE_SECONDS = 1.5  # what a call waits for work that it has begun; an agent's client gives up long after
TEXT_CHUNK = 6_000  # characters of a page in one reply

HOLDER = "a loop, step by step"
_KEPT_WORKING, _KEPT_AFTER = 900.0, 180.0  # seconds that a cycle stays with a loop: while it works, and after its last work

Reply = dict[str, Any]


class LoopDesk:
    """A home's loops, and who works on them.

    Args:
        actor: who drives, as the events are to say.
        patience: seconds that a call waits for work it has begun; None: until the work ends.
    """

    def __init__(self, research: Research, *, actor: str, patience: float | None = PATIENCE_SECONDS) -> None:
        self._research = research
        self._stores = research.stores
        self._works = Works(research.stores)
        self._actor = actor
        self._patience = patience

    def close(self) -> None:
        """End after the work under way."""
        self._works.close()

    def _file(self, study: str) -> StudyFile:
        """A study by its name alone: a path from outside could name any file."""
        if not STUDY_NAME.fullmatch(study):
            raise UnknownName(f"{study!r} is no name of a study.", remedy="`research studies` lists them; a path is not taken here.")
        return self._research.study(study)

    def _asking(self, question: str) -> StudyFile:
        wanted = " ".join(question.casefold().split()).rstrip("?")
        found = [item for item in self._research.studies() if isinstance(item, StudyFile)]
        for file in found:
            if wanted and wanted == " ".join(file.study.question.casefold().split()).rstrip("?"):
                return file
        known = "; ".join(f"{file.name}: {file.study.question}" for file in found) or "none"
        remedy = f"There are: {known}. A person writes a new one, since sources need an approval."
        raise UnknownName("No study asks this question." if wanted else "Name a study or a question.", remedy=remedy)

    def _standing(self, study: str) -> tuple[Footing, LoopState]:
        name = self._file(study).name
        footing = current_cycle(self._stores, name)
        # Nothing is paid for without an approval: whatever spends asks for it again.
        approval = self._stores.operations.approval_of(name, footing.plan.plan_id)
        return replace(footing, rounds_granted=approval.rounds_granted if approval else 0), self._works.sweep(footing.cycle.cycle)

    def _open(self, footing: Footing) -> list[str]:
        if footing.cycle.finished:
            return []
        progress = self._stores.operations.progress_of(footing.cycle.cycle)
        limits, granted = footing.plan.limits, footing.rounds_granted
        return [key for key in footing.plan.questions if goes_on(progress.get(key, Progress()), limits, granted=granted)]

    def _phase(self, footing: Footing, key: str) -> State:
        """Which stage of its round a question waits for."""
        steps = [step for step in self._stores.operations.steps(footing.cycle.cycle) if step.sub_question_id == key]
        waits = steps[-1].next_state if steps else State.DISCOVER
        return waits if waits in (State.READ, State.EXTRACT, State.EVALUATE) else State.DISCOVER

    def _chosen(self, footing: Footing, wanted: Sequence[str]) -> list[str] | Refusal:
        still_open = self._open(footing)
        if unknown := [key for key in wanted if key not in footing.plan.questions]:
            return Refusal(f"Not asked in this loop: {', '.join(unknown)}.", "`loop_status` lists the questions.")
        if stop := self._stop(footing):
            return Refusal(f"The cycle has stopped: {StopRule(stop).explanation}", "`loop_report` writes what is known.")
        if closed := [key for key in wanted if key not in still_open]:
            rules = self._stores.operations.progress_of(footing.cycle.cycle)
            reasons = "; ".join(f"{key} by the rule {rules[key].rule if key in rules else 'ended'}" for key in closed)
            return Refusal(f"Closed: {reasons}.", "`loop_next` says what is left.")
        chosen = list(wanted) or still_open
        return chosen or Refusal("Every question is closed.", "`loop_next` says by which rule; `loop_report` writes the report.")

    def _stop(self, footing: Footing) -> str:
        budget = self._stores.ledger.open_cycle(footing.cycle.cycle, footing.plan.study, limits=footing.plan.limits)
        ended = [item.rule for item in self._stores.operations.progress_of(footing.cycle.cycle).values() if item.action == Action.ABORT]
        return budget.stop_rule or next(iter(ended), "") or footing.cycle.stop_reason

    def _page(self, footing: Footing, url: str, *, key: str | None = None) -> Page | None:
        canonical = canonical_url(url)
        pages = self._stores.warehouse.read_pages(footing.plan.study, footing.cycle.cycle, None if key is None else [key])
        found = [page for read in pages.values() for page in read if canonical in (page.canonical_url, canonical_url(page.url))]
        return next((page for page in found if page.call_key), None)

    def _text(self, footing: Footing, page: Page, offset: int) -> Reply:
        facts = {"url": page.final_url, "status": page.status.value, "reason": page.reason}
        if page.status is not PageStatus.USABLE:
            return {"page": facts}
        text = read_archived(self._stores, page, today=footing.cycle.started_at.date())
        chunk = text.text[offset : offset + TEXT_CHUNK]
        after = offset + len(chunk)
        more = after if after < len(text.text) else None
        return {"page": {**facts, "title_from_page": text.title, "text_from_page": chunk}, "next_offset": more, "total": len(text.text)}

    def _decided(self, footing: Footing, state: LoopState) -> Reply:
        step = self._next_step(footing, state)
        if step != state.decision:
            event = LoopEvent(EventKind.DECIDED, {"decision": step.model_dump(mode="json")})
            state = self._stores.loop.append(footing.cycle.cycle, [event], actor=self._actor)
        return self._reply(footing, state, did=StopRule(step.rule).explanation)

    def _next_step(self, footing: Footing, state: LoopState) -> NextStep:
        study, cycle = footing.plan.study, footing.cycle.cycle
        progress = self._stores.operations.progress_of(cycle)
        standing = {key: progress.get(key, Progress()) for key in footing.plan.questions}
        candidates = self._stores.warehouse.read_discovered(study, cycle)
        return wanted_next(
            footing.plan, standing, candidates, visited=state.visited, stop=self._stop(footing) or None, granted=footing.rounds_granted
        )

    def _start(
        self, footing: Footing, what: str, do: Callable[[Driver], Reply | None], *, then: Callable[[], Reply] | None = None
    ) -> Reply:
        """Begin a piece of work on a loop and wait a little for it; `then` is the reply to one that has ended well meanwhile."""
        study = footing.plan.study
        if footing.cycle.finished:
            return self._refuse(footing, "This cycle has ended.", remedy="`loop_init` begins another.")
        file = self._file(study)

        def work() -> Reply:
            # Kept by a name that any process has, and for a while after: a server that is started anew goes on, and between two calls of
            # an agent nobody else takes the cycle over.
            self._stores.leases.keep(cycle_lease(study), holder=HOLDER, seconds=_KEPT_WORKING)
            driver = Driver(self._stores, file)
            driver.end_lost_runs()
            told = do(driver)
            if not driver.footing().cycle.finished:
                self._stores.leases.keep(cycle_lease(study), holder=HOLDER, seconds=_KEPT_AFTER)
            return told or {}

        started = self._works.start(footing.cycle.cycle, what, work, actor=self._actor)
        if started is None:
            return self._reply(footing, self._works.sweep(footing.cycle.cycle), did="Other work of this loop is under way; ask again.")
        self._works.wait(started, seconds=self._patience)
        footing, state = self._standing(study)
        ended = state.work[started.id]
        if not ended.ended:
            return self._reply(footing, state, did=f"Begun: {what}. Ask `loop_status` until `working` is empty, then `loop_next`.")
        if ended.error:
            return self._refuse(footing, ended.error)
        return then() if then is not None else self._decided(footing, state)

    def _reply(self, footing: Footing, state: LoopState, **more: Any) -> Reply:
        plan, cycle = footing.plan, footing.cycle.cycle
        spent = self._stores.ledger.open_cycle(cycle, plan.study, limits=plan.limits).spent
        standing = self._stores.operations.progress_of(cycle)
        left = budget_left(plan.limits, spent, standing, still_open=self._open(footing), granted=footing.rounds_granted)
        return {**reply_of(plan.study, cycle, state, budget=left, stop=self._stop(footing)), **more}

    def _refuse(self, footing: Footing, reason: str, *, remedy: str = "") -> Reply:
        """A refusal is remembered, and is a reply like any other."""
        state = self._stores.loop.append(
            footing.cycle.cycle, [LoopEvent(EventKind.REFUSED, {"reason": reason[:_REASON]})], actor=self._actor
        )
        return self._reply(footing, state, refused=reason, remedy=remedy)


_REASON = 1_000  # characters of a refusal that are kept

"""The reflective loop, step by step: what an agent over MCP and a person at a prompt may ask of a cycle. Both stand on this.

Whoever drives proposes; what is true, what is paid and what comes next is decided here, by the stages that `research run` goes through.
Every reply carries what is left of the budget and why the loop ended, where it did. A refusal is a reply with its reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assets.bench import read_archived
from assets.opening import Footing, cycle_lease
from research_pipeline.driving import Driver
from research_pipeline.errors import InputError
from research_pipeline.extraction.gate import Gate
from research_pipeline.limits import StopRule
from research_pipeline.loop import Action, Progress, State
from research_pipeline.loop_channels import LoopChannels
from research_pipeline.loop_desk import HOLDER, Reply
from research_pipeline.loop_replies import PAGE_ROWS, Refusal, page_of
from research_pipeline.loop_state import Claim, EventKind, LoopEvent, evaluated
from research_pipeline.records import Candidate, FindingStatus, Page, PageStatus
from research_pipeline.study import SUB_QUESTION_ID, AnswerType, SubQuestion
from resources.operations import LoopStep

MOST_ADDED = 20  # gaps that may be added to a cycle
_ANSWERED = (FindingStatus.AGREED, FindingStatus.CONFLICT)
_READING = ("fetched_pages", "extracted_evidence")
_WEIGHING = ("extracted_evidence", "resolved_findings")


class Loops(LoopChannels):
    """The loops of a home."""

    # ── beginning and looking ─────────────────────────────────────────────────────────────────────────────────────────

    def init(self, study: str = "", *, question: str = "") -> Reply:
        """Begin the loop of a study, or go on with the cycle that is under way."""
        file = self._file(study) if study else self._asking(question)
        plan, operations = file.plan(), self._stores.operations
        operations.save_plan(plan.study, plan.plan_id, plan=plan.model_dump(mode="json"))
        cycle = operations.unfinished_cycle(plan.study, plan.plan_id)
        cycle = cycle or operations.start_cycle(plan.study, plan.plan_id, cause=self._actor)
        footing, state = self._standing(file.name)
        if cycle.state is not State.PLAN or state.working:
            return self.status(file.name)

        def begin(driver: Driver) -> None:
            driver.begin_decided(new=False, cause=self._actor)

        return self._start(footing, "plan and approval", begin, then=lambda: self.status(file.name))

    def status(self, study: str, *, offset: int = 0) -> Reply:
        """Where the loop stands: each question with its state, and the work under way."""
        footing, state = self._standing(study)
        progress = self._stores.operations.progress_of(footing.cycle.cycle)
        rows = [
            {
                "sub_question_id": key,
                "question": question.text,
                "state": "answered" if key in state.answered else "gap",
                "round": progress.get(key, Progress()).round,
                "rule": progress.get(key, Progress()).rule,
                "verified_evidence": len(state.evidence.get(key, ())),
            }
            for key, question in footing.plan.questions.items()
        ]
        return self._reply(
            footing, state, question=footing.plan.question, rubrics_failing=list(state.rubric_failures), **page_of(rows, offset)
        )

    def events(self, study: str, *, offset: int = 0) -> Reply:
        """Everything that happened in the loop, oldest first."""
        footing, state = self._standing(study)
        rows = [
            {"number": item.number, "kind": item.kind.value, "actor": item.actor, "at": item.happened_at, "data": dict(item.data)}
            for item in self._stores.loop.events(footing.cycle.cycle, after=offset)
        ]
        return self._reply(footing, state, **page_of(rows, 0, before=offset))

    def gaps(self, study: str, *, offset: int = 0) -> Reply:
        """Questions without an answer, each with what is known of it and whether it may still be worked on."""
        footing, state = self._standing(study)
        still_open = self._open(footing)
        rows = [
            {
                "sub_question_id": key,
                "question": question.text,
                "answer_type": question.answer.value,
                "must_mention": list(question.must_mention),
                "sources": [source.place for source in footing.plan.sources_of(key)],
                "open": key in still_open,
                "ended_by": state.ended.get(key, ""),
            }
            for key, question in footing.plan.questions.items()
            if key in state.gaps
        ]
        return self._reply(footing, state, answered=list(state.answered), **page_of(rows, offset))

    # ── what comes next ───────────────────────────────────────────────────────────────────────────────────────────────

    def next(self, study: str) -> Reply:
        """Weigh what was read in this round, if anything was, and say what comes next, by which rule."""
        footing, state = self._standing(study)
        ready = [key for key in self._open(footing) if self._phase(footing, key) is State.EVALUATE]
        if state.working:
            return self._reply(footing, state, did="Work is under way; ask again.")
        if ready:
            return self._start(footing, f"weigh {len(ready)} question(s)", lambda driver: driver.part_of_round(ready, *_WEIGHING))
        return self._decided(footing, state)

    def fetch(self, study: str, *, url: str = "", sub_question_ids: Sequence[str] = (), offset: int = 0) -> Reply:
        """Read the pages that this round aims at; with an address that page, or its text where it was read before."""
        footing, state = self._standing(study)
        if url and (refusal := footing.plan.approved.refusal(url)):
            return self._refuse(footing, f"{url} is not read: {refusal}.", remedy="A person may add the domain to `approved_domains`.")
        if url and (page := self._page(footing, url)) is not None and not sub_question_ids:
            return self._reply(footing, state, **self._text(footing, page, offset))
        keys = self._chosen(footing, sub_question_ids)
        if isinstance(keys, Refusal):
            return self._refuse(footing, keys.reason, remedy=keys.remedy)
        if url:
            keys = [key for key in keys if footing.plan.source_for(url, key=key) is not None]
            if not keys:
                return self._refuse(
                    footing, f"No source of an open question that is named owns {url}.", remedy="`loop_get_gaps` lists sources."
                )
            proposals = [LoopEvent(EventKind.PROPOSED, {"sub_question_id": key, "urls": [url]}) for key in keys]
            self._stores.loop.append(footing.cycle.cycle, proposals, actor=self._actor)
        unsearched = [key for key in keys if self._phase(footing, key) is State.DISCOVER]

        def read(driver: Driver) -> Reply:
            before = self._read_for(footing, keys)
            if unsearched:
                driver.part_of_round(unsearched, "discovered_urls")
            driver.part_of_round(keys, *_READING)
            return _told({page_id: page for page_id, page in self._read_for(footing, keys).items() if page_id not in before})

        return self._start(footing, f"read for {len(keys)} question(s)", read)

    def _read_for(self, footing: Footing, keys: Sequence[str]) -> dict[str, Page]:
        pages = self._stores.warehouse.read_pages(footing.plan.study, footing.cycle.cycle, keys)
        return {page.id: page for read in pages.values() for page in read if page.status is not PageStatus.NOT_FETCHED}

    # ── what the driver claims ────────────────────────────────────────────────────────────────────────────────────────

    def update(self, study: str, *, sub_question_id: str, url: str, quote: str, value: str) -> Reply:
        """Bring evidence: a quote from a page that was read, with the value in it. It counts only if the gate verifies it, and once."""
        footing, state = self._standing(study)
        question = footing.plan.questions.get(sub_question_id)
        if question is None:
            return self._refuse(footing, f"{sub_question_id!r} is not asked in this loop.", remedy="`loop_status` lists the questions.")
        if refusal := footing.plan.approved.refusal(url):
            return self._refuse(footing, f"{url} cannot be cited: {refusal}.", remedy="Quote a page of an approved source.")
        page = self._page(footing, url, key=sub_question_id)
        if page is None:
            remedy = f"Call fetch with this address and [{sub_question_id!r}]; a page that was read already is not paid again."
            return self._refuse(footing, f"{url} was not read for {sub_question_id!r} in this cycle.", remedy=remedy)
        text = read_archived(self._stores, page, today=footing.cycle.started_at.date())
        item = Gate(page, text, footing.plan.source(page.source_id)).examine(
            Candidate(sub_question_id, value, quote), question, extractor="agent"
        )
        if not item.verified:
            return self._refuse(
                footing, f"{item.verdict.value}: {item.diagnosis}", remedy="Quote the page's own words, with the value in them."
            )
        known = {
            found.id
            for found in self._stores.warehouse.read_evidence(study, footing.cycle.cycle, [sub_question_id]).get(sub_question_id, [])
        }
        if item.id in known or item.id in state.evidence.get(sub_question_id, ()):
            return self._refuse(footing, f"{item.id} is known already; the same evidence counts once.", remedy="Bring another quote.")
        claim = Claim(evidence_id=item.id, sub_question_id=sub_question_id, url=page.canonical_url, quote=item.quote, value=value)
        event = LoopEvent(EventKind.CLAIMED, {"claim": claim.model_dump(exclude={"actor"})})
        state = self._stores.loop.append(footing.cycle.cycle, [event], actor=self._actor)
        return self._reply(footing, state, did=f"Verified as {item.id}. `loop_next` weighs it.", evidence_id=item.id)

    def add_gap(self, study: str, *, sub_question_id: str, text: str, answer: str, must_mention: Sequence[str] = ()) -> Reply:
        """Ask something that the plan does not, of a vendor of the plan; sources, domains and limits stay as they were approved."""
        footing, state = self._standing(study)
        vendor = sub_question_id.partition(".")[0]
        types = [item.value for item in AnswerType if item is not AnswerType.CHOICE]
        if footing.cycle.finished:
            return self._refuse(footing, "This cycle has ended.", remedy="`loop_init` begins another.")
        if not SUB_QUESTION_ID.fullmatch(sub_question_id) or vendor not in footing.plan.vendors:
            remedy = f"An id is the vendor, a dot and a name; the vendors are {', '.join(footing.plan.vendors)}."
            return self._refuse(footing, f"{sub_question_id!r} names no vendor of the plan.", remedy=remedy)
        if sub_question_id in footing.plan.questions:
            return self._refuse(footing, f"{sub_question_id!r} is asked already.", remedy="Give the new question another name.")
        if not footing.plan.sources_of(sub_question_id):
            return self._refuse(
                footing, f"No approved source answers {sub_question_id!r}.", remedy="A person may add a source to the study."
            )
        if answer not in types or len(text.strip()) < 3 or len(text) > 500:
            return self._refuse(footing, "The gap has no question, or no type of answer.", remedy=f"The types are {', '.join(types)}.")
        if len(state.added) >= MOST_ADDED:
            return self._refuse(footing, f"{MOST_ADDED} gaps were added already.", remedy="A person may put them into the study.")
        words = tuple(word.strip() for word in must_mention if word.strip())
        question = SubQuestion(id=sub_question_id, vendor=vendor, text=text, answer=AnswerType(answer), must_mention=words)
        event = LoopEvent(EventKind.ADDED, {"question": question.model_dump(mode="json")})
        self._stores.loop.append(footing.cycle.cycle, [event], actor=self._actor)
        return self.gaps(study)

    def end_gap(self, study: str, *, sub_question_id: str) -> Reply:
        """Close a gap as answered: only where its verified evidence settles it."""
        footing, state = self._standing(study)
        if sub_question_id not in footing.plan.questions:
            return self._refuse(footing, f"{sub_question_id!r} is not asked in this loop.", remedy="`loop_status` lists the questions.")
        if not state.evidence.get(sub_question_id):
            return self._refuse(
                footing, f"{sub_question_id!r} has no verified evidence.", remedy="Read on, or bring a quote with `loop_update`."
            )
        progress = self._stores.operations.progress_of(footing.cycle.cycle).get(sub_question_id, Progress())
        if progress.closed and progress.status in _ANSWERED:
            return self._reply(footing, state, did=f"{sub_question_id} is closed already, by the rule {progress.rule}.")
        in_round = not progress.closed and self._phase(footing, sub_question_id) is not State.DISCOVER

        def weigh(driver: Driver) -> None:
            driver.part_of_round([sub_question_id], *_WEIGHING, next_round=in_round)
            self._close_answered(driver.footing(), sub_question_id)

        return self._start(footing, f"close {sub_question_id}", weigh)

    def report(self, study: str, *, offset: int = 0) -> Reply:
        """The report; it ends the cycle, and is written only when no question takes a further round."""
        footing, state = self._standing(study)
        if footing.cycle.finished and not state.working:
            made = self._research.report(study)
            rows = [
                {
                    "sub_question_id": item.sub_question_id,
                    "status": item.status.value,
                    "answer": item.answer,
                    "stop_reason": item.stop_reason,
                    "note": item.note,
                    "added": item.added,
                    "evidence": [{"quote": cited.quote, "url": cited.url, "link": cited.link} for cited in item.evidence],
                }
                for item in made.findings
            ]
            rubrics = [item.model_dump(mode="json") for item in made.rubrics]
            return self._reply(footing, state, report_state=made.state, rubrics=rubrics, **page_of(rows, offset))
        if (still_open := self._open(footing)) and not self._stop(footing):
            remedy = f"`loop_next` says what is left; to end early, a person types `research stop {study} --by NAME`."
            return self._refuse(footing, f"{len(still_open)} question(s) take a further round.", remedy=remedy)
        return self._start(footing, "write the report", lambda driver: self._write_report(driver), then=lambda: self.report(study))

    def _write_report(self, driver: Driver) -> None:
        driver.report()
        self._stores.leases.give_back(cycle_lease(driver.file.name), holder=HOLDER)

    def _close_answered(self, footing: Footing, key: str) -> None:
        """End a question that is answered and that only a rubric kept open.

        Raises:
            InputError: its evidence does not settle it.
        """
        progress = self._stores.operations.progress_of(footing.cycle.cycle).get(key, Progress())
        if progress.status not in _ANSWERED or not progress.verified:
            raise InputError(f"{key} is not closed: its verified evidence does not settle it.", remedy="Read on, or bring further quotes.")
        if progress.closed:
            return
        ended = replace(progress, closed=True, action=Action.FINALIZE.value, rule=StopRule.ANSWERED.value)
        plan, cycle = footing.plan, footing.cycle.cycle
        step = LoopStep(plan.study, cycle, key, progress.round, State.EVALUATE, State.REPORT, StopRule.ANSWERED.value, {}, "")
        event = evaluated(key, ended, evidence=self._stores.loop.state(cycle).evidence.get(key, ()))
        self._stores.operations.record_steps([step], progress={key: ended}, events=[event])


def _told(pages: Mapping[str, Page]) -> Reply:
    """What a reading brought: the first pages, and how many there are in all."""
    rows = [
        {"url": page.final_url, "status": page.status.value, "reason": page.reason, "title_from_page": page.title}
        for page in pages.values()
    ]
    return {"read": rows[:PAGE_ROWS], "total": len(rows)}

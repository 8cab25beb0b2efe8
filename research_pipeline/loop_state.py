"""The reflective loop's memory: everything that happened in a cycle as events, and the state that is the fold over them.

Nothing changes the state but an event, so that whoever has the events has the state (`fold`), whatever process died in between.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict

from research_pipeline.limits import StopRule
from research_pipeline.loop import Action, Progress
from research_pipeline.records import FindingStatus
from research_pipeline.study import SubQuestion


class EventKind(StrEnum):
    """What may happen in a loop."""

    OPENED = "opened"  # a cycle with its question, sub-questions and rubrics
    WORK_STARTED = "work_started"
    WORK_ENDED = "work_ended"
    ASKED = "asked"  # somebody wants a channel of the plan asked something
    SEARCHED = "searched"  # the sources were mapped or asked
    PROPOSED = "proposed"  # somebody wants an approved address read
    READ = "read"
    CLAIMED = "claimed"  # evidence that the gate has verified on entry
    REFUSED = "refused"  # what was asked for, and why it is not done
    ADDED = "added"  # a gap that the plan does not name, within its scope
    EVALUATED = "evaluated"
    JUDGED = "judged"  # the rubrics
    DECIDED = "decided"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True)
class LoopEvent:
    """Something that happened. `data` is JSON-ready; `number`, `actor` and `happened_at` are given when it is stored."""

    kind: EventKind
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    number: int = 0
    actor: str = ""
    happened_at: str = ""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Claim(_Part):
    """Evidence that somebody brought: the gate has verified it once, and does so again whenever the evidence is weighed."""

    evidence_id: str
    sub_question_id: str
    url: str
    quote: str
    value: str
    actor: str = ""


class Asked(_Part):
    """A query to a channel of the plan that the plan does not hold itself."""

    sub_question_id: str
    channel: str
    query: str


class Work(_Part):
    """Something that takes longer than a call may: started, then looked after. `owner` is the process that does it."""

    id: str
    what: str
    owner: str
    ended: bool = False
    error: str = ""
    result: dict[str, Any] = {}


class NextStep(_Part):
    """What the loop wants next: `action` and the rule that says so, with where to look."""

    action: str = "search_more"
    rule: str = "unanswered"
    stop_reason: str | None = None
    queries: tuple[dict[str, str], ...] = ()
    urls: tuple[dict[str, str], ...] = ()


class LoopState(_Part):
    """The loop of one cycle.

    `gaps` are open or ended without an answer, `answered` those with verified evidence; together they are `questions`. `ended` says by
    which rule a question takes no further round. `spent` is what the cycle had spent at the last event that tells.
    """

    events: int = 0
    query: str = ""
    rubrics: tuple[str, ...] = ()
    questions: dict[str, str] = {}
    added: dict[str, SubQuestion] = {}
    round: int = 0
    gaps: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()
    ended: dict[str, str] = {}
    visited: tuple[str, ...] = ()
    bad: dict[str, str] = {}
    proposed: dict[str, tuple[str, ...]] = {}
    queries: tuple[Asked, ...] = ()
    evidence: dict[str, tuple[str, ...]] = {}
    claims: tuple[Claim, ...] = ()
    refusals: int = 0
    rubric_failures: tuple[dict[str, Any], ...] = ()
    decision: NextStep = NextStep()
    work: dict[str, Work] = {}
    spent: dict[str, float] = {}

    @property
    def working(self) -> list[Work]:
        """What has been started and not ended."""
        return [item for item in self.work.values() if not item.ended]


def opened(question: str, sub_questions: Iterable[SubQuestion], rubrics: Iterable[str]) -> LoopEvent:
    """The first event of a cycle's loop."""
    asked = {item.id: item.text for item in sub_questions}
    return LoopEvent(EventKind.OPENED, {"query": question, "questions": asked, "rubrics": list(rubrics)})


def evaluated(key: str, after: Progress, *, evidence: Iterable[str]) -> LoopEvent:
    """The end of a round of a sub-question: `evidence` are the ids of what the gate has verified for it."""
    found = list(evidence)
    data = {"sub_question_id": key, "round": after.round, "evidence": found, "closed": after.closed, "action": after.action}
    return LoopEvent(EventKind.EVALUATED, {**data, "rule": after.rule, "answers": after.status in _ANSWERED and bool(found)})


_ANSWERED = (FindingStatus.AGREED, FindingStatus.CONFLICT)


def next_step(
    standing: Mapping[str, Progress],
    still_open: Collection[str],
    *,
    stop: str | None,
    queries: Mapping[str, str],
    urls: Mapping[str, Iterable[str]],
) -> NextStep:
    """What the loop wants next, of all sub-questions together.

    Args:
        standing: every sub-question in the order of the plan; one that no round was begun for is in its round 0.
        still_open: those that take a further round.
        stop: the rule that ended the cycle, where one did.
        queries: what to look for, by sub-question. urls: what to read, by sub-question, best first.
    """
    if stop:
        return NextStep(action=Action.ABORT, rule=stop, stop_reason=stop)
    if not still_open:
        rules = [item.rule for item in standing.values() if item.rule != StopRule.ANSWERED]
        rule = rules[0] if rules else StopRule.ANSWERED.value
        waits = any(item.action == Action.ESCALATE_BUDGET for item in standing.values())
        return NextStep(action=Action.ESCALATE_BUDGET if waits else Action.FINALIZE, rule=rule, stop_reason=rule)
    wanted = {key: list(urls.get(key, ())) for key in standing if key in still_open}
    reads = any(wanted.values()) or any(standing[key].action == Action.FETCH_MORE for key in wanted)
    rules = {standing[key].rule for key in wanted}
    return NextStep(
        action=Action.FETCH_MORE if reads else Action.SEARCH_MORE,
        rule=rules.pop() if rules in _FOR_ALL else StopRule.UNANSWERED,
        queries=tuple({"sub_question_id": key, "query": queries.get(key, "")} for key in wanted),
        urls=tuple({"sub_question_id": key, "url": url} for key, found in wanted.items() for url in found),
    )


_FOR_ALL = ({StopRule.RUBRIC_FAILED.value}, {StopRule.TRANSLATIONS_UNREAD.value})  # name the step where every sub-question goes on by them


def fold(events: Iterable[LoopEvent]) -> LoopState:
    """The state after all of the events."""
    state = LoopState()
    for event in events:
        state = apply(state, event)
    return state


def apply(state: LoopState, event: LoopEvent) -> LoopState:
    """The state after an event.

    Raises:
        ValueError: the event would answer a question without evidence, or speaks of a question that is not asked.
    """
    changes = _CHANGES[event.kind](state, event)
    spent = event.data.get("spent")
    if spent:
        changes["spent"] = dict(spent)
    fields: dict[str, object] = {name: getattr(state, name) for name in LoopState.model_fields}
    return LoopState.model_validate({**fields, "events": state.events + 1, **changes})


Changes = dict[str, Any]


def _opened(state: LoopState, event: LoopEvent) -> Changes:
    questions = {**dict(event.data["questions"]), **{key: question.text for key, question in state.added.items()}}
    gaps = tuple(key for key in questions if key not in state.answered)
    return {"query": event.data["query"], "rubrics": tuple(event.data["rubrics"]), "questions": questions, "gaps": gaps}


def _work_started(state: LoopState, event: LoopEvent) -> Changes:
    work = Work(**event.data["work"])
    # What has ended was told already; only the newest few are kept, so that the state stays small.
    kept = list(state.work.items())[-_ENDED_KEPT:]
    return {"work": {**dict(kept), work.id: work}}


_ENDED_KEPT = 5


def _work_ended(state: LoopState, event: LoopEvent) -> Changes:
    known = state.work.get(event.data["id"])
    if known is None:
        return {}
    ended = known.model_copy(update={"ended": True, "error": event.data.get("error", ""), "result": dict(event.data.get("result", {}))})
    return {"work": {**state.work, known.id: ended}}


def _nothing(state: LoopState, event: LoopEvent) -> Changes:
    del state, event
    return {}


def _queried(state: LoopState, event: LoopEvent) -> Changes:
    channel, query = event.data["channel"], event.data["query"]
    asked = [Asked(sub_question_id=_asked(state, event, key), channel=channel, query=query) for key in event.data["sub_question_ids"]]
    return {"queries": tuple(dict.fromkeys([*state.queries, *asked]))}


def _proposed(state: LoopState, event: LoopEvent) -> Changes:
    key = _asked(state, event)
    return {"proposed": {**state.proposed, key: _union(state.proposed.get(key, ()), event.data["urls"])}}


def _read(state: LoopState, event: LoopEvent) -> Changes:
    still_bad = {url: reason for url, reason in state.bad.items() if url not in event.data["visited"]}
    return {"visited": _union(state.visited, event.data["visited"]), "bad": {**still_bad, **dict(event.data["bad"])}}


def _claimed(state: LoopState, event: LoopEvent) -> Changes:
    claim = Claim(**event.data["claim"], actor=event.actor)
    key = _asked(state, event, claim.sub_question_id)
    if claim.evidence_id in state.evidence.get(key, ()):
        raise ValueError(f"{claim.evidence_id} is known already")
    return {"claims": (*state.claims, claim), "evidence": {**state.evidence, key: (*state.evidence.get(key, ()), claim.evidence_id)}}


def _refused(state: LoopState, event: LoopEvent) -> Changes:
    del event
    return {"refusals": state.refusals + 1}


def _added(state: LoopState, event: LoopEvent) -> Changes:
    question = SubQuestion.model_validate(event.data["question"])
    return {
        "added": {**state.added, question.id: question},
        "questions": {**state.questions, question.id: question.text},
        "gaps": _union(state.gaps, [question.id]),
    }


def _evaluated(state: LoopState, event: LoopEvent) -> Changes:
    key, evidence = _asked(state, event), tuple(event.data["evidence"])
    answers = bool(event.data["answers"])
    if answers and not evidence:
        raise ValueError(f"{key!r} is not answered by nothing")
    ended = {name: rule for name, rule in state.ended.items() if name != key}
    if event.data["closed"]:
        ended[key] = event.data["rule"]
    without = tuple(item for item in state.answered if item != key)
    return {
        "round": max(state.round, int(event.data["round"])),
        "evidence": {**state.evidence, key: evidence},
        "answered": (*without, key) if answers else without,
        "gaps": tuple(item for item in state.gaps if item != key) if answers else _union(state.gaps, [key]),
        "ended": ended,
    }


def _judged(state: LoopState, event: LoopEvent) -> Changes:
    del state
    return {"rubric_failures": tuple(dict(row) for row in event.data["failures"])}


def _decided(state: LoopState, event: LoopEvent) -> Changes:
    del state
    return {"decision": NextStep.model_validate(event.data["decision"])}


def _asked(state: LoopState, event: LoopEvent, key: str = "") -> str:
    key = key or event.data["sub_question_id"]
    if key not in state.questions:
        raise ValueError(f"{key!r} is not asked in this loop")
    return key


def _union(known: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*known, *more]))


_CHANGES: Mapping[EventKind, Callable[[LoopState, LoopEvent], Changes]] = {
    EventKind.OPENED: _opened,
    EventKind.WORK_STARTED: _work_started,
    EventKind.WORK_ENDED: _work_ended,
    EventKind.ASKED: _queried,
    EventKind.SEARCHED: _nothing,
    EventKind.PROPOSED: _proposed,
    EventKind.READ: _read,
    EventKind.CLAIMED: _claimed,
    EventKind.REFUSED: _refused,
    EventKind.ADDED: _added,
    EventKind.EVALUATED: _evaluated,
    EventKind.JUDGED: _judged,
    EventKind.DECIDED: _decided,
    EventKind.REPORTED: _nothing,
}

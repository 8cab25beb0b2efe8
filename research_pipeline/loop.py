"""The loop as a state machine: which state follows, what to do next with a sub-question, and by which rule. Pure: state in, decision out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from research_pipeline.limits import StopRule
from research_pipeline.records import FindingStatus
from research_pipeline.study import Limits


class State(StrEnum):
    """Where a sub-question, or a cycle, stands."""

    PLAN = "PLAN"
    DISCOVER = "DISCOVER"
    READ = "READ"
    EXTRACT = "EXTRACT"
    EVALUATE = "EVALUATE"
    REPORT = "REPORT"
    DONE = "DONE"
    STOPPED = "STOPPED"


class Action(StrEnum):
    """What to do with a sub-question after a round."""

    FETCH_MORE = "fetch_more"
    SEARCH_MORE = "search_more"
    FINALIZE = "finalize"
    ESCALATE_BUDGET = "escalate_budget"
    ABORT = "abort"


@dataclass(frozen=True, slots=True)
class Progress:
    """What is remembered of a sub-question from round to round within a cycle.

    `round` counts from 1 and 0 means that none was begun; `verified` are the ids of all verified evidence, sorted;
    `depth` is how often the search was widened: 0 the first map, 1 a deeper one.
    """

    round: int = 0
    verified: tuple[str, ...] = ()
    idle_rounds: int = 0
    depth: int = 0
    granted_rounds: int = 0
    closed: bool = False
    stop_reason: str = ""
    action: str = ""
    rule: str = ""
    status: str = ""

    def as_row(self) -> dict[str, Any]:
        """JSON-ready fields."""
        return asdict(self)

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Progress:
        """From what `as_row` gave."""
        return cls(**{**row, "verified": tuple(row.get("verified", ()))})


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """What a round came to, for one sub-question.

    `unread` counts ranked candidates that no round has aimed at yet; `failed` counts pages that a further round would try again;
    `cycle_stop` is the rule that ended the cycle, where one did.
    """

    status: FindingStatus
    verified: tuple[str, ...]
    unread: int
    failed: int
    can_widen: bool
    cycle_stop: StopRule | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What comes next, the rule that says so, and how the sub-question stands after it."""

    action: Action
    rule: StopRule
    progress: Progress

    @property
    def next_state(self) -> State:
        """Where the sub-question goes."""
        if self.action in (Action.FETCH_MORE, Action.SEARCH_MORE):
            return State.DISCOVER
        return State.STOPPED if self.action is Action.ABORT else State.REPORT


_ANSWERED = (FindingStatus.AGREED, FindingStatus.CONFLICT)


def begin_round(progress: Progress, *, read_on: bool = False) -> Progress:
    """The progress with which a round starts: the next one, or with `read_on` one beyond the limits for a closed sub-question."""
    granted = progress.granted_rounds + (1 if read_on else 0)
    return Progress(
        round=progress.round + 1,
        verified=progress.verified,
        idle_rounds=0 if read_on else progress.idle_rounds,
        depth=progress.depth + (1 if progress.action == Action.SEARCH_MORE else 0),
        granted_rounds=granted,
    )


def next_action(progress: Progress, outcome: RoundOutcome, limits: Limits) -> Decision:
    """Decides after EVALUATE. The order of the rules is their precedence: money first, then the answer, then patience."""
    idle = progress.idle_rounds + 1 if set(outcome.verified) <= set(progress.verified) else 0

    def decide(action: Action, rule: StopRule) -> Decision:
        closed = action not in (Action.FETCH_MORE, Action.SEARCH_MORE)
        return Decision(
            action,
            rule,
            Progress(
                round=progress.round,
                verified=tuple(sorted({*progress.verified, *outcome.verified})),
                idle_rounds=idle,
                depth=progress.depth,
                granted_rounds=progress.granted_rounds,
                closed=closed,
                stop_reason=rule.value if closed else "",
                action=action.value,
                rule=rule.value,
                status=outcome.status.value,
            ),
        )

    if outcome.cycle_stop is not None:
        return decide(Action.ABORT, outcome.cycle_stop)
    if outcome.status in _ANSWERED:
        return decide(Action.FINALIZE, StopRule.ANSWERED)
    if progress.round >= limits.max_rounds + progress.granted_rounds:
        return decide(Action.FINALIZE, StopRule.MAX_ROUNDS)
    if idle >= limits.max_rounds_without_new_evidence:
        return decide(Action.FINALIZE, StopRule.NO_NEW_EVIDENCE)
    if outcome.unread or outcome.failed:
        return decide(Action.FETCH_MORE, StopRule.UNANSWERED)
    if outcome.can_widen:
        return decide(Action.SEARCH_MORE, StopRule.UNANSWERED)
    return decide(Action.FINALIZE, StopRule.EXHAUSTED)

"""The loop as a state machine: what to do next with a sub-question, and by which rule. Pure: state in, decision out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
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

    `round` counts from 1; 0 means that none was begun. `verified_before` and `idle_before` hold what was known when the round began, so
    that evaluating a round twice decides the same; so does `reached_before` for `reached`, the pages that were answered for.
    `compared` is how many rounds looked at translations only, `comparing` whether this one does.
    `idle_rounds` counts rounds in a row without new verified evidence. `depth` is how often the search was widened, `widened` whether
    for this round. A closed sub-question takes no further round; `rule` says why.
    """

    round: int = 0
    verified_before: tuple[str, ...] = ()
    idle_before: int = 0
    verified: tuple[str, ...] = ()
    idle_rounds: int = 0
    depth: int = 0
    widened: bool = False
    compared: int = 0
    comparing: bool = False
    reached_before: tuple[str, ...] = ()
    reached: tuple[str, ...] = ()
    granted_rounds: int = 0
    closed: bool = False
    action: str = ""
    rule: str = ""
    status: str = ""

    def reach(self, pages_per_round: int, *, ahead: int = 0) -> int:
        """How many candidates of each source its rounds, and `ahead` further ones, aim at."""
        return (self.round - self.compared + ahead) * pages_per_round

    def as_row(self) -> dict[str, Any]:
        """JSON-ready fields."""
        return asdict(self)

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Progress:
        """From what `as_row` gave."""
        listed = {name: tuple(row.get(name, ())) for name in ("verified", "verified_before", "reached", "reached_before")}
        fields: dict[str, Any] = {**row, **listed}
        return cls(**fields)


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """What a round came to, for one sub-question.

    `unread` counts ranked candidates that no round has aimed at yet; `failed` counts pages that a further round would try again;
    `cycle_stop` is the rule that ended the cycle, where one did; `reached` are the pages that some reply was received for.
    `translations` counts those of the page that answers which nobody has looked at.
    """

    status: FindingStatus
    verified: tuple[str, ...]
    unread: int
    failed: int
    can_widen: bool
    cycle_stop: StopRule | None = None
    reached: tuple[str, ...] = ()
    translations: int = 0

    @property
    def leaves_something(self) -> bool:
        """Whether a further round would ask for anything that was not answered yet."""
        return bool(self.unread or self.failed or self.can_widen)


@dataclass(frozen=True, slots=True)
class Decision:
    """What comes next, the rule that says so, and how the sub-question stands after it."""

    action: Action
    rule: StopRule
    progress: Progress

    @property
    def next_state(self) -> State:
        """Where the sub-question goes."""
        if self.action in _GOES_ON:
            return State.DISCOVER
        return State.STOPPED if self.action is Action.ABORT else State.REPORT


DEFAULT_ROUNDS, ROUNDS_BY_RULE, MOST_ROUNDS = 3, 5, 8
"""Rounds that a study gets by default, where too many of its rubrics still fail, and at most without a person's consent."""
GRANT_SHARE = 0.3  # of the rubrics: where more than that fail after the default rounds, the rule grants further ones

_GOES_ON = (Action.FETCH_MORE, Action.SEARCH_MORE)
_ANSWERED = (FindingStatus.AGREED, FindingStatus.CONFLICT)
_WITH_ANSWER = (StopRule.ANSWERED, StopRule.TRANSLATIONS_UNREAD)


def begin_round(progress: Progress, *, read_on: bool = False) -> Progress:
    """The progress with which a round starts. With `read_on` a person grants one more to a sub-question that was closed."""
    widened = progress.action == Action.SEARCH_MORE
    comparing = progress.rule == StopRule.TRANSLATIONS_UNREAD
    return Progress(
        round=progress.round + 1,
        verified_before=progress.verified,
        idle_before=0 if read_on else progress.idle_rounds,
        verified=progress.verified,
        idle_rounds=progress.idle_rounds,
        depth=progress.depth + int(widened),
        widened=widened,
        compared=progress.compared + int(comparing),
        comparing=comparing,
        reached_before=progress.reached,
        reached=progress.reached,
        granted_rounds=progress.granted_rounds + (1 if read_on else 0),
    )


def next_action(progress: Progress, outcome: RoundOutcome, limits: Limits, *, demanded: bool = False) -> Decision:
    """Decides after EVALUATE. The order of the rules is their precedence: money first, then the answer, then patience.

    Args:
        demanded: a rubric of the study is not met by the finding, so that even an answer is worth a further round.
    """
    idle = progress.idle_before + 1 if set(outcome.verified) <= set(progress.verified_before) else 0
    action, rule = _decide(progress, outcome, limits, idle, demanded)
    after = replace(
        progress,
        verified=tuple(sorted({*progress.verified_before, *outcome.verified})),
        idle_rounds=idle,
        reached=tuple(sorted({*progress.reached_before, *outcome.reached})),
        closed=action not in _GOES_ON,
        action=action.value,
        rule=rule.value,
        status=outcome.status.value,
    )
    return Decision(action, rule, after)


def pursue_rubrics(
    decisions: Mapping[str, Decision],
    outcomes: Mapping[str, RoundOutcome],
    limits: Limits,
    *,
    demanded: Collection[str],
    share: float,
    granted: int = 0,
) -> dict[str, Decision]:
    """The decisions once the rubrics are judged: what had been closed goes on where a rubric asks for it and something is left to read.

    Args:
        decisions: how each sub-question that ended this round was decided without regard to rubrics.
        outcomes: what the round came to for each of them.
        limits: those of the study.
        demanded: sub-questions that keep a rubric from being met.
        share: of all rubrics, the share that fails.
        granted: rounds that a person granted beyond the limits.
    """
    by_rule = 0 if granted or limits.max_rounds != DEFAULT_ROUNDS or share <= GRANT_SHARE else ROUNDS_BY_RULE - DEFAULT_ROUNDS
    widened = with_rounds(limits, granted)
    return {
        key: _pursued(decision, outcomes[key], widened, demanded=key in demanded, by_rule=by_rule) for key, decision in decisions.items()
    }


def _pursued(decision: Decision, outcome: RoundOutcome, limits: Limits, *, demanded: bool, by_rule: int) -> Decision:
    if decision.rule is not StopRule.MAX_ROUNDS and not (decision.rule is StopRule.ANSWERED and demanded):
        return decision
    progress = decision.progress
    if progress.round >= DEFAULT_ROUNDS and not progress.granted_rounds:
        progress = replace(progress, granted_rounds=by_rule)
    again = next_action(progress, outcome, limits, demanded=demanded)
    ended_as_answered = decision.rule is StopRule.ANSWERED and again.action is Action.FINALIZE
    return decision if ended_as_answered else again


def with_rounds(limits: Limits, granted: int) -> Limits:
    """The limits with the rounds that a person granted beyond them."""
    return limits.model_copy(update={"max_rounds": limits.max_rounds + granted})


def round_ended(standing: Collection[Progress]) -> bool:
    """Whether every sub-question of a cycle has ended the round that the farthest of them is in."""
    last = max((item.round for item in standing), default=0)
    return last > 0 and all(item.closed or item.round == last for item in standing)


def goes_on(progress: Progress, limits: Limits, *, granted: int) -> bool:
    """Whether a sub-question takes a further round: it is not closed, or a person has `granted` rounds since the limits closed it."""
    if not progress.closed:
        return True
    return progress.action == Action.ESCALATE_BUDGET and progress.round < limits.max_rounds + granted + progress.granted_rounds


def stop_where_nothing_changes(decisions: Mapping[str, Decision], standing: Mapping[str, Progress]) -> dict[str, Decision]:
    """The decisions, unless all sub-questions of the cycle have ended a round that changed neither a gap nor the evidence: then no
    further one begins.

    Args:
        standing: how every sub-question of the cycle stood before these decisions; one that no round was begun for is in its round 0.
    """
    after = {**standing, **{key: decision.progress for key, decision in decisions.items()}}
    if not _same_state(after.values()):
        return dict(decisions)
    return {key: _ended(decision, StopRule.SAME_STATE) if decision.action in _GOES_ON else decision for key, decision in decisions.items()}


def _same_state(standing: Collection[Progress]) -> bool:
    last = max((item.round for item in standing), default=0)
    took_part = [item for item in standing if item.round == last]
    return last > 1 and round_ended(standing) and all(item.idle_rounds and item.rule not in _WITH_ANSWER for item in took_part)


def _ended(decision: Decision, rule: StopRule) -> Decision:
    return Decision(Action.FINALIZE, rule, replace(decision.progress, closed=True, action=Action.FINALIZE.value, rule=rule.value))


def _repeats(progress: Progress, outcome: RoundOutcome) -> bool:
    """Whether the round asked for nothing but what had been answered before it."""
    return progress.round > 1 and not progress.widened and set(outcome.reached) <= set(progress.reached_before)


def _decide(progress: Progress, outcome: RoundOutcome, limits: Limits, idle: int, demanded: bool) -> tuple[Action, StopRule]:
    answered = outcome.status in _ANSWERED
    if outcome.cycle_stop is not None:
        return Action.ABORT, outcome.cycle_stop
    rounds = limits.max_rounds + progress.granted_rounds
    if answered and not demanded:
        compares = outcome.translations and progress.round < rounds
        return (Action.FETCH_MORE, StopRule.TRANSLATIONS_UNREAD) if compares else (Action.FINALIZE, StopRule.ANSWERED)
    if _repeats(progress, outcome) and not outcome.leaves_something:
        return Action.FINALIZE, StopRule.REPEATED_ACTION
    if progress.round >= rounds:
        escalates = rounds >= MOST_ROUNDS and outcome.leaves_something
        return (Action.ESCALATE_BUDGET if escalates else Action.FINALIZE), StopRule.MAX_ROUNDS
    if idle >= limits.max_rounds_without_new_evidence:
        return Action.FINALIZE, StopRule.NO_NEW_EVIDENCE
    goes_on = StopRule.RUBRIC_FAILED if answered else StopRule.UNANSWERED
    if outcome.unread or outcome.failed:
        return Action.FETCH_MORE, goes_on
    if outcome.can_widen:
        return Action.SEARCH_MORE, goes_on
    return Action.FINALIZE, StopRule.EXHAUSTED

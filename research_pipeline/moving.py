"""How a study moves by itself in a deployment: what to ask Dagster for next, given how its cycle stands. Pure: situation in, move out.

A driver looks at the situation from time to time and does what the move says. Whatever it asks for has a name that says cycle, round and
try, so that asking twice is asking once; and a situation in which something is under way asks for nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby

from research_pipeline.loop import Progress, goes_on
from research_pipeline.study import Limits

# What fails twice for the same reason is no accident; a third try would only cost a run.
TRIES = 2


class Part(StrEnum):
    """The part of a cycle that a run does; jobs are named STUDY_PART."""

    APPROVE = "approve"
    ROUND = "round"
    QUESTIONS = "questions"
    REPORT = "report"


class End(StrEnum):
    """How a run stands."""

    UNDER_WAY = "under_way"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELED = "canceled"


@dataclass(frozen=True, slots=True)
class Request:
    """A run to ask for.

    Args:
        keys: the sub-questions; none for the parts that concern the whole study.
        round: the round that is meant; 0 where the run does part of the present one over.
        number: which try this is, from 1.
        mark: what else tells it from other requests: for a report, and for following up, the step of the cycle that asks for it.
    """

    part: Part
    cycle: str
    keys: tuple[str, ...] = ()
    round: int = 0
    number: int = 1
    mark: int = 0

    @property
    def run_key(self) -> str:
        """The same request has the same name, for ever; another try has another."""
        keys = hashlib.sha256("\n".join(sorted(self.keys)).encode()).hexdigest()[:12] if self.keys else "-"
        return f"{self.cycle}:{self.part}:{keys}:r{self.round}:s{self.mark}:t{self.number}"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A run that was asked for in this cycle, and how it stands; `by` names it to a person."""

    request: Request
    end: End
    by: str = ""


@dataclass(frozen=True, slots=True)
class Situation:
    """What there is to see of a study at one moment.

    Args:
        cycle: the newest cycle; empty where the study never ran.
        plan_id: what it follows.
        finished: it has come to its end and has a report.
        aborted: a person asked for its end.
        required: the plan needs a person's approval.
        approved: the newest decision on the plan; None where nobody has decided.
        held_by: who else drives the cycle, in words; empty where nobody does.
        busy: runs under way that touch the study, in words, whoever asked for them.
        questions: the sub-questions of the plan.
        limits: those of the plan.
        granted: rounds beyond them that a person allowed.
        progress: how those stand that have ended a round.
        attempts: the runs that were asked for in this cycle.
        evaluated: the newest step of the cycle that ended a round of some sub-question; 0 where none has.
        reported: the newest step that the newest report knows of; -1 where there is none.
        behind: sub-questions that were read after their findings were made, with the step of the newest reading.
        seen: what the last move remembered.
    """

    cycle: str = ""
    plan_id: str = ""
    finished: bool = False
    aborted: bool = False
    required: bool = False
    approved: bool | None = None
    held_by: str = ""
    busy: Sequence[str] = ()
    questions: Sequence[str] = ()
    limits: Limits = field(default_factory=Limits)
    granted: int = 0
    progress: Mapping[str, Progress] = field(default_factory=dict[str, Progress])
    attempts: Sequence[Attempt] = ()
    evaluated: int = 0
    reported: int = -1
    behind: Mapping[str, int] = field(default_factory=dict[str, int])
    seen: str = ""

    def standing(self, key: str) -> Progress:
        """How a sub-question stands; one that no round has ended for is in its round 0."""
        return self.progress.get(key, Progress())

    @property
    def open(self) -> list[str]:
        """Sub-questions that take a further round, in the order of the plan."""
        return [key for key in self.questions if goes_on(self.standing(key), self.limits, granted=self.granted)]


@dataclass(frozen=True, slots=True)
class Move:
    """What to do now.

    Args:
        says: one sentence for a person.
        requests: runs to ask for.
        drives: the cycle is being driven, and its lease is to be held.
        abort: end the cycle in the name of whoever canceled this run; empty: do not.
        give_up: sub-questions to close as failed, each with the run that shows why.
        remember: what the next situation is to bring along as `seen`.
    """

    says: str
    requests: tuple[Request, ...] = ()
    drives: bool = False
    abort: str = ""
    give_up: Mapping[str, str] = field(default_factory=dict[str, str])
    remember: str = ""


def next_move(at: Situation) -> Move:
    """Decides. The order is precedence: who drives, whether anything may be spent, what is under way, the rounds, the report."""
    if not at.cycle:
        return Move("The study never ran: materialise its source_plan, or wait for its schedule.")
    if at.held_by:
        return Move(f"Cycle {at.cycle} is being driven by {at.held_by}; this sensor watches.")
    if at.approved is None:
        return _ask_for_approval(at)
    if not at.approved:
        return Move(f"Plan {at.plan_id} was refused, so nothing of cycle {at.cycle} runs. Change the study, then plan anew.")
    if not (at.finished or at.aborted) and (canceled := _canceled(at, Part.ROUND)):
        return Move(f"A person canceled {canceled}: cycle {at.cycle} makes no further paid call.", drives=True, abort=canceled)
    if at.busy:
        return Move(f"Cycle {at.cycle}: {_counted(at.busy, 'run')} under way ({_named(at.busy)}).", drives=not at.finished)
    if not (at.finished or at.aborted) and at.open:
        return _go_on(at)
    if not at.aborted and (late := sorted(set(at.behind) & set(at.questions))):
        followed = _follow(at, late)
        if followed.requests:
            return followed
    return _report(at)


def _ask_for_approval(at: Situation) -> Move:
    if at.required:
        return Move(f"Plan {at.plan_id} waits for a person: materialise plan_approval with your name, or type `research approve`.")
    if at.busy:
        return Move(f"Cycle {at.cycle} waits for its approval; {_counted(at.busy, 'run')} under way ({_named(at.busy)}).", drives=True)
    if (canceled := _canceled(at, Part.APPROVE)) or len(_attempts(at, Part.APPROVE)) >= TRIES:
        why = f"a person canceled {canceled}" if canceled else f"it failed {TRIES} times"
        return Move(f"The approval of plan {at.plan_id} is not tried again: {why}. Materialise plan_approval to go on.")
    request = Request(Part.APPROVE, at.cycle, number=len(_attempts(at, Part.APPROVE)) + 1)
    return Move(f"Plan {at.plan_id} is approved as its study says: automatically.", (request,), drives=True)


def _go_on(at: Situation) -> Move:
    """The next round of whatever is open: together, and what falls out of that alone."""
    alone = [key for key in at.open if _fell_out(at, key)]
    lost = {key: shown for key in alone if (shown := _lost(at, key))}
    together = [key for key in at.open if key not in alone]
    requests = [*_together(at, together), *(_alone(at, key) for key in alone if key not in lost)]
    said = [_counted(together, "sub-question") + " in a round together"] if together else []
    said += [_counted(alone, "sub-question") + " alone, after falling out of a round"] if len(alone) > len(lost) else []
    said += [f"{_named(sorted(lost))} given up"] if lost else []
    return Move(f"Cycle {at.cycle}: {'; '.join(said)}.", tuple(requests), drives=True, give_up=lost)


def _together(at: Situation, keys: Sequence[str]) -> list[Request]:
    def due(key: str) -> tuple[int, int]:
        tried = [attempt for attempt in _attempts(at, Part.ROUND, key=key) if attempt.request.round == _next_round(at, key)]
        return _next_round(at, key), len(tried) + 1

    order = {key: place for place, key in enumerate(keys)}
    groups = groupby(sorted(keys, key=lambda key: (due(key), order[key])), key=due)
    return [Request(Part.ROUND, at.cycle, tuple(group), round=round_, number=number) for (round_, number), group in groups]


def _alone(at: Situation, key: str) -> Request:
    return Request(Part.QUESTIONS, at.cycle, (key,), round=_next_round(at, key), number=len(_own_runs(at, key)) + 1)


def _fell_out(at: Situation, key: str) -> bool:
    """A round ended without it: the others got on, or all have had their tries, and each alone then shows whose fault it is."""
    ended = [attempt for attempt in _attempts(at, Part.ROUND, key=key) if attempt.request.round == _next_round(at, key)]
    left_behind = any(at.standing(other).round >= attempt.request.round for attempt in ended for other in attempt.request.keys)
    return left_behind or len(ended) >= TRIES


def _lost(at: Situation, key: str) -> str:
    """The run that shows why a sub-question is given up; empty where it is not."""
    runs = _own_runs(at, key)
    canceled = [attempt for attempt in runs if attempt.end is End.CANCELED]
    if canceled or len(runs) >= TRIES:
        return (canceled or runs)[-1].by or "a run that is gone"
    return ""


def _own_runs(at: Situation, key: str) -> list[Attempt]:
    return [attempt for attempt in _attempts(at, Part.QUESTIONS, key=key) if attempt.request.round == _next_round(at, key)]


def _follow(at: Situation, late: Sequence[str]) -> Move:
    """Findings follow pages that were read by hand; that is unpaid."""
    mark = max(at.behind[key] for key in late)
    tried = [attempt for attempt in _attempts(at, Part.ROUND) if attempt.request.mark == mark]
    if len(tried) >= TRIES or any(attempt.end is End.CANCELED for attempt in tried):
        return Move("")
    request = Request(Part.ROUND, at.cycle, tuple(late), number=len(tried) + 1, mark=mark)
    return Move(f"Cycle {at.cycle}: the findings of {_named(late)} follow the pages that were read since.", (request,), drives=True)


def _report(at: Situation) -> Move:
    if at.finished and at.reported >= at.evaluated:
        return Move(f"Cycle {at.cycle} has come to its end, and its report knows all findings.")
    tried = [attempt for attempt in _attempts(at, Part.REPORT) if attempt.request.mark == at.evaluated]
    if canceled := [attempt.by for attempt in tried if attempt.end is End.CANCELED]:
        return Move(f"A person canceled the report ({canceled[-1]}); materialise report to have it written.")
    if sum(attempt.end is End.FAILED for attempt in tried) >= TRIES:
        return Move(f"The report failed {TRIES} times (last: {tried[-1].by}); materialise report when the cause is gone.")
    settled = f"{at.cycle}:{at.evaluated}"
    if at.seen != settled:
        return Move(f"Cycle {at.cycle} is settled; its report is asked for if that is so at the next look.", drives=True, remember=settled)
    request = Request(Part.REPORT, at.cycle, number=len(tried) + 1, mark=at.evaluated)
    return Move(f"Cycle {at.cycle} is settled: its report is written.", (request,), drives=True, remember=settled)


def in_the_way(last: Situation, plan_id: str) -> str:
    """Why a scheduled cycle is not to begin, given how the last one stands and the plan that the study file has now; empty: it may.

    Two cycles of a study at once would pay twice for the same pages. One that still waits for approval has spent nothing: it stands in the
    way of the same plan alone, and a changed one takes its place.
    """
    if not last.cycle or last.finished:
        return ""
    if last.approved:
        return f"Cycle {last.cycle} is still under way, so this slot is skipped; the next one asks again."
    if last.plan_id != plan_id:
        return ""
    waits = "was refused" if last.approved is False else "still waits for approval"
    return f"Plan {plan_id} of cycle {last.cycle} {waits}, so this slot is skipped: another cycle would wait for the same."


def _next_round(at: Situation, key: str) -> int:
    return at.standing(key).round + 1


def _attempts(at: Situation, part: Part, *, key: str | None = None) -> list[Attempt]:
    mine = [attempt for attempt in at.attempts if attempt.request.part is part and attempt.request.cycle == at.cycle]
    return [attempt for attempt in mine if key is None or key in attempt.request.keys]


def _canceled(at: Situation, part: Part) -> str:
    return next((attempt.by for attempt in _attempts(at, part) if attempt.end is End.CANCELED and not attempt.request.mark), "")


def _counted(things: Collection[object], what: str) -> str:
    return f"{len(things)} {what}" + ("" if len(things) == 1 else "s")


def _named(names: Iterable[str], *, most: int = 5) -> str:
    listed = list(names)
    return ", ".join(listed[:most]) + (f" and {len(listed) - most} more" if len(listed) > most else "")

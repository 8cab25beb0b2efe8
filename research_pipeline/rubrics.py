"""Rubrics: what a study demands of its findings as a whole, judged by code wherever code can judge.

Demands in free words are judged by a model where one is configured. Where nobody can judge, the result is `unchecked`, never `passed`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from research_pipeline.records import Evidence, Finding, FindingStatus
from research_pipeline.sides import day_span, independent_sources
from research_pipeline.study import Authority, Rubric

NO_MODEL = "No model is configured that could judge it."
_ANSWERED = (FindingStatus.AGREED, FindingStatus.CONFLICT)


class RubricStatus(StrEnum):
    """How a rubric came out."""

    PASSED = "passed"
    FAILED = "failed"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class RubricResult:
    """How one rubric came out.

    `number` counts from 1 in the order of the study. `sub_question_ids` are those that keep it from being met, and that a further round
    may help; `reason` is a sentence on what was seen.
    """

    number: int
    rule: str
    demand: str
    status: RubricStatus
    reason: str
    sub_question_ids: tuple[str, ...] = ()

    def as_row(self) -> dict[str, Any]:
        """JSON-ready fields."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a model said of a demand in free words; `met` is None where it said nothing, and `reason` then says why."""

    met: bool | None
    reason: str
    sub_question_ids: tuple[str, ...] = ()


def judge(
    rubrics: Sequence[Rubric], findings: Sequence[Finding], *, today: date, opinions: Mapping[int, Opinion] | None = None
) -> list[RubricResult]:
    """Every rubric of a study, judged.

    Args:
        findings: one per sub-question of the plan that has been evaluated, in any order.
        today: the cycle's run date, from which ages are counted.
        opinions: number of a rubric in free words → what a model said; one without an opinion stays unchecked.
    """
    ordered = sorted(findings, key=lambda finding: finding.sub_question_id)
    return [_judged(number, rubric, ordered, today, (opinions or {}).get(number)) for number, rubric in enumerate(rubrics, 1)]


def failing(results: Sequence[RubricResult]) -> list[RubricResult]:
    """Those that were judged and not met."""
    return [result for result in results if result.status is RubricStatus.FAILED]


def share_failing(results: Sequence[RubricResult]) -> float:
    """Of all rubrics, the unchecked ones included, the share that fails: 0 to 1."""
    return len(failing(results)) / len(results) if results else 0.0


def demand_of(rubric: Rubric) -> str:
    """What a rubric demands, in a sentence."""
    if rubric.text is not None:
        return rubric.text
    return _DEMANDS[rubric.rule](rubric)


def _judged(number: int, rubric: Rubric, findings: Sequence[Finding], today: date, opinion: Opinion | None) -> RubricResult:
    demand = demand_of(rubric)
    if rubric.rule == "text":
        if opinion is None or opinion.met is None:
            return RubricResult(number, rubric.rule, demand, RubricStatus.UNCHECKED, NO_MODEL if opinion is None else opinion.reason)
        status = RubricStatus.PASSED if opinion.met else RubricStatus.FAILED
        return RubricResult(number, rubric.rule, demand, status, opinion.reason, () if opinion.met else opinion.sub_question_ids)
    # A demand on answers is not met by having none.
    if rubric.rule != "every_vendor_answered" and not any(finding.status in _ANSWERED for finding in findings):
        return RubricResult(number, rubric.rule, demand, RubricStatus.FAILED, "There is no answer yet that could be judged.")
    short = [finding.sub_question_id for finding in findings if not _MET[rubric.rule](finding, rubric, today)]
    if not short:
        return RubricResult(number, rubric.rule, demand, RubricStatus.PASSED, "Met by every finding.")
    return RubricResult(number, rubric.rule, demand, RubricStatus.FAILED, f"Not met by {', '.join(short)}.", tuple(short))


# ── one finding, one rule ─────────────────────────────────────────────────────────────────────────────────────────────


def _behind_answer(finding: Finding) -> list[Evidence]:
    """The items that carry the answer; of a conflict that nothing decides, all."""
    if finding.answer is None:
        return list(finding.evidence)
    same = [item for item in finding.evidence if (item.typed or item.value) == (finding.typed or finding.answer)]
    return same or list(finding.evidence[:1])


def _has_sources(finding: Finding, rubric: Rubric, today: date) -> bool:
    del today
    if finding.status not in _ANSWERED:
        return False
    found = finding.independent_sources if finding.status is FindingStatus.AGREED else independent_sources(_behind_answer(finding))
    return found >= (rubric.count or 1)


def _is_official(finding: Finding, rubric: Rubric, today: date) -> bool:
    del rubric, today
    return finding.status not in _ANSWERED or any(item.authority is Authority.OFFICIAL for item in _behind_answer(finding))


def _is_fresh(finding: Finding, rubric: Rubric, today: date) -> bool:
    """An undated page proves no age, and a date of partial precision counts as its first day."""
    if finding.status not in _ANSWERED or rubric.age is None:
        return True
    spans = [span for item in _behind_answer(finding) if (span := day_span(item.page_updated))]
    return any(first >= today - rubric.age for first, _last in spans)


def _is_undisputed(finding: Finding, rubric: Rubric, today: date) -> bool:
    del rubric, today
    return finding.status not in (FindingStatus.CONFLICT, FindingStatus.UNRESOLVED)


def _is_answered(finding: Finding, rubric: Rubric, today: date) -> bool:
    del rubric, today
    return finding.status in _ANSWERED


_MET: Mapping[str, Callable[[Finding, Rubric, date], bool]] = {
    "min_sources": _has_sources,
    "official_only": _is_official,
    "max_age": _is_fresh,
    "no_conflicts": _is_undisputed,
    "every_vendor_answered": _is_answered,
}
_DEMANDS: Mapping[str, Callable[[Rubric], str]] = {
    "min_sources": lambda rubric: f"Each answer stands in at least {rubric.count} independent sources.",
    "official_only": lambda _rubric: "No answer rests on secondary sources alone.",
    "max_age": lambda rubric: f"Each answer stands on a page dated within the last {rubric.age.days if rubric.age else 0} days.",
    "no_conflicts": lambda _rubric: "No sub-question has several answers.",
    "every_vendor_answered": lambda _rubric: "Every sub-question of every vendor has an answer.",
}

"""What the evidence of a sub-question adds up to: agreed, conflict, unresolved, or a gap with its kind.

Only verified evidence answers. Equal values form a side; near ones are shown beside each other and never merged. The result is a
function of the set of evidence and pages: their order never matters.
"""

from __future__ import annotations

from collections.abc import Sequence

from research_pipeline.extraction.scope import asked_scope
from research_pipeline.limits import StopRule
from research_pipeline.records import Evidence, Finding, FindingStatus, GapKind, Page, PageStatus
from research_pipeline.sides import Side, are_near, independent_sources, sides_of, support
from research_pipeline.study import AnswerType, SubQuestion

# Thresholds on the rules extractor's score, a weighted share of what the question asks that a candidate's place bears (0 to 1).
ANSWER_FLOOR = 0.57  # below it a candidate alone does not answer, unless it stands out
CONSIDERED = 0.45  # below it a candidate that does not stand out is no doubt either, only a rival of others
STANDING_OUT = 0.47  # from here on a value answers that stands out, where the search has ended by itself
STANDING_OUT_BY = 0.3  # relative lead over every other value of its type with which one stands out
SUPPORTED = 0.70  # from here on a side stands on its own, so that two such sides are a conflict and not a doubt
SURE = 0.75  # bears so much of the question that a page which says otherwise contradicts
LEAD = 0.08  # relative lead over the best different value that an answer needs
CONFLICT_LEAD = 0.12  # the same over a value that another page states as surely
EDITION_LEAD = 0.25  # the same where one row or sentence has a value for each of two plans and the question names none

_SEARCHED_OUT = frozenset(
    (StopRule.MAX_ROUNDS, StopRule.NO_NEW_EVIDENCE, StopRule.REPEATED_ACTION, StopRule.SAME_STATE, StopRule.EXHAUSTED)
)


def resolve(
    sub_question: SubQuestion,
    evidence: Sequence[Evidence],
    *,
    pages: Sequence[Page],
    candidates_known: bool,
    stop_reason: str | None,
    not_all_asked: bool = False,
) -> Finding:
    """The finding of a sub-question.

    Args:
        evidence: all items of the cycle for this sub-question, whatever their verdict.
        pages: the pages asked for on its behalf, with how each ended.
        candidates_known: whether discovery has answered for at least one of its sources.
        stop_reason: the name of the rule that ended it early, None where it ended by itself.
        not_all_asked: whether the map of one of its sources failed, or the extraction from a page: what answers may be unknown.
    """
    own = [item for item in evidence if item.sub_question_id == sub_question.id and item.verified]
    sides = sides_of(own)
    stands_out = stop_reason in _SEARCHED_OUT and _stands_out(sub_question, sides)
    if not sides or not (sides[0].score >= CONSIDERED or stands_out):
        statuses = {_counts_as(page) for page in pages}
        if not_all_asked and not _ends_cycle(stop_reason):
            statuses.add(PageStatus.FAILED)
        return _gap(sub_question, statuses, candidates_known=candidates_known, stop_reason=stop_reason)
    status, shown, preferred_by, note = _decide(sub_question, sides, floor=STANDING_OUT if stands_out else ANSWER_FLOOR)
    answer = shown[0].best if status is FindingStatus.AGREED or preferred_by else None
    return Finding(
        sub_question_id=sub_question.id,
        vendor=sub_question.vendor,
        text=sub_question.text,
        status=status,
        answer=answer.value if answer else None,
        typed=answer.typed if answer else None,
        evidence=tuple(item for side in shown for item in side.evidence),
        comparable=status is FindingStatus.CONFLICT and all(are_near(shown[0], side) for side in shown[1:]),
        independent_sources=independent_sources(shown[0].evidence if status is FindingStatus.AGREED else own),
        preferred_by=preferred_by,
        stop_reason=stop_reason,
        note=note,
    )


# ── deciding ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _decide(sub_question: SubQuestion, sides: list[Side], *, floor: float) -> tuple[FindingStatus, list[Side], str, str]:
    """Status, the sides to show (preferred first), the rule that preferred, and a note."""
    best = sides[0]
    if best.score < floor:
        return FindingStatus.UNRESOLVED, sides[:2], "", "What was found fits the question only in part."
    editions = _editions(sub_question, sides)
    if editions:
        return FindingStatus.CONFLICT, [best, *editions], "", "The value depends on the plan or edition, which the question leaves open."
    rivals = [side for side in sides[1:] if _lead(best, side) < LEAD or _contradicts(best, side)]
    if not rivals:
        near = [side for side in sides[1:] if are_near(best, side) and side.score >= SUPPORTED]
        return _conflict([best, *near], _COMPARABLE) if near else (FindingStatus.AGREED, [best], "", "")
    if all(side.score >= SUPPORTED for side in (best, *rivals)):
        if all(are_near(best, side) for side in rivals):
            return _conflict([best, *rivals], _COMPARABLE)
        if any(_apart(best, side) for side in rivals):
            return _conflict([best, *rivals], "")
    return FindingStatus.UNRESOLVED, [best, *rivals], "", "No value leads clearly over the next different one."


def _stands_out(sub_question: SubQuestion, sides: Sequence[Side]) -> bool:
    """Whether the best value bears much of the question, and every other value of the kind far less. A yes or no has too few rivals.

    It answers once the search has come to its end by itself: what is not read yet may hold the rival.
    """
    if not sides or sub_question.answer is AnswerType.BOOLEAN or sides[0].score < STANDING_OUT:
        return False
    return all(_lead(sides[0], other) >= STANDING_OUT_BY for other in sides[1:])


def may_answer(item: Evidence) -> bool:
    """Whether an item is more than a rival of others."""
    return item.verified and support(item) >= STANDING_OUT


_COMPARABLE = "The values are comparable, not equal."


def _lead(best: Side, other: Side) -> float:
    return (best.score - other.score) / best.score


def _editions(sub_question: SubQuestion, sides: list[Side]) -> list[Side]:
    """Sides that other plans govern than the best one's, each of them well supported, where the question leaves the plan open."""
    best = sides[0]
    if not best.scopes or asked_scope(sub_question):
        return []
    others = [side for side in sides[1:] if side.scopes and not side.scopes & best.scopes and side.score >= SUPPORTED]
    return [side for side in others if _lead(best, side) < (EDITION_LEAD if _quoted_together(best, side) else LEAD)]


def _quoted_together(one: Side, other: Side) -> bool:
    """Whether a row or sentence gives both values, so that they are surely values of one thing."""
    return bool(
        {(item.url, item.start, item.quote) for item in one.evidence} & {(item.url, item.start, item.quote) for item in other.evidence}
    )


def _apart(best: Side, other: Side) -> bool:
    """Two pages can contradict each other; two places of one page are more likely about two things."""
    return any(support(item) >= SUPPORTED for item in _elsewhere(best, other)) or not _pages(best) & _pages(other)


def _contradicts(best: Side, other: Side) -> bool:
    return _lead(best, other) < CONFLICT_LEAD and any(support(item) >= SURE for item in _elsewhere(best, other))


def _elsewhere(best: Side, other: Side) -> list[Evidence]:
    """What states the other value on pages that do not state the best one."""
    return [item for item in other.evidence if item.canonical_url not in _pages(best)]


def _pages(side: Side) -> set[str]:
    return {item.canonical_url for item in side.evidence}


def _conflict(sides: list[Side], note: str) -> tuple[FindingStatus, list[Side], str, str]:
    """The preferred side is the one that no other beats: by authority, then by a date that is surely newer."""
    for rule, beats in (("authority", _more_authoritative), ("newer page", _newer)):
        for side in sides:
            others = [other for other in sides if other is not side]
            if all(beats(side, other) for other in others):
                return FindingStatus.CONFLICT, [side, *others], rule, note
        leading = [side for side in sides if not any(beats(other, side) for other in sides)]
        sides = [*leading, *(side for side in sides if side not in leading)]
    if all(are_near(sides[0], side) for side in sides[1:]):
        return FindingStatus.CONFLICT, sides, "", note
    return FindingStatus.UNRESOLVED, sides, "", "Neither authority nor date decides between the values."


def _more_authoritative(one: Side, other: Side) -> bool:
    return one.authority > other.authority


def _newer(one: Side, other: Side) -> bool:
    if one.authority != other.authority:
        return one.authority > other.authority
    if one.newest is None or other.newest is None:
        return one.newest is not None and other.newest is None
    return one.newest[0] > other.newest[1]


# ── gaps ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _gap(sub_question: SubQuestion, statuses: set[PageStatus], *, candidates_known: bool, stop_reason: str | None) -> Finding:
    kind = _gap_kind(statuses, candidates_known=candidates_known, stop_reason=stop_reason)
    return Finding(
        sub_question_id=sub_question.id,
        vendor=sub_question.vendor,
        text=sub_question.text,
        status=FindingStatus.GAP,
        gap_kind=kind,
        stop_reason=stop_reason,
        note=_GAP_NOTES[kind],
    )


def _counts_as(page: Page) -> PageStatus:
    """A page that came in part may answer; its silence is none."""
    return PageStatus.EMPTY if page.status is PageStatus.USABLE and page.truncated else page.status


def _ends_cycle(stop_reason: str | None) -> bool:
    return stop_reason is not None and StopRule(stop_reason).ends_cycle


def _gap_kind(statuses: set[PageStatus], *, candidates_known: bool, stop_reason: str | None) -> GapKind:
    """Silence is claimed only of pages that were all read: one that failed, or that a stop came before, may be the one that answers."""
    if PageStatus.FAILED in statuses:
        return GapKind.FAILED
    if PageStatus.NOT_FETCHED in statuses or _ends_cycle(stop_reason):
        return GapKind.OUT_OF_BUDGET
    if PageStatus.USABLE in statuses:
        return GapKind.SILENT
    if statuses:
        return GapKind.UNUSABLE
    if stop_reason is not None:
        return GapKind.OUT_OF_BUDGET
    return GapKind.SILENT if candidates_known else GapKind.NOT_ASKED


_GAP_NOTES = {
    GapKind.NOT_ASKED: "No page was asked for.",
    GapKind.SILENT: "The pages that were read say nothing of it.",
    GapKind.UNUSABLE: "No page that was asked for could be used whole.",
    GapKind.FAILED: "At least one page or map could not be fetched or extracted: run again before concluding anything.",
    GapKind.OUT_OF_BUDGET: "A limit came before the pages that may answer.",
}

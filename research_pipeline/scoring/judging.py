"""Is a finding what its label expects?

right    agreed: agreed on an expected value, which a quote shows; conflict: conflict or unresolved, and every side is shown; gap: a gap
open     left unresolved, or the right value stands as one side of a conflict: a person has to look, and nobody was misled
missed   an answer was there and a gap reported; or a conflict, and one side of it shown alone
wrong    anything else: the kind that must not happen

A quote shows a value where it carries it, and either holds a text that the label names or stands on a page known to carry the answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import unquote, urlsplit

from research_pipeline.records import FindingStatus
from research_pipeline.reporting.report import Citation, ReportedFinding
from research_pipeline.scoring.alike import fold, is_one_of
from research_pipeline.scoring.labels import Expected, Label


class Outcome(StrEnum):
    """How a finding compares to its label."""

    RIGHT = "right"
    OPEN = "open"
    MISSED = "missed"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Judgement:
    """An outcome, and in a sentence why it is not right; empty where it is."""

    outcome: Outcome
    reason: str = ""


_RIGHT = Judgement(Outcome.RIGHT)


def judge(label: Label, finding: ReportedFinding | None) -> Judgement:
    """Hold a finding against its label; without a finding the question counts as one that nothing was found for."""
    status = finding.status if finding else FindingStatus.GAP
    if label.expected_status is Expected.GAP:
        return _judge_gap(status)
    if finding is None or status is FindingStatus.GAP:
        return Judgement(Outcome.MISSED, "The site answers; nothing was found.")
    if label.expected_status is Expected.CONFLICT:
        return _judge_conflict(label, finding)
    return _judge_agreed(label, finding)


def _judge_gap(status: FindingStatus) -> Judgement:
    if status is FindingStatus.GAP:
        return _RIGHT
    if status is FindingStatus.UNRESOLVED:
        return Judgement(Outcome.OPEN, "The site does not say; it was left unresolved between values.")
    return Judgement(Outcome.WRONG, "The site does not say; it was answered all the same.")


def _judge_conflict(label: Label, finding: ReportedFinding) -> Judgement:
    missing = [
        side for side in label.conflict_values if not _is_shown(finding, side.values, [side.must], [side.page, *label.answer_page_paths])
    ]
    names = " and ".join(repr(side.values[0]) for side in missing)
    some = len(missing) < len(label.conflict_values)
    if finding.status is FindingStatus.AGREED:
        outcome = Outcome.MISSED if some else Outcome.WRONG
        return Judgement(outcome, f"The site contradicts itself; {names or 'no side'} was not shown.")
    if not missing:
        return _RIGHT
    if some:
        return Judgement(Outcome.MISSED, f"The site contradicts itself; {names} was not shown.")
    outcome = Outcome.OPEN if finding.status is FindingStatus.UNRESOLVED else Outcome.WRONG
    return Judgement(outcome, "Neither side that the label names was shown.")


def _judge_agreed(label: Label, finding: ReportedFinding) -> Judgement:
    if finding.status is FindingStatus.UNRESOLVED:
        return Judgement(Outcome.OPEN, f"It was left unresolved. {finding.note}".rstrip())
    if finding.status is FindingStatus.CONFLICT:
        if any(is_one_of(item.value, label.expected_values) for item in finding.evidence):
            return Judgement(Outcome.OPEN, "The right value is shown, beside one that the label does not know.")
        return Judgement(Outcome.WRONG, "None of the values shown is right.")
    if _is_trap(label, finding.answer):
        return Judgement(Outcome.WRONG, "It is a value that stands near and answers something else.")
    if not is_one_of(finding.answer, label.expected_values):
        return Judgement(Outcome.WRONG, "It is another value than the label expects.")
    if not _is_shown(finding, label.expected_values, label.must_quote_contain, label.answer_page_paths):
        return Judgement(Outcome.WRONG, "The value is right, but no quote holds an expected text or stands on a page known to answer.")
    return _RIGHT


def _is_trap(label: Label, answer: str | None) -> bool:
    folded = fold(answer)
    return folded in map(fold, label.trap_values) and folded not in map(fold, label.expected_values)


def _is_shown(finding: ReportedFinding, values: Iterable[str], texts: Iterable[str], pages: Iterable[str]) -> bool:
    known = {_page_name(path) for path in pages}
    wanted = [fold(text) for text in texts]
    return any(is_one_of(item.value, values) and _bears(item, wanted, known) for item in finding.evidence)


def _bears(item: Citation, texts: Iterable[str], pages: set[str]) -> bool:
    quote = fold(item.quote)
    return any(text in quote for text in texts) or _page_name(unquote(urlsplit(item.url).path)) in pages


def _page_name(path: str) -> str:
    """A page under any of its spellings: `/x`, `/x/`, `/x.html`, `/x/index.html`."""
    return path.rstrip("/").removesuffix("/index.html").removesuffix(".html")

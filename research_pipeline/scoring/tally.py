"""What judgements add up to: precision, recall and price, over all and by vendor and kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from research_pipeline.reporting.report import Report
from research_pipeline.scoring.judging import Judgement, Outcome, judge
from research_pipeline.scoring.labels import Corpus, Expected, Label
from research_pipeline.scoring.quoting import stands_on


@dataclass(frozen=True, slots=True)
class Expense:
    """What was paid: tokens of the scraping service, and page calls."""

    tokens: int = 0
    pages: int = 0

    def __add__(self, other: Expense) -> Expense:
        return Expense(self.tokens + other.tokens, self.pages + other.pages)


@dataclass(frozen=True, slots=True)
class Quoted:
    """A printed quote with the page that it cites; `present` is whether it stands there."""

    value: str
    quote: str
    url: str
    present: bool


@dataclass(frozen=True, slots=True)
class Answered:
    """A question, what its label expects, what was reported, and how the two compare.

    `expense` is what was paid first on the question's behalf: a page that several questions use counts with one of them.
    """

    label: Label
    status: str
    answer: str | None
    quotes: tuple[Quoted, ...]
    judgement: Judgement
    expense: Expense


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over some questions. A ratio is None where it has no denominator."""

    questions: int
    right: int
    open: int
    missed: int
    wrong: int
    precision: float | None  # of the answers given, those that are right; an answer where there is a gap counts as a wrong one
    recall: float | None  # of the questions that have an answer, those that were answered right
    gaps: int
    gaps_right: int
    conflicts: int
    conflicts_right: int
    quotes: int
    absent_quotes: int
    tokens: int
    pages: int
    tokens_per_right_answer: float | None
    pages_per_right_answer: float | None

    @classmethod
    def of(cls, answered: Sequence[Answered]) -> Tally:
        """The sums over some questions."""
        gaps, gaps_right = _count(answered, Expected.GAP)
        conflicts, conflicts_right = _count(answered, Expected.CONFLICT)
        facts, facts_right = _count(answered, Expected.AGREED)
        counts = {outcome: sum(item.judgement.outcome is outcome for item in answered) for outcome in Outcome}
        answers = facts_right + conflicts_right
        expense = sum((item.expense for item in answered), Expense())
        quotes = [quote for item in answered for quote in item.quotes]
        return cls(
            questions=len(answered),
            right=counts[Outcome.RIGHT],
            open=counts[Outcome.OPEN],
            missed=counts[Outcome.MISSED],
            wrong=counts[Outcome.WRONG],
            precision=_ratio(answers, answers + counts[Outcome.WRONG], digits=4),
            recall=_ratio(answers, facts + conflicts, digits=4),
            gaps=gaps,
            gaps_right=gaps_right,
            conflicts=conflicts,
            conflicts_right=conflicts_right,
            quotes=len(quotes),
            absent_quotes=sum(not quote.present for quote in quotes),
            tokens=expense.tokens,
            pages=expense.pages,
            tokens_per_right_answer=_ratio(expense.tokens, answers, digits=2),
            pages_per_right_answer=_ratio(expense.pages, answers, digits=2),
        )


def _count(answered: Iterable[Answered], expected: Expected) -> tuple[int, int]:
    """How many were expected to come out so, and how many of them are right."""
    outcomes = [item.judgement.outcome for item in answered if item.label.expected_status is expected]
    return len(outcomes), outcomes.count(Outcome.RIGHT)


def _ratio(part: int, whole: int, *, digits: int) -> float | None:
    return round(part / whole, digits) if whole else None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A corpus as one extractor answered it."""

    extractor: str
    total: Tally
    vendors: Mapping[str, Tally]
    kinds: Mapping[str, Tally]
    questions: tuple[Answered, ...]

    @property
    def not_right(self) -> list[Answered]:
        """What a person should look at, the worst kind first."""
        worst = (Outcome.WRONG, Outcome.MISSED, Outcome.OPEN)
        return [item for outcome in worst for item in self.questions if item.judgement.outcome is outcome]


def evaluation_of(
    corpus: Corpus,
    reports: Mapping[str, Report],
    *,
    extractor: str,
    expenses: Mapping[str, Expense],
    page_text: Callable[[str, str], str],
) -> Evaluation:
    """Hold the reports against the labels.

    Args:
        reports: by vendor.
        expenses: what was paid on behalf of each sub-question, by its id.
        page_text: visible text of a vendor's page by its address, as `visible_text` gives it; empty where there is none.
    """
    answered: list[Answered] = []
    for vendor, report in reports.items():
        findings = {finding.sub_question_id: finding for finding in report.findings}
        for label in corpus.of(vendor):
            finding = findings.get(label.key)
            quotes = tuple(
                Quoted(item.value, item.quote, item.url, stands_on(item.quote, page_text(vendor, item.url)))
                for item in (finding.evidence if finding else ())
            )
            status, answer = (finding.status.value, finding.answer) if finding else ("gap", None)
            answered.append(Answered(label, status, answer, quotes, judge(label, finding), expenses.get(label.key, Expense())))
    return Evaluation(
        extractor,
        Tally.of(answered),
        _grouped(answered, lambda item: item.label.vendor),
        _grouped(answered, lambda item: item.label.kind),
        tuple(answered),
    )


def _grouped(answered: Sequence[Answered], group_of: Callable[[Answered], str]) -> dict[str, Tally]:
    groups = dict.fromkeys(group_of(item) for item in answered)
    return {group: Tally.of([item for item in answered if group_of(item) == group]) for group in groups}

"""What a conclusion claims: its clauses, the vendors each names and the typed values each states."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from research_pipeline.records import Evidence, Finding, Mention
from research_pipeline.reporting.matrix import wording
from research_pipeline.reporting.words import Words
from research_pipeline.study import AnswerType, SubQuestion
from research_pipeline.values import mentions
from research_pipeline.wording import vendor_span

TEMPLATE = "template"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A drafted sentence, the sub-questions it speaks about and the evidence it cites. `origin` is `template` or a model's name."""

    sentence: str
    sub_question_ids: tuple[str, ...]
    evidence_ids: tuple[str, ...]
    origin: str = TEMPLATE


@dataclass(frozen=True, slots=True)
class Clause:
    """A span of the claim's text and the vendors it names."""

    start: int
    end: int
    vendors: tuple[str, ...]

    def holds(self, mention: Mention) -> bool:
        """Whether the value begins in it."""
        return self.start <= mention.start < self.end


@dataclass(frozen=True)
class Claim:
    """A conclusion before the check, with what it may refer to.

    `evidence` is every item of the cycle that an id may name, whatever its verdict.
    """

    conclusion: Conclusion
    findings: Sequence[Finding]
    evidence: Sequence[Evidence]
    questions: Mapping[str, SubQuestion]
    words: Words

    @cached_property
    def accepted(self) -> dict[str, Evidence]:
        """The evidence that may be cited, by id."""
        return {item.id: item for finding in self.findings for item in finding.evidence if item.verified}

    @cached_property
    def cited(self) -> list[Evidence]:
        """The accepted items that it cites."""
        return [self.accepted[key] for key in self.conclusion.evidence_ids if key in self.accepted]

    @cached_property
    def vendors(self) -> tuple[str, ...]:
        """All vendors of the study."""
        return tuple(dict.fromkeys(question.vendor for question in self.questions.values()))

    @cached_property
    def spoken(self) -> list[SubQuestion]:
        """The sub-questions that the conclusion speaks about."""
        return [self.questions[key] for key in self.conclusion.sub_question_ids if key in self.questions]

    @cached_property
    def text(self) -> str:
        """The sentence with each question that it repeats blanked out: a question states nothing."""
        sentence = self.conclusion.sentence
        for question in self.spoken:
            for text in (question.text, wording(question.text, question.vendor)):
                sentence = sentence.replace(text, " " * len(text))
        return sentence

    @cached_property
    def stated(self) -> list[tuple[Mention, AnswerType]]:
        """The typed values that it states, of the types that its sub-questions ask for."""
        choices: dict[AnswerType, list[str]] = {}
        for question in self.spoken:
            choices.setdefault(question.answer, []).extend(question.choices)
        found = ((type_, mentions(self.text, type_, choices=tuple(dict.fromkeys(names)))) for type_, names in choices.items())
        return [(mention, type_) for type_, those in found for mention in those]

    @cached_property
    def clauses(self) -> list[Clause]:
        """The text cut into clauses."""
        borders = [0, *(found.end() for found in self.words.clause_border.finditer(self.text)), len(self.text)]
        return [clause for start, end in pairwise(borders) for clause in self._divided(start, end)]

    def _divided(self, start: int, end: int) -> list[Clause]:
        """A clause cut at its `and`s where each part speaks of one vendor and states a value: `Acme 30 days and Borealis 60 days`."""
        cuts = [found.start() for found in re.finditer(rf"\b{self.words('and')}\b", self.text[start:end])]
        parts = [self._clause(left, right) for left, right in pairwise([start, *(start + cut for cut in cuts), end])]
        apart = all(len(part.vendors) == 1 and any(part.holds(mention) for mention, _ in self.stated) for part in parts)
        return parts if apart else [self._clause(start, end)]

    def _clause(self, start: int, end: int) -> Clause:
        return Clause(start, end, self.named(self.text[start:end]))

    def named(self, text: str) -> tuple[str, ...]:
        """The vendors that a text names, by the words of their slugs."""
        return tuple(vendor for vendor in self.vendors if vendor_span(text, vendor))

    def cited_for(self, type_: AnswerType, vendor: str | None) -> list[Evidence]:
        """The cited items that answer with a type, of one vendor or of all."""
        asked = ((item, self.questions[item.sub_question_id]) for item in self.cited)
        return [item for item, question in asked if question.answer is type_ and vendor in (None, question.vendor)]

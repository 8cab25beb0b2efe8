"""Conclusions by template: one sentence per finding that has evidence, and one per question that several vendors answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from research_pipeline.records import Evidence, Finding, FindingStatus, Likeness
from research_pipeline.reporting.claim import Conclusion
from research_pipeline.reporting.matrix import topic_of, vendor_name, wording
from research_pipeline.reporting.sides import likeness, sides_of
from research_pipeline.reporting.words import Words
from research_pipeline.study import AnswerType, SubQuestion


def draft(findings: Sequence[Finding], questions: Mapping[str, SubQuestion], words: Words) -> list[Conclusion]:
    """The templates' conclusions, in the order of the findings, comparisons last."""
    return [*_single(findings, words), *_comparisons(findings, questions, words)]


def _single(findings: Sequence[Finding], words: Words) -> Iterator[Conclusion]:
    for finding in findings:
        if not finding.evidence:
            continue
        key = "conclusion.agreed" if finding.status is FindingStatus.AGREED else "conclusion.several"
        values = [side[0].value for side in sides_of(finding.evidence)]
        vendor = vendor_name(finding.text, finding.vendor)
        sentence = words(key, question=finding.text, vendor=vendor, value="; ".join(values))
        yield Conclusion(sentence, (finding.sub_question_id,), tuple(item.id for item in finding.evidence))


def _comparisons(findings: Sequence[Finding], questions: Mapping[str, SubQuestion], words: Words) -> Iterator[Conclusion]:
    """Sound only where all were asked in the same words, and of those, over the vendors whose answer is agreed."""
    rows: dict[tuple[str, AnswerType, str], list[Finding]] = {}
    for finding in findings:
        key = (topic_of(finding.sub_question_id), questions[finding.sub_question_id].answer, wording(finding.text, finding.vendor))
        if finding.status is FindingStatus.AGREED:
            rows.setdefault(key, []).append(finding)
    for (_, _, asked), row in rows.items():
        if len(row) > 1:
            yield Conclusion(
                _comparison(asked, row, words),
                tuple(finding.sub_question_id for finding in row),
                tuple(item.id for finding in row for item in finding.evidence),
            )


def _comparison(asked: str, row: Sequence[Finding], words: Words) -> str:
    names = [vendor_name(finding.text, finding.vendor) for finding in row]
    answers = [finding.evidence[0] for finding in row]
    alike = {likeness(one, other) for one, other in combinations(answers, 2)}
    if alike == {Likeness.EQUAL}:
        return words("conclusion.same", question=asked, vendors=words.both(names), value=answers[0].value)
    each = "; ".join(words("conclusion.each", vendor=name, value=item.value) for name, item in zip(names, answers, strict=True))
    key = "conclusion.differ" if alike == {Likeness.DIFFERENT} and _comparable(answers) else "conclusion.list"
    return words(key, question=asked, answers=each)


def _comparable(answers: Sequence[Evidence]) -> bool:
    """Whether different values are different answers: two free texts, or two units that cannot be compared, may mean the same."""
    kinds = {(item.typed.type, item.typed.dimension) if item.typed else None for item in answers}
    return len(kinds) == 1 and None not in kinds and all(item.typed and item.typed.type is not AnswerType.TEXT for item in answers)

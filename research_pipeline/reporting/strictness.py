"""What is asked of a sentence that a model wrote, beyond the rules for any conclusion: it says what its questions ask, and nothing else.

A template cannot say more than its values; a model can. So its sentence bears the words of each question that it speaks about, states the
value of each, and has no content word that neither the questions nor the values have. It compares, hedges and quantifies only where
that can be checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from research_pipeline.normalising import find_all, fold, normalise
from research_pipeline.records import Evidence, Likeness, Mention, TypedValue
from research_pipeline.reporting.claim import Claim, Clause
from research_pipeline.study import AnswerType, SubQuestion
from research_pipeline.values import compare
from research_pipeline.wording import importance, likeness, terms, vendor_span

BEARS = 0.5  # share of a question's weight that a sentence about it bears: its subject, though not every word of its scope
_TYPED_ELSEWHERE = (AnswerType.TEXT, AnswerType.BOOLEAN)


def added_words(claim: Claim) -> Iterator[str]:
    """Every content word comes from the questions, from the values, or joins these."""
    known = [term for text in _sources(claim) for term in terms(text)]
    values = [span for item in claim.cited for span in find_all(item.value, normalise(claim.text))]
    values += [(mention.start, mention.end) for mention, _ in claim.stated]
    for term in terms(claim.text):
        word = claim.text[term.start : term.end]
        in_value = any(start <= term.start and term.end <= end for start, end in values)
        if not in_value and not _joins(word, claim) and not any(likeness(one, term) for one in known):
            yield claim.words("rejected.added", word=word)


def _sources(claim: Claim) -> Iterator[str]:
    for question in claim.spoken:
        yield question.text
        yield " ".join((question.vendor, *question.choices, *question.must_mention, *question.keywords))


def _joins(word: str, claim: Claim) -> bool:
    return any(pattern.fullmatch(word) for pattern in (claim.words.joining, claim.words.negation, claim.words.extreme))


def unchecked_words(claim: Claim) -> Iterator[str]:
    """What compares, hedges or singles out is no statement that evidence carries, unless the question itself is put so."""
    asked = fold(" ".join([*(question.text for question in claim.spoken), *(item.value for item in claim.cited)]))
    for found in claim.words.unchecked.finditer(claim.text):
        if fold(found[0]) not in asked:
            yield claim.words("rejected.unchecked", word=found[0])


def subject(claim: Claim) -> Iterator[str]:
    """The sentence speaks about each of its questions in their words, and within their scope."""
    said = terms(claim.conclusion.sentence)
    for question in claim.spoken:
        asked = [term for term in terms(question.text) if not _of_vendor(question, term.start)]
        whole = sum(importance(term) for term in asked)
        borne = sum(importance(term) * max((likeness(term, one) for one in said), default=0.0) for term in asked)
        scoped = not question.must_mention or any(find_all(word, normalise(claim.conclusion.sentence)) for word in question.must_mention)
        if borne < BEARS * whole or not scoped:
            yield claim.words("rejected.off_subject", question=question.text)


def _of_vendor(question: SubQuestion, at: int) -> bool:
    span = vendor_span(question.text, question.vendor)
    return span is not None and span[0] <= at < span[1]


def every_value(claim: Claim) -> Iterator[str]:
    """The value of each question that it speaks about is stated."""
    for question in claim.spoken:
        if question.answer not in _TYPED_ELSEWHERE and not any(_states(claim, item) for item in _cited_for(claim, question)):
            yield claim.words("rejected.value_missing", question=question.text)


def _states(claim: Claim, item: Evidence) -> bool:
    if find_all(item.value, normalise(claim.text)):
        return True
    return item.typed is not None and any(compare(item.typed, mention.value) is Likeness.EQUAL for mention, _ in claim.stated)


def right_question(claim: Claim) -> Iterator[str]:
    """Where several questions of a vendor have values of one type, each value is said of the question that it answers; and a value that is
    said of no vendor is the value of all."""
    for part in _parts(claim):
        for mention, type_ in claim.stated:
            if not part.holds(mention) or type_ in _TYPED_ELSEWHERE:
                continue
            same = [
                question
                for question in claim.spoken
                if question.answer is type_ and question.vendor in (part.vendors or (question.vendor,))
            ]
            for vendor in dict.fromkeys(question.vendor for question in same):
                meant = _meant(claim, part, [question for question in same if question.vendor == vendor])
                if len(part.vendors) < 2 and not any(_equals(item, mention, claim) for item in _cited_for(claim, *meant)):
                    yield claim.words("rejected.value", value=mention.verbatim)


def _meant(claim: Claim, part: Clause, questions: list[SubQuestion]) -> list[SubQuestion]:
    """The questions whose own words stand in this part of the sentence; all of them where there is one, none where it is not plain."""
    if len(questions) < 2:
        return questions
    said = terms(claim.text[part.start : part.end])
    stems = {question.id: {term.concept for term in terms(question.text)} for question in questions}
    own = {key: those.difference(*(others for other, others in stems.items() if other != key)) for key, those in stems.items()}
    named = [question for question in questions if own[question.id] & {term.concept for term in said}]
    return named if len(named) == 1 else []


def _parts(claim: Claim) -> Iterator[Clause]:
    """Clauses, cut at `and` where each part states a value. One that names no vendor speaks of whom the one before named."""
    vendors: tuple[str, ...] = ()
    for clause in claim.clauses:
        for start, end in _cut(claim, clause):
            vendors = claim.named(claim.text[start:end]) or vendors
            yield Clause(start, end, vendors)


def _cut(claim: Claim, clause: Clause) -> list[tuple[int, int]]:
    found = re.finditer(rf"\b{claim.words('and')}\b", claim.text[clause.start : clause.end])
    parts = list(pairwise([clause.start, *(clause.start + one.start() for one in found), clause.end]))
    apart = all(any(start <= mention.start < end for mention, _ in claim.stated) for start, end in parts)
    return parts if apart else [(clause.start, clause.end)]


def plain_polarity(claim: Claim) -> Iterator[str]:
    """What is said of a yes-or-no question can be told yes or no: it is the only question of its vendor here, and denied at most once."""
    for question in claim.spoken:
        if question.answer is AnswerType.BOOLEAN:
            alone = sum(other.vendor == question.vendor for other in claim.spoken) == 1
            if not alone or len(claim.words.negation.findall(claim.text)) > 1:
                yield claim.words("rejected.unclear", question=question.text)


def true_extremes(claim: Claim) -> Iterator[str]:
    """`The longest` is said of the vendor with the longest, among comparable values of all that it cites."""
    for clause in claim.clauses:
        for found in claim.words.extreme.finditer(claim.text, clause.start, clause.end):
            highest = found.lastgroup == "high"
            if not _is_extreme(claim, clause, highest=highest):
                yield claim.words("rejected.unchecked", word=found[0])


def _is_extreme(claim: Claim, clause: Clause, *, highest: bool) -> bool:
    values = [(claim.questions[item.sub_question_id].vendor, item.typed) for item in claim.cited]
    amounts = {vendor: amount for vendor, typed in values if (amount := _amount(typed)) is not None}
    one_kind = len({(typed.type, typed.dimension, typed.per) for _, typed in values if typed is not None}) == 1
    if not clause.vendors or not one_kind or len(amounts) != len({vendor for vendor, _ in values}):
        return False
    best = max(amounts.values()) if highest else min(amounts.values())
    return all(amounts.get(vendor) == best for vendor in clause.vendors)


def _amount(typed: TypedValue | None) -> Fraction | None:
    if (
        typed is None
        or typed.bound
        or typed.upper
        or typed.unlimited
        or typed.type in (AnswerType.TEXT, AnswerType.CHOICE, AnswerType.BOOLEAN)
    ):
        return None
    try:
        return Fraction(typed.amount)
    except ValueError:
        return None


def _cited_for(claim: Claim, *questions: SubQuestion) -> list[Evidence]:
    keys = {question.id for question in questions}
    return [item for item in claim.cited if item.sub_question_id in keys]


def _equals(item: Evidence, mention: Mention, claim: Claim) -> bool:
    if item.typed is not None and compare(item.typed, mention.value) is Likeness.EQUAL:
        return True
    return any(start <= mention.start and mention.end <= end for start, end in find_all(item.value, normalise(claim.text)))


STRICT_RULES = (unchecked_words, added_words, subject, every_value, right_question, plain_polarity, true_extremes)

"""What holds of the gate for any page and any claim."""

from __future__ import annotations

import html
import re

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from research_pipeline.normalising import find_all, fold, normalise
from research_pipeline.records import Candidate, Verdict
from tests.gate_bench import examine, gate, question

WORDS = st.sampled_from(
    [
        "audit",
        "logs",
        "are",
        "kept",
        "for",
        "not",
        "30",
        "days",
        "90",
        "1,800",
        "hours",
        "until",
        "never",
        "the",
        "Free",
        "Pro",
        "plan",
        "on",
        "all",
        "and",
        "or",
        "if",
        "you",
        "it",
        "is",
        "No",
        "Yes",
        "we",
        "support",
        "SCIM",
        "—",
        "(",
        ")",
        ",",
        ";",
        ":",
        "?",
        "’",
        "e.g.",
        "Größe",
        "ﬁle",
        "½",
        "日間",
        "は保存",
        "x²",
        "³",
        "10–20",
    ]
)
SENTENCES = st.lists(WORDS, min_size=1, max_size=14).map(" ".join)
BODIES = st.lists(SENTENCES, min_size=1, max_size=5).map(lambda parts: "".join(f"<p>{html.escape(part)}.</p>" for part in parts))
VALUES = st.sampled_from(["30 days", "90 days", "1,800 hours", "30", "90 hours"])
ANY_TEXT = st.text(max_size=40)


@given(BODIES, SENTENCES, VALUES)
@settings(max_examples=150, deadline=None)
def test_what_is_verified_stands_on_the_page_with_its_value_in_it(body, quote, value):
    page = gate(body).text.text
    found = examine(body, value, quote)
    if found.start >= 0:
        assert found.quote == page[found.start : found.end]
    if found.verified:
        assert fold(found.quote).strip() == fold(quote).strip()
        assert found.value in found.quote
        assert found.typed is not None
        assert not found.diagnosis
    else:
        assert found.diagnosis


@given(BODIES, ANY_TEXT, ANY_TEXT)
@settings(max_examples=150, deadline=None)
def test_a_string_that_is_not_on_the_page_never_passes(body, quote, value):
    assume(not find_all(quote, normalise(gate(body).text.text)))
    assert not examine(body, value, quote).verified


@given(st.data(), SENTENCES, VALUES)
@settings(max_examples=100, deadline=None)
def test_white_space_and_case_of_a_claim_change_nothing(data, sentence, value):
    body = f"<p>{html.escape(sentence)}.</p>"
    blanks = data.draw(st.sampled_from([" ", "  ", "\n", "\u00a0", "\t "]))
    dressed = re.sub(r" ", blanks, f"  {sentence.upper() if fold(sentence.upper()) == fold(sentence) else sentence} ")
    plain, other = examine(body, value, sentence), examine(body, value.replace(" ", blanks).upper(), dressed)
    assert (plain.id, plain.verdict, fold(plain.quote), plain.start) == (other.id, other.verdict, fold(other.quote), other.start)


@given(BODIES, st.lists(st.tuples(VALUES, SENTENCES), min_size=2, max_size=5), st.randoms())
@settings(max_examples=60, deadline=None)
def test_claims_are_judged_alone_and_in_any_order(body, claims, random):
    made = gate(body)
    candidates = [Candidate("acme.asked", value, quote) for value, quote in claims]
    first = {candidate: made.examine(candidate, question(), extractor="rules") for candidate in candidates}
    random.shuffle(candidates)
    assert {candidate: made.examine(candidate, question(), extractor="rules") for candidate in candidates} == first


@given(st.sampled_from(["not", "never", "don't", "cannot", "neither", "no longer"]), st.integers(2, 400), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_a_denial_right_before_a_value_is_never_missed(denial, number, filler):
    sentence = f"Audit logs of this workspace are {denial} {'really ' * filler}{number} days old at most"
    found = examine(f"<p>{sentence}.</p>", f"{number} days", sentence)
    assert found.verdict in {Verdict.VALUE_NEGATED, Verdict.VALUE_ABSENT}


@given(st.integers(2, 400), st.integers(2, 400))
@settings(max_examples=60, deadline=None)
def test_another_number_is_never_the_value(number, other):
    assume(number != other)
    sentence = f"Audit logs of this workspace are kept for {number} days."
    assert not examine(f"<p>{sentence}</p>", f"{other} days", sentence).verified
    assert examine(f"<p>{sentence}</p>", f"{number} days", sentence).verified

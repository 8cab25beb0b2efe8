"""Claims of yes and no: a cue in the quote, about the subject, in scope, that agrees."""

from __future__ import annotations

import pytest

from research_pipeline.records import Verdict
from tests.gate_bench import examine, question

ASKED = "Does Acme support SCIM provisioning?"
ON_PRO = "Does Acme support SCIM provisioning on the Pro plan?"
SAID = (
    ("SCIM provisioning is supported.", "yes", "is supported"),
    ("We support SAML and SCIM.", "yes", "support"),
    ("SCIM is available on Enterprise plans only.", "yes", "is available"),
    ("Not only SAML but also SCIM is supported.", "yes", "is supported"),
    ("SCIM is not available except on Enterprise.", "yes", "not available"),
    ("SCIM isn’t just supported, it is free.", "yes", "supported"),
    ("SCIM is supported without limits.", "yes", "is supported"),
    ("SCIM is not supported.", "no", "not supported"),
    ("SCIM isn’t supported yet.", "no", "isn’t supported"),
    ("We support SAML but not SCIM.", "no", "not SCIM"),
    ("SAML is supported, but SCIM is not.", "no", "is not"),
    ("Neither SAML nor SCIM is supported.", "no", "supported"),
    ("There is no support for SCIM.", "no", "no support"),
    ("SCIM is no longer supported.", "no", "no longer"),
    ("We support everything except SCIM.", "no", "except"),
    ("SCIM is unsupported.", "no", "unsupported"),
    ("SCIM wird nicht unterstützt.", "no", "nicht unterstützt"),
    ("SCIM wird unterstützt.", "yes", "unterstützt"),
    ("SCIM n'est pas pris en charge.", "no", "pas pris en charge"),
    ("SCIM est pris en charge.", "yes", "pris en charge"),
    ("SCIM no está disponible.", "no", "no está disponible"),
    ("SCIM está disponible.", "yes", "disponible"),
    ("SCIMには対応していません。", "no", "ません"),
    ("SCIMに対応しています。", "yes", "対応しています"),
)


@pytest.mark.parametrize(("sentence", "answer", "cue"), SAID)
def test_a_sentence_is_taken_at_its_word(sentence, answer, cue):
    right = examine(f"<p>{sentence}</p>", answer, sentence, asked=question(ASKED, "boolean"))
    wrong = examine(f"<p>{sentence}</p>", {"yes": "no", "no": "yes"}[answer], sentence, asked=question(ASKED, "boolean"))
    assert (right.verdict, right.value) == (Verdict.VERIFIED, answer), right.diagnosis
    assert cue in right.cue
    assert right.cue in right.quote
    assert wrong.verdict is Verdict.VALUE_NEGATED, wrong.diagnosis


UNSAID = (
    ("SCIM is coming soon.", Verdict.HEDGED),
    ("SCIM is planned for next year.", Verdict.HEDGED),
    ("We plan to support SCIM.", Verdict.HEDGED),
    ("SCIM: contact sales", Verdict.HEDGED),
    ("Do you support SCIM?", Verdict.VALUE_ABSENT),
    ("Webhooks are supported.", Verdict.VALUE_ABSENT),
    ("SAML is not supported by any of us.", Verdict.VALUE_ABSENT),
    ("If SCIM is not configured, members log in with a password.", Verdict.VALUE_ABSENT),
    ("You do not need SCIM to use SAML.", Verdict.VALUE_ABSENT),
    ("SCIM stands for a long name.", Verdict.VALUE_ABSENT),
    ("SCIM cannot be misconfigured.", Verdict.VALUE_ABSENT),
    ("Works like SCIM.", Verdict.VALUE_ABSENT),
)


@pytest.mark.parametrize(("sentence", "verdict"), UNSAID)
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_what_a_sentence_leaves_unsaid_is_no_answer(sentence, verdict, answer):
    found = examine(f"<p>{sentence}</p>", answer, sentence, asked=question(ASKED, "boolean"))
    assert found.verdict is verdict, found.diagnosis


MATRIX = (
    "<table><tr><th>Feature</th><th>Free</th><th>Pro</th><th>Enterprise</th></tr>"
    "<tr><td>SCIM provisioning</td><td>{}</td><td>{}</td><td>{}</td></tr></table>"
)
MARKS = [
    ("✓", "✗"),
    ("✔", "✘"),
    ("✅", "❌"),
    ("Yes", "No"),
    ("Included", "—"),
    ("Available", "Not available"),
    ("Ja", "Nein"),
    ("true", "false"),
]


@pytest.mark.parametrize(("yes", "no"), MARKS)
def test_the_cell_of_the_asked_plan_decides(yes, no):
    body = MATRIX.format(no, no, yes)
    quote = f"SCIM provisioning | {no} | {no} | {yes}"
    for plan, answer, cue in (("Free", "no", no), ("Pro", "no", no), ("Enterprise", "yes", yes)):
        asked = question(f"Does Acme support SCIM provisioning on the {plan} plan?", "boolean")
        found = examine(body, answer, quote, asked=asked)
        assert (found.verdict, found.cue, found.scope) == (Verdict.VERIFIED, cue, (plan,)), found.diagnosis
        assert not examine(body, {"yes": "no", "no": "yes"}[answer], quote, asked=asked).verified


def test_a_plan_in_the_row_and_the_feature_in_the_column():
    body = (
        "<table><tr><th>Plan</th><th>SAML SSO</th><th>SCIM provisioning</th></tr>"
        "<tr><td>Free</td><td>✓</td><td>✗</td></tr><tr><td>Pro</td><td>✗</td><td>✓</td></tr></table>"
    )
    assert examine(body, "yes", "Pro | ✗ | ✓", asked=question(ON_PRO, "boolean")).verified
    assert not examine(body, "no", "Pro | ✗ | ✓", asked=question(ON_PRO, "boolean")).verified


def test_a_feature_that_one_plan_lacks_is_not_lacking():
    for body, quote in (
        ("<p>SCIM is not included in the Free plan.</p>", "SCIM is not included in the Free plan."),
        (MATRIX.format("✗", "—", "—"), "SCIM provisioning | ✗ | — | —"),
    ):
        assert examine(body, "no", quote, asked=question(ASKED, "boolean")).verdict is Verdict.OUT_OF_SCOPE
    assert examine(MATRIX.format("✗", "—", "✓"), "yes", "SCIM provisioning | ✗ | — | ✓", asked=question(ASKED, "boolean")).verified


@pytest.mark.parametrize(
    ("sentence", "answer", "verdict"),
    [
        ("SCIM is not included in the Pro plan.", "no", Verdict.VERIFIED),
        ("SCIM is not included in the Free plan.", "no", Verdict.OUT_OF_SCOPE),
        ("SCIM is available on Pro.", "yes", Verdict.VERIFIED),
        ("SCIM is available on Enterprise.", "yes", Verdict.OUT_OF_SCOPE),
        ("SCIM is not available on Free, but is available on Pro.", "yes", Verdict.VERIFIED),
        ("SCIM is available on all plans.", "yes", Verdict.VERIFIED),
        ("SCIM is available on Free and not on Pro.", "no", Verdict.VERIFIED),
        ("SCIM is available on Free and not on Pro.", "yes", Verdict.VALUE_NEGATED),
    ],
)
def test_the_plan_of_each_clause_counts(sentence, answer, verdict):
    found = examine(f"<p>{sentence}</p>", answer, sentence, asked=question(ON_PRO, "boolean"))
    assert found.verdict is verdict, found.diagnosis


def test_an_answer_under_a_question_is_about_the_question():
    body = "<h3>Do you support SCIM provisioning?</h3><p>No, we don’t.</p><h3>Do you support SAML?</h3><p>Yes.</p>"
    assert examine(body, "no", "No, we don’t.", asked=question(ASKED, "boolean")).verified
    assert not examine(body, "yes", "Yes.", asked=question(ASKED, "boolean")).verified


def test_the_quote_must_hold_the_cue():
    body = "<p>Automatic user provisioning with SCIM is not supported.</p>"
    found = examine(body, "no", "Automatic user provisioning with SCIM", asked=question(ASKED, "boolean"))
    assert found.verdict is Verdict.QUOTE_PARTIAL
    assert not examine(body, "yes", "Automatic user provisioning with SCIM", asked=question(ASKED, "boolean")).verified


@pytest.mark.parametrize("value", ["maybe", "SCIM", "1", "partly"])
def test_a_claim_is_yes_or_no(value):
    found = examine("<p>SCIM is supported.</p>", value, "SCIM is supported.", asked=question(ASKED, "boolean"))
    assert found.verdict is Verdict.VALUE_ABSENT


def test_a_heading_answers_nothing():
    found = examine("<h2>SCIM is supported</h2><p>x</p>", "yes", "SCIM is supported", asked=question(ASKED, "boolean"))
    assert found.verdict is Verdict.BARE_HEADING

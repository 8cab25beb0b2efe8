"""Conclusions: nothing that its evidence does not carry is supported, and nothing sound is rejected."""

from __future__ import annotations

from dataclasses import replace

import pytest

from research_pipeline.records import FindingStatus, TypedValue, Verdict
from research_pipeline.reporting.building import build
from research_pipeline.reporting.claim import Conclusion
from research_pipeline.reporting.conclusions import Standing, check
from research_pipeline.reporting.drafting import draft
from research_pipeline.reporting.words import words_for
from research_pipeline.study import AnswerType
from tests import report_samples as sample

WORDS = words_for("en")
PLAN = sample.sample_plan()
FINDINGS = sample.sample_findings()
EVIDENCE = {finding.sub_question_id: tuple(item.id for item in finding.evidence) for finding in FINDINGS}


def judged(sentence, *keys, cites=None, findings=FINDINGS, evidence=()):
    cited = tuple(item for key in keys for item in EVIDENCE[key]) if cites is None else cites
    return check(Conclusion(sentence, keys, cited, "a-model"), findings, evidence, questions=PLAN.questions, words=WORDS)


SOUND = [
    ("Acme keeps audit logs for 180 days on its Business plan.", ["acme.retention"]),
    ("SAML single sign-on is part of Acme's Business plan.", ["acme.sso"]),
    ("Acme's free trial runs for two weeks.", ["acme.trial"]),
    ("Borealis grants 30 days of trial, while Acme grants 14 days.", ["borealis.trial", "acme.trial"]),
    ("Acme grants 14 days of trial and Borealis 30 days.", ["acme.trial", "borealis.trial"]),
    ("Acme and Cirrus both offer a free trial of 14 days.", ["acme.trial", "cirrus.trial"]),
    ("All vendors offer a free trial: Acme 14 days, Borealis 30 days, Cirrus two weeks.", ["acme.trial", "borealis.trial", "cirrus.trial"]),
    (
        "Cirrus offers the shortest trial, two weeks, as does Acme with 14 days; Borealis offers 30 days.",
        ["acme.trial", "borealis.trial", "cirrus.trial"],
    ),
    ("Acme keeps audit logs for 180 days and its trial lasts 14 days.", ["acme.retention", "acme.trial"]),
    ("“How long is the free trial of Acme?” 14 days.", ["acme.trial"]),
]


@pytest.mark.parametrize(("sentence", "keys"), SOUND)
def test_a_sentence_that_says_what_its_evidence_says_is_supported(sentence, keys):
    result = judged(sentence, *keys)

    assert (result.standing, result.reasons) == (Standing.SUPPORTED, ())


UNSOUND = [
    ("Acme keeps audit logs for 90 days.", ["acme.retention"], "states “90 days”"),
    ("Acme keeps audit logs for 1,180 days.", ["acme.retention"], "states “1,180 days”"),
    ("Acme keeps audit logs for at least 180 days.", ["acme.retention"], "states “180 days”"),
    ("Acme keeps audit logs for 180 months.", ["acme.retention"], "states “180 months”"),
    ("Acme keeps audit logs forever.", ["acme.retention"], "states “forever”"),
    ("Acme keeps audit logs for 180 days, and 30 days of backups.", ["acme.retention"], "states “30 days”"),
    ("Acme keeps audit logs for 180 days in 3 regions.", ["acme.retention"], "states “3”"),
    ("Acme keeps audit logs for 180 days since 2024.", ["acme.retention"], "states “2024”"),
    ("Borealis grants a trial of 14 days, while Acme grants 30 days.", ["borealis.trial", "acme.trial"], "states “14 days”"),
    ("Borealis: 14 days; Acme: 30 days.", ["borealis.trial", "acme.trial"], "states “14 days”"),
    ("Acme keeps 30 days and Borealis grants 14 days.", ["acme.trial", "borealis.trial"], "states “30 days”"),
    ("Acme and Borealis both grant 30 days.", ["acme.trial", "borealis.trial"], "states “30 days”"),
    ("Acme does not keep audit logs for 180 days.", ["acme.retention"], "does not assert “180 days”"),
    ("Acme used to keep audit logs for 180 days.", ["acme.retention"], "does not assert “180 days”"),
    ("Acme may soon keep audit logs for 180 days.", ["acme.retention"], "does not assert “180 days”"),
    ("Acme does not include SAML single sign-on.", ["acme.sso"], "the opposite"),
    ("SAML single sign-on isn't part of Acme's Business plan.", ["acme.sso"], "the opposite"),
    ("Acme and Borealis grant a trial of 14 days.", ["acme.trial"], "names borealis"),
    ("All vendors grant a trial of 14 days.", ["acme.trial"], "nothing for Borealis"),
    ("Every one of them grants a trial.", ["acme.trial", "borealis.trial"], "nothing for Cirrus"),
    ("No other vendor grants 14 days.", ["acme.trial"], "nothing for Borealis"),
    ("Acme grants the longest trial, 14 days.", ["acme.trial"], "nothing for Borealis"),
    ("Only Acme grants a trial of 14 days.", ["acme.trial"], "nothing for Borealis"),
]


@pytest.mark.parametrize(("sentence", "keys", "reason"), UNSOUND)
def test_a_sentence_that_says_more_or_else_is_rejected_with_the_reason(sentence, keys, reason):
    result = judged(sentence, *keys)

    assert result.standing is Standing.REJECTED
    assert reason in " ".join(result.reasons)


@pytest.mark.parametrize(
    ("keys", "cites", "reason"),
    [
        (["acme.retention"], (), "cites no evidence"),
        (["acme.retention"], ("ev_nowhere",), "ev_nowhere, which does not exist"),
        (["acme.retention", "borealis.trial"], EVIDENCE["acme.retention"], "nothing for “How long is the free trial of Borealis?”"),
        (["acme.retention"], EVIDENCE["acme.retention"] + EVIDENCE["acme.sso"], "about which it does not speak"),
        (["acme.colour"], EVIDENCE["acme.retention"], "acme.colour, which was not asked"),
    ],
)
def test_citations_cover_exactly_what_is_spoken_about(keys, cites, reason):
    result = judged("Acme keeps audit logs for 180 days.", *keys, cites=cites)

    assert result.standing is Standing.REJECTED
    assert reason in " ".join(result.reasons)


def test_evidence_that_failed_its_own_check_cannot_be_cited_even_beside_good_evidence():
    failed = replace(FINDINGS[3].evidence[0], id="ev_failed", verdict=Verdict.VALUE_NEGATED)

    result = judged(
        "Acme keeps audit logs for 180 days.", "acme.retention", cites=(*EVIDENCE["acme.retention"], "ev_failed"), evidence=[failed]
    )

    assert result.standing is Standing.REJECTED
    assert "ev_failed, which did not pass its own check: value is negated" in result.reasons[0]


def test_a_question_with_several_values_makes_a_conclusion_disputed():
    result = judged("Borealis keeps audit logs for 90 days.", "borealis.retention", cites=EVIDENCE["borealis.retention"][:1])

    assert (result.standing, result.reasons) == (Standing.DISPUTED, ("Sources disagree on the answer for Borealis.",))


def test_one_disputed_question_among_several_makes_the_whole_disputed():
    assert (
        judged("Acme keeps audit logs for 180 days, Borealis for 90 days.", "acme.retention", "borealis.retention").standing
        is Standing.DISPUTED
    )


def test_a_question_repeated_in_quotation_marks_states_nothing():
    question = PLAN.questions["acme.retention"].model_copy(update={"text": "Does Acme keep audit logs for 365 days?"})

    result = check(
        Conclusion(
            "“Does Acme keep audit logs for 365 days?” It keeps them for 180 days.", ("acme.retention",), EVIDENCE["acme.retention"]
        ),
        FINDINGS,
        (),
        questions={**PLAN.questions, "acme.retention": question},
        words=WORDS,
    )

    assert result.standing is Standing.SUPPORTED


def test_every_template_passes_its_own_check():
    for drafted in draft(FINDINGS, PLAN.questions, WORDS):
        assert check(drafted, FINDINGS, (), questions=PLAN.questions, words=WORDS).standing is not Standing.REJECTED, drafted


def test_words_of_a_value_that_negate_do_not_deny_it():
    finding = next(finding for finding in FINDINGS if finding.sub_question_id == "acme.retention")
    unlimited = TypedValue(AnswerType.DURATION, "", unlimited=True)
    findings = [replace(finding, evidence=(replace(finding.evidence[0], value="no limit", typed=unlimited),))]

    (drafted,) = draft(findings, PLAN.questions, WORDS)

    assert check(drafted, findings, (), questions=PLAN.questions, words=WORDS).standing is Standing.SUPPORTED


@pytest.mark.parametrize(
    ("values", "typed"),
    [
        (
            ["24 hours", "5 minutes", "48 hours"],
            [TypedValue(AnswerType.DURATION, str(seconds), "seconds") for seconds in (86400, 300, 172800)],
        ),
        (["2 weeks"], [TypedValue(AnswerType.DURATION, "1209600", "seconds", bound="more than")]),  # `never deletes what is older than`
    ],
)
def test_values_that_read_otherwise_beside_others_or_without_their_sentence_pass_in_templates(values, typed):
    finding = next(finding for finding in FINDINGS if finding.sub_question_id == "acme.retention")
    items = [replace(finding.evidence[0], id=f"ev_{value}", value=value, typed=type_) for value, type_ in zip(values, typed, strict=True)]
    findings = [replace(finding, status=FindingStatus.UNRESOLVED, evidence=tuple(items))]

    (drafted,) = draft(findings, PLAN.questions, WORDS)

    assert check(drafted, findings, (), questions=PLAN.questions, words=WORDS).standing is Standing.DISPUTED


def test_a_free_text_answer_carries_its_own_numbers():
    finding = next(finding for finding in FINDINGS if finding.sub_question_id == "acme.retention")
    hours = replace(
        finding.evidence[0], value="Monday through Friday, 9am to 9pm", typed=TypedValue(AnswerType.TEXT, "monday through friday")
    )
    findings = [replace(finding, evidence=(hours,))]
    questions = {**PLAN.questions, "acme.retention": PLAN.questions["acme.retention"].model_copy(update={"answer": AnswerType.TEXT})}

    (drafted,) = draft(findings, questions, WORDS)

    assert check(drafted, findings, (), questions=questions, words=WORDS).standing is Standing.SUPPORTED
    late = replace(drafted, sentence=drafted.sentence.replace("9pm", "10pm"))
    assert check(late, findings, (), questions=questions, words=WORDS).standing is Standing.REJECTED


def test_templates_speak_of_each_finding_with_evidence_and_compare_what_was_asked_alike():
    sentences = [drafted.sentence for drafted in draft(FINDINGS, PLAN.questions, WORDS)]

    assert "“How long does Acme keep audit logs on its Business plan?” The answer for Acme is 180 days." in sentences
    assert "“How long is the free trial of …?” Acme: 14 days; Borealis: 30 days; Cirrus: two weeks." in sentences
    assert len(sentences) == sum(bool(finding.evidence) for finding in FINDINGS) + 1


def comparison(*values):
    """The sentence that compares three trials of these lengths in days."""
    trials = [finding for finding in FINDINGS if finding.sub_question_id.endswith(".trial")]
    findings = [
        replace(finding, evidence=(replace(finding.evidence[0], value=f"{number} days", typed=sample.days(number)),))
        for finding, number in zip(trials, values, strict=True)
    ]
    return draft(findings, PLAN.questions, WORDS)[-1].sentence


def test_equal_answers_are_said_to_be_the_same():
    assert comparison(14, 14, 14) == "“How long is the free trial of …?” Acme, Borealis and Cirrus have the same answer: 14 days."


def test_answers_are_said_to_differ_only_where_each_differs_from_each():
    assert (
        comparison(7, 14, 30) == "“How long is the free trial of …?” The answers differ. Acme: 7 days; Borealis: 14 days; Cirrus: 30 days."
    )
    assert "differ" not in comparison(14, 14, 30)


def test_vendors_asked_in_other_words_are_not_compared():
    findings = [
        replace(finding, text="What is the trial period of Acme?") if finding.sub_question_id == "acme.trial" else finding
        for finding in FINDINGS
    ]
    (compared,) = [drafted for drafted in draft(findings, PLAN.questions, WORDS) if len(drafted.sub_question_ids) > 1]

    assert compared.sub_question_ids == ("borealis.trial", "cirrus.trial")


def test_a_disputed_answer_is_left_out_of_comparisons():
    findings = [
        replace(finding, status=FindingStatus.CONFLICT) if finding.sub_question_id == "cirrus.trial" else finding for finding in FINDINGS
    ]
    (compared,) = [drafted for drafted in draft(findings, PLAN.questions, WORDS) if len(drafted.sub_question_ids) > 1]

    assert compared.sub_question_ids == ("acme.trial", "borealis.trial")


def test_the_report_keeps_rejected_conclusions_with_their_reason():
    given = sample.sample_input()
    bad = Conclusion("Acme keeps audit logs for 900 days.", ("acme.retention",), EVIDENCE["acme.retention"], origin="a-model")

    (rejected,) = build(replace(given, drafts=[bad])).conclusions.rejected

    assert (rejected.origin, rejected.reasons) == ("a-model", ["It states “900 days”, which is not a value of what it cites."])

"""Rubrics are judged by code where code can, are never passed by default, and grant rounds by rule alone."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_pipeline.limits import StopRule
from research_pipeline.loop import Action, Progress, RoundOutcome, begin_round, goes_on, next_action, pursue_rubrics, with_rounds
from research_pipeline.records import FindingStatus, GapKind
from research_pipeline.rubrics import Opinion, RubricStatus, judge
from research_pipeline.study import Authority, Limits, Rubric
from tests.small_site import ORIGIN, STUDY, write_study

TODAY = date(2026, 3, 14)
OPEN = RoundOutcome(FindingStatus.GAP, verified=(), unread=5, failed=0, can_widen=True)
ANSWERED = replace(OPEN, status=FindingStatus.AGREED, verified=("ev_1",))


@pytest.fixture(scope="module")
def findings():
    from tests.report_samples import sample_input

    return list(sample_input().findings)


def judged(rubric, findings, **options):
    [result] = judge([Rubric.model_validate(rubric)], findings, today=TODAY, **options)
    return result


def agreed(findings):
    return next(finding for finding in findings if finding.status is FindingStatus.AGREED and finding.evidence)


def test_a_demand_for_sources_names_the_answers_that_have_too_few(findings):
    one = agreed(findings)

    assert judged({"rule": "min_sources", "count": one.independent_sources}, [one]).status is RubricStatus.PASSED
    short = judged({"rule": "min_sources", "count": one.independent_sources + 1}, [one])
    assert (short.status, short.sub_question_ids) == (RubricStatus.FAILED, (one.sub_question_id,))


@pytest.mark.parametrize("authority", list(Authority))
def test_an_answer_that_secondary_sources_carry_alone_is_not_official(findings, authority):
    one = agreed(findings)
    one = replace(one, evidence=tuple(replace(item, authority=authority) for item in one.evidence))

    assert (judged({"rule": "official_only"}, [one]).status is RubricStatus.PASSED) == (authority is Authority.OFFICIAL)


@pytest.mark.parametrize(
    ("updated", "status"),
    [
        ("2026-01-02", "passed"),
        ("2026-03", "passed"),
        ("2025-01-02", "failed"),
        ("2026", "passed"),
        ("2025-09", "failed"),
        (None, "failed"),
    ],
)
def test_an_age_is_counted_from_the_run_date_and_an_undated_page_proves_none(findings, updated, status):
    one = agreed(findings)
    one = replace(one, evidence=tuple(replace(item, page_updated=updated) for item in one.evidence))

    assert judged({"rule": "max_age", "age": "180 days"}, [one]).status == status


@pytest.mark.parametrize("status", list(FindingStatus))
def test_conflicts_and_open_questions_fail_the_rubrics_that_speak_of_them(findings, status):
    answer, other = agreed(findings), replace(agreed(findings), sub_question_id="acme.other", status=status)

    disputed = judged({"rule": "no_conflicts"}, [answer, other])
    unanswered = judged({"rule": "every_vendor_answered"}, [answer, other])

    assert (disputed.status is RubricStatus.FAILED) == (status in (FindingStatus.CONFLICT, FindingStatus.UNRESOLVED))
    assert (unanswered.status is RubricStatus.FAILED) == (status in (FindingStatus.GAP, FindingStatus.UNRESOLVED))
    assert {*disputed.sub_question_ids, *unanswered.sub_question_ids} <= {"acme.other"}


@pytest.mark.parametrize("rule", [{"rule": "official_only"}, {"rule": "no_conflicts"}, {"rule": "max_age", "age": "1 year"}])
def test_no_answer_at_all_meets_no_demand_on_answers(findings, rule):
    gap = replace(agreed(findings), status=FindingStatus.GAP, gap_kind=GapKind.SILENT, evidence=(), answer=None, typed=None)

    assert judged(rule, [gap]).status is RubricStatus.FAILED


def test_free_words_are_unchecked_unless_somebody_judged_them(findings):
    rubric = {"rule": "text", "text": "Every answer names its plan."}

    assert judged(rubric, findings).status is RubricStatus.UNCHECKED
    assert judged(rubric, findings, opinions={1: Opinion(met=True, reason="It does.")}).status is RubricStatus.PASSED
    assert judged(rubric, findings, opinions={1: Opinion(False, "One does not.", ("a.b",))}).sub_question_ids == ("a.b",)


def decided(progress, outcome, limits, *, granted=0, **judged):
    first = {"a.b": next_action(progress, outcome, with_rounds(limits, granted))}
    return pursue_rubrics(first, {"a.b": outcome}, limits, granted=granted, **{"demanded": (), "share": 0.0, **judged})["a.b"]


def test_an_answer_that_fails_a_rubric_reads_on_while_there_is_something_to_read():
    first = begin_round(Progress())

    assert decided(first, ANSWERED, Limits()).rule is StopRule.ANSWERED
    assert (decided(first, ANSWERED, Limits(), demanded={"a.b"}).action) is Action.FETCH_MORE
    assert decided(first, ANSWERED, Limits(), demanded={"a.b"}).rule is StopRule.RUBRIC_FAILED
    nothing = replace(ANSWERED, unread=0, can_widen=False)
    assert decided(first, nothing, Limits(), demanded={"a.b"}).rule is StopRule.ANSWERED


@given(st.integers(1, 8), st.sampled_from([0.0, 0.3, 0.31, 1.0]), st.booleans(), st.booleans(), st.integers(0, 4))
def test_rounds_are_three_then_five_by_rule_and_beyond_eight_only_by_consent(chosen, share, demanded, answered, consent):
    limits = Limits(max_rounds=chosen, max_rounds_without_new_evidence=20)
    progress = Progress()
    while goes_on(progress, limits, granted=consent):
        progress = begin_round(progress)
        outcome = replace(ANSWERED if answered else OPEN, verified=(f"ev_{progress.round}",))
        progress = decided(progress, outcome, limits, granted=consent, demanded={"a.b"} if demanded else (), share=share).progress

    assert progress.closed
    allowed = 5 if chosen == 3 and share > 0.3 and not consent else chosen + consent
    assert progress.round == (1 if answered and not demanded else allowed)
    assert (progress.action == "escalate_budget") == (progress.round == allowed >= 8)
    if progress.action == "escalate_budget":
        assert goes_on(progress, limits, granted=consent + 1), "a person may grant more"


def test_a_run_reads_on_for_a_rubric_and_reports_how_each_came_out(place, research):
    rubrics = [{"rule": "min_sources", "count": 2}, {"rule": "no_conflicts"}, {"rule": "text", "text": "Answers name their plan."}]
    asked = {"sub_questions": STUDY["sub_questions"][:2], "limits": {"pages_per_round": 1}}
    plain = research.run(write_study(place, **asked)).report

    finished = research.run(write_study(place, **asked, rubrics=rubrics))

    report = finished.report
    assert [(item.rule, item.status) for item in report.rubrics] == [
        ("min_sources", "failed"),
        ("no_conflicts", "passed"),
        ("text", "unchecked"),
    ]
    assert "acme.audit" in report.rubrics[0].sub_question_ids
    assert report.spend.pages > plain.spend.pages, "the failing rubric led to a further round"
    steps = research.stores.operations.steps(report.cycle)
    assert ("acme.audit", "rubric_failed") in {(step.sub_question_id, step.rule) for step in steps}
    assert [f.answer for f in report.findings] == [f.answer for f in plain.findings]
    for name, words in (("report.md", "**not met**"), ("report.html", "<strong>unchecked</strong>")):
        assert words in finished.folder.joinpath(name).read_text(), name
    assert ORIGIN in report.pages_read[0].url

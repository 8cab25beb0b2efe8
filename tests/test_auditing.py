"""What each check says of what it sees: pure functions, so plain records are enough."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from research_pipeline.auditing import (
    CHECKS,
    answer_unchanged,
    answered,
    budget_kept,
    budget_suffices,
    conclusions_supported,
    evidence_fresh,
    no_page_failed,
    pages_usable,
    plan_covered,
    quotes_stand,
    quotes_verified,
)
from research_pipeline.limits import Spent
from research_pipeline.planning import plan_of
from research_pipeline.records import Finding, FindingStatus, GapKind, Page, PageStatus, TypedValue, Verdict
from research_pipeline.reporting.building import build
from research_pipeline.reporting.report import Withheld
from research_pipeline.study import AnswerType, Limits, Rubric, Study
from tests import report_samples as sample
from tests.small_site import STUDY

QUOTE = "Audit logs are kept for 90 days."
TODAY = date(2026, 11, 30)
DAYS = TypedValue(AnswerType.DURATION, "7776000", "seconds")


def page(status, number=1):
    return Page(f"pg_{number}", "acme", "c", "docs", f"https://a.example/{number}", "", "", status)


def evidence(**changes):
    return replace(sample.evidence_of(sample.page_text("https://a.example/logs", QUOTE), QUOTE, "90 days"), **changes)


@pytest.fixture(scope="module")
def report():
    return build(sample.sample_input())


def finding(status=FindingStatus.AGREED, answer="90 days", typed=DAYS, gap=None):
    return Finding("acme.audit", "acme", "How long?", status, gap_kind=gap, answer=answer, typed=typed)


def test_a_plan_without_an_official_source_is_told_for_which_sub_question():
    secondary = [{**source, "authority": "secondary"} for source in STUDY["sources"]]

    covered, bare = (plan_covered(plan_of(Study.model_validate({**STUDY, **more}), name="acme")) for more in ({}, {"sources": secondary}))

    assert covered.passed
    assert not bare.passed
    assert "acme.audit, acme.rate, acme.uptime" in bare.advice


def test_limits_below_one_round_are_named_with_what_is_needed():
    plan = plan_of(Study.model_validate({**STUDY, "limits": {"max_pages": 2}}), name="acme")

    check = budget_suffices(plan)

    assert not check.passed
    assert "`max_pages` is 2, and one round may need 6" in check.advice


def test_failed_pages_are_counted_named_and_come_with_the_way_out():
    check = no_page_failed([page(PageStatus.USABLE), page(PageStatus.FAILED, 2)])

    assert not check.passed
    assert "1 of 2 pages failed: https://a.example/2. Materialise this partition again" in check.advice
    assert no_page_failed([page(PageStatus.LOGIN)]).passed, "a login wall is the site's answer, not a failure"


@pytest.mark.parametrize(
    ("statuses", "passed", "words"),
    [
        ([PageStatus.USABLE, PageStatus.LOGIN], True, "1 of 2"),
        ([PageStatus.LOGIN, PageStatus.LOGIN, PageStatus.EMPTY], False, "2 login, 1 empty"),
        ([PageStatus.LOGIN], False, "Name another source"),
        ([PageStatus.LOGIN, PageStatus.FAILED], False, "Materialise this partition again"),
        ([], False, "include_patterns"),
    ],
)
def test_a_sub_question_needs_one_usable_page(statuses, passed, words):
    check = pages_usable([page(status, number) for number, status in enumerate(statuses)])

    assert (check.passed, words in check.advice) == (passed, True)


def test_quotes_that_were_all_refused_are_a_warning_and_none_at_all_are_not():
    refused = evidence(verdict=Verdict.VALUE_NEGATED)

    assert not quotes_verified([refused]).passed
    assert quotes_verified([refused, evidence()]).passed
    assert quotes_verified([]).passed


@pytest.mark.parametrize(
    ("updated", "age", "passed"),
    [
        ("2026-11-01", None, True),
        ("2025-11-29", None, False),
        ("2025-11-30", None, True),  # a year to the day
        ("2025-11", None, True),  # the end of the month may be meant
        ("2025-10", None, False),
        ("2024", None, False),
        ("2025", None, True),
        ("2026-10-30", timedelta(days=30), False),
        (None, timedelta(days=30), True),
    ],
)
def test_a_page_is_as_old_as_the_newest_day_that_its_date_may_mean(updated, age, passed):
    item = evidence(page_updated=updated, retrieved_at=datetime(2026, 11, 29, tzinfo=UTC))
    rubrics = [Rubric(rule="max_age", age=age)] if age else []

    check = evidence_fresh([item], rubrics, today=TODAY)

    assert check.passed is passed
    assert ("no date" in check.advice or "1 give no date" in check.advice) is (updated is None)


def test_evidence_that_was_refused_may_be_as_old_as_it_likes():
    assert evidence_fresh([evidence(page_updated="1999", verdict=Verdict.IN_EXAMPLE)], [], today=TODAY).passed


def test_a_sub_question_that_is_worked_on_is_not_a_warning_yet():
    gap = finding(FindingStatus.GAP, None, None, GapKind.SILENT)

    assert answered(gap, closed=False, why="").passed
    assert not answered(gap, closed=True, why="No candidate pages are left.").passed
    assert answered(finding(), closed=True, why="").passed


@pytest.mark.parametrize(
    ("before", "same"),
    [
        (None, True),
        (finding(), True),
        (finding(answer="ninety days"), True),
        (finding(answer="30 days", typed=TypedValue(AnswerType.DURATION, "2592000", "seconds")), False),
        (finding(FindingStatus.CONFLICT), False),
        (finding(FindingStatus.GAP, None, None, GapKind.SILENT), False),
    ],
)
def test_an_answer_that_changed_since_the_last_cycle_is_a_warning_with_both(before, same):
    check = answer_unchanged(finding(), before)

    assert check.passed is same
    assert same or ("90 days" in check.advice and before.status in check.advice)


def test_a_gap_of_another_kind_is_a_change():
    gaps = [finding(FindingStatus.GAP, None, None, kind) for kind in (GapKind.SILENT, GapKind.FAILED)]

    assert not answer_unchanged(gaps[0], gaps[1]).passed


def test_a_supported_conclusion_that_cites_what_is_not_printed_is_grave(report):
    assert report.conclusions.supported, "the sample has some"
    loose = report.conclusions.supported[0].model_copy(update={"evidence_ids": ["ev_unknown"]})
    broken = report.model_copy(update={"conclusions": report.conclusions.model_copy(update={"supported": [loose]})})

    assert conclusions_supported(report).passed
    check = conclusions_supported(broken)
    assert (check.passed, check.grave) == (False, True)
    assert loose.sentence in check.advice


def test_withheld_evidence_is_named(report):
    withheld = [Withheld(evidence_id="ev_1", sub_question_id="acme.audit", reason="gone")]

    assert quotes_stand(report.model_copy(update={"withheld": []})).passed
    assert "ev_1" in quotes_stand(report.model_copy(update={"withheld": withheld})).advice


def test_a_budget_that_was_overrun_is_grave_and_says_by_how_much():
    limits = Limits(max_tokens=10)

    assert budget_kept(Spent(tokens=10), limits, warnings=["80 % is used."]).advice == "Within every limit. 80 % is used."
    check = budget_kept(Spent(tokens=11), limits)
    assert (check.passed, check.grave) == (False, True)
    assert "11 tokens of 10" in check.advice


def test_every_check_has_words_for_what_it_asserts():
    assert all(text.endswith(".") for text in CHECKS.values())

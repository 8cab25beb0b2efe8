"""Every stop rule refuses before the money goes, and only then."""

from contextlib import nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_pipeline.errors import LimitReached
from research_pipeline.limits import Spent, StopRule, Tool, check_before_call, warnings_at
from research_pipeline.study import Limits

LIMITS = Limits(
    max_steps=10, max_discover_calls=2, max_pages=4, max_tokens=100, max_model_cost_usd=1.0, max_seconds=60, max_failures_in_a_row=3
)


@pytest.mark.parametrize(
    ("rule", "spent", "call"),
    [
        (StopRule.STEP_LIMIT, Spent(steps=10), {"tool": Tool.HTML}),
        (StopRule.DISCOVER_LIMIT, Spent(discover_calls=2), {"tool": Tool.MAP}),
        (StopRule.PAGE_LIMIT, Spent(pages=4), {"tool": Tool.HTML}),
        (StopRule.PAGE_LIMIT, Spent(pages=4), {"tool": Tool.MARKDOWN}),
        (StopRule.PAGE_LIMIT, Spent(pages=4), {"tool": Tool.GENERAL}),
        (StopRule.TOKEN_LIMIT, Spent(tokens=96), {"tool": Tool.HTML, "tokens": 5}),
        (StopRule.TOKEN_LIMIT, Spent(tokens=40, tokens_reserved=56), {"tool": Tool.HTML, "tokens": 5}),
        (StopRule.MODEL_COST_LIMIT, Spent(model_cost_usd=0.5, model_cost_reserved=0.4), {"tool": Tool.MODEL, "cost": 0.11}),
        (StopRule.TIME_LIMIT, Spent(seconds=60), {"tool": Tool.MODEL}),
        (StopRule.FAILURES_IN_A_ROW, Spent(failures_in_a_row=3), {"tool": Tool.MAP}),
    ],
)
def test_a_call_that_could_break_a_limit_is_refused_by_the_rule_of_that_limit(rule, spent, call):
    with pytest.raises(LimitReached) as refused:
        check_before_call(LIMITS, spent, **call)

    assert refused.value.rule == rule
    assert rule.explanation in str(refused.value)


@pytest.mark.parametrize(
    ("spent", "call"),
    [
        (Spent(steps=9, pages=3, tokens=95), {"tool": Tool.HTML, "tokens": 5}),
        (Spent(discover_calls=2), {"tool": Tool.HTML}),
        (Spent(pages=4), {"tool": Tool.MAP}),
        (Spent(pages=4, tokens=100), {"tool": Tool.MODEL, "cost": 1.0}),
        (Spent(model_cost_usd=1.0), {"tool": Tool.HTML, "tokens": 5}),
        (Spent(model_cost_usd=0.1 + 0.2), {"tool": Tool.MODEL, "cost": 0.7}),
    ],
)
def test_a_limit_may_be_used_up_and_does_not_hinder_calls_of_another_kind(spent, call):
    check_before_call(LIMITS, spent, **call)


def test_an_account_with_less_than_the_study_allows_is_named_as_the_reason():
    with pytest.raises(LimitReached) as refused:
        check_before_call(LIMITS, Spent(tokens=18), tool=Tool.HTML, tokens=5, account_tokens=20)

    assert refused.value.rule == StopRule.ACCOUNT_EXHAUSTED


def test_an_account_with_more_than_the_study_allows_changes_nothing():
    check_before_call(LIMITS, Spent(tokens=95), tool=Tool.HTML, tokens=5, account_tokens=10_000)
    with pytest.raises(LimitReached) as refused:
        check_before_call(LIMITS, Spent(tokens=96), tool=Tool.HTML, tokens=5, account_tokens=10_000)

    assert refused.value.rule == StopRule.TOKEN_LIMIT


def test_what_is_held_back_for_the_report_is_there_for_the_report_alone():
    spent = Spent(model_cost_usd=0.7)

    check_before_call(LIMITS, spent, tool=Tool.MODEL, cost=0.3)
    with pytest.raises(LimitReached):
        check_before_call(LIMITS, spent, tool=Tool.MODEL, cost=0.3, held_back=0.2)


amounts = st.integers(0, 200)


@given(spent=amounts, reserved=amounts, asked=amounts, limit=st.integers(1, 200), account=st.none() | amounts)
def test_an_admitted_call_never_breaks_the_token_budget(spent, reserved, asked, limit, account):
    total = spent + reserved + asked
    within = total <= limit and (account is None or total <= account)
    allowed = nullcontext() if within or not asked else pytest.raises(LimitReached)
    with allowed:
        check_before_call(
            Limits(max_tokens=limit), Spent(tokens=spent, tokens_reserved=reserved), tool=Tool.MAP, tokens=asked, account_tokens=account
        )


def test_a_person_is_warned_when_four_fifths_of_a_limit_are_used():
    warned = warnings_at(LIMITS, Spent(steps=8, pages=3, tokens=79, model_cost_usd=0.8, failures_in_a_row=3))

    assert [gauge.rule for gauge in warned] == [StopRule.STEP_LIMIT, StopRule.MODEL_COST_LIMIT]
    assert str(warned[0]) == "8 of 10 paid calls are used (`max_steps`)"


def test_nobody_is_warned_of_a_limit_of_nothing_that_nothing_was_used_of():
    assert warnings_at(Limits(max_model_cost_usd=0), Spent()) == []


@pytest.mark.parametrize("rule", StopRule)
def test_every_rule_explains_itself_in_one_sentence(rule):
    assert rule.explanation.endswith(".")
    assert rule.explanation.count(". ") == 0

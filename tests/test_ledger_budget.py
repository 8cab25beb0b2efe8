"""The budget of a cycle: kept at every moment, whatever calls cost and however they end."""

import pytest

from research_pipeline.errors import LimitReached, RequestRefused, TransientFailure, UnknownName
from research_pipeline.limits import StopRule, Tool
from research_pipeline.study import Limits
from resources.calls import Call, Outcome, Reservation, Wait
from resources.ledger import Ledger

DATABASES = ["sqlite", "postgresql"]

REFUSED = RequestRefused("The service answered 404", status=404, cost=0)


def page(name, tokens=5):
    return Call(Tool.HTML, name, {"url": name}, tokens=tokens)


def site(name, tokens=60):
    return Call(Tool.MAP, name, {"url": name}, tokens=tokens)


def model(name, cost):
    return Call(Tool.MODEL, "", {"prompt": name}, cost_usd=cost)


def send(desk, call, **context):
    reservation = desk.ledger.claim(call, desk.context(**context))
    assert isinstance(reservation, Reservation)
    desk.ledger.mark_pending(reservation)
    return reservation


def pay(desk, call, cost, **context):
    desk.ledger.settle(send(desk, call, **context), Outcome({}, tokens=cost))


def refusal(desk, call, **context):
    with pytest.raises(LimitReached) as refused:
        desk.ledger.claim(call, desk.context(**context))
    return refused.value.rule


def test_calls_under_way_make_others_wait_not_stop(desk):
    desk.limits = Limits(max_tokens=100)
    first = send(desk, site("a"))
    assert isinstance(desk.ledger.claim(site("b"), desk.context()), Wait)

    desk.ledger.settle(first, Outcome({}, tokens=8))

    assert isinstance(desk.ledger.claim(site("b"), desk.context()), Reservation)


def test_what_is_spent_for_good_stops(desk):
    desk.limits = Limits(max_tokens=100)
    pay(desk, site("a"), 41)

    assert refusal(desk, site("b")) == StopRule.TOKEN_LIMIT
    pay(desk, page("c"), 5)


def test_a_reply_that_does_not_name_its_price_is_charged_in_full(desk):
    pay(desk, page("a"), None)

    assert desk.ledger.spent("cycle-1").tokens == 5
    assert desk.ledger.calls("cycle-1")[0].as_row()["tokens_spent"] is None


def test_an_attempt_of_unknown_outcome_stays_charged_and_its_repeat_reserves_anew(desk):
    desk.limits = Limits(max_tokens=12)
    first = send(desk, page("a"))
    desk.ledger.fail(first, TransientFailure("no reply in time"), final=False)
    second = desk.ledger.claim(page("a"), desk.context(), after=first)
    desk.ledger.mark_pending(second)
    desk.ledger.fail(second, TransientFailure("no reply in time"), final=False)

    with pytest.raises(LimitReached):
        desk.ledger.claim(page("a"), desk.context(), after=second)
    assert desk.ledger.spent("cycle-1").tokens == 10


def test_a_reply_above_its_reservation_is_booked_and_warned_of_and_stops_new_calls(desk):
    pay(desk, page("a"), 9)

    assert desk.ledger.spent("cycle-1").tokens == 9
    assert refusal(desk, page("b")) == StopRule.TOKEN_LIMIT
    assert "cost 9 tokens where 5 were its most" in desk.ledger.warnings("cycle-1")[0].message


def test_the_account_bounds_the_cycle_from_when_it_was_asked(desk):
    desk.ledger.open_cycle("cycle-1", "study", limits=desk.limits, account_left=12)
    pay(desk, page("a"), 4)
    pay(desk, page("b"), 4)
    assert refusal(desk, page("c")) == StopRule.ACCOUNT_EXHAUSTED

    desk.ledger.set_account_left("cycle-1", 5)

    pay(desk, page("c"), 5)
    assert desk.ledger.budget("cycle-1").account_tokens == 13


def test_a_call_that_failed_gives_its_place_back_but_not_its_step(desk):
    desk.limits = Limits(max_pages=1, max_steps=3)
    desk.ledger.fail(send(desk, page("a")), REFUSED, final=True)
    pay(desk, page("b"), 2)

    assert refusal(desk, page("c")) == StopRule.PAGE_LIMIT
    pay(desk, site("d"), 8)
    assert refusal(desk, site("e")) == StopRule.STEP_LIMIT


def test_failures_in_a_row_are_counted_in_the_order_of_settling(desk):
    desk.limits = Limits(max_failures_in_a_row=2)
    early, late = send(desk, page("a")), send(desk, page("b"))
    desk.ledger.fail(late, REFUSED, final=True)
    desk.ledger.settle(early, Outcome({}, tokens=2))
    desk.ledger.fail(send(desk, page("c")), REFUSED, final=True)
    assert desk.ledger.spent("cycle-1").failures_in_a_row == 1
    desk.ledger.fail(send(desk, page("d")), REFUSED, final=True)

    assert refusal(desk, page("e")) == StopRule.FAILURES_IN_A_ROW
    assert {row.url: row.sequence for row in desk.ledger.calls("cycle-1")} == {"b": 1, "a": 2, "c": 3, "d": 4}


def test_attempts_that_are_followed_by_another_are_no_failures_in_a_row(desk):
    first = send(desk, page("a"))
    desk.ledger.fail(first, TransientFailure("x", cost=0), final=False)

    assert desk.ledger.spent("cycle-1").failures_in_a_row == 0


def test_a_person_is_warned_once_of_each_limit(desk):
    desk.limits = Limits(max_pages=5)
    for name in "abcde":
        pay(desk, page(name), 1)

    assert [warning.rule for warning in desk.ledger.warnings("cycle-1")] == ["page_limit"]
    assert desk.ledger.warnings("cycle-1")[0].message == "4 of 5 pages are used (`max_pages`)."


def test_working_time_counts_once_whoever_works(desk, opstore, clock):
    desk.limits = Limits(max_seconds=100)
    desk.ledger.open_cycle("cycle-1", "study", limits=desk.limits)
    with Ledger(opstore, clock=clock) as other, desk.ledger.working("cycle-1"):
        clock.time += 30
        with other.working("cycle-1"), desk.ledger.working("cycle-1"):
            clock.time += 20
            pay(desk, page("a"), 1)
    clock.time += 1000

    assert desk.ledger.spent("cycle-1").seconds == 50


def test_a_cycle_that_has_worked_long_enough_stops(desk, clock):
    desk.limits = Limits(max_seconds=100)
    desk.ledger.open_cycle("cycle-1", "study", limits=desk.limits)
    with desk.ledger.working("cycle-1"):
        clock.time += 60
        pay(desk, page("a"), 1)
        clock.time += 40
        assert refusal(desk, page("b")) == StopRule.TIME_LIMIT
        assert refusal(desk, page("b")) == StopRule.TIME_LIMIT
    assert desk.ledger.spent("cycle-1").seconds == 100


def test_what_is_held_back_for_the_report_survives_every_stop_but_a_persons(desk):
    desk.limits = Limits(max_model_cost_usd=0.10, max_steps=1)
    desk.ledger.open_cycle("cycle-1", "study", limits=desk.limits, report_reserve_usd=0.04)
    assert refusal(desk, model("draft", 0.07)) == StopRule.MODEL_COST_LIMIT
    desk.ledger.settle(send(desk, model("draft", 0.06)), Outcome({}, cost_usd=0.06))
    assert refusal(desk, page("a")) == StopRule.STEP_LIMIT

    summary = send(desk, model("summary", 0.04), for_report=True)
    desk.ledger.settle(summary, Outcome({}, cost_usd=0.03))
    desk.ledger.abort("cycle-1", by="Ada")

    assert desk.ledger.spent("cycle-1").model_cost_usd == pytest.approx(0.09)
    assert refusal(desk, model("again", 0.01), for_report=True) == StopRule.ABORTED


def test_limits_count_from_the_first_opening_on(desk):
    desk.ledger.open_cycle("cycle-1", "study", limits=Limits(max_tokens=50))

    assert desk.ledger.open_cycle("cycle-1", "study", limits=Limits(max_tokens=99)).limits.max_tokens == 50


def test_a_cycle_without_a_budget_is_named(desk):
    with pytest.raises(UnknownName, match="cycle-9"):
        desk.ledger.budget("cycle-9")

"""One call in the ledger: answered once, waited for, taken over, repeated only on purpose."""

import pytest
import sqlalchemy as sa

from research_pipeline.errors import (
    AccountExhausted,
    CallNotRecorded,
    LeaseHeld,
    LimitReached,
    PermissionRefused,
    RequestRefused,
    TokenRejected,
    TransientFailure,
)
from research_pipeline.limits import StopRule, Tool
from resources.calls import Call, CallState, Outcome, Reservation, Wait
from resources.ledger import Ledger
from resources.ledger_tables import owners

DATABASES = ["sqlite", "postgresql"]

PAGE = Call(Tool.HTML, "https://docs.acme.example/logs", {"url": "https://docs.acme.example/logs"}, tokens=5)
LOST = TransientFailure("The service could not be asked: no reply in time.")
REFUSED = RequestRefused("The service answered 422: url is wrong", status=422, cost=0)


@pytest.fixture
def other(opstore, clock):
    """The ledger of another process; it is not closed, as if that process were killed."""
    ledger = Ledger(opstore, clock=clock)
    yield ledger
    ledger.close()


def vanish(opstore, ledger):
    """Make a ledger's process look gone to the others."""
    with opstore.begin() as connection:
        connection.execute(sa.delete(owners).where(owners.c.owner == ledger._owner.name))


def send(ledger, context, call=PAGE):
    reservation = ledger.claim(call, context)
    assert isinstance(reservation, Reservation)
    ledger.mark_pending(reservation)
    return reservation


def states(ledger):
    return [row.state for row in ledger.calls("cycle-1")]


def test_a_settled_call_is_answered_from_the_ledger_by_whatever_process(desk, other):
    booked = desk.ledger.settle(send(desk.ledger, desk.context()), Outcome({"title": "Logs"}, "ab" * 32, tokens=2))

    answer = other.claim(PAGE, desk.context(sub_question_id="acme.other", retry_failed=True))

    assert not booked.from_ledger
    assert answer.from_ledger
    assert (answer.response, answer.body_hash, answer.tokens) == ({"title": "Logs"}, "ab" * 32, 2)
    assert desk.ledger.spent("cycle-1").steps == 1


def test_another_cycle_asks_anew_and_other_caps_do_not(desk):
    desk.ledger.settle(send(desk.ledger, desk.context()), Outcome({}, tokens=2))
    dearer = Call(PAGE.tool, PAGE.url, PAGE.arguments, tokens=9)

    assert desk.ledger.claim(dearer, desk.context()).from_ledger
    assert isinstance(desk.ledger.claim(PAGE, desk.context(cycle="cycle-2")), Reservation)


def test_booking_a_reply_twice_books_it_once(desk):
    reservation = send(desk.ledger, desk.context())

    first = desk.ledger.settle(reservation, Outcome({"n": 1}, tokens=2))
    second = desk.ledger.settle(reservation, Outcome({"n": 2}, tokens=3))

    assert first.response == second.response == {"n": 1}
    assert desk.ledger.spent("cycle-1").tokens == 2


def test_a_call_that_somebody_alive_has_under_way_is_waited_for(desk, other):
    reservation = send(other, desk.context())
    assert isinstance(desk.ledger.claim(PAGE, desk.context()), Wait)

    other.settle(reservation, Outcome({}, tokens=2))

    assert desk.ledger.claim(PAGE, desk.context()).from_ledger


def test_a_reservation_of_a_process_that_is_gone_costs_nothing(desk, other, opstore):
    other.claim(PAGE, desk.context())
    vanish(opstore, other)

    again = desk.ledger.claim(PAGE, desk.context())

    assert again.attempt == 2
    assert states(desk.ledger) == [CallState.FAILED, CallState.RESERVED]
    spent = desk.ledger.spent("cycle-1")
    assert (spent.tokens, spent.tokens_reserved, spent.steps, spent.pages) == (0, 5, 1, 1)


def test_a_call_that_may_have_been_sent_is_charged_in_full_and_made_again(desk, other, opstore):
    send(other, desk.context())
    vanish(opstore, other)
    assert desk.ledger.spent("cycle-1").tokens_reserved == 5

    desk.ledger.settle(send(desk.ledger, desk.context()), Outcome({}, tokens=2))

    assert states(desk.ledger) == [CallState.UNKNOWN, CallState.SETTLED]
    assert [row.cost_known for row in desk.ledger.calls("cycle-1")] == [False, True]
    spent = desk.ledger.spent("cycle-1")
    assert (spent.tokens, spent.tokens_reserved, spent.steps, spent.pages) == (7, 0, 1, 1)


def test_a_process_that_was_taken_for_gone_does_not_send_any_more(desk, other, opstore):
    reservation = other.claim(PAGE, desk.context())
    vanish(opstore, other)
    desk.ledger.claim(PAGE, desk.context())

    with pytest.raises(LeaseHeld):
        other.mark_pending(reservation)


def test_a_reply_that_comes_after_it_was_given_up_is_booked_at_its_price(desk, other, opstore):
    late = send(other, desk.context())
    vanish(opstore, other)
    desk.ledger.settle(send(desk.ledger, desk.context()), Outcome({"from": "second"}, tokens=2))

    other.settle(late, Outcome({"from": "first"}, tokens=3))

    assert desk.ledger.spent("cycle-1").tokens == 5
    assert desk.ledger.claim(PAGE, desk.context()).response == {"from": "second"}


@pytest.mark.parametrize("failure", [LOST, REFUSED])
def test_a_call_that_failed_is_answered_with_its_failure(desk, failure):
    desk.ledger.fail(send(desk.ledger, desk.context()), failure, final=True)

    with pytest.raises(type(failure)) as recorded:
        desk.ledger.claim(PAGE, desk.context(round=2))

    assert (recorded.value.message, recorded.value.status, recorded.value.cost) == (failure.message, failure.status, failure.cost)


def test_a_deliberate_repeat_is_a_try_of_its_own_and_a_step_of_its_own(desk):
    desk.ledger.fail(send(desk.ledger, desk.context()), REFUSED, final=True)

    send(desk.ledger, desk.context(round=2, retry_failed=True))

    assert [(row.attempt, row.try_number) for row in desk.ledger.calls("cycle-1")] == [(1, 1), (2, 2)]
    assert desk.ledger.spent("cycle-1").steps == 2


def test_what_failed_is_repeated_once_in_a_run_and_round_whoever_asks(desk):
    again = desk.context(round=2, retry_failed=True)
    desk.ledger.fail(send(desk.ledger, desk.context()), REFUSED, final=True)
    desk.ledger.fail(send(desk.ledger, again), REFUSED, final=True)

    with pytest.raises(RequestRefused):
        desk.ledger.claim(PAGE, desk.context(round=2, retry_failed=True, sub_question_id="acme.other"))
    assert isinstance(desk.ledger.claim(PAGE, desk.context(round=2, retry_failed=True, run_id="run-2")), Reservation)


def test_between_two_attempts_of_one_caller_the_others_wait(desk, other):
    reservation = send(desk.ledger, desk.context())
    desk.ledger.fail(reservation, LOST, final=False)

    assert isinstance(other.claim(PAGE, desk.context(retry_failed=True)), Wait)
    assert desk.ledger.claim(PAGE, desk.context(), after=reservation).attempt == 2


def test_an_attempt_that_was_to_follow_is_made_by_whoever_comes_next(desk, other, opstore):
    other.fail(send(other, desk.context()), LOST, final=False)
    vanish(opstore, other)

    assert desk.ledger.claim(PAGE, desk.context()).attempt == 2
    assert desk.ledger.spent("cycle-1").steps == 1


def test_a_recomputation_is_answered_from_the_ledger_or_not_at_all(desk):
    unpaid = desk.context(ledger_only=True)
    with pytest.raises(CallNotRecorded, match=r"html call for https://docs\.acme\.example/logs"):
        desk.ledger.claim(PAGE, unpaid)
    reservation = send(desk.ledger, desk.context())
    with pytest.raises(CallNotRecorded):
        desk.ledger.claim(PAGE, unpaid)
    desk.ledger.fail(reservation, REFUSED, final=True)
    with pytest.raises(RequestRefused):
        desk.ledger.claim(PAGE, unpaid)
    desk.ledger.settle(send(desk.ledger, desk.context(round=2, retry_failed=True)), Outcome({"n": 1}, tokens=1))

    assert desk.ledger.claim(PAGE, unpaid).response == {"n": 1}


@pytest.mark.parametrize(
    ("failure", "rule"),
    [
        (TokenRejected, StopRule.TOKEN_REJECTED),
        (AccountExhausted, StopRule.ACCOUNT_EXHAUSTED),
        (PermissionRefused, StopRule.PERMISSION_REFUSED),
    ],
)
def test_a_service_that_refuses_for_good_stops_every_call_until_that_is_put_right(desk, failure, rule):
    elsewhere = Call(Tool.MAP, "https://docs.acme.example/", {"url": "https://docs.acme.example/"}, tokens=60)
    desk.ledger.fail(send(desk.ledger, desk.context()), failure("The service answered so.", cost=0), final=True)

    with pytest.raises(LimitReached) as refused:
        desk.ledger.claim(elsewhere, desk.context())
    assert refused.value.rule == rule
    assert "The service answered so." in str(refused.value)

    desk.ledger.lift_stop("cycle-1")
    assert isinstance(desk.ledger.claim(elsewhere, desk.context()), Reservation)


def test_a_person_stops_what_was_not_sent_yet_and_nothing_that_was_answered(desk):
    desk.ledger.settle(send(desk.ledger, desk.context()), Outcome({"n": 1}, tokens=2))
    waiting = desk.ledger.claim(Call(Tool.HTML, "", {"url": "b"}, tokens=5), desk.context())
    desk.ledger.abort("cycle-1", by="Ada")

    with pytest.raises(LimitReached, match="By Ada") as refused:
        desk.ledger.mark_pending(waiting)
    assert refused.value.rule == StopRule.ABORTED
    with pytest.raises(LimitReached):
        desk.ledger.claim(Call(Tool.HTML, "", {"url": "c"}, tokens=5), desk.context())
    assert desk.ledger.claim(PAGE, desk.context()).response == {"n": 1}


def test_a_ledger_that_is_closed_lets_go_of_what_it_had_under_way(desk, other):
    send(other, desk.context())
    other.close()

    assert states(desk.ledger) == [CallState.UNKNOWN]
    assert isinstance(desk.ledger.claim(PAGE, desk.context()), Reservation)


def test_an_auditor_reads_each_attempt_with_its_asker_and_its_price(desk):
    desk.ledger.fail(send(desk.ledger, desk.context()), LOST, final=False)
    row = desk.ledger.calls("cycle-1", sub_question_id="acme.retention")[0]

    assert (row.study, row.round, row.run_id, row.tool, row.url) == ("study", 1, "run-1", Tool.HTML, PAGE.url)
    assert row.as_row()["tokens_spent"] is None  # charged in full, and yet nobody knows
    assert (row.tokens_spent, row.error_class) == (5, "TransientFailure")
    assert desk.ledger.calls("cycle-1", sub_question_id="acme.other") == []


def test_what_a_service_says_is_kept_whatever_characters_it_uses(desk):
    held = desk.ledger.claim(PAGE, desk.context())
    desk.ledger.mark_pending(held)

    desk.ledger.fail(held, TokenRejected("The service answered 401: \0 \ud800 é", status=401, cost=0), final=True)

    assert desk.ledger.calls("cycle-1")[0].error == "The service answered 401: \N{REPLACEMENT CHARACTER} \N{REPLACEMENT CHARACTER} é"
    assert "401" in desk.ledger.budget("cycle-1").stop_note

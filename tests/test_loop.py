"""What comes next with a sub-question is decided by rule, and the rule is named."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_pipeline.limits import StopRule
from research_pipeline.loop import Action, Progress, RoundOutcome, State, begin_round, next_action, stop_where_nothing_changes
from research_pipeline.records import FindingStatus
from research_pipeline.study import Limits

OPEN = RoundOutcome(FindingStatus.GAP, verified=(), unread=5, failed=0, can_widen=True)
FIRST = begin_round(Progress())
STATUSES = st.sampled_from(list(FindingStatus))
EVIDENCE = st.lists(st.sampled_from(["ev_1", "ev_2", "ev_3"]), unique=True).map(tuple)
OUTCOMES = st.builds(
    RoundOutcome, STATUSES, EVIDENCE, st.integers(0, 3), st.integers(0, 2), st.booleans(), st.sampled_from([None, StopRule.TOKEN_LIMIT])
)


@pytest.mark.parametrize(
    ("outcome", "action", "rule", "state"),
    [
        (OPEN, Action.FETCH_MORE, StopRule.UNANSWERED, State.DISCOVER),
        (replace(OPEN, status=FindingStatus.AGREED), Action.FINALIZE, StopRule.ANSWERED, State.REPORT),
        (replace(OPEN, status=FindingStatus.AGREED, translations=1), Action.FETCH_MORE, StopRule.TRANSLATIONS_UNREAD, State.DISCOVER),
        (replace(OPEN, status=FindingStatus.CONFLICT), Action.FINALIZE, StopRule.ANSWERED, State.REPORT),
        (replace(OPEN, status=FindingStatus.UNRESOLVED), Action.FETCH_MORE, StopRule.UNANSWERED, State.DISCOVER),
        (replace(OPEN, unread=0), Action.SEARCH_MORE, StopRule.UNANSWERED, State.DISCOVER),
        (replace(OPEN, unread=0, failed=1), Action.FETCH_MORE, StopRule.UNANSWERED, State.DISCOVER),
        (replace(OPEN, unread=0, can_widen=False), Action.FINALIZE, StopRule.EXHAUSTED, State.REPORT),
        (replace(OPEN, cycle_stop=StopRule.TOKEN_LIMIT), Action.ABORT, StopRule.TOKEN_LIMIT, State.STOPPED),
        (replace(OPEN, status=FindingStatus.AGREED, cycle_stop=StopRule.ABORTED), Action.ABORT, StopRule.ABORTED, State.STOPPED),
    ],
)
def test_each_situation_has_its_rule(outcome, action, rule, state):
    decision = next_action(FIRST, outcome, Limits())

    assert (decision.action, decision.rule, decision.next_state) == (action, rule, state)
    assert decision.progress.closed == (state is not State.DISCOVER)


def test_a_round_that_compares_reaches_for_no_further_candidates_and_takes_no_round_beyond_the_limit():
    answered = replace(OPEN, status=FindingStatus.AGREED, translations=1)
    comparing = begin_round(next_action(FIRST, answered, Limits()).progress)

    assert (comparing.comparing, comparing.reach(2), comparing.reach(2, ahead=1)) == (True, 2, 4)
    assert next_action(comparing, replace(answered, translations=0), Limits()).rule is StopRule.ANSWERED
    assert next_action(begin_round(begin_round(FIRST)), answered, Limits()).rule is StopRule.ANSWERED


def test_rounds_end_at_their_limit():
    third = begin_round(begin_round(FIRST))

    assert next_action(third, replace(OPEN, verified=("ev_1",)), Limits()).rule is StopRule.MAX_ROUNDS


def test_two_rounds_without_new_evidence_end_it():
    first = next_action(FIRST, OPEN, Limits()).progress
    second = next_action(begin_round(first), OPEN, Limits())

    assert (second.action, second.rule) == (Action.FINALIZE, StopRule.NO_NEW_EVIDENCE)


def test_new_evidence_starts_the_patience_anew():
    limits = Limits(max_rounds=8)
    first = next_action(FIRST, OPEN, limits).progress
    second = next_action(begin_round(first), replace(OPEN, verified=("ev_1",)), limits)

    assert second.action is Action.FETCH_MORE
    assert second.progress.idle_rounds == 0


def test_searching_more_deepens_the_next_round():
    decision = next_action(FIRST, replace(OPEN, unread=0), Limits())

    assert begin_round(decision.progress).depth == 1


def test_a_person_may_grant_one_more_round_to_a_closed_sub_question():
    closed = next_action(begin_round(begin_round(FIRST)), OPEN, Limits()).progress
    again = begin_round(closed, read_on=True)

    assert not again.closed
    assert next_action(again, replace(OPEN, verified=("ev_9",)), Limits()).rule is StopRule.MAX_ROUNDS


@given(st.lists(OUTCOMES, max_size=12), st.integers(1, 8), st.integers(1, 4))
def test_no_sub_question_goes_on_for_ever_and_evaluating_twice_decides_the_same(outcomes, rounds, patience):
    limits = Limits(max_rounds=rounds, max_rounds_without_new_evidence=patience)
    progress = Progress()
    for outcome in outcomes:
        progress = begin_round(progress)
        decision = next_action(progress, outcome, limits)
        assert next_action(decision.progress, outcome, limits) == decision
        progress = decision.progress
        assert Progress.from_row(progress.as_row()) == progress
        if progress.closed:
            break
    assert progress.closed or progress.round < rounds


def test_a_round_in_which_nothing_changed_for_anybody_is_the_last():
    limits = Limits(max_rounds=8, max_rounds_without_new_evidence=8)
    first = {key: next_action(FIRST, OPEN, limits) for key in ("acme.a", "acme.b")}
    assert stop_where_nothing_changes(first, {}) == first, "a first round has none before it"
    begun = {key: begin_round(decision.progress) for key, decision in first.items()}
    second = {key: next_action(progress, OPEN, limits) for key, progress in begun.items()}

    stopped = stop_where_nothing_changes(second, {key: decision.progress for key, decision in first.items()})

    assert {(decision.rule, decision.progress.closed) for decision in stopped.values()} == {(StopRule.SAME_STATE, True)}


@pytest.mark.parametrize(
    "other", [replace(OPEN, verified=("ev_1",)), replace(OPEN, status=FindingStatus.AGREED)], ids=["evidence", "answer"]
)
def test_a_round_goes_on_while_something_changes_for_anybody(other):
    limits = Limits(max_rounds=8, max_rounds_without_new_evidence=8)
    second = begin_round(next_action(FIRST, OPEN, limits).progress)
    decisions = {"acme.a": next_action(second, OPEN, limits), "acme.b": next_action(second, other, limits)}

    assert stop_where_nothing_changes(decisions, {}) == decisions


def test_a_round_is_not_judged_before_everybody_has_ended_it():
    limits = Limits(max_rounds=8, max_rounds_without_new_evidence=8)
    first = next_action(FIRST, OPEN, limits).progress
    decisions = {"acme.a": next_action(begin_round(first), OPEN, limits)}

    assert stop_where_nothing_changes(decisions, {"acme.b": first}) == decisions


def test_a_round_that_repeats_what_was_answered_ends_it_where_nothing_else_is_left():
    everything_read = replace(OPEN, unread=0, can_widen=False, reached=("https://acme.example/a",))
    first = next_action(FIRST, everything_read, Limits()).progress
    again = begin_round(first, read_on=True)

    assert next_action(again, everything_read, Limits()).rule is StopRule.REPEATED_ACTION
    assert next_action(again, replace(everything_read, failed=1), Limits()).action is Action.FETCH_MORE

"""The loop's state is the fold over its events: nothing is answered without evidence, and what is stored is what the events say."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from research_pipeline.loop import Action, Progress, State
from research_pipeline.loop_state import EventKind, LoopEvent, LoopState, evaluated, fold, next_step, opened
from research_pipeline.study import SubQuestion
from resources.loop_events import LoopEvents
from resources.operations import Operations
from resources.opstore import open_engine

DATABASES = ["sqlite", "postgresql"]
KEYS = ["acme.a", "acme.b", "acme.c"]
QUESTIONS = [SubQuestion(id=key, vendor="acme", text=f"What of {key}?", answer="text") for key in KEYS]
OPENED = opened("What does Acme do?", QUESTIONS, ["Every answer is official."])
URLS = st.lists(st.sampled_from(["https://acme.example/1", "https://acme.example/2", "https://acme.example/3"]), unique=True)
IDS = st.lists(st.sampled_from(["ev_1", "ev_2", "ev_3"]), unique=True)


def ended(key, evidence, status, closed, number):
    progress = Progress(round=number, status=status, closed=closed, rule="unanswered", action="fetch_more", verified=tuple(evidence))
    return evaluated(key, progress, evidence=evidence)


EVENTS = st.one_of(
    st.builds(lambda urls, bad: LoopEvent(EventKind.READ, {"visited": urls, "bad": dict.fromkeys(bad, "blocked")}), URLS, URLS),
    st.builds(lambda key, urls: LoopEvent(EventKind.PROPOSED, {"sub_question_id": key, "urls": urls}), st.sampled_from(KEYS), URLS),
    st.builds(
        ended, st.sampled_from(KEYS), IDS, st.sampled_from(["agreed", "conflict", "gap", "unresolved"]), st.booleans(), st.integers(1, 8)
    ),
    st.builds(lambda: LoopEvent(EventKind.REFUSED, {"reason": "no"})),
    st.builds(lambda rows: LoopEvent(EventKind.JUDGED, {"failures": rows}), st.lists(st.just({"number": 1}), max_size=2)),
)


@given(st.lists(EVENTS, max_size=30))
def test_every_question_is_a_gap_or_answered_with_evidence_and_never_both(events):
    state = fold([OPENED, *events])

    assert sorted([*state.gaps, *state.answered]) == sorted(state.questions) == KEYS
    assert all(state.evidence[key] for key in state.answered)
    assert state.events == len(events) + 1
    assert LoopState.model_validate_json(state.model_dump_json()) == state


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(EVENTS, max_size=5), max_size=4))
def test_the_stored_state_is_what_the_stored_events_say(database, batches):
    engine = open_engine(database)
    cycle = Operations(engine).start_cycle("acme", "plan_1").cycle
    loop = LoopEvents(engine)
    loop.append(cycle, [OPENED], actor="test")
    for batch in batches:
        loop.append(cycle, batch, actor="test")

    assert loop.rebuilt(cycle) == loop.state(cycle)
    assert [event.number for event in loop.events(cycle)] == list(range(1, 2 + sum(map(len, batches))))
    engine.dispose()


def test_an_event_that_the_state_does_not_admit_leaves_nothing_behind(opstore):
    cycle = Operations(opstore).start_cycle("acme", "plan_1").cycle
    loop = LoopEvents(opstore)
    before = loop.append(cycle, [OPENED], actor="test")
    forged = LoopEvent(
        EventKind.EVALUATED, {"sub_question_id": "acme.a", "round": 1, "evidence": [], "closed": True, "rule": "answered", "answers": True}
    )

    with pytest.raises(ValueError, match="not answered by nothing"):
        loop.append(cycle, [LoopEvent(EventKind.REFUSED, {"reason": "no"}), forged], actor="test")

    assert loop.state(cycle) == before


@pytest.mark.parametrize(
    ("progress", "still_open", "stop", "action", "rule"),
    [
        (Progress(), True, None, Action.SEARCH_MORE, "unanswered"),
        (Progress(round=1, action="fetch_more", rule="unanswered"), True, None, Action.FETCH_MORE, "unanswered"),
        (Progress(round=1, action="fetch_more", rule="rubric_failed"), True, None, Action.FETCH_MORE, "rubric_failed"),
        (Progress(round=1, closed=True, action="finalize", rule="answered"), False, None, Action.FINALIZE, "answered"),
        (Progress(round=8, closed=True, action="escalate_budget", rule="max_rounds"), False, None, Action.ESCALATE_BUDGET, "max_rounds"),
        (Progress(round=1), True, "token_limit", Action.ABORT, "token_limit"),
    ],
)
def test_the_next_step_names_its_rule(progress, still_open, stop, action, rule):
    step = next_step({"acme.a": progress}, ["acme.a"] if still_open else [], stop=stop, queries={"acme.a": "a"}, urls={})

    assert (step.action, step.rule) == (action, rule)
    assert bool(step.queries) == (still_open and not stop)
    assert State.DISCOVER not in step.queries

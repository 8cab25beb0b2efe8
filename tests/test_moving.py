"""What a driver asks for next, whatever happens to the runs: a world of chance in place of Dagster, and single situations by name."""

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_pipeline.loop import Progress
from research_pipeline.moving import TRIES, Attempt, End, Part, Request, Situation, in_the_way, next_move

CYCLE = "20270101T060000Z-ab12"
KEYS = ("acme.audit", "acme.rate", "bolt.audit", "bolt.rate")
APPROVED = Situation(cycle=CYCLE, plan_id="plan_1", approved=True, questions=KEYS)


def ended(key_rounds, **more):
    return {key: Progress(round=number, **more) for key, number in key_rounds.items()}


def attempt(part, keys=(), end=End.FAILED, **fields):
    return Attempt(Request(part, CYCLE, tuple(keys), **fields), end, by="run 1")


@dataclass
class World:
    """A cycle that things happen to: each run ends by chance, and moves some of its sub-questions on."""

    data: st.DataObject
    at: Situation
    asked: list[Request] = field(default_factory=list)

    def chance(self, *choices):
        return self.data.draw(st.sampled_from(choices))

    def happen(self, request):
        end = self.chance(End.SUCCEEDED, End.SUCCEEDED, End.FAILED, End.CANCELED)
        self.at = replace(self.at, attempts=[*self.at.attempts, Attempt(request, end, by=request.run_key)])
        if request.part is Part.APPROVE and end is End.SUCCEEDED:
            self.at = replace(self.at, approved=True)
        if request.part is Part.REPORT and end is End.SUCCEEDED:
            self.at = replace(self.at, finished=True, reported=self.at.evaluated)
        if request.part in (Part.ROUND, Part.QUESTIONS):
            for key in request.keys:
                if end is End.SUCCEEDED and self.chance(True, True, False):
                    self.judge(key, request.round)

    def judge(self, key, number):
        closed = number >= 3 or self.chance(True, False)
        number = max(number, self.at.standing(key).round)
        behind = {other: step for other, step in self.at.behind.items() if other != key}
        progress = {**self.at.progress, key: Progress(round=number, closed=closed)}
        self.at = replace(self.at, progress=progress, evaluated=self.at.evaluated + 1, behind=behind)

    def disturb(self):
        """A person reads a page by hand, or runs a sub-question; seldom."""
        key = self.chance(*KEYS)
        match self.data.draw(st.integers(0, 19)):
            case 0:
                self.at = replace(self.at, behind={**self.at.behind, key: self.at.evaluated + 1}, evaluated=self.at.evaluated)
            case 1 if self.at.approved:
                self.judge(key, max(self.at.standing(key).round, 1))

    def look(self):
        move = next_move(self.at)
        self.at = replace(self.at, seen=move.remember, aborted=self.at.aborted or bool(move.abort))
        for key in move.give_up:
            self.at = replace(
                self.at,
                progress={**self.at.progress, key: replace(self.at.standing(key), closed=True, rule="fault")},
                evaluated=self.at.evaluated + 1,
            )
        self.asked += move.requests
        return move


@given(st.data())
def test_whatever_happens_a_cycle_comes_to_rest_and_asks_for_nothing_twice(data):
    world = World(data, replace(APPROVED, approved=data.draw(st.sampled_from([None, True]))))
    quiet = 0
    for look in range(120):
        before = world.at
        move = world.look()
        assert move.says
        if any(request.part is Part.REPORT for request in move.requests):
            assert before.aborted or before.finished or not before.open
        if before.aborted:
            assert all(request.part is Part.REPORT for request in move.requests)
        for request in move.requests:
            world.happen(request)
        if look < 15:
            world.disturb()
        quiet = 0 if move.requests or move.abort or move.give_up or move.remember != before.seen else quiet + 1
        if look > 15 and quiet > 1:
            break
    else:
        raise AssertionError("it never comes to rest")
    names = [request.run_key for request in world.asked]
    assert len(names) == len(set(names))
    for key in KEYS:
        for number in range(1, 5):
            mine = [request for request in world.asked if key in request.keys and request.round == number]
            assert sum(request.part is Part.ROUND for request in mine) <= TRIES
            assert sum(request.part is Part.QUESTIONS for request in mine) <= TRIES
    reports = [item for item in world.at.attempts if item.request.part is Part.REPORT]
    if world.at.approved and all(item.end is End.SUCCEEDED for item in reports):
        assert world.at.finished
        assert world.at.reported >= world.at.evaluated


@given(
    st.sampled_from(
        [
            {"held_by": "research run (PID 7)"},
            {"busy": ["acme_round 1a2b3c4d"]},
            {"approved": None, "required": True},
            {"approved": False},
            {"finished": True, "evaluated": 4, "reported": 4},
        ]
    ),
    st.dictionaries(st.sampled_from(KEYS), st.builds(Progress, round=st.integers(0, 3), closed=st.booleans())),
)
def test_nothing_is_asked_for_where_another_drives_something_runs_or_nobody_approved(why, progress):
    move = next_move(replace(APPROVED, progress=progress, **why))

    assert move.requests == ()
    assert not move.abort


def test_open_sub_questions_go_together_by_their_round_in_the_order_of_the_plan():
    progress = {**ended({"acme.audit": 1}), **ended({"acme.rate": 1}, closed=True)}

    move = next_move(replace(APPROVED, progress=progress))

    assert [(request.round, request.keys) for request in move.requests] == [(1, ("bolt.audit", "bolt.rate")), (2, ("acme.audit",))]
    assert move.drives


def test_one_that_falls_out_of_a_round_is_tried_alone_and_the_others_go_on():
    others = dict.fromkeys(KEYS[1:], 1)
    at = replace(APPROVED, progress=ended(others), attempts=[attempt(Part.ROUND, KEYS, End.SUCCEEDED, round=1)])

    move = next_move(at)

    assert [(request.part, request.round, request.keys) for request in move.requests] == [
        (Part.ROUND, 2, KEYS[1:]),
        (Part.QUESTIONS, 1, KEYS[:1]),
    ]


def test_a_round_that_died_as_a_whole_is_tried_again_together_and_then_each_alone():
    once = replace(APPROVED, attempts=[attempt(Part.ROUND, KEYS, round=1)])
    twice = replace(once, attempts=[*once.attempts, attempt(Part.ROUND, KEYS, round=1, number=2)])

    assert [(request.part, request.number, request.keys) for request in next_move(once).requests] == [(Part.ROUND, 2, KEYS)]
    assert [request.part for request in next_move(twice).requests] == [Part.QUESTIONS] * 4


def test_one_that_fails_alone_as_often_is_given_up_with_the_run_that_shows_why():
    runs = [attempt(Part.ROUND, KEYS, round=1), *(attempt(Part.QUESTIONS, ["acme.audit"], round=1, number=n) for n in (1, 2))]
    at = replace(APPROVED, progress=ended(dict.fromkeys(KEYS[1:], 1), closed=True), attempts=runs)

    move = next_move(at)

    assert move.give_up == {"acme.audit": "run 1"}
    assert move.requests == ()


def test_a_canceled_round_ends_the_cycle_in_the_name_of_a_person_and_its_report_follows():
    at = replace(APPROVED, attempts=[attempt(Part.ROUND, KEYS, End.CANCELED, round=1)])
    assert next_move(at).abort == "run 1"

    aborted = replace(at, aborted=True)
    first = next_move(aborted)
    second = next_move(replace(aborted, seen=first.remember))

    assert first.requests == ()
    assert [request.part for request in second.requests] == [Part.REPORT]


def test_a_report_is_asked_for_when_two_looks_in_a_row_find_the_cycle_settled():
    settled = replace(APPROVED, progress=ended(dict.fromkeys(KEYS, 1), closed=True), evaluated=4)
    first = next_move(settled)
    moved = next_move(replace(settled, evaluated=5, seen=first.remember))
    second = next_move(replace(settled, seen=first.remember))

    assert first.requests == moved.requests == ()
    assert [(request.part, request.mark) for request in second.requests] == [(Part.REPORT, 4)]


def test_findings_that_changed_after_the_report_bring_another():
    at = replace(APPROVED, finished=True, progress=ended(dict.fromkeys(KEYS, 1), closed=True), evaluated=9, reported=4)

    first = next_move(at)

    assert [request.mark for request in next_move(replace(at, seen=first.remember)).requests] == [9]


def test_findings_follow_pages_that_were_read_by_hand_unpaid():
    at = replace(APPROVED, finished=True, evaluated=4, reported=4, behind={"acme.audit": 6, "gone.key": 7})

    [request] = next_move(at).requests

    assert (request.part, request.keys, request.round) == (Part.ROUND, ("acme.audit",), 0)


@pytest.mark.parametrize(
    ("last", "plan", "words"),
    [
        (Situation(), "plan_1", ""),
        (replace(APPROVED, finished=True), "plan_1", ""),
        (APPROVED, "plan_2", f"Cycle {CYCLE} is still under way"),
        (replace(APPROVED, approved=None, required=True), "plan_1", "still waits for approval"),
        (replace(APPROVED, approved=None, required=True), "plan_2", ""),
        (replace(APPROVED, approved=False), "plan_1", "was refused"),
        (replace(APPROVED, approved=False), "plan_2", ""),
    ],
)
def test_a_slot_is_skipped_while_the_last_cycle_stands_in_its_way(last, plan, words):
    reason = in_the_way(last, plan)

    assert words in reason
    assert bool(words) == bool(reason)

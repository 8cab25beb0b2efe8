"""A study's schedule: when its slots are, what each begins, and when one is skipped with a word."""

import itertools
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from dagster._utils.schedules import schedule_execution_time_iterator

from research_pipeline.definitions import definitions_of
from resources.studies import load_study
from tests.deployment import Deployment
from tests.small_site import write_study

BERLIN = ZoneInfo("Europe/Berlin")
EVERY_NIGHT = {"cron": "30 2 * * *", "timezone": "Europe/Berlin"}


def slots(study, *, after, before):
    """The moments at which Dagster's daemon asks the schedule."""
    schedule = definitions_of([load_study(Path(study))]).get_repository_def().get_schedule_def("acme_schedule")
    moments = schedule_execution_time_iterator(after.timestamp(), schedule.cron_schedule, schedule.execution_timezone)
    return list(itertools.takewhile(lambda moment: moment < before, moments))


@pytest.mark.parametrize(
    ("after", "before", "expected"),
    [
        # In spring the hour from two to three is left out: the slot comes at its end, which is 01:00 UTC.
        (datetime(2027, 3, 28, tzinfo=BERLIN), datetime(2027, 3, 29, tzinfo=BERLIN), [datetime(2027, 3, 28, 1, 0, tzinfo=UTC)]),
        # In autumn the hour from two to three comes twice: the slot is in the second one, alone.
        (datetime(2027, 10, 31, tzinfo=BERLIN), datetime(2027, 11, 1, tzinfo=BERLIN), [datetime(2027, 10, 31, 1, 30, tzinfo=UTC)]),
        (datetime(2027, 6, 1, tzinfo=BERLIN), datetime(2027, 6, 2, tzinfo=BERLIN), [datetime(2027, 6, 1, 0, 30, tzinfo=UTC)]),
    ],
)
def test_a_night_has_one_slot_also_when_the_clocks_change(place, after, before, expected):
    study = write_study(place, schedule=EVERY_NIGHT)

    assert [moment.astimezone(UTC) for moment in slots(study, after=after, before=before)] == expected


def test_a_slot_begins_one_cycle_however_often_it_is_asked_and_its_run_is_tried(place, research):
    study = write_study(place, schedule=EVERY_NIGHT)
    moment = datetime(2027, 10, 31, 0, 30, tzinfo=UTC)

    deployment = Deployment(research.home, Path(study))
    [request] = deployment.tick(moment.astimezone(BERLIN)).run_requests
    [again] = deployment.tick(moment).run_requests
    for _ in range(2):
        assert deployment.job("plan", config=request.run_config).success

    assert request.run_key == again.run_key == "2027-10-31T00:30Z"
    [cycle] = research.stores.operations.cycles("acme")
    assert (cycle.slot, cycle.cause) == ("2027-10-31T00:30Z", "schedule, slot 2027-10-31T00:30Z")


def test_a_slot_is_skipped_with_a_word_while_the_last_cycle_is_under_way_or_waits_for_the_same_plan(place, research):
    def answer():
        return Deployment(research.home, Path(study)).tick(datetime(2027, 6, 2, 0, 30, tzinfo=UTC))

    study = write_study(place, schedule=EVERY_NIGHT, approval="required")
    deployment = Deployment(research.home, Path(study))
    deployment.job("plan")
    [cycle] = research.stores.operations.cycles("acme")
    assert "Slot 2027-06-02T00:30Z: Plan plan_" in answer().skip_message
    assert "still waits for approval" in answer().skip_message

    study = write_study(place, schedule=EVERY_NIGHT, approval="required", question="What else does Acme promise?")
    assert answer().run_requests, "a changed plan takes the place of one that nobody approved"

    study = write_study(place, schedule=EVERY_NIGHT, approval="required")
    research.approve(study, by="Kim Doe")
    assert f"Cycle {cycle.cycle} is still under way" in answer().skip_message

    Path(study).write_text("question: [")
    loaded_before = deployment.tick(datetime(2027, 6, 3, 0, 30, tzinfo=UTC))
    assert "the study file cannot be used" in loaded_before.skip_message

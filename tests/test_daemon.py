"""Dagster's real daemon: a slot of the schedule, a daemon that is killed in the middle, and the command line beside it."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
import pytest
import yaml
from dagster._core.definitions.run_request import InstigatorType
from dagster._core.remote_origin import ManagedGrpcPythonEnvCodeLocationOrigin, RemoteInstigatorOrigin, RemoteRepositoryOrigin
from dagster._core.scheduler.instigation import InstigatorState, InstigatorStatus, ScheduleInstigatorData
from dagster._core.types.loadable_target_origin import LoadableTargetOrigin

from assets.opening import cycle_lease
from research_pipeline.sensors import LOOK_VARIABLE
from resources.dagster_home import open_instance
from resources.studies import load_study
from tests.crash.witness import RESEARCH, Service
from tests.polling import eventually
from tests.small_site import ORIGIN, STUDY

WORKSPACE = {"load_from": [{"python_module": {"module_name": "research_pipeline.definitions", "location_name": "research"}}]}
# As in a deployment, but runs start at once: the queue would look for them every five seconds.
INSTANCE = {
    "telemetry": {"enabled": False},
    "run_coordinator": {"module": "dagster._core.run_coordinator", "class": "DefaultRunCoordinator"},
}

SLOW = 600.0  # seconds of patience: every run is a process, and the machine may be busy
# Missed a short while ago; the next one is a day away, so that no other comes while the test runs.
SLOT = (datetime.now(UTC) - timedelta(minutes=5)).replace(second=0, microsecond=0)
CRON = f"{SLOT.minute} {SLOT.hour} * * *"


@contextmanager
def daemon(place, environment):
    """Dagster's daemon in a process group of its own, with the code server and the runs that it starts; killed at the end."""
    command = [str(Path(sys.executable).with_name("dagster-daemon")), "run", "-w", str(place / "workspace.yaml")]
    with (place / "daemon.log").open("ab") as log:
        process = subprocess.Popen(command, cwd=place, env={**os.environ, **environment}, stdout=log, stderr=log, process_group=0)
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def last_looked_at(instance, moment):
    """The schedule as a daemon leaves it that was stopped at this moment."""
    target = LoadableTargetOrigin(executable_path=sys.executable, module_name="research_pipeline.definitions")
    location = ManagedGrpcPythonEnvCodeLocationOrigin(target, "research")
    origin = RemoteInstigatorOrigin(RemoteRepositoryOrigin(location, "__repository__"), "acme_schedule")
    data = ScheduleInstigatorData(CRON, moment, moment)
    instance.add_instigator_state(InstigatorState(origin, InstigatorType.SCHEDULE, InstigatorStatus.DECLARED_IN_CODE, data))


@pytest.fixture
def service(place):
    service = Service(place, {ORIGIN: place / "site"})
    yield service
    service.kill()


@pytest.fixture
def deployment(place, service):
    """The environment of a deployment of one study of one round, whose daily schedule has missed its last slot."""
    place.joinpath("studies").mkdir()
    study = {**STUDY, "engine": "mrscraper", "mounts": {}, "schedule": {"cron": CRON}, "limits": {"max_rounds": 1}}
    place.joinpath("studies", "acme.yaml").write_text(yaml.safe_dump(study))
    place.joinpath("workspace.yaml").write_text(yaml.safe_dump(WORKSPACE))
    place.joinpath("home", "dagster", "dagster.yaml").write_text(yaml.safe_dump(INSTANCE))
    folders = {"DAGSTER_HOME": place / "home" / "dagster", "RESEARCH_HOME": place / "home", "RESEARCH_STUDIES": place / "studies"}
    return {**{name: str(folder) for name, folder in folders.items()}, **service.environment, LOOK_VARIABLE: "1"}


def test_a_slot_gives_one_cycle_across_a_killed_daemon_and_nothing_is_done_twice(place, research, service, deployment):
    instance = open_instance(research.home)
    approved(place, research)
    last_looked_at(instance, SLOT.timestamp() - 60.0)

    with daemon(place, deployment):
        eventually(service.requests, what="the cycle of the slot reads pages", seconds=SLOW)
    with daemon(place, deployment):
        eventually(lambda: finished(research), what="the cycle comes to its report after the daemon's death", seconds=SLOW)
        assert [cycle.slot for cycle in research.stores.operations.cycles("acme")] == [f"{SLOT:%Y-%m-%dT%H:%MZ}"]
        assert "FAILURE" in [run.status.value for run in instance.get_runs(dg.RunsFilter(job_name="acme_round"))], "the round was killed"
        nothing_was_done_twice(instance, research, service)
        the_command_line_beside_it(place, instance, research, deployment)
    nothing_was_done_twice(instance, research, service)


def approved(place, research):
    """Beforehand, since a run of the approval would be one more process."""
    plan = load_study(place / "studies" / "acme.yaml").plan()
    research.stores.operations.approve("acme", plan.plan_id, by="Kim Doe")


def finished(research):
    cycle = research.stores.operations.last_cycle("acme")
    return cycle is not None and cycle.finished


def the_command_line_beside_it(place, instance, research, environment):
    eventually(lambda: not research.stores.leases.holder_of(cycle_lease("acme")), what="the driver gives the study back", seconds=SLOW)
    before = {run.run_id for run in instance.get_runs()}
    done = subprocess.run(
        [RESEARCH, "run", "acme"], cwd=place, env={**os.environ, **environment}, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]
    [_, cycle] = research.stores.operations.cycles("acme")
    at_its_end = f"Cycle {cycle.cycle} has come to its end"
    eventually(lambda: any(at_its_end in said for said in sayings(instance)), what="the driver looks again", seconds=SLOW)

    new = [run for run in instance.get_runs() if run.run_id not in before]
    assert not any("dagster/sensor_name" in run.tags for run in new), "the driver only watched"
    assert research.sql("SELECT max(revision) FROM reports").iloc[0, 0] == 1


def sayings(instance):
    """What the driver's newest looks said."""
    [state] = [state for state in instance.all_instigator_state() if state.instigator_name == "acme_driver"]
    return [tick.skip_reason or "" for tick in instance.get_ticks(state.instigator_origin_id, state.selector_id, limit=5)]


def nothing_was_done_twice(instance, research, service):
    names = [run.tags["dagster/run_key"] for run in instance.get_runs() if "dagster/run_key" in run.tags]
    assert len(names) == len(set(names))
    slots = [run for run in instance.get_runs(dg.RunsFilter(job_name="acme_plan")) if "slot" in run.tags]
    assert len(slots) == 1
    calls = [call for cycle in research.stores.operations.cycles("acme") for call in research.stores.ledger.calls(cycle.cycle)]
    settled = [call.call_key for call in calls if call.state == "settled"]
    assert len(settled) == len(set(settled)), "a settled call was made again"
    assert len(service.requests()) <= len(calls), "a call went out that stands in no ledger"

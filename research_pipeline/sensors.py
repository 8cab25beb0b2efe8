"""The driver of a study in a deployment: a sensor that looks at the cycle from time to time and asks for what comes next.

What that is decides `research_pipeline.moving`; here the move is carried out. A tick that is interrupted and taken again asks for the same
runs under the same names, of which Dagster starts one each.
"""

# dagster types its metadata with a PathLike that has no parameter
# pyright: reportUnknownMemberType=false
# No postponed annotations here: Dagster reads those of a context and of resources as they are.

import os
from collections.abc import Sequence

import dagster as dg
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition  # dg exports no name for it

from assets.giving_up import give_up
from assets.opening import current_cycle, cycle_lease
from assets.partitioned import partitions_of
from assets.stopping import stop_cycle
from research_pipeline.errors import ConfigurationError, LeaseHeld, StorageBusy
from research_pipeline.moving import Move, Situation, next_move
from research_pipeline.runs import end_lost_runs, run_request
from research_pipeline.situations import DRIVER, situation_of
from resources.stores import ResearchHome, Stores
from resources.studies import StudyFile

LOOK_VARIABLE = "RESEARCH_LOOK_SECONDS"
_LOOK_SECONDS = 10
_LEASE_LOOKS = 4  # a lease outlives so many looks: a deployment that went down gives it back within a minute

DESCRIPTION = """\
Moves the study's cycle along: approval where the study says `automatic`, round after round, the report.

Its newest tick says what it did, or for what it waits. It watches where the command line drives. While it is off, a cycle stays where it
is."""

Job = dg.JobDefinition | UnresolvedAssetJobDefinition


def driver_sensor(file: StudyFile, jobs: Sequence[Job]) -> dg.SensorDefinition:
    """The driver of a study, on by default."""

    @dg.sensor(
        name=f"{file.name}_driver",
        description=DESCRIPTION,
        jobs=jobs,
        minimum_interval_seconds=look_seconds(),
        default_status=dg.DefaultSensorStatus.RUNNING,
    )
    def driver(context: dg.SensorEvaluationContext, research: ResearchHome) -> dg.SensorResult:
        try:
            return _drive(research.stores(), context.instance, file.name, seen=context.cursor or "")
        except (LeaseHeld, StorageBusy) as error:
            return dg.SensorResult(skip_reason=str(error), cursor="")

    return driver


def look_seconds() -> int:
    """Seconds between two looks of a driver.

    Raises:
        ConfigurationError: the variable holds no whole number from 1.
    """
    text = os.environ.get(LOOK_VARIABLE, str(_LOOK_SECONDS))
    if not text.isdecimal() or int(text) < 1:
        raise ConfigurationError(f"{LOOK_VARIABLE} is {text!r}.", remedy="Write a whole number of seconds from 1, or leave it out.")
    return int(text)


def _drive(stores: Stores, instance: dg.DagsterInstance, study: str, *, seen: str) -> dg.SensorResult:
    end_lost_runs(instance, study)
    at = situation_of(stores, instance, study, seen=seen)
    move = next_move(at)
    if move.drives:
        # Taken before anything is asked for: of a driver and a command that come at the same moment, one goes on.
        stores.leases.keep(cycle_lease(study), holder=DRIVER, seconds=_LEASE_LOOKS * look_seconds())
    elif not at.held_by:
        stores.leases.give_back(cycle_lease(study), holder=DRIVER)
    _settle(stores, study, at, move)
    requests = [run_request(request, study) for request in move.requests]
    return dg.SensorResult(
        run_requests=requests,
        skip_reason=None if requests else move.says,
        cursor=move.remember,
        dynamic_partitions_requests=_new_partitions(instance, study, at),
    )


def _settle(stores: Stores, study: str, at: Situation, move: Move) -> None:
    """What the driver itself writes down: the end that a person asked for by canceling, and who fell out for good."""
    footing = current_cycle(stores, study) if move.abort or move.give_up else None
    if footing is None:
        return
    if move.abort:
        stop_cycle(stores, at.cycle, footing.plan, by=f"the person who canceled {move.abort}")
    for key, shown in move.give_up.items():
        give_up(stores, footing, key, reason=f"See {shown}.", run_id="")


def _new_partitions(instance: dg.DagsterInstance, study: str, at: Situation) -> list[dg.AddDynamicPartitionsRequest]:
    """Sub-questions of an approved plan that are no partitions yet."""
    if not at.approved:
        return []
    known = set(instance.get_dynamic_partitions(study))
    missing = [key for key in at.questions if key not in known]
    return [partitions_of(study).build_add_request(missing)] if missing else []

"""A study's runs as Dagster knows them: which are under way, which were asked for in a cycle, and which were lost with their process."""

# dagster leaves the type of a run's config open
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

import dagster as dg
from dagster._core.execution.backfill import BulkActionsFilter, BulkActionStatus  # `DagsterInstance.get_backfills` takes no other

from assets.opening import ROUND_TAG
from research_pipeline.moving import Attempt, End, Part, Request
from resources.owners import Owner
from resources.stores import EXECUTED_BY

STUDY, CYCLE, VENDOR, TRY, STEP = "study", "cycle", "vendor", "try", "research/step"
_PARTITION = "dagster/partition"
_UNFINISHED = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]
_ENDS = {
    dg.DagsterRunStatus.SUCCESS: End.SUCCEEDED,
    dg.DagsterRunStatus.FAILURE: End.FAILED,
    dg.DagsterRunStatus.CANCELED: End.CANCELED,
}
FROM_ARCHIVE = ("extracted_evidence", "resolved_findings")
"""The stages that work on what is archived."""


def under_way(instance: dg.DagsterInstance, study: str) -> list[str]:
    """Runs that have not ended and touch a study, and backfills that may still start some, in words; whoever asked for them."""
    backfills = instance.get_backfills(BulkActionsFilter(statuses=[BulkActionStatus.REQUESTED]))
    return [named(run) for run in _unfinished(instance, study)] + [
        f"backfill {backfill.backfill_id}" for backfill in backfills if _touches(backfill.asset_selection, study)
    ]


def end_lost_runs(instance: dg.DagsterInstance, study: str) -> None:
    """Say of runs whose process is gone that they failed: Dagster would count them as running for ever, and soon start no others."""
    for run in _unfinished(instance, study):
        process = run.tags.get(EXECUTED_BY)
        if process is not None and Owner.named(process).gone:
            instance.report_run_failed(run, "Its process went away. The cycle goes on in a later run.")


def attempts(instance: dg.DagsterInstance, study: str, cycle: str) -> list[Attempt]:
    """The runs that were asked for in a cycle, oldest first."""
    runs = instance.get_runs(dg.RunsFilter(tags={STUDY: study, CYCLE: cycle}))
    return [Attempt(_request_of(run, study), _ENDS.get(run.status, End.UNDER_WAY), named(run)) for run in reversed(list(runs))]


def run_request(request: Request, study: str) -> dg.RunRequest:
    """What to tell Dagster, so that `attempts` finds the request again."""
    tags = {STUDY: study, CYCLE: request.cycle, TRY: str(request.number), STEP: str(request.mark)}
    if request.round:
        tags[ROUND_TAG] = str(request.round)
    if request.keys:
        tags[VENDOR] = ",".join(dict.fromkeys(key.partition(".")[0] for key in request.keys))
    return dg.RunRequest(
        run_key=request.run_key,
        job_name=f"{study}_{request.part}",
        partition_key=request.keys[0] if request.part is Part.QUESTIONS else None,
        run_config=_config(request, study),
        tags=tags,
    )


def named(run: dg.DagsterRun) -> str:
    """A run as a person finds it: its job and the beginning of its id."""
    return f"{run.job_name.removeprefix('__')} {run.run_id[:8]}"


def _config(request: Request, study: str) -> Mapping[str, Any]:
    if request.part is not Part.ROUND:
        return {}
    config: dict[str, Any] = {"keys": list(request.keys), "cycle": request.cycle, "round": request.round}
    if not request.round:
        config |= {"next_round": False, "stages": list(FROM_ARCHIVE)}
    return {"ops": {f"{study}__round": {"config": config}}}


def _request_of(run: dg.DagsterRun, study: str) -> Request:
    part = Part(run.job_name.removeprefix(f"{study}_"))
    tags = run.tags
    keys: Iterable[str] = [tags[_PARTITION]] if _PARTITION in tags else []
    if part is Part.ROUND:
        config = cast("Mapping[str, Any]", run.run_config)
        keys = config["ops"][f"{study}__round"]["config"]["keys"]
    return Request(part, tags[CYCLE], tuple(keys), int(tags.get(ROUND_TAG, 0)), int(tags[TRY]), int(tags[STEP]))


def _unfinished(instance: dg.DagsterInstance, study: str) -> list[dg.DagsterRun]:
    runs = instance.get_runs(dg.RunsFilter(statuses=_UNFINISHED))
    return [run for run in runs if run.tags.get(STUDY) == study or _touches(run.asset_selection, study)]


def _touches(assets: Iterable[dg.AssetKey] | None, study: str) -> bool:
    return any(key.path[0] == study for key in assets or ())

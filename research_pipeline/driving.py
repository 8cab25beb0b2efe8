"""Driving a cycle: the study's own Dagster jobs, executed one after the other in this process on the home's own instance.

So the UI shows what was done, and what a person materialises there is the same code.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import dagster as dg

from assets.bench import log
from assets.falling import taken_on
from assets.giving_up import fallen, give_up
from assets.opening import ROUND_TAG, Footing, current_cycle, require_approval
from research_pipeline.definitions import definitions_of
from research_pipeline.errors import ResearchError
from research_pipeline.limits import StopRule
from research_pipeline.loop import Progress, goes_on
from research_pipeline.reporting.report import Report
from research_pipeline.runs import FROM_ARCHIVE, end_lost_runs
from research_pipeline.standing import Failed
from resources.dagster_home import open_instance
from resources.owners import Owner
from resources.report_files import report_folder
from resources.stores import EXECUTED_BY, Stores
from resources.studies import StudyFile

_SERVICE_STOPS = (StopRule.TOKEN_REJECTED, StopRule.ACCOUNT_EXHAUSTED, StopRule.PERMISSION_REFUSED)
_QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


@dataclass(frozen=True, slots=True)
class Finished:
    """A cycle that came to its report."""

    report: Report
    folder: Path

    @property
    def exit_code(self) -> int:
        """4 where the service refused the token or is exhausted, else 0: a report was written."""
        return 4 if self.report.stop_reason in _SERVICE_STOPS else 0


class Driver:
    """Moves one study's cycle along by executing its jobs in this process."""

    def __init__(self, stores: Stores, file: StudyFile) -> None:
        self.file = file
        self._stores = stores
        self._definitions = definitions_of([file])

    @cached_property
    def _instance(self) -> dg.DagsterInstance:
        return open_instance(self._stores.home)

    def footing(self) -> Footing:
        """The current cycle and its plan."""
        return current_cycle(self._stores, self.file.name)

    def end_lost_runs(self) -> None:
        """Say of runs whose process was killed that they failed."""
        end_lost_runs(self._instance, self.file.name)

    def begin(self, *, new: bool, cause: str) -> None:
        """Materialise the source plan: a new cycle, or the unfinished one of the same plan."""
        self._execute("plan", {"source_plan": {"new_cycle": new, "cause": cause}})

    def begin_decided(self, *, new: bool, cause: str) -> None:
        """The same, and the approval that the plan has or gets by itself; in one run where no person is needed."""
        if self.file.study.approval == "automatic":
            self._execute("begin", {"source_plan": {"new_cycle": new, "cause": cause}, "plan_approval": {}})
        else:
            self.begin(new=new, cause=cause)
            self.decide()

    def decide(self, *, by: str = "", note: str = "", rounds: int = 0, refuse: bool = False) -> None:
        """Materialise the approval, as a person where one is named."""
        self._execute("approve", {"plan_approval": {"by": by, "note": note, "rounds": rounds, "refuse": refuse}})

    def rounds(self) -> None:
        """One grouped round after the other until every sub-question is closed."""
        footing = self.footing()
        while keys := self._open(footing):
            self._round(keys)

    def part_of_round(self, keys: Sequence[str], *stages: str, next_round: bool = True) -> None:
        """Some stages of a round. A round is ended by `resolved_findings`; until then the same one goes on."""
        known = set(self._instance.get_dynamic_partitions(self.file.name))
        self._instance.add_dynamic_partitions(self.file.name, [key for key in keys if key not in known])
        self._round(keys, next_round=next_round, stages=stages)

    def again(self, keys: Sequence[str], *, read_on: bool) -> None:
        """Do sub-questions over: from what is archived, unpaid; with `read_on` one more round of each instead."""
        if read_on:
            self._reopen()
            self._round(keys, read_on=True)
        else:
            self._round(keys, next_round=False, stages=FROM_ARCHIVE)

    def repeat_failed(self, failed: Mapping[str, Failed]) -> None:
        """Repeat the calls that failed. Only where a map is among them, or a fault came before, is there more to ask than those pages:
        a new ranking of what was mapped well would aim at others, and pay for them."""
        self._reopen()
        wholly = [key for key, what in failed.items() if what.maps or what.fault]
        if wholly:
            self._round(wholly, next_round=False)
        if pages := [key for key in failed if key not in wholly]:
            self._round(pages, next_round=False, stages=("fetched_pages", *FROM_ARCHIVE))

    def report(self) -> Finished:
        """Materialise the report and read it back."""
        self._execute("report", {})
        cycle = self.footing().cycle.cycle
        made = Report.model_validate(self._stores.warehouse.read_report(self.file.name, cycle))
        return Finished(made, report_folder(self._stores.home, self.file.name, cycle=cycle))

    def _open(self, footing: Footing) -> list[str]:
        progress = self._stores.operations.progress_of(footing.cycle.cycle)
        granted = require_approval(self._stores, footing.plan).rounds_granted
        return [key for key in footing.plan.questions if goes_on(progress.get(key, Progress()), footing.plan.limits, granted=granted)]

    def _reopen(self) -> None:
        cycle = self.footing().cycle.cycle
        self._stores.operations.reopen_cycle(cycle)
        self._stores.ledger.lift_stop(cycle)

    def _round(self, keys: Sequence[str], *, next_round: bool = True, read_on: bool = False, stages: Iterable[str] = ()) -> None:
        footing = self.footing()
        config: dict[str, Any] = {"keys": list(keys), "next_round": next_round, "read_on": read_on, "stages": list(stages)}
        if config["stages"] and "resolved_findings" not in config["stages"]:
            self._execute("round", {"round": config})
            return  # the round goes on: nobody was to end it in this run
        ended: set[str] = set()
        with taken_on(lambda key: self._aside(footing, key, ended, next_round=next_round)):
            run_id = self._execute("round", {"round": config})
        for key in fallen(self._stores, footing, keys, run_id=run_id):
            if key not in ended:
                self._alone(footing, key, next_round=next_round)

    def _aside(self, footing: Footing, key: str, ended: set[str], *, next_round: bool) -> None:
        """The same while the grouped run goes on. What a retry helps against does not stand in its way: the key has its turn again."""
        try:
            self._alone(footing, key, next_round=next_round)
        except ResearchError as error:
            log.warning("%s is tried again when the others have ended their round: %s", key, error)
        else:
            ended.add(key)

    def _alone(self, footing: Footing, key: str, *, next_round: bool) -> None:
        """The round of one sub-question that fell out of a grouped run, in a run of its own: it shows there what the fault is."""
        known = self._stores.operations.progress_of(footing.cycle.cycle).get(key, Progress())
        run_id = str(uuid.uuid4())
        try:
            self._execute("questions", {}, key=key, run_id=run_id, tags={ROUND_TAG: str(max(known.round + next_round, 1))})
        except Exception as fault:  # one sub-question never takes the cycle down, whatever came in its way
            if isinstance(fault, ResearchError) and fault.retryable:
                raise
            give_up(self._stores, footing, key, reason=f"{type(fault).__name__}: {fault}", run_id=run_id)

    def _execute(
        self,
        part: str,
        configs: Mapping[str, Mapping[str, Any]],
        *,
        key: str | None = None,
        run_id: str | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> str:
        ops = {f"{self.file.name}__{name}": {"config": dict(config)} for name, config in configs.items()}
        resources = {"research": {"config": {"path": str(self._stores.home.path)}}}
        config = {"ops": ops, "resources": resources, **_QUIET}
        job = self._definitions.resolve_job_def(f"{self.file.name}_{part}")
        try:
            result = job.execute_in_process(
                instance=self._instance,
                run_config=config,
                tags={EXECUTED_BY: Owner.this_process().name_of_process, **(tags or {})},
                partition_key=key,
                run_id=run_id,
            )
        except dg.Failure as failure:
            if isinstance(failure.__cause__, ResearchError):
                raise failure.__cause__ from failure
            raise
        return result.run_id

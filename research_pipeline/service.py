"""What a person or an agent may ask of a home: run, approve, watch, stop, rerun, read. All of the command line stands on it.

A run executes the study's own Dagster jobs in this process on the home's own Dagster instance, so that the UI shows what it did.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import dagster as dg
import pandas as pd
from sqlalchemy.exc import SQLAlchemyError

from assets.opening import Footing, current_cycle, require_approval
from research_pipeline.definitions import definitions_of
from research_pipeline.errors import ApprovalMissing, InputError, ResearchError, StudyInvalid, UnknownName
from research_pipeline.limits import StopRule
from research_pipeline.loop import Progress
from research_pipeline.planning import Forecast, SourcePlan, forecast
from research_pipeline.reporting.report import Report
from resources.dagster_home import open_instance
from resources.home import Home
from resources.mrscraper import TOKEN_VARIABLE
from resources.operations import Approval, Cycle
from resources.report_files import report_folder
from resources.stores import Stores, open_stores
from resources.studies import BrokenStudy, StudyFile, find_study, load_studies

log = logging.getLogger("research")

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


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one sub-question stands in a cycle."""

    sub_question_id: str
    state: str
    round: int
    status: str
    rule: str
    answer: str
    failed_pages: int


@dataclass(frozen=True, slots=True)
class Status:
    """Where a study stands."""

    study: str
    cycle: Cycle | None
    approval: Approval | None
    driven_by: str
    spent: Mapping[str, float]
    warnings: Sequence[str]
    sub_questions: Sequence[Standing]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A plan with what it may cost and whether it may run."""

    plan: SourcePlan
    forecast: Forecast
    approval: Approval | None


@dataclass(frozen=True, slots=True)
class Selection:
    """Which sub-questions a rerun takes; empty fields select all."""

    vendor: str = ""
    sub_question: str = ""

    def of(self, plan: SourcePlan) -> list[str]:
        """Their ids.

        Raises:
            UnknownName: the plan has no such vendor or sub-question.
        """
        if self.vendor and self.vendor not in plan.vendors:
            raise UnknownName(f"The plan has no vendor {self.vendor!r}.", remedy=f"Its vendors are {', '.join(plan.vendors)}.")
        if self.sub_question and self.sub_question not in plan.questions:
            raise UnknownName(f"The plan has no sub-question {self.sub_question!r}.", remedy=f"`research plan {plan.study}` lists them.")
        return [key for key, question in plan.questions.items() if self.vendor in ("", question.vendor) and self.sub_question in ("", key)]


class Research:
    """One home and its studies."""

    def __init__(self, home: Home, *, studies: Path | None = None) -> None:
        self.home = home
        self._studies = studies

    @cached_property
    def stores(self) -> Stores:
        """The stores of the home."""
        return open_stores(self.home)

    # ── looking ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def studies(self) -> list[StudyFile | BrokenStudy]:
        """Every study of the folder, broken ones in their place."""
        return load_studies(self._studies)

    def study(self, name: str, *, mounts: Mapping[str, Path] | None = None) -> StudyFile:
        """A study by name or path.

        Raises:
            UnknownName: there is none.
            StudyInvalid: with all its problems.
        """
        return find_study(name, folder=self._studies).with_mounts(mounts or {})

    def plan(self, name: str) -> Proposal:
        """The plan of a study as its file stands."""
        plan = self.study(name).plan()
        return Proposal(plan, forecast(plan), self.stores.operations.approval_of(plan.study, plan.plan_id))

    def status(self, name: str) -> Status:
        """Where a study stands; also one whose file is gone, by its name."""
        study = Path(name).stem if name.endswith((".yaml", ".yml")) else name
        cycle = self.stores.operations.last_cycle(study)
        if cycle is None:
            self.study(name)  # says so if there is no such study
            return Status(study, None, None, "", {}, (), ())
        footing = current_cycle(self.stores, study)
        budget = self.stores.ledger.open_cycle(cycle.cycle, study, limits=footing.plan.limits)
        spent, limits = budget.spent, footing.plan.limits
        return Status(
            study,
            cycle,
            self.stores.operations.approval_of(study, cycle.plan_id),
            self.stores.leases.holder_of(_cycle_lease(study)) or "",
            {
                "tokens": spent.tokens,
                "tokens_reserved": spent.tokens_reserved,
                "max_tokens": limits.max_tokens,
                "pages": spent.pages,
                "max_pages": limits.max_pages,
                "discover_calls": spent.discover_calls,
                "max_discover_calls": limits.max_discover_calls,
                "steps": spent.steps,
                "max_steps": limits.max_steps,
                "seconds": round(spent.seconds, 1),
                "max_seconds": limits.max_seconds,
            },
            tuple(warning.message for warning in self.stores.ledger.warnings(cycle.cycle)),
            self._standings(footing),
        )

    def _standings(self, footing: Footing) -> list[Standing]:
        study, cycle = footing.plan.study, footing.cycle.cycle
        progress = self.stores.operations.progress_of(cycle)
        findings = self.stores.warehouse.read_findings(study, cycle)
        failed = self._failed_pages(footing)
        latest = {step.sub_question_id: step for step in self.stores.operations.steps(cycle)}
        rows: list[Standing] = []
        for key in footing.plan.questions:
            known = progress.get(key, Progress())
            finding = findings[key][-1] if findings.get(key) else None
            state = latest[key].next_state.value if key in latest else footing.cycle.state.value
            rows.append(Standing(key, state, known.round, known.status, known.rule, (finding.answer or "") if finding else "", failed[key]))
        return rows

    def _failed_pages(self, footing: Footing) -> dict[str, int]:
        pages = self.stores.warehouse.read_pages(footing.plan.study, footing.cycle.cycle)
        return {key: sum(page.status == "failed" for page in pages.get(key, ())) for key in footing.plan.questions}

    def report(self, name: str) -> Report:
        """The newest report of a study.

        Raises:
            UnknownName: there is none yet.
        """
        study = self._known_name(name)
        for cycle in reversed(self.stores.operations.cycles(study)):
            if self.stores.warehouse.revision("reports", study, cycle.cycle):
                return Report.model_validate(self.stores.warehouse.read_report(study, cycle.cycle))
        raise UnknownName(f"Study {study!r} has no report yet.", remedy=f"`research run {name}` writes one.")

    def sql(self, query: str) -> pd.DataFrame:
        """The result of a query on the evidence tables."""
        return self.stores.warehouse.query(query)

    def _known_name(self, name: str) -> str:
        study = Path(name).stem if name.endswith((".yaml", ".yml")) else name
        return study if self.stores.operations.last_cycle(study) else self.study(name).name

    # ── deciding ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def approve(self, name: str, *, by: str, note: str = "", rounds: int = 0, refuse: bool = False) -> Approval:
        """Record a person's decision on the plan of the study as its file stands; the cycle that waits for it may go on.

        Raises:
            InputError: nobody is named.
        """
        if not by.strip():
            raise InputError("An approval names the person who gives it.", remedy="Write `--by NAME`.")
        driver = Driver(self, self.study(name))
        driver.begin(new=False, cause=f"approval by {by}")
        try:
            driver.decide(by=by, note=note, rounds=rounds, refuse=refuse)
        except ApprovalMissing:
            if not refuse:
                raise
        plan = driver.footing().plan
        approval = self.stores.operations.approval_of(plan.study, plan.plan_id)
        if approval is None:
            raise ApprovalMissing(f"The decision on plan {plan.plan_id} was not recorded.", remedy="Try again.")
        return approval

    def stop(self, name: str, *, by: str) -> Cycle:
        """Stop the cycle that is under way: no paid call is made any more, and the report says who stopped it.

        Raises:
            InputError: nobody is named, or no cycle is under way.
        """
        if not by.strip():
            raise InputError("Stopping names the person who does it.", remedy="Write `--by NAME`.")
        footing = current_cycle(self.stores, self._known_name(name))
        if footing.cycle.finished:
            raise InputError(
                f"No cycle of study {footing.plan.study!r} is under way.", remedy=f"`research status {name}` shows the last one."
            )
        self.stores.operations.request_stop(footing.cycle.cycle, by=by)
        self.stores.ledger.open_cycle(footing.cycle.cycle, footing.plan.study, limits=footing.plan.limits)
        self.stores.ledger.abort(footing.cycle.cycle, by=by)
        return self.stores.operations.cycle(footing.cycle.cycle)

    # ── running ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def run(self, name: str, *, mounts: Mapping[str, Path] | None = None, new: bool = False) -> Finished:
        """One cycle to its report. An unfinished cycle of the same plan goes on, unless `new`.

        Raises:
            ApprovalMissing: the plan waits for a person.
            LeaseHeld: another process drives a cycle of the study.
        """
        driver = Driver(self, self.study(name, mounts=mounts))
        with self.stores.leases.held(_cycle_lease(driver.file.name), holder="research run"):
            driver.begin(new=new, cause="research run")
            driver.decide()
            driver.rounds()
            return driver.report()

    def rerun(
        self,
        name: str,
        selection: Selection,
        *,
        mode: Literal["recompute", "failed", "read_on"] = "recompute",
        mounts: Mapping[str, Path] | None = None,
    ) -> Finished:
        """Do part of the current cycle again, and report anew.

        Args:
            mode: `recompute` from what is archived, unpaid; `failed` repeats the calls that failed; `read_on` grants one more round.

        Raises:
            UnknownName: the study never ran, or the selection names nothing.
        """
        driver = Driver(self, self.study(name, mounts=mounts))
        with self.stores.leases.held(_cycle_lease(driver.file.name), holder="research rerun"):
            footing = driver.footing()
            require_approval(self.stores, footing.plan)
            keys = selection.of(footing.plan)
            if mode == "failed":
                failed = self._failed_pages(footing)
                keys = [key for key in keys if failed[key]]
                log.info("%d sub-question(s) have failed pages", len(keys))
            if keys:
                driver.again(keys, mode=mode)
            return driver.report()


class Driver:
    """Moves one study's cycle along by executing its jobs in this process."""

    def __init__(self, research: Research, file: StudyFile) -> None:
        self.file = file
        self._research = research
        self._definitions = definitions_of([file])

    @cached_property
    def _instance(self) -> dg.DagsterInstance:
        return open_instance(self._research.home)

    def footing(self) -> Footing:
        """The current cycle and its plan."""
        return current_cycle(self._research.stores, self.file.name)

    def begin(self, *, new: bool, cause: str) -> None:
        """Materialise the source plan: a new cycle, or the unfinished one of the same plan."""
        self._execute("plan", {"source_plan": {"new_cycle": new, "cause": cause}})

    def decide(self, *, by: str = "", note: str = "", rounds: int = 0, refuse: bool = False) -> None:
        """Materialise the approval, as a person where one is named."""
        self._execute("approve", {"plan_approval": {"by": by, "note": note, "rounds": rounds, "refuse": refuse}})

    def rounds(self) -> None:
        """One grouped round after the other until every sub-question is closed."""
        footing = self.footing()
        while keys := self._open(footing):
            self._round(keys)

    def again(self, keys: Sequence[str], *, mode: str) -> None:
        """Do sub-questions over; those that then are open go on with their rounds, unless nothing may be paid."""
        cycle = self.footing().cycle.cycle
        if mode == "recompute":
            self._round(keys, next_round=False, stages=("extracted_evidence", "resolved_findings"))
            return
        self._research.stores.operations.reopen_cycle(cycle)
        self._research.stores.ledger.lift_stop(cycle)
        if mode == "read_on":
            self._round(keys, read_on=True)
        else:
            self._round(keys, next_round=False, stages=("fetched_pages", "extracted_evidence", "resolved_findings"))

    def report(self) -> Finished:
        """Materialise the report and read it back."""
        self._execute("report", {})
        cycle = self.footing().cycle.cycle
        stores = self._research.stores
        made = Report.model_validate(stores.warehouse.read_report(self.file.name, cycle))
        return Finished(made, report_folder(stores.home, self.file.name, cycle=cycle))

    def _open(self, footing: Footing) -> list[str]:
        progress = self._research.stores.operations.progress_of(footing.cycle.cycle)
        return [key for key in footing.plan.questions if not progress.get(key, Progress()).closed]

    def _round(self, keys: Sequence[str], *, next_round: bool = True, read_on: bool = False, stages: Iterable[str] = ()) -> None:
        config: dict[str, Any] = {"keys": list(keys), "next_round": next_round, "read_on": read_on, "stages": list(stages)}
        self._execute("round", {"round": config})

    def _execute(self, part: str, configs: Mapping[str, Mapping[str, Any]]) -> None:
        ops = {f"{self.file.name}__{name}": {"config": dict(config)} for name, config in configs.items()}
        resources = {"research": {"config": {"path": str(self._research.home.path)}}}
        job = self._definitions.resolve_job_def(f"{self.file.name}_{part}")
        try:
            job.execute_in_process(instance=self._instance, run_config={"ops": ops, "resources": resources, **_QUIET})
        except dg.Failure as failure:
            if isinstance(failure.__cause__, ResearchError):
                raise failure.__cause__ from failure
            raise


def _cycle_lease(study: str) -> str:
    return f"cycle:{study}"


@dataclass(frozen=True, slots=True)
class Examined:
    """One thing a deployment needs, as it was found."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""


def examine(home: Home) -> list[Examined]:
    """What is configured and reachable. Nothing is paid for and no token is shown."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("evidence-research-pipeline", "dagster", "duckdb"))
    found = [Examined("versions", True, versions), Examined("home", True, str(home.path))]
    found += [
        _examined("evidence tables", lambda: f"{len(open_stores(home).warehouse.query('SHOW TABLES'))} tables in {home.evidence}"),
        _examined("operational store", lambda: f"{str(home.operations).split('@')[-1]}: {_cycles(home)} cycles"),
        _examined("Dagster instance", lambda: f"{open_instance(home).get_runs_count()} runs in {home.dagster}"),
    ]
    for item in load_studies():
        broken = isinstance(item, BrokenStudy)
        detail = f"{len(item.error.problems)} problems" if broken and isinstance(item.error, StudyInvalid) else "valid"
        found.append(Examined(f"study {item.name}", not broken, detail, f"`research check {item.name}` lists them." if broken else ""))
    wanted = [item.name for item in load_studies() if isinstance(item, StudyFile) and item.study.engine == "mrscraper"]
    token = bool(os.environ.get(TOKEN_VARIABLE))
    remedy = "" if token or not wanted else f"Set {TOKEN_VARIABLE}; these studies need it: {', '.join(wanted)}."
    found.append(Examined("MrScraper token", token or not wanted, "set" if token else "not set (the embedded engine needs none)", remedy))
    return found


def _examined(name: str, look: Callable[[], str]) -> Examined:
    try:
        return Examined(name, True, look())
    except (ResearchError, SQLAlchemyError) as error:
        return Examined(name, False, str(error), "See the message.")


def _cycles(home: Home) -> int:
    stores = open_stores(home)
    return sum(len(stores.operations.cycles(item.name)) for item in load_studies())

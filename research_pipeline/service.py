"""What a person or an agent may ask of a home: run, approve, watch, stop, rerun, read. All of the command line stands on it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from assets.opening import Changes, current_cycle, cycle_lease, require_approval, since_approval
from assets.stopping import stop_cycle
from research_pipeline.driving import Driver, Finished
from research_pipeline.errors import ApprovalMissing, InputError, UnknownName
from research_pipeline.planning import MAP_TOKENS, PAGE_TOKENS, Forecast, SourcePlan, forecast
from research_pipeline.reporting.report import Report
from research_pipeline.standing import Failed, Status, failed_of, status_of
from research_pipeline.tracing import Chain
from resources.home import Home
from resources.lineage import trace
from resources.operations import Approval, Cycle
from resources.stores import Stores, open_stores
from resources.studies import BrokenStudy, StudyFile, find_study, load_studies

if TYPE_CHECKING:  # half a second in every command but one
    import pandas as pd

log = logging.getLogger("research")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A plan with what it may cost and whether it may run."""

    plan: SourcePlan
    forecast: Forecast
    approval: Approval | None
    since: Changes | None


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
        approval = self.stores.operations.approval_of(plan.study, plan.plan_id)
        return Proposal(plan, forecast(plan), approval, since_approval(self.stores, plan))

    def status(self, name: str) -> Status:
        """Where a study stands; also one whose file is gone, by its name."""
        return status_of(self.stores, self._known_name(name), driven_by=self.stores.leases.holder_of(cycle_lease(_stem(name))) or "")

    def report(self, name: str, *, as_of: datetime | None = None) -> Report:
        """The newest report of a study, or the one that was the newest at a moment (with a zone).

        Raises:
            UnknownName: there is none yet, or there was none then.
        """
        study = self._known_name(name)
        if as_of is not None:
            return Report.model_validate(self.stores.warehouse.read_report_as_of(study, as_of))
        for cycle in reversed(self.stores.operations.cycles(study)):
            if self.stores.warehouse.revision("reports", study, cycle.cycle):
                return Report.model_validate(self.stores.warehouse.read_report(study, cycle.cycle))
        raise UnknownName(f"Study {study!r} has no report yet.", remedy=f"`research run {name}` writes one.")

    def trace(self, evidence_id: str) -> Chain:
        """The chain behind an item of evidence, of whatever study; a beginning of its id will do.

        Raises:
            UnknownName: there is none, or there are several.
        """
        return trace(self.stores.warehouse, self.stores.archive, evidence_id)

    def sql(self, query: str) -> pd.DataFrame:
        """The result of a query on the evidence tables."""
        return self.stores.warehouse.query(query)

    def _known_name(self, name: str) -> str:
        study = _stem(name)
        return study if self.stores.operations.last_cycle(study) else self.study(name).name

    # ── deciding ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def approve(self, name: str, *, by: str, note: str = "", rounds: int = 0, refuse: bool = False) -> Approval:
        """Record a person's decision on the plan of the study as its file stands; the cycle that waits for it may go on.

        Raises:
            InputError: nobody is named.
        """
        if not by.strip():
            raise InputError("An approval names the person who gives it.", remedy="Write `--by NAME`.")
        driver = Driver(self.stores, self.study(name))
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
        stop_cycle(self.stores, footing.cycle.cycle, footing.plan, by=by)
        return self.stores.operations.cycle(footing.cycle.cycle)

    # ── running ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def run(self, name: str, *, mounts: Mapping[str, Path] | None = None, new: bool = False) -> Finished:
        """One cycle to its report. An unfinished cycle of the same plan goes on, unless `new`.

        Raises:
            ApprovalMissing: the plan waits for a person.
            LeaseHeld: another process drives a cycle of the study.
        """
        driver = Driver(self.stores, self.study(name, mounts=mounts))
        with self.stores.leases.held(cycle_lease(driver.file.name), holder="research run"):
            driver.end_lost_runs()
            driver.begin_decided(new=new, cause="research run")
            footing = driver.footing()
            _announce("This cycle", forecast(footing.plan), footing.plan)
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
            mode: `recompute` from what is archived, unpaid; `failed` repeats the calls that failed, and reads what a map then shows;
                `read_on` grants one more round.

        Raises:
            UnknownName: the study never ran, or the selection names nothing.
        """
        driver = Driver(self.stores, self.study(name, mounts=mounts))
        with self.stores.leases.held(cycle_lease(driver.file.name), holder="research rerun"):
            driver.end_lost_runs()
            footing = driver.footing()
            require_approval(self.stores, footing.plan)
            keys = selection.of(footing.plan)
            if mode == "failed":
                failed = failed_of(self.stores, footing)
                keys = [key for key in keys if failed[key]]
                _announce_repeats({key: failed[key] for key in keys}, footing.plan)
                driver.repeat_failed({key: failed[key] for key in keys})
            elif keys:
                if mode == "read_on":
                    _announce("Reading on", forecast(_for_one_round(footing.plan), keys=frozenset(keys)), footing.plan)
                driver.again(keys, read_on=mode == "read_on")
            return driver.report()


def _stem(name: str) -> str:
    return Path(name).stem if name.endswith((".yaml", ".yml")) else name


def _announce(what: str, expected: Forecast, plan: SourcePlan) -> None:
    log.info(
        "%s may cost %d tokens, at most %d (%d pages, %d maps, %d searches); its limit is %d",
        what,
        expected.tokens_likely,
        expected.tokens_at_most,
        expected.pages_at_most,
        expected.discover_calls - expected.searches,
        expected.searches,
        plan.limits.max_tokens,
    )


def _announce_repeats(failed: Mapping[str, Failed], plan: SourcePlan) -> None:
    pages = sum(what.pages for what in failed.values())
    maps = len({source.id for key, what in failed.items() if what.maps for source in plan.sources_of(key)})
    tokens = min(pages * PAGE_TOKENS + maps * MAP_TOKENS, plan.limits.max_tokens)
    counted = "%d sub-question(s) have calls that failed: %d page(s) and %d map(s) or search(es), about %d tokens"
    log.info(counted, len(failed), pages, maps, tokens)


def _for_one_round(plan: SourcePlan) -> SourcePlan:
    return plan.model_copy(update={"limits": plan.limits.model_copy(update={"max_rounds": 1})})

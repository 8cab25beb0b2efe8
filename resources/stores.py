"""Everything a home keeps, opened together: one set of stores per process and home."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

import dagster as dg
from pydantic import Field

from resources.archive import PageArchive
from resources.home import Home
from resources.leases import Leases
from resources.ledger import Ledger
from resources.loop_events import LoopEvents
from resources.operations import Operations
from resources.opstore import open_engine
from resources.owners import Owner
from resources.throttle import Throttle
from resources.warehouse import Warehouse

EXECUTED_BY = "research/executed_by"  # tag of a run: the process that executes it


@dataclass(frozen=True, slots=True)
class Stores:
    """The stores of one home; safe for all threads and event loops of a process."""

    home: Home
    operations: Operations
    ledger: Ledger
    leases: Leases
    warehouse: Warehouse
    archive: PageArchive
    throttle: Throttle
    loop: LoopEvents

    def copy_operations(self, cycle: str) -> None:
        """Copy what an auditor needs of the operational store to the evidence tables."""
        self.warehouse.copy_operations(self.operations.audit_rows(cycle, calls=[call.as_row() for call in self.ledger.calls(cycle)]))


_opened: dict[tuple[Path, str], Stores] = {}
_opening = threading.Lock()


def open_stores(home: Home) -> Stores:
    """The stores of a home; opened once per process, since the ledger keeps its calls alive from one thread."""
    with _opening:
        key = (home.path, str(home.operations))
        if key not in _opened:
            engine = open_engine(home.operations)
            _opened[key] = Stores(
                home,
                Operations(engine),
                Ledger(engine),
                Leases(engine),
                Warehouse(home.evidence),
                PageArchive(home.pages),
                Throttle(engine),
                LoopEvents(engine),
            )
        return _opened[key]


class ResearchHome(dg.ConfigurableResource[None]):
    """The folder that holds evidence, ledger, pages and reports."""

    path: str = Field(default="", description="The folder; empty: RESEARCH_HOME, or ./data.")

    def setup_for_execution(self, context: dg.InitResourceContext) -> None:
        """Note with the run which process executes it: of one whose process is gone nobody would ever hear."""
        if context.run and context.instance and EXECUTED_BY not in context.run.tags:
            context.instance.add_run_tags(context.run.run_id, {EXECUTED_BY: Owner.this_process().name_of_process})

    def stores(self) -> Stores:
        """The stores in it.

        Raises:
            ConfigurationError: the folder cannot be made or written to.
        """
        return open_stores(Home.resolve(Path(self.path) if self.path else None))

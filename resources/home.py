"""The home: one folder that holds everything a deployment keeps.

HOME/evidence.duckdb     evidence tables, with their history
HOME/ledger.sqlite       calls, budgets, approvals, leases, loop state (or PostgreSQL, by RESEARCH_OPERATIONS_URL)
HOME/pages/              bodies of pages, named by their hash
HOME/reports/            reports, by study and cycle
HOME/dagster/            Dagster's own storage
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from research_pipeline.errors import ConfigurationError

HOME_VARIABLE = "RESEARCH_HOME"
OPERATIONS_VARIABLE = "RESEARCH_OPERATIONS_URL"


class Home:
    """Paths below one folder; building it makes the folders.

    Raises:
        ConfigurationError: the folder cannot be made or written to.
    """

    def __init__(self, path: Path, *, operations_url: str = "") -> None:
        self.path = path.expanduser().resolve()
        self._operations_url = operations_url
        for folder in (self.path, self.pages, self.reports, self.dagster):
            _make_writable(folder)

    @classmethod
    def resolve(cls, path: Path | None = None, *, environment: Mapping[str, str] = os.environ) -> Home:
        """The home that a person named, else the one RESEARCH_HOME names, else `./data`."""
        named = path or Path(environment.get(HOME_VARIABLE) or "data")
        return cls(named, operations_url=environment.get(OPERATIONS_VARIABLE, ""))

    @property
    def evidence(self) -> Path:
        """The DuckDB file."""
        return self.path / "evidence.duckdb"

    @property
    def operations(self) -> Path | str:
        """What `resources.opstore.open_engine` opens: the SQLite file, or the URL that RESEARCH_OPERATIONS_URL gave."""
        return self._operations_url or self.path / "ledger.sqlite"

    @property
    def pages(self) -> Path:
        """The archive of page bodies."""
        return self.path / "pages"

    @property
    def reports(self) -> Path:
        """`reports/STUDY/CYCLE/report.html` and its siblings."""
        return self.path / "reports"

    @property
    def rehearsals(self) -> Path:
        """What the embedded engine counts of the failures that mounted folders rehearse, by cycle; made when there are any."""
        return self.path / "rehearsals"

    @property
    def dagster(self) -> Path:
        """DAGSTER_HOME."""
        return self.path / "dagster"


def _make_writable(folder: Path) -> None:
    remedy = f"Name a folder that you may write to, with --home or {HOME_VARIABLE}."
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"The folder {str(folder)!r} cannot be made: {error.strerror}.", remedy=remedy) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ConfigurationError(f"The folder {str(folder)!r} cannot be written to.", remedy=remedy)

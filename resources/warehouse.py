"""The evidence tables: a DuckDB file in which every writing of a stage is kept, and the newest is what is read.

A stage writes, for each sub-question, a `Snapshot`: all its rows on that sub-question. It becomes the next revision of that table for
(study, cycle, sub-question). A key that was never written is absent from what is read; one that was written empty reads as an empty list.

Each write is one transaction, of which all is kept or nothing. Opening the file takes some 30 ms: write many snapshots at once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from research_pipeline.errors import InputError, StorageInvalid, UnknownName
from research_pipeline.records import DiscoveredUrl, Evidence, Finding, Page
from resources.duckdb_file import PATIENCE_SECONDS, DuckDBFile
from resources.migrations import Migration, check_version, migrate, packaged_migrations, schema_version
from resources.record_tables import DISCOVERED, EVIDENCE, FINDINGS, PAGES, OperationRows, RecordT, RecordTable, Row
from resources.revisions import (
    STUDY_LEVEL,
    Snapshot,
    copy_rows,
    evidence_behind_findings,
    fetch_rows,
    latest_rows,
    next_time,
    revisions_of,
    write_snapshots,
)
from resources.waiting import OnWait

if TYPE_CHECKING:  # half a second in every process that only reads and writes records
    import pandas as pd


def _now() -> datetime:
    return datetime.now(UTC)


_REFUSALS = (duckdb.ProgrammingError, duckdb.DataError, duckdb.NotSupportedError, duckdb.OperationalError, duckdb.PermissionException)
_REPORT_AS_OF = "SELECT report FROM reports WHERE study = ? AND recorded_at <= ?::TIMESTAMPTZ ORDER BY cycle DESC, revision DESC LIMIT 1"


class Warehouse:
    """The evidence tables in one file. Any number of threads and processes may use it; each call opens and closes it.

    Args:
        path: the file; made when it is first used.
        on_wait: is told when another program holds the file, and which.
        patience: seconds to wait for it.
        clock: the time that writings are dated with.
        migrations: the schema; that of this release unless a test says otherwise.

    Every method raises:
        StorageBusy: another program kept the file longer than the patience lasts; nothing was written.
        StorageInvalid: the file is damaged, or of a newer release.
    """

    def __init__(
        self,
        path: Path,
        *,
        on_wait: OnWait | None = None,
        patience: float = PATIENCE_SECONDS,
        clock: Callable[[], datetime] = _now,
        migrations: Sequence[Migration] = (),
    ) -> None:
        self.path = path
        self._migrations = tuple(migrations) or packaged_migrations()
        self._clock = clock
        self._file = DuckDBFile(path, create=self._migrate, on_wait=on_wait, patience=patience)

    def write(self, batch: Iterable[Snapshot], *, operations: OperationRows | None = None) -> None:
        """Add each snapshot as the next revision of its key, and copy operational rows, all in one transaction.

        Raises:
            ValueError: a table or column that does not exist.
        """
        snapshots, copied = list(batch), operations or OperationRows()
        with self._writing() as connection:
            recorded_at = next_time(connection, self._clock())
            write_snapshots(connection, snapshots, recorded_at=recorded_at)
            copy_rows(connection, "calls", copied.calls, recorded_at=recorded_at)
            copy_rows(connection, "approvals", copied.approvals, recorded_at=recorded_at)
            copy_rows(connection, "loop_steps", copied.loop_steps, recorded_at=recorded_at)

    def copy_operations(self, operations: OperationRows) -> None:
        """Copy rows of the operational store: those not here yet, and those that changed since, as their next revision."""
        self.write((), operations=operations)

    def read_rows(self, table: str, study: str, cycle: str, *, sub_questions: Iterable[str] | None = None) -> dict[str, list[Row]]:
        """The newest rows by sub-question: of those named, or of all in the cycle. A key never written is absent."""
        with self._reading() as connection:
            return latest_rows(connection, table, study=study, cycle=cycle, sub_questions=sub_questions)

    def read_discovered(self, study: str, cycle: str, sub_questions: Iterable[str] | None = None) -> dict[str, list[DiscoveredUrl]]:
        """Candidates by sub-question. A key never written is absent, here and below."""
        return self._read(DISCOVERED, study, cycle, sub_questions)

    def read_pages(self, study: str, cycle: str, sub_questions: Iterable[str] | None = None) -> dict[str, list[Page]]:
        """Pages by sub-question."""
        return self._read(PAGES, study, cycle, sub_questions)

    def read_evidence(self, study: str, cycle: str, sub_questions: Iterable[str] | None = None) -> dict[str, list[Evidence]]:
        """Evidence by sub-question, whatever its verdict."""
        return self._read(EVIDENCE, study, cycle, sub_questions)

    def read_findings(self, study: str, cycle: str, sub_questions: Iterable[str] | None = None) -> dict[str, list[Finding]]:
        """Findings by sub-question, with their evidence as it stood when the finding was written.

        Raises:
            StorageInvalid: evidence of a finding is not in the tables.
        """
        with self._reading() as connection:
            found = latest_rows(connection, FINDINGS.name, study=study, cycle=cycle, sub_questions=sub_questions)
            evidence = evidence_behind_findings(connection, study=study, cycle=cycle)
        return {key: FINDINGS.records([_with_evidence(row, evidence) for row in rows]) for key, rows in found.items()}

    def read_plan(self, study: str, cycle: str) -> dict[str, Any]:
        """The plan that a cycle follows, as JSON.

        Raises:
            UnknownName: the cycle has none.
        """
        return self._only_row("plans", study, cycle)["plan"]

    def read_report(self, study: str, cycle: str) -> dict[str, Any]:
        """The newest report of a cycle, as JSON.

        Raises:
            UnknownName: the cycle has none.
        """
        return self._only_row("reports", study, cycle)["report"]

    def read_report_as_of(self, study: str, moment: datetime) -> dict[str, Any]:
        """The newest report of a study that had been written by a moment (with a zone), as JSON.

        Raises:
            UnknownName: there was none yet.
        """
        with self._reading() as connection:
            rows = fetch_rows(connection, _REPORT_AS_OF, [study, moment.isoformat()])
            first = connection.execute("SELECT min(recorded_at) FROM reports WHERE study = ?", [study]).fetchone()
        if not rows:
            since = f"The first is of {first[0].isoformat(timespec='seconds')}." if first and first[0] else "It has none at all."
            raise UnknownName(f"Study {study!r} had no report on {moment.isoformat()}.", remedy=since)
        return rows[0]["report"]

    def read_conclusions(self, study: str, cycle: str) -> list[Row]:
        """Conclusions of a cycle: text, verdict, reason, sub_question_ids, evidence_ids; none where no report was written."""
        return self.read_rows("conclusions", study, cycle, sub_questions=[STUDY_LEVEL]).get(STUDY_LEVEL, [])

    def read_reviews(self, study: str, cycle: str) -> list[Row]:
        """What a person should look at: kind, text, reason, sub_question_ids, evidence_ids; none where no report was written."""
        return self.read_rows("reviews", study, cycle, sub_questions=[STUDY_LEVEL]).get(STUDY_LEVEL, [])

    def revision(self, table: str, study: str, cycle: str, *, sub_question_id: str = STUDY_LEVEL) -> int:
        """The newest revision of a key; 0 where it was never written."""
        key = (table, study, cycle, sub_question_id)
        with self._reading() as connection:
            return revisions_of(connection, [key]).get(key, 0)

    def rows(self, sql: str, values: Sequence[object] | Mapping[str, object] = ()) -> list[Row]:
        """The rows of a query of ours by column, JSON columns read."""
        with self._reading() as connection:
            return fetch_rows(connection, sql, values)

    def query(self, sql: str, params: Sequence[object] | Mapping[str, object] = ()) -> pd.DataFrame:
        """The result of a query that reads; times are in UTC.

        Raises:
            InputError: the query is wrong, or would write.
        """
        with self._reading() as connection:
            try:
                # Read-only guards this file alone: without this a query could attach, write and read any other.
                connection.execute("SET enable_external_access = false")
                connection.execute("SET lock_configuration = true")
                if not connection.extract_statements(sql):
                    raise InputError("There is no query.", remedy="Write one, such as `FROM current_findings`.")
                return connection.execute(sql, params).df()
            except _REFUSALS as error:
                remedy = (
                    "Only queries that read are answered. `SHOW TABLES` lists the tables and views, `DESCRIBE pages` the columns of one."
                )
                raise InputError(f"{error}", remedy=remedy) from error

    def frame(self, table: str) -> pd.DataFrame:
        """A table or view, whole.

        Raises:
            InputError: there is no such table.
        """
        quoted = table.replace('"', '""')
        return self.query(f'FROM "{quoted}"')

    def _read(self, table: RecordTable[RecordT], study: str, cycle: str, sub_questions: Iterable[str] | None) -> dict[str, list[RecordT]]:
        found = self.read_rows(table.name, study, cycle, sub_questions=sub_questions)
        return {key: table.records(rows) for key, rows in found.items()}

    def _only_row(self, table: str, study: str, cycle: str) -> Row:
        rows = self.read_rows(table, study, cycle, sub_questions=[STUDY_LEVEL]).get(STUDY_LEVEL)
        if not rows:
            raise UnknownName(
                f"Cycle {cycle!r} of study {study!r} has nothing in {table!r}.", remedy=f"`research status {study}` shows its cycles."
            )
        return rows[0]

    def _migrate(self, connection: duckdb.DuckDBPyConnection) -> None:
        migrate(connection, self._migrations, what=str(self.path))

    @contextmanager
    def _writing(self) -> Generator[duckdb.DuckDBPyConnection]:
        """A connection in a transaction that is committed when the block ends well, and else never was."""
        with self._file.opened(read_only=False) as connection:
            self._migrate(connection)
            try:
                connection.execute("BEGIN")
                yield connection
                connection.execute("COMMIT")
            except (duckdb.IOException, duckdb.TransactionException, duckdb.FatalException, duckdb.InternalException) as error:
                remedy = "Nothing of it was kept. Make room on the disk, or put back a backup if the file is damaged; then run again."
                raise StorageInvalid(f"{self.path} refused a write: {error}", remedy=remedy) from error

    @contextmanager
    def _reading(self) -> Generator[duckdb.DuckDBPyConnection]:
        with ExitStack() as stack:
            connection = stack.enter_context(self._file.opened(read_only=True))
            if self._behind(connection):
                stack.close()
                with self._file.opened(read_only=False) as writer:
                    self._migrate(writer)
                connection = stack.enter_context(self._file.opened(read_only=True))
            yield connection

    def _behind(self, connection: duckdb.DuckDBPyConnection) -> bool:
        found, known = schema_version(connection), self._migrations[-1].version
        check_version(found, known=known, what=str(self.path))
        return found < known


def _with_evidence(row: Row, evidence: Mapping[tuple[str, str], Row]) -> Row:
    ids = row["evidence_ids"]
    try:
        items = EVIDENCE.records([evidence[row["sub_question_id"], name] for name in ids])
    except KeyError as error:
        raise StorageInvalid(
            f"The finding on {row['sub_question_id']!r} in cycle {row['cycle']} names evidence that is not in the tables: {error}.",
            remedy=f"`research rerun {row['study']} --sub-question {row['sub_question_id']}` computes both again from the archive.",
        ) from error
    return {**row, "evidence": items}

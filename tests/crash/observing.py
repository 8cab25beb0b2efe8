"""What a home shows from outside while a run works in it, and what must hold of it at any moment."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from resources.archive import PageArchive
from tests.crash.site import STUDY
from tests.crash.witness import question

_MARKS = """
    SELECT (SELECT count(DISTINCT sub_question_id || round || state) FROM loop_steps)
         + (SELECT count(DISTINCT call_key) + count(DISTINCT CASE WHEN sent_at IS NOT NULL THEN call_key END)
                 + count(DISTINCT CASE WHEN state = 'settled' THEN call_key END) FROM calls)
         + (SELECT count(*) FROM cycles) + (SELECT count(*) FROM cycles WHERE finished_at IS NOT NULL)
"""


@dataclass
class Home:
    """A home from outside, through connections of the observer's own."""

    path: Path
    max_tokens: int
    _revisions_seen: dict[tuple, tuple] = field(default_factory=dict)
    _reports_seen: dict[str, str] = field(default_factory=dict)
    _watching: ExitStack | None = None
    _held: sqlite3.Connection | None = None
    _begun: bool = False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Keep one connection for the block, which looks often. No run may be started in it: a fork would inherit the connection."""
        with ExitStack() as self._watching:
            yield
        self._held = self._watching = None

    @contextmanager
    def _operations(self) -> Iterator[sqlite3.Connection]:
        if self._held is not None:
            yield self._held
            return
        connection = closing(sqlite3.connect(f"file:{self.path / 'ledger.sqlite'}?mode=ro", uri=True, timeout=60))
        if self._watching is not None:
            self._held = self._watching.enter_context(connection)
            yield self._held
            return
        with connection as opened:
            yield opened

    @property
    def begun(self) -> bool:
        """Whether there is a store with its tables yet."""
        if self._begun:
            return True
        if not (self.path / "ledger.sqlite").exists():
            return False
        with self._operations() as connection:
            self._begun = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'leases'").fetchone()[0] > 0
        return self._begun

    def marks(self) -> int:
        """How many steps were recorded so far, and calls that were ever reserved, sent and settled: it only grows, and with progress."""
        if not self.begun:
            return 0
        with self._operations() as connection:
            return connection.execute(_MARKS).fetchone()[0]

    def check_budget(self) -> None:
        """Spent + reserved ≤ budget, as it stands now."""
        if not self.begun:
            return
        with self._operations() as connection:
            for spent, reserved in connection.execute("SELECT tokens_spent, tokens_reserved FROM budgets"):
                assert spent + reserved <= self.max_tokens, f"{spent} spent and {reserved} reserved of {self.max_tokens} tokens"

    def last_step(self) -> str:
        """Where the loop is: the newest step, as `round STATE → STATE`."""
        if not self.begun:
            return "before the first step"
        with self._operations() as connection:
            rows = connection.execute("SELECT round, state, next_state FROM loop_steps ORDER BY happened_at DESC, step DESC LIMIT 1")
            row = rows.fetchone()
        return "before the first step" if row is None else f"{row[0]} {row[1]} → {row[2]}"

    def steps(self) -> list[str]:
        """The moments at which a run has recorded steps, each by its last one."""
        together = "SELECT max(step) FROM loop_steps GROUP BY happened_at"
        with self._operations() as connection:
            rows = connection.execute(
                f"SELECT round, state, next_state FROM loop_steps WHERE step IN ({together}) ORDER BY step"
            ).fetchall()
        return list(dict.fromkeys(f"{round_} {state} → {following}" for round_, state, following in rows))

    def calls_by_state(self) -> Counter[str]:
        """How many attempts are in each state."""
        if not self.begun:
            return Counter()
        with self._operations() as connection:
            return Counter(dict(connection.execute("SELECT state, count(*) FROM calls GROUP BY state").fetchall()))

    def finished(self) -> bool:
        """Whether a cycle has come to its end. There is never a second one."""
        if not self.begun:
            return False
        with self._operations() as connection:
            cycles = connection.execute("SELECT finished_at FROM cycles").fetchall()
        assert len(cycles) <= 1, "a second cycle was begun"
        return bool(cycles) and cycles[0][0] is not None

    def settled(self) -> set[str]:
        """What is never to be asked again; its bodies are in the archive."""
        if not self.begun:
            return set()
        with self._operations() as connection:
            rows = connection.execute("SELECT tool, url, arguments, body_hash FROM calls WHERE state = 'settled'").fetchall()
        archive = PageArchive(self.path / "pages")
        for *_, body_hash in rows:
            if body_hash:
                archive.get(body_hash)
        return {question(tool, url, depth=json.loads(arguments).get("depth")) for tool, url, arguments, _ in rows}

    def charged(self) -> int:
        """Tokens that the ledger has charged or holds reserved."""
        if not self.begun:
            return 0
        with self._operations() as connection:
            return connection.execute("SELECT coalesce(sum(tokens_spent + tokens_reserved), 0) FROM budgets").fetchone()[0]

    def sent(self) -> Counter[str]:
        """How often each call may have gone out, by the ledger."""
        with self._operations() as connection:
            rows = connection.execute("SELECT tool, url, arguments FROM calls WHERE sent_at IS NOT NULL").fetchall()
        return Counter(question(tool, url, depth=json.loads(arguments).get("depth")) for tool, url, arguments in rows)

    # ── evidence ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def check_history(self) -> None:
        """Every revision and report that was ever seen is still there, whole and as it was."""
        revisions = self._revisions()
        for key, facts in self._revisions_seen.items():
            assert revisions.get(key) == facts, f"revision {key} was {facts} and is {revisions.get(key)}"
        self._revisions_seen = revisions
        kept = {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in self.path.glob("reports/*/*/report.r*")}
        for path, content in self._reports_seen.items():
            assert kept.get(path) == content, f"{path} changed"
        self._reports_seen = kept

    def _revisions(self) -> dict[tuple, tuple]:
        path = self.path / "evidence.duckdb"
        if not path.exists():
            return {}
        with duckdb.connect(str(path), config={"threads": 1}) as connection:
            tables = {row[0] for row in connection.execute("SHOW TABLES").fetchall()}
            if "revisions" not in tables:
                return {}
            columns = "table_name, study, cycle, sub_question_id, revision"
            rows = connection.execute(f"SELECT {columns}, row_count, recorded_at FROM revisions").fetchall()
            for table in {row[0] for row in rows}:
                counted = connection.execute(f"SELECT sub_question_id, revision, count(*) FROM {table} GROUP BY ALL").fetchall()
                held = {(key, revision): count for key, revision, count in counted}
                for name, _, _, key, revision, count, _ in rows:
                    assert name != table or held.get((key, revision), 0) == count, f"{table} {key} r{revision} is not whole"
        return {row[:5]: row[5:] for row in rows}

    def unfinished_runs(self) -> int:
        """How many runs Dagster takes for running."""
        with closing(sqlite3.connect(f"file:{self.path / 'dagster' / 'history' / 'runs.db'}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM runs WHERE status NOT IN ('SUCCESS', 'FAILURE', 'CANCELED')").fetchone()[0]

    def reports_in_tables(self) -> int:
        """How many revisions of the report the evidence tables hold."""
        return sum(table == "reports" for table, *_ in self._revisions())

    def findings(self) -> dict[str, tuple]:
        """What the report on disk says of each sub-question."""
        report = json.loads((self.path / "reports" / STUDY / "latest" / "report.json").read_text())
        found = {
            item["sub_question_id"]: (
                item["status"], item["gap_kind"], item["answer"], item["stop_reason"], sorted(piece["id"] for piece in item["evidence"])
            )
            for item in report["findings"]
        }  # fmt: skip
        return {"": (report["state"], report["stop_reason"]), **found}

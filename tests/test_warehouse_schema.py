from __future__ import annotations

from contextlib import closing
from dataclasses import fields

import duckdb
import pytest

from research_pipeline.errors import InputError, StorageInvalid
from research_pipeline.records import DiscoveredUrl, Evidence, Finding, Page
from resources.migrations import Migration, packaged_migrations
from resources.record_tables import discovered_rows
from resources.revisions import STAGE_TABLES
from resources.warehouse import Snapshot, Warehouse

STUDY, CYCLE, KEY = "logs", "20261130T164500Z-ab12", "acme.retention"
CANDIDATE = DiscoveredUrl(STUDY, CYCLE, KEY, "acme-docs", "https://a.example/", "https://a.example/", 1, 1.0)
PACKAGED = packaged_migrations()
NEXT = Migration(len(PACKAGED) + 1, "languages", "ALTER TABLE pages ADD COLUMN dialect VARCHAR")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "evidence.duckdb"


SINCE_THEN = ("channel", "title", "published")  # columns that the oldest schema did not have


def write_candidate(warehouse, *, without=()):
    rows = [{name: value for name, value in row.items() if name not in without} for row in discovered_rows([CANDIDATE])]
    warehouse.write([Snapshot("discovered_urls", STUDY, CYCLE, KEY, 1, "run-1", rows)])


# ── migrations ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_migrations_are_numbered_without_a_gap():
    assert [migration.version for migration in PACKAGED] == list(range(1, len(PACKAGED) + 1))


def test_a_new_file_has_every_migration_once(path):
    write_candidate(Warehouse(path))
    assert Warehouse(path).frame("schema_migrations")["version"].tolist() == [migration.version for migration in PACKAGED]


@pytest.mark.parametrize("reads_first", [True, False])
def test_a_file_of_the_oldest_schema_is_brought_up_with_its_rows(path, reads_first):
    write_candidate(Warehouse(path, migrations=PACKAGED[:1]), without=SINCE_THEN)
    warehouse = Warehouse(path, migrations=[*PACKAGED, NEXT])
    if not reads_first:
        write_candidate(warehouse)
    assert warehouse.read_discovered(STUDY, CYCLE) == {KEY: [CANDIDATE]}
    assert "dialect" in warehouse.frame("pages").columns
    assert warehouse.frame("schema_migrations")["version"].tolist() == [*(item.version for item in PACKAGED), NEXT.version]


def test_a_migration_that_fails_changes_nothing(path):
    write_candidate(Warehouse(path))
    fails = Migration(NEXT.version, "fails", f"{NEXT.sql}; SELECT no_such_function()")
    with pytest.raises(duckdb.CatalogException):
        write_candidate(Warehouse(path, migrations=[*PACKAGED, fails]))
    warehouse = Warehouse(path)
    assert "dialect" not in warehouse.frame("pages").columns
    assert len(warehouse.frame("discovered_urls")) == 1


def test_a_file_of_a_newer_release_is_refused_and_left_alone(path):
    newer = Warehouse(path, migrations=[*PACKAGED, NEXT])
    write_candidate(newer)
    older = Warehouse(path)
    with pytest.raises(StorageInvalid, match="nothing was changed"):
        older.read_discovered(STUDY, CYCLE)
    with pytest.raises(StorageInvalid, match="nothing was changed"):
        write_candidate(older)
    assert newer.read_discovered(STUDY, CYCLE) == {KEY: [CANDIDATE]}


@pytest.mark.parametrize("content", [b"", b"CREATE TABLE\n" * 400])
def test_a_file_that_is_no_database_is_refused_with_the_way_out(path, content):
    path.write_bytes(content)
    warehouse = Warehouse(path)
    for use in (warehouse.write, warehouse.frame):
        with pytest.raises(StorageInvalid, match="put back a backup"):
            use("" if use == warehouse.frame else [])
    assert path.read_bytes() == content


# ── tables ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_auditor_finds_every_table_and_view_explained(path):
    warehouse = Warehouse(path)
    unexplained = warehouse.query(
        "SELECT table_name FROM duckdb_tables() WHERE comment IS NULL AND table_name <> 'schema_migrations' "
        "UNION SELECT view_name FROM duckdb_views() WHERE NOT internal AND comment IS NULL"
    )
    assert unexplained["table_name"].tolist() == []


def test_every_stage_table_has_a_view_of_its_newest_rows_with_the_same_columns(path):
    warehouse = Warehouse(path)
    for table in STAGE_TABLES:
        assert list(warehouse.frame(f"latest_{table}").columns) == list(warehouse.frame(table).columns)


@pytest.mark.parametrize(
    ("table", "record", "renamed"),
    [
        ("discovered_urls", DiscoveredUrl, {}),
        ("pages", Page, {"id": "page_id"}),
        ("evidence", Evidence, {"id": "evidence_id", "start": "start_offset", "end": "end_offset"}),
        ("findings", Finding, {"evidence": "evidence_ids"}),
    ],
)
def test_every_field_of_a_record_has_a_column(path, table, record, renamed):
    stamp = {"study", "cycle", "sub_question_id", "revision", "position", "round", "run_id", "recorded_at"}
    assert set(Warehouse(path).frame(table).columns) - stamp == {renamed.get(item.name, item.name) for item in fields(record)} - stamp


# ── queries ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_query_comes_back_as_a_frame_with_times_in_utc(path):
    warehouse = Warehouse(path)
    write_candidate(warehouse)
    frame = warehouse.query("SELECT url, recorded_at FROM discovered_urls WHERE study = ? AND rank = ?", [STUDY, 1])
    assert frame["url"].tolist() == ["https://a.example/"]
    assert str(frame["recorded_at"].dt.tz) in ("UTC", "Etc/UTC")


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM discovered_urls",
        "SELECT 1; DROP TABLE discovered_urls",
        "CREATE TABLE mine (a INTEGER)",
        "UPDATE discovered_urls SET rank = 2",
        "SELEC 1",
        "SELECT * FROM discovered_url",
        "SELECT 'a'::INTEGER",
        "SELECT ?",
        "-- nothing but a comment",
        "",
    ],
)
def test_a_query_that_would_write_or_is_wrong_is_refused_and_changes_nothing(path, sql):
    warehouse = Warehouse(path)
    write_candidate(warehouse)
    with pytest.raises(InputError):
        warehouse.query(sql)
    assert warehouse.read_discovered(STUDY, CYCLE) == {KEY: [CANDIDATE]}


def test_a_table_that_is_not_there_is_named_whatever_it_is_called(path):
    with pytest.raises(InputError, match='a"; DROP TABLE pages'):
        Warehouse(path).frame('a"; DROP TABLE pages; --')


def test_any_duckdb_client_reads_the_file(path):
    write_candidate(Warehouse(path))
    with closing(duckdb.connect(path, read_only=True)) as client:
        assert client.execute("SELECT count(*) FROM latest_discovered_urls").fetchone() == (1,)

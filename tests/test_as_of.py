"""What was known at a moment, and what is known now: macros and views on the evidence tables, and the report of a day."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from research_pipeline.cli.options import moment_of
from research_pipeline.errors import InputError, UnknownName
from resources.migrations import packaged_migrations
from resources.warehouse import STUDY_LEVEL, Snapshot, Warehouse

STUDY = "logs"
DAY = datetime(2026, 11, 1, 12, tzinfo=UTC)
KEY, OTHER = "acme.retention", "bolt.retention"
REVIEW = {"kind": "conflict", "text": "?", "reason": "two values", "sub_question_ids": [KEY], "evidence_ids": ["ev_1"]}


class Calendar:
    """A clock that stands on the day it is set to."""

    def __init__(self):
        self.day = 0

    def __call__(self):
        return DAY + timedelta(days=self.day)


@pytest.fixture
def calendar():
    return Calendar()


@pytest.fixture
def warehouse(tmp_path, calendar):
    return Warehouse(tmp_path / "evidence.duckdb", clock=calendar)


def plan(cycle, *keys):
    rows = [{"plan_id": "plan_1", "plan": {"sub_questions": [{"id": key} for key in keys]}}]
    return Snapshot("plans", STUDY, cycle, STUDY_LEVEL, 0, "run-1", rows)


def finding(cycle, answer, key=KEY):
    vendor = key.partition(".")[0]
    row = {
        "vendor": vendor, "text": "How long?", "status": "agreed" if answer else "gap", "gap_kind": None if answer else "silent",
        "answer": answer or None, "evidence_ids": [f"ev_{answer}"] if answer else [], "comparable": False, "independent_sources": 1,
        "preferred_by": "", "note": "",
    }  # fmt: skip
    return Snapshot("findings", STUDY, cycle, key, 1, "run-1", [row])


def evidence(cycle, *values, key=KEY):
    fixed = {
        "page_id": "pg_1", "source_id": "s", "authority": "official", "url": "https://a.example/", "canonical_url": "", "body_hash": "",
        "start_offset": 0, "end_offset": 1, "verdict": "verified", "diagnosis": "", "headers": [], "cue": "", "claim": "", "title": "",
        "anchor": "", "region": "main", "extractor": "rules", "score": 1.0, "scope": [],
    }  # fmt: skip
    rows = [{**fixed, "evidence_id": f"ev_{value}", "value": value, "quote": f"kept for {value}"} for value in values]
    return Snapshot("evidence", STUDY, cycle, key, 1, "run-1", rows)


def report(cycle, name, reviews=()):
    body = {"name": name, "reviews": [{"id": review} for review in reviews]}
    return Snapshot("reports", STUDY, cycle, STUDY_LEVEL, 0, "run-1", [{"state": "DONE", "stop_reason": None, "report": body}])


def known(warehouse, day):
    frame = warehouse.query("SELECT sub_question_id, answer FROM findings_as_of(?)", [(DAY + timedelta(days=day, hours=1)).isoformat()])
    return dict(zip(frame["sub_question_id"], frame["answer"], strict=True))


def test_each_day_knows_the_newest_finding_that_was_written_by_then(warehouse, calendar):
    warehouse.write([plan("c1", KEY, OTHER), finding("c1", "30 days"), finding("c1", "", OTHER)])
    calendar.day = 1
    warehouse.write([finding("c1", "60 days")])
    calendar.day = 2
    warehouse.write([plan("c2", KEY, OTHER), finding("c2", "90 days")])

    assert known(warehouse, -1) == {}
    assert known(warehouse, 0) == {KEY: "30 days", OTHER: None}
    assert known(warehouse, 1) == {KEY: "60 days", OTHER: None}
    assert known(warehouse, 2) == {KEY: "90 days", OTHER: None}, "a cycle under way does not take away what the last one knew"


def test_a_sub_question_that_the_plan_drops_is_known_as_long_as_it_was_asked(warehouse, calendar):
    warehouse.write([plan("c1", KEY, OTHER), finding("c1", "30 days"), finding("c1", "60 days", OTHER)])
    calendar.day = 1
    warehouse.write([plan("c2", KEY), finding("c2", "30 days")])

    assert known(warehouse, 0) == {KEY: "30 days", OTHER: "60 days"}
    assert known(warehouse, 1) == {KEY: "30 days"}


def test_answers_show_the_quote_as_it_stood_when_the_finding_was_written(warehouse, calendar):
    warehouse.write([plan("c1", KEY), evidence("c1", "30 days", "60 days")])
    warehouse.write([finding("c1", "60 days")])
    calendar.day = 1
    warehouse.write([evidence("c1", "120 days")])

    [answer] = warehouse.frame("answers").to_dict("records")
    assert (answer["answer"], answer["quote"], answer["evidence_id"]) == ("60 days", "kept for 60 days", "ev_60 days")


def test_the_matrix_puts_vendors_beside_each_other(warehouse):
    warehouse.write([plan("c1", KEY, OTHER), finding("c1", "30 days"), finding("c1", "", OTHER)])

    frame = warehouse.query("PIVOT matrix ON vendor USING first(answer) GROUP BY topic")

    assert frame.to_dict("records") == [{"topic": "retention", "acme": "30 days", "bolt": "(silent)"}]


def test_the_report_of_a_day_is_the_newest_that_had_been_written(warehouse, calendar):
    warehouse.write([report("c1", "first")])
    calendar.day = 1
    warehouse.write([report("c1", "second")])
    calendar.day = 3
    warehouse.write([report("c2", "third")])

    names = [warehouse.read_report_as_of(STUDY, DAY + timedelta(days=day))["name"] for day in (0, 1, 2, 3)]
    assert names == ["first", "second", "second", "third"]
    with pytest.raises(UnknownName, match=r"had no report on 2026-10-31.*The first is of 2026-11-01T12:00:00"):
        warehouse.read_report_as_of(STUDY, DAY - timedelta(days=1))
    with pytest.raises(UnknownName, match="It has none at all"):
        warehouse.read_report_as_of("other", DAY)


def test_reviews_of_an_older_release_get_the_ids_that_their_report_gave_them(tmp_path):
    path = tmp_path / "evidence.duckdb"
    older = Warehouse(path, migrations=packaged_migrations()[:1])
    reviews = Snapshot("reviews", STUDY, "c1", STUDY_LEVEL, 0, "run-1", [REVIEW, {**REVIEW, "kind": "silent"}])
    older.write([reviews, report("c1", "first", ["rv_a", "rv_b"])])
    older.write([Snapshot("reviews", STUDY, "c1", STUDY_LEVEL, 0, "run-1", [REVIEW]), report("c1", "second", ["rv_c"])])
    older.write([Snapshot("reviews", STUDY, "c0", STUDY_LEVEL, 0, "run-1", [REVIEW])])  # its report is not there

    frame = Warehouse(path).query("SELECT review_id FROM reviews ORDER BY cycle, revision, position")

    assert frame["review_id"].tolist() == ["", "rv_a", "rv_b", "rv_c"]
    assert "review_id" in Warehouse(path).frame("latest_reviews").columns


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-30", "2026-11-30T23:59:59.999999+00:00"),
        ("2026-11-30T18:00+01:00", "2026-11-30T18:00:00+01:00"),
        ("2026-11-30 18:00", "2026-11-30T18:00:00+00:00"),
        ("2026-11-30T18:00Z", "2026-11-30T18:00:00+00:00"),
    ],
)
def test_a_day_counts_to_its_end_and_a_time_has_a_zone(text, moment):
    assert moment_of(text).isoformat() == moment


@pytest.mark.parametrize("text", ["yesterday", "2026-02-30", "30.11.2026", ""])
def test_what_is_no_date_is_refused_with_an_example(text):
    with pytest.raises(InputError, match="Write 2026-11-30"):
        moment_of(text)


def test_every_table_view_and_macro_is_explained_to_a_reader(warehouse):
    page = (Path(__file__).parents[1] / "docs" / "data.md").read_text("utf-8")
    names = warehouse.query(
        "SELECT table_name FROM duckdb_tables() UNION SELECT view_name FROM duckdb_views() WHERE NOT internal "
        "UNION SELECT function_name || '(moment)' FROM duckdb_functions() WHERE NOT internal"
    )

    assert [name for name in names["table_name"] if f"`{name}`" not in page] == []
    assert warehouse.query("SELECT function_name FROM duckdb_functions() WHERE NOT internal AND comment IS NULL").empty


def test_the_queries_that_are_shown_to_a_reader_run(warehouse):
    page = (Path(__file__).parents[1] / "docs" / "data.md").read_text("utf-8")
    [block] = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    queries = [query for query in block.split(";") if query.strip()]

    assert len(queries) == 5
    assert all(len(warehouse.query(query).columns) > 0 for query in queries)

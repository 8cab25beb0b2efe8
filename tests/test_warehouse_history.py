from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from research_pipeline.errors import InputError, StorageInvalid, UnknownName
from research_pipeline.limits import Tool
from research_pipeline.records import DiscoveredUrl, Evidence, Finding, FindingStatus, Page, PageStatus, TypedValue, Verdict
from research_pipeline.study import AnswerType, Authority
from resources.calls import CallRow, CallState
from resources.record_tables import OperationRows, discovered_rows, evidence_rows, finding_rows, page_rows, plan_row, report_row
from resources.warehouse import STUDY_LEVEL, Snapshot, Warehouse

STUDY, CYCLE, KEY = "logs", "20261130T164500Z-ab12", "acme.retention"
MOMENTS = st.datetimes(timezones=st.just(UTC))
COUNTS = st.integers(-1, 2**31 - 1)


@pytest.fixture
def warehouse(tmp_path):
    return Warehouse(tmp_path / "evidence.duckdb")


def snapshot(table, rows, *, key=KEY, cycle=CYCLE, in_round=1):
    return Snapshot(table, STUDY, cycle, key, in_round, "run-1", rows)


def evidence(number=1, *, key=KEY, verdict=Verdict.VERIFIED):
    return Evidence(
        id=f"ev_{number}",
        sub_question_id=key,
        page_id="pg_1",
        source_id="acme-docs",
        authority=Authority.OFFICIAL,
        url="https://docs.acme.example/logs",
        canonical_url="https://docs.acme.example/logs",
        body_hash="ab" * 32,
        value="180 days",
        typed=TypedValue(AnswerType.DURATION, str(Fraction(15552000)), "seconds"),
        quote="Audit logs are kept for 180 days.",
        start=10,
        end=43,
        verdict=verdict,
        headers=("Plans", "Business"),
        retrieved_at=datetime(2026, 11, 30, 16, 45, tzinfo=UTC),
    )


def finding(*items, key=KEY):
    return Finding(key, "acme", "How long?", FindingStatus.AGREED, answer="180 days", evidence=items)


def page(status=PageStatus.USABLE):
    return Page("pg_1", STUDY, CYCLE, "acme-docs", "https://a.example/", "https://a.example/", "https://a.example/", status)


# ── records ───────────────────────────────────────────────────────────────────────────────────────────────────────────


COMMON = {"study": st.just(STUDY), "cycle": st.just(CYCLE), "sub_question_id": st.just(KEY)}
CANDIDATES = st.builds(DiscoveredUrl, **COMMON, rank=COUNTS, score=st.floats(-1e6, 1e6))
PAGES = st.builds(Page, study=st.just(STUDY), cycle=st.just(CYCLE), target_status=COUNTS, tokens=COUNTS, retrieved_at=st.none() | MOMENTS)
PLACES = {"start": COUNTS, "end": COUNTS, "page_number": st.none() | COUNTS}
EVIDENCE = st.builds(Evidence, sub_question_id=st.just(KEY), **PLACES, score=st.floats(0, 1), retrieved_at=st.none() | MOMENTS)


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    found=st.lists(CANDIDATES, max_size=9),
    pages=st.lists(PAGES, max_size=9),
    items=st.lists(EVIDENCE, max_size=9, unique_by=lambda item: item.id),
)
def test_any_record_is_read_back_as_it_was_written(warehouse, found, pages, items):
    answer = Finding(KEY, "acme", "?", FindingStatus.CONFLICT, evidence=tuple(items))
    warehouse.write(
        [
            snapshot("discovered_urls", discovered_rows(found)),
            snapshot("pages", page_rows(pages)),
            snapshot("evidence", evidence_rows(items)),
            snapshot("findings", finding_rows([answer])),
        ]
    )
    assert warehouse.read_discovered(STUDY, CYCLE) == {KEY: found}
    assert warehouse.read_pages(STUDY, CYCLE) == {KEY: pages}
    assert warehouse.read_evidence(STUDY, CYCLE) == {KEY: items}
    assert warehouse.read_findings(STUDY, CYCLE) == {KEY: [answer]}


def test_a_character_that_has_no_place_in_a_file_costs_only_itself(warehouse):
    broken = DiscoveredUrl(STUDY, CYCLE, KEY, "acme-docs", "https://a.example/", "https://a.example/", 1, 1.0, why="half \ud83d of a pair")
    warehouse.write([snapshot("discovered_urls", discovered_rows([broken]))])
    assert warehouse.read_discovered(STUDY, CYCLE)[KEY][0].why == "half � of a pair"


# ── revisions ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_was_never_written_is_absent_and_what_was_found_empty_is_empty(warehouse):
    warehouse.write([snapshot("pages", [], key="acme.empty")])
    assert warehouse.read_pages(STUDY, CYCLE, ["acme.empty", "acme.never"]) == {"acme.empty": []}


def test_a_second_writing_is_what_is_read_and_the_first_is_kept(warehouse):
    warehouse.write([snapshot("pages", page_rows([page(PageStatus.FAILED)]))])
    warehouse.write([snapshot("pages", page_rows([page()]), in_round=2)])
    assert [item.status for item in warehouse.read_pages(STUDY, CYCLE)[KEY]] == [PageStatus.USABLE]
    kept = warehouse.query("SELECT revision, status, round FROM pages ORDER BY revision")
    assert kept.to_numpy().tolist() == [[1, "failed", 1], [2, "usable", 2]]


def test_a_writing_that_found_nothing_hides_what_the_one_before_it_found(warehouse):
    warehouse.write([snapshot("evidence", evidence_rows([evidence()]))])
    warehouse.write([snapshot("evidence", [])])
    assert warehouse.read_evidence(STUDY, CYCLE) == {KEY: []}
    assert warehouse.frame("latest_evidence").empty
    assert warehouse.frame("revisions")["row_count"].tolist() == [1, 0]


def test_each_key_has_revisions_of_its_own(warehouse):
    warehouse.write([snapshot("pages", page_rows([page()])), snapshot("pages", page_rows([page()]))])
    warehouse.write(
        [snapshot("pages", [], key="acme.other"), snapshot("pages", [], cycle="20261201T000000Z-0000"), snapshot("evidence", [])]
    )
    assert warehouse.revision("pages", STUDY, CYCLE, sub_question_id=KEY) == 2
    assert warehouse.revision("pages", STUDY, CYCLE, sub_question_id="acme.other") == 1
    assert warehouse.revision("pages", STUDY, "20261201T000000Z-0000", sub_question_id=KEY) == 1
    assert warehouse.revision("evidence", STUDY, CYCLE, sub_question_id=KEY) == 1
    assert warehouse.revision("reports", STUDY, CYCLE) == 0


def test_later_writings_are_dated_later_even_when_the_clock_is_set_back(tmp_path):
    times = iter([datetime(2026, 11, 30, 12, tzinfo=UTC), datetime(2026, 11, 30, 11, tzinfo=UTC), datetime(2026, 11, 30, 11, tzinfo=UTC)])
    warehouse = Warehouse(tmp_path / "evidence.duckdb", clock=lambda: next(times))
    for _ in range(3):
        warehouse.write([snapshot("pages", [])])
    recorded = warehouse.frame("revisions").sort_values("revision")["recorded_at"]
    assert recorded.is_monotonic_increasing
    assert recorded.is_unique
    assert recorded.iloc[-1] - recorded.iloc[0] < timedelta(seconds=1)


def test_a_batch_is_kept_whole_or_not_at_all(warehouse):
    good = snapshot("pages", page_rows([page()]))
    with pytest.raises(ValueError, match="no such columns: colour"):
        warehouse.write([good, snapshot("evidence", [{"colour": "red"}])])
    assert warehouse.frame("revisions").empty
    with pytest.raises(ValueError, match="no stage writes calls"):
        warehouse.write([good, snapshot("calls", [])])
    assert warehouse.read_pages(STUDY, CYCLE) == {}


# ── findings, reports ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_finding_keeps_the_evidence_as_it_was_when_it_was_found(warehouse):
    warehouse.write([snapshot("evidence", evidence_rows([evidence()])), snapshot("findings", finding_rows([finding(evidence())]))])
    warehouse.write([snapshot("evidence", evidence_rows([evidence(verdict=Verdict.OUT_OF_SCOPE)]))])
    (found,) = warehouse.read_findings(STUDY, CYCLE)[KEY]
    assert found.evidence[0].verdict is Verdict.VERIFIED


def test_evidence_of_a_finding_stands_in_the_order_of_the_finding(warehouse):
    items = [evidence(number) for number in range(1, 6)]
    warehouse.write([snapshot("evidence", evidence_rows(items)), snapshot("findings", finding_rows([finding(*reversed(items))]))])
    (found,) = warehouse.read_findings(STUDY, CYCLE)[KEY]
    assert [item.id for item in found.evidence] == ["ev_5", "ev_4", "ev_3", "ev_2", "ev_1"]


def test_a_finding_without_its_evidence_is_refused_with_the_way_back(warehouse):
    warehouse.write([snapshot("findings", finding_rows([finding(evidence())]))])
    with pytest.raises(StorageInvalid, match=r"ev_1.*research rerun logs --sub-question acme.retention"):
        warehouse.read_findings(STUDY, CYCLE)


def test_current_findings_are_those_of_the_newest_cycle(warehouse):
    later = "20261201T000000Z-0000"
    warehouse.write([snapshot("findings", finding_rows([finding()]), cycle=later), snapshot("findings", finding_rows([finding()]))])
    warehouse.write([snapshot("findings", finding_rows([finding()]))])
    assert warehouse.frame("current_findings")["cycle"].tolist() == [later]


def test_plan_and_report_are_read_back_and_a_cycle_without_them_is_unknown(warehouse):
    plan, report = {"limits": {"max_pages": 3}}, {"state": "DONE", "stop_reason": None, "findings": [{"answer": "½"}]}
    warehouse.write(
        [snapshot("plans", [plan_row("pl_1", plan)], key=STUDY_LEVEL), snapshot("reports", [report_row(report)], key=STUDY_LEVEL)]
    )
    assert warehouse.read_plan(STUDY, CYCLE) == plan
    assert warehouse.read_report(STUDY, CYCLE) == report
    with pytest.raises(UnknownName, match="'20200101T000000Z-0000'"):
        warehouse.read_report(STUDY, "20200101T000000Z-0000")


# ── copies of the operational store ───────────────────────────────────────────────────────────────────────────────────


def call(**changes):
    row = {"study": STUDY, "cycle": CYCLE, "sub_question_id": KEY, "run_id": "r", "call_key": "call_1", "attempt": 1, "tool": "map"}
    row |= {"round": 1, "url": "https://a.example/"}
    return {**row, "arguments": '{"url": "https://a.example/"}', "state": "pending", "tokens_reserved": 60, **changes}


def test_the_ledger_gives_its_calls_in_the_columns_of_their_table(warehouse):
    asked, sent = datetime(2026, 11, 30, 16, 45, tzinfo=UTC), datetime(2026, 11, 30, 16, 46, tzinfo=UTC)
    amounts = {"tokens_reserved": 60, "tokens_spent": 60, "usd_reserved": 0.0, "usd_spent": 0.0, "cost_known": False}
    attempt = CallRow(
        study=STUDY, cycle=CYCLE, sub_question_id=KEY, round=1, run_id="run-1", call_key="call_1", attempt=1, try_number=1, tool=Tool.MAP,
        url="https://a.example/", arguments={"url": "https://a.example/"}, state=CallState.PENDING, final=False, owner="host:1", **amounts,
        http_status=None, error_class="", error="", requested_at=asked, sent_at=sent, settled_at=None, sequence=None, body_hash="",
    )  # fmt: skip
    warehouse.copy_operations(OperationRows(calls=[attempt.as_row()]))
    (row,) = warehouse.query("FROM calls").to_dict("records")
    assert (row["url"], row["state"], row["tokens_reserved"], row["requested_at"]) == ("https://a.example/", "pending", 60, asked)
    assert row["tokens_spent"] is None  # charged in full, but what it cost nobody knows


def test_copying_twice_is_copying_once_and_a_change_is_a_new_revision(warehouse):
    settled = call(state="settled", tokens_spent=7, settled_at=datetime(2026, 11, 30, tzinfo=UTC))
    for row in (call(), call(), settled, settled):
        warehouse.copy_operations(OperationRows(calls=[row, call(attempt=2)]))
    kept = warehouse.query("SELECT attempt, revision, state, url FROM calls ORDER BY ALL")
    url = "https://a.example/"
    assert kept.to_numpy().tolist() == [[1, 1, "pending", url], [1, 2, "settled", url], [2, 1, "pending", url]]
    assert warehouse.query("SELECT state FROM latest_calls ORDER BY attempt")["state"].tolist() == ["settled", "pending"]


@pytest.mark.parametrize(
    "query",
    [
        "ATTACH '{other}' AS o (READ_WRITE)",
        "COPY (SELECT 1) TO '{other}'",
        "SELECT * FROM read_csv('{other}')",
        "SELECT * FROM '{other}'",
        "EXPORT DATABASE '{other}.d'",
        "SET enable_external_access = true",
        "SELECT 1; COPY (SELECT 1) TO '{other}'",
        "INSTALL httpfs",
    ],
)
def test_a_query_reaches_no_other_file(warehouse, tmp_path, query):
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    warehouse.write(())

    with pytest.raises(InputError):
        warehouse.query(query.format(other=other))
    assert other.read_text() == "a,b\n1,2\n"
    assert warehouse.query("SHOW TABLES")["name"].tolist()

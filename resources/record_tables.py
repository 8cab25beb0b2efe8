"""Records to table rows and back: one table per kind of record, its columns named as the fields are, but for the few named here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from research_pipeline.records import DiscoveredUrl, Evidence, Finding, Page

RecordT = TypeVar("RecordT", DiscoveredUrl, Page, Evidence, Finding)
Row = dict[str, Any]

KEY_COLUMNS = ("study", "cycle", "sub_question_id")


@dataclass(frozen=True)
class RecordTable(Generic[RecordT]):
    """The table of one kind of record; `columns` maps the fields whose column has another name."""

    name: str
    record: type[RecordT]
    columns: Mapping[str, str] = field(default_factory=dict[str, str])

    @cached_property
    def _adapter(self) -> TypeAdapter[RecordT]:
        return TypeAdapter(self.record)

    @cached_property
    def _column_of(self) -> dict[str, str]:
        return {item.name: self.columns.get(item.name, item.name) for item in fields(self.record)}

    def rows(self, records: Iterable[RecordT]) -> list[Row]:
        """JSON-ready rows without the key columns: those come from the snapshot that the rows are written in."""
        columns = {name: column for name, column in self._column_of.items() if name not in KEY_COLUMNS}
        dumped = (self._adapter.dump_python(record, mode="json") for record in records)
        return [{column: row[name] for name, column in columns.items()} for row in dumped]

    def records(self, rows: Sequence[Mapping[str, Any]]) -> list[RecordT]:
        """The records of rows that carry their key columns; columns that the record does not have are passed over."""
        columns = self._column_of
        return [self._adapter.validate_python({name: row[column] for name, column in columns.items()}) for row in rows]


@dataclass(frozen=True, slots=True)
class OperationRows:
    """Rows of the operational store to be copied, with the columns of the evidence tables of the same names."""

    calls: Sequence[Mapping[str, object]] = ()
    approvals: Sequence[Mapping[str, object]] = ()
    loop_steps: Sequence[Mapping[str, object]] = ()


DISCOVERED = RecordTable("discovered_urls", DiscoveredUrl)
PAGES = RecordTable("pages", Page, {"id": "page_id"})
EVIDENCE = RecordTable("evidence", Evidence, {"id": "evidence_id", "start": "start_offset", "end": "end_offset"})
FINDINGS = RecordTable("findings", Finding)


def discovered_rows(records: Iterable[DiscoveredUrl]) -> list[Row]:
    """Rows of `discovered_urls`."""
    return DISCOVERED.rows(records)


def page_rows(records: Iterable[Page]) -> list[Row]:
    """Rows of `pages`."""
    return PAGES.rows(records)


def evidence_rows(records: Iterable[Evidence]) -> list[Row]:
    """Rows of `evidence`."""
    return EVIDENCE.rows(records)


def finding_rows(records: Iterable[Finding]) -> list[Row]:
    """Rows of `findings`, which name their evidence by id: it has a table of its own, and is to be written there too."""
    findings = list(records)
    bare = FINDINGS.rows(replace(finding, evidence=()) for finding in findings)
    for row, finding in zip(bare, findings, strict=True):
        del row["evidence"]
        row["evidence_ids"] = [item.id for item in finding.evidence]
    return bare


def plan_row(plan_id: str, plan: Mapping[str, Any]) -> Row:
    """The one row of `plans` of a cycle; `plan` is JSON-ready."""
    return {"plan_id": plan_id, "plan": dict(plan)}


def report_row(report: Mapping[str, Any]) -> Row:
    """The one row of `reports` of a cycle; `report` is the report's JSON, with `state` and `stop_reason`."""
    return {"state": report["state"], "stop_reason": report["stop_reason"], "report": dict(report)}

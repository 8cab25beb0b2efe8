"""Reading the chain behind an item of evidence out of the evidence tables: what was copied there is all that it takes."""

from __future__ import annotations

from pathlib import Path

from research_pipeline.errors import StorageInvalid, UnknownName
from research_pipeline.tracing import Chain, TracedAnswer, TracedApproval, TracedCall, TracedEvidence, TracedPage, TracedPlan
from resources.archive import PageArchive
from resources.record_tables import Row
from resources.warehouse import Warehouse

_PREFIX = "ev_"
_SHOWN = 5

_CANDIDATES = "SELECT DISTINCT evidence_id FROM evidence WHERE starts_with(evidence_id, ?) ORDER BY 1 LIMIT ?"
_EVIDENCE = "FROM evidence WHERE evidence_id = ? ORDER BY cycle DESC, revision DESC LIMIT 1"
_CYCLES = "SELECT DISTINCT cycle FROM evidence WHERE evidence_id = ? AND cycle <> ? ORDER BY cycle"
_FINDING = """
    FROM findings WHERE study = $study AND cycle = $cycle AND sub_question_id = $key AND list_contains(evidence_ids, $id)
    ORDER BY revision DESC LIMIT 1
"""
_REPORT = "SELECT max(recorded_at) AS written_at FROM reports WHERE study = ? AND cycle = ? AND recorded_at >= ?"
_QUESTION = """
    SELECT json_extract_string(asked, '$.text') AS text
    FROM (SELECT unnest(from_json(plan->'$.sub_questions', '["JSON"]')) AS asked FROM latest_plans WHERE study = ? AND cycle = ?)
    WHERE json_extract_string(asked, '$.id') = ?
"""
_PAGE = """
    FROM pages WHERE study = $study AND cycle = $cycle AND sub_question_id = $key AND page_id = $page AND recorded_at <= $at
    ORDER BY revision DESC LIMIT 1
"""
_CALLS = "FROM latest_calls WHERE study = ? AND cycle = ? AND call_key = ? ORDER BY attempt"
_PLAN = "FROM latest_plans WHERE study = ? AND cycle = ?"
_APPROVALS = "FROM latest_approvals WHERE study = ? AND plan_id = ? ORDER BY approved_at"


def trace(warehouse: Warehouse, archive: PageArchive, evidence_id: str) -> Chain:
    """The chain of an item, in the newest cycle that found it; a beginning of the id will do where only one has it.

    Raises:
        UnknownName: no evidence has that id, or several begin with it.
        StorageInvalid: the tables lack a link of the chain.
    """
    known = _whole_id(warehouse, evidence_id)
    item = warehouse.rows(_EVIDENCE, [known])[0]
    study, cycle, key = item["study"], item["cycle"], item["sub_question_id"]
    at = {"study": study, "cycle": cycle, "key": key, "page": item["page_id"], "at": item["recorded_at"]}
    page = _only(warehouse.rows(_PAGE, at), f"page {item['page_id']}", of=known)
    plan = _only(warehouse.rows(_PLAN, [study, cycle]), f"plan of cycle {cycle}", of=known)
    return Chain(
        _answer(warehouse, item, known),
        _evidence(item, [row["cycle"] for row in warehouse.rows(_CYCLES, [known, cycle])]),
        _page(page, archive),
        [_call(row) for row in warehouse.rows(_CALLS, [study, cycle, page["call_key"]])],
        TracedPlan(plan["plan_id"], plan["plan"]["question"], plan["run_id"], plan["recorded_at"]),
        [_approval(row) for row in warehouse.rows(_APPROVALS, [study, plan["plan_id"]])],
    )


def _whole_id(warehouse: Warehouse, given: str) -> str:
    wanted = given if given.startswith(_PREFIX) else _PREFIX + given
    found = [row["evidence_id"] for row in warehouse.rows(_CANDIDATES, [wanted, _SHOWN + 1])]
    if wanted in found or len(found) == 1:
        return wanted if wanted in found else found[0]
    if found:
        shown = ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
        raise UnknownName(f"Several items of evidence begin with {wanted!r}: {shown}.", remedy="Write more of the id.")
    remedy = 'Reports print ids beside their quotes; `research sql "SELECT evidence_id, quote FROM answers"` lists those of the answers.'
    raise UnknownName(f"No evidence has the id {given!r}.", remedy=remedy)


def _only(rows: list[Row], what: str, *, of: str) -> Row:
    if not rows:
        raise StorageInvalid(f"The {what}, to which {of} belongs, is not in the evidence tables.", remedy="Put them back from a backup.")
    return rows[0]


def _answer(warehouse: Warehouse, item: Row, evidence_id: str) -> TracedAnswer:
    study, cycle, key = item["study"], item["cycle"], item["sub_question_id"]
    findings = warehouse.rows(_FINDING, {"study": study, "cycle": cycle, "key": key, "id": evidence_id})
    finding = findings[0] if findings else {"status": "", "answer": "", "recorded_at": item["recorded_at"]}
    asked = warehouse.rows(_QUESTION, [study, cycle, key])
    written = warehouse.rows(_REPORT, [study, cycle, finding["recorded_at"]])[0]["written_at"] if findings else None
    text = asked[0]["text"] if asked else ""
    return TracedAnswer(study, cycle, key, text, finding["status"], finding["answer"] or "", written)


def _evidence(item: Row, also_in: list[str]) -> TracedEvidence:
    return TracedEvidence(
        item["evidence_id"],
        item["value"],
        item["quote"],
        item["start_offset"],
        item["end_offset"],
        item["verdict"],
        item["diagnosis"],
        item["extractor"],
        item["run_id"],
        item["recorded_at"],
        also_in,
    )


def _page(page: Row, archive: PageArchive) -> TracedPage:
    path: Path | None = archive.path(page["body_hash"]) if page["body_hash"] else None
    return TracedPage(
        page["page_id"],
        page["url"],
        page["final_url"],
        page["status"],
        page["body_hash"],
        str(path) if path and path.exists() else "",
        page["retrieved_at"],
        page["target_status"],
        page["headers"],
        page["updated"]["iso"] if page["updated"] else "",
        page["run_id"],
    )


def _call(row: Row) -> TracedCall:
    return TracedCall(
        row["call_key"],
        row["attempt"],
        row["tool"],
        row["url"],
        row["state"],
        row["http_status"],
        row["error"] or "",
        row["tokens_spent"],
        row["usd_spent"],
        row["run_id"],
        row["requested_at"],
        row["settled_at"],
    )


def _approval(row: Row) -> TracedApproval:
    return TracedApproval(
        row["approval_id"], row["approved"], row["approved_by"], row["automatic"], row["approved_at"], row["note"], row["run_id"]
    )

"""A small cycle of three vendors with every kind of outcome, made of real page texts; and makers for parts of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

from research_pipeline.ids import body_hash, canonical_url, content_id
from research_pipeline.planning import SourcePlan, plan_of
from research_pipeline.records import (
    Block,
    BlockKind,
    Cell,
    Evidence,
    Finding,
    FindingStatus,
    GapKind,
    Page,
    PageStatus,
    PageText,
    Region,
    TypedValue,
    Verdict,
)
from research_pipeline.reporting.building import ReportInput
from research_pipeline.reporting.report import Approval, Provenance, Spend
from research_pipeline.study import AnswerType, Authority, Study

WHEN = datetime(2026, 3, 14, 9, 26, tzinfo=UTC)


def days(number: int) -> TypedValue:
    return TypedValue(AnswerType.DURATION, str(number * 86400), dimension="seconds")


def page_text(url: str, *parts: tuple[BlockKind, str] | str, title: str = "Audit logs", region: Region = Region.MAIN) -> PageText:
    """Blocks one under the other; a row is written with its cells joined by ` | `."""
    blocks: list[Block] = []
    text = ""
    path: tuple[str, ...] = ()
    for part in parts:
        kind, words = part if isinstance(part, tuple) else (BlockKind.PARAGRAPH, part)
        start = len(text)
        cells: list[Cell] = []
        at = start
        for cell in words.split(" | ") if kind is BlockKind.ROW else ():
            cells.append(Cell(at, at + len(cell)))
            at += len(cell) + len(" | ")
        group = 1 if kind in (BlockKind.ROW, BlockKind.ITEM) else -1
        level = 2 if kind is BlockKind.HEADING else 0
        blocks.append(Block(kind, region, start, start + len(words), heading_path=path, cells=tuple(cells), group=group, level=level))
        path = (words,) if kind is BlockKind.HEADING else path
        text += words + "\n"
    return PageText(url=url, text=text, blocks=tuple(blocks), title=title, language="en")


def page_of(text: PageText, *, source_id: str = "acme-docs", status: PageStatus = PageStatus.USABLE, reason: str = "") -> Page:
    return Page(
        id=content_id("pg", text.url),
        study="audit_logs",
        cycle="20260314T092600Z-7f3a",
        source_id=source_id,
        url=text.url,
        final_url=text.url,
        canonical_url=canonical_url(text.url),
        status=status,
        reason=reason,
        body_hash=body_hash(text.text.encode()),
        content_type="text/html",
        target_status=200,
        retrieved_at=WHEN,
        title=text.title,
        tokens=2,
        call_key="call_1",
    )


def evidence_of(
    text: PageText,
    quote: str,
    value: str,
    *,
    typed: TypedValue | None = None,
    key: str = "acme.retention",
    source_id: str = "acme-docs",
    authority: Authority = Authority.OFFICIAL,
    updated: str | None = None,
    headers: tuple[str, ...] = (),
    cue: str = "",
) -> Evidence:
    start = text.text.index(quote)
    page = page_of(text, source_id=source_id)
    return Evidence(
        id=content_id("ev", key, page.canonical_url, quote, value),
        sub_question_id=key,
        page_id=page.id,
        source_id=source_id,
        authority=authority,
        url=text.url,
        canonical_url=page.canonical_url,
        body_hash=page.body_hash,
        value=value,
        typed=typed,
        quote=quote,
        start=start,
        end=start + len(quote),
        verdict=Verdict.VERIFIED,
        headers=headers,
        cue=cue,
        title=text.title,
        page_updated=updated,
        retrieved_at=WHEN,
        score=0.9,
    )


QUESTIONS = {
    "retention": ("How long does {} keep audit logs on its Business plan?", "duration"),
    "sso": ("Is SAML single sign-on included in the {} Business plan?", "boolean"),
    "trial": ("How long is the free trial of {}?", "duration"),
    "price": ("What does {} charge per user and month on its Business plan?", "money"),
}
VENDORS = {"acme": "Acme", "borealis": "Borealis", "cirrus": "Cirrus"}


def sample_plan() -> SourcePlan:
    questions = [
        {"id": f"{vendor}.{topic}", "vendor": vendor, "text": text.format(name), "answer": answer}
        for vendor, name in VENDORS.items()
        for topic, (text, answer) in QUESTIONS.items()
    ]
    sources = [
        {
            "id": f"{v}-docs",
            "domain": f"docs.{v}.example",
            "start_url": f"https://docs.{v}.example/",
            "authority": "official",
            "answers": [f"{v}.*"],
        }
        for v in VENDORS
    ]
    review = {
        "id": "toolcheck",
        "domain": "toolcheck.example",
        "start_url": "https://toolcheck.example/",
        "authority": "secondary",
        "answers": ["*"],
    }
    study = Study.model_validate(
        {
            "question": "How do project-management tools treat audit logs, sign-on and price on their business plans?",
            "sub_questions": questions,
            "sources": [*sources, review],
        }
    )
    return plan_of(study, name="audit_logs")


ACME_LOGS = page_text(
    "https://docs.acme.example/audit-logs#retention",
    (BlockKind.HEADING, "Audit log retention"),
    "Audit log entries on the Business plan are kept for 180 days, and are then deleted for good.",
    (BlockKind.HEADING, "Plans"),
    (BlockKind.ROW, "Plan | Audit log | Sign-on"),
    (BlockKind.ROW, "Business | 180 days | SAML"),
    (BlockKind.ROW, "Free | 7 days | none"),
    title="Audit logs · Acme Docs",
)
ACME_SSO = page_text(
    "https://docs.acme.example/sign-on",
    (BlockKind.HEADING, "Single sign-on"),
    "SAML single sign-on is part of the Business and Enterprise plans.",
    title="Single sign-on · Acme Docs",
)
BOREALIS_NEW = page_text(
    "https://docs.borealis.example/logs/retention",
    (BlockKind.HEADING, "Retention"),
    "On Business, we keep your audit logs for 90 days.",
    title="Log retention",
)
BOREALIS_OLD = page_text(
    "https://docs.borealis.example/2023/plans",
    (BlockKind.HEADING, "Business plan"),
    (BlockKind.ITEM, "Audit logs: 30 days"),
    (BlockKind.ITEM, "Priority support"),
    title="Plans (2023)",
)
TRIALS = {
    "acme": page_text(
        "https://docs.acme.example/start",
        (BlockKind.HEADING, "Try it"),
        "Every new workspace starts with a free trial of 14 days.",
        title="Start",
    ),
    "borealis": page_text("https://docs.borealis.example/start", "You may try Borealis free of charge for 30 days.", title="First steps"),
    "cirrus": page_text("https://docs.cirrus.example/start", "The free trial lasts two weeks.", title="Getting started"),
}
REVIEW = page_text(
    "https://toolcheck.example/reviews/cirrus?edition=business&lang=en",
    (BlockKind.HEADING, "Cirrus Business in detail"),
    "Cirrus Business costs $12 per user and month when billed yearly.",
    "Other resellers offer Cirrus Business for $15 per user and month.",
    title="Cirrus Business: our review",
)


def usd(amount: int) -> TypedValue:
    return TypedValue(AnswerType.MONEY, str(amount), dimension="USD", per="user month")


def _yes() -> TypedValue:
    return TypedValue(AnswerType.BOOLEAN, "yes")


def sample_findings() -> list[Finding]:
    def finding(key: str, status: FindingStatus, **more: object) -> Finding:
        vendor, _, topic = key.partition(".")
        return Finding(key, vendor, QUESTIONS[topic][0].format(VENDORS[vendor]), status, **more)  # type: ignore[arg-type] (fields vary)

    retention = "Audit log entries on the Business plan are kept for 180 days, and are then deleted for good."
    new = evidence_of(
        BOREALIS_NEW,
        "On Business, we keep your audit logs for 90 days.",
        "90 days",
        typed=days(90),
        key="borealis.retention",
        source_id="borealis-docs",
        updated="2026-01-20",
        headers=("Retention",),
    )
    old = evidence_of(
        BOREALIS_OLD,
        "Audit logs: 30 days",
        "30 days",
        typed=days(30),
        key="borealis.retention",
        source_id="borealis-docs",
        updated="2023-05",
        headers=("Business plan",),
    )
    prices = [
        evidence_of(
            REVIEW,
            quote,
            value,
            typed=usd(amount),
            key="cirrus.price",
            source_id="toolcheck",
            authority=Authority.SECONDARY,
            headers=("Cirrus Business in detail",),
        )
        for quote, value, amount in (
            ("Cirrus Business costs $12 per user and month when billed yearly.", "$12 per user and month", 12),
            ("Other resellers offer Cirrus Business for $15 per user and month.", "$15 per user and month", 15),
        )
    ]
    trials = [
        finding(
            f"{vendor}.trial",
            FindingStatus.AGREED,
            answer=value,
            typed=days(number),
            independent_sources=1,
            evidence=(
                evidence_of(
                    TRIALS[vendor],
                    TRIALS[vendor].block_text(TRIALS[vendor].blocks[-1]),
                    value,
                    typed=days(number),
                    key=f"{vendor}.trial",
                    source_id=f"{vendor}-docs",
                ),
            ),
        )
        for vendor, value, number in (("acme", "14 days", 14), ("borealis", "30 days", 30), ("cirrus", "two weeks", 14))
    ]
    return [
        *trials,
        finding(
            "acme.retention",
            FindingStatus.AGREED,
            answer="180 days",
            typed=days(180),
            independent_sources=1,
            evidence=(
                evidence_of(ACME_LOGS, retention, "180 days", typed=days(180), updated="2026-02-03", headers=("Audit log retention",)),
                evidence_of(
                    ACME_LOGS, "Business | 180 days | SAML", "180 days", typed=days(180), headers=("Plans", "Business", "Audit log")
                ),
            ),
        ),
        finding(
            "acme.sso",
            FindingStatus.AGREED,
            answer="yes",
            typed=_yes(),
            independent_sources=1,
            evidence=(
                evidence_of(
                    ACME_SSO,
                    "SAML single sign-on is part of the Business and Enterprise plans.",
                    "yes",
                    typed=_yes(),
                    key="acme.sso",
                    cue="is part of",
                    headers=("Single sign-on",),
                ),
            ),
        ),
        finding("acme.price", FindingStatus.GAP, gap_kind=GapKind.SILENT, note="The pages that were read say nothing of it."),
        finding(
            "borealis.retention",
            FindingStatus.CONFLICT,
            answer="90 days",
            typed=days(90),
            independent_sources=1,
            evidence=(new, old),
            preferred_by="newer page",
        ),
        finding("borealis.sso", FindingStatus.GAP, gap_kind=GapKind.UNUSABLE, note="No page that was asked for could be used."),
        finding("borealis.price", FindingStatus.GAP, gap_kind=GapKind.FAILED, note="At least one page could not be fetched."),
        finding("cirrus.retention", FindingStatus.GAP, gap_kind=GapKind.OUT_OF_BUDGET, stop_reason="page_limit"),
        finding(
            "cirrus.price",
            FindingStatus.UNRESOLVED,
            evidence=tuple(prices),
            independent_sources=1,
            note="Neither authority nor date decides between the values.",
        ),
    ]


def sample_input() -> ReportInput:
    plan = sample_plan()
    texts = [
        (ACME_LOGS, "acme-docs"),
        (ACME_SSO, "acme-docs"),
        (BOREALIS_NEW, "borealis-docs"),
        (BOREALIS_OLD, "borealis-docs"),
        (REVIEW, "toolcheck"),
        *((text, f"{vendor}-docs") for vendor, text in TRIALS.items()),
    ]
    pages = [page_of(text, source_id=source) for text, source in texts]
    login = page_of(page_text("https://docs.borealis.example/sso", "Log in to go on."), source_id="borealis-docs", status=PageStatus.LOGIN)
    moved = replace(
        page_of(page_text("https://docs.cirrus.example/plans", ""), source_id="cirrus-docs", status=PageStatus.FOREIGN_HOST),
        final_url="https://shop.elsewhere.example/plans",
    )
    failed = replace(
        page_of(page_text("https://docs.borealis.example/pricing", ""), source_id="borealis-docs", status=PageStatus.FAILED),
        target_status=None,
        retrieved_at=None,
        reason="timed out three times",
    )
    refused = replace(
        evidence_of(ACME_LOGS, "Free | 7 days | none", "7 days", typed=days(7)),
        verdict=Verdict.OUT_OF_SCOPE,
        diagnosis="the row is about Free",
    )
    invented = replace(
        refused,
        id="ev_invented",
        quote="Acme keeps audit logs for a whole year.",
        start=-1,
        end=-1,
        verdict=Verdict.QUOTE_ABSENT,
        value="a whole year",
        diagnosis="",
    )
    return ReportInput(
        plan=plan,
        cycle="20260314T092600Z-7f3a",
        state="STOPPED",
        stop_reason="page_limit",
        findings=sample_findings(),
        pages=[*pages, login, moved, failed],
        texts={page.id: text for page, (text, _) in zip(pages, texts, strict=True)},
        unverified=[refused, invented],
        tried={
            "borealis.sso": [login.id],
            "borealis.price": [failed.id],
            "cirrus.retention": [moved.id],
            "acme.price": [page.id for page in pages[:2]],
        },
        spend=Spend(tokens=31, pages=8, discover_calls=4, model_cost_usd=0.0, seconds=12.4),
        provenance=Provenance(
            plan_id=plan.plan_id,
            approval=Approval(by="Ada Example", at=WHEN, plan_id=plan.plan_id, note="as agreed on Monday"),
            cycle="20260314T092600Z-7f3a",
            run_ids=["6f1c2d6e-6d5f-4a35-9d3c-1f0f3a0c7b11"],
            versions={"evidence-research-pipeline": "0.1.0", "dagster": "1.13.27"},
            engine="embedded",
            extractor="rules",
            run_date=date(2026, 3, 14),
        ),
    )

"""The report object: what is printed is proven, complete, and blind to the order it was handed in."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from research_pipeline.errors import InputError
from research_pipeline.records import FindingStatus, GapKind, Verdict
from research_pipeline.reporting.building import build
from research_pipeline.reporting.html import to_html
from research_pipeline.reporting.markdown import to_markdown
from research_pipeline.reporting.report import Report, to_json
from tests import report_samples as sample


def finding(report, key):
    return next(item for item in report.findings if item.sub_question_id == key)


@pytest.fixture
def given():
    return sample.sample_input()


def test_findings_stand_in_the_order_of_the_plan_and_none_is_missing(given):
    assert [item.sub_question_id for item in build(given).findings] == [question.id for question in given.plan.sub_questions]


def test_a_question_that_was_never_taken_up_is_an_open_question_not_asked(given):
    report = build(given)

    assert finding(report, "cirrus.sso").gap_kind is GapKind.NOT_ASKED
    assert {"cirrus.sso": "not_asked"}.items() <= {item.sub_question_id: item.kind for item in report.open_questions}.items()


def test_a_question_that_was_asked_on_the_way_is_marked_wherever_a_person_reads(given):
    report = build(replace(given, added={"cirrus.sso"}))

    assert [item.sub_question_id for item in report.findings if item.added] == ["cirrus.sso"]
    for text in (to_markdown(report), to_html(report)):
        assert text.count("asked on the way, not in the approved plan") == 1


def test_the_same_records_in_any_order_give_the_same_bytes(given):
    wanted = to_json(build(given))
    for seed in range(5):
        shuffled = {
            field: random.Random(seed).sample(list(getattr(given, field)), len(getattr(given, field)))
            for field in ("findings", "pages", "unverified")
        }
        assert to_json(build(replace(given, **shuffled))) == wanted


def test_the_json_reads_back_as_the_same_report(given):
    report = build(given)

    assert Report.model_validate_json(to_json(report)) == report


def test_sources_are_numbered_by_first_citation_and_every_citation_resolves(given):
    report = build(given)
    cited = [item for found in report.findings for item in found.evidence]

    assert [source.number for source in report.sources] == list(range(1, len(report.sources) + 1))
    assert list(dict.fromkeys(item.source_number for item in cited)) == [source.number for source in report.sources]
    by_number = {source.number: source for source in report.sources}
    assert all(
        item.id in by_number[item.source_number].evidence_ids and item.page_id == by_number[item.source_number].page_id for item in cited
    )


def test_every_printed_quote_is_a_span_of_its_archived_page(given):
    for found in build(given).findings:
        for item in found.evidence:
            assert item.quote in given.texts[item.page_id].text


def test_a_conflict_shows_its_sides_with_the_preferred_one_first(given):
    sides = finding(build(given), "borealis.retention").sides

    assert [(side.value, side.preferred) for side in sides] == [("90 days", True), ("30 days", False)]


def test_evidence_outside_the_approved_domains_is_withheld_and_what_rested_on_it_is_left_open(given):
    plan = given.plan.model_copy(update={"approved_domains": tuple(d for d in given.plan.approved_domains if d != "docs.acme.example")})
    report = build(replace(given, plan=plan))

    assert finding(report, "acme.retention").status is FindingStatus.GAP
    assert finding(report, "acme.retention").answer is None
    assert {item.sub_question_id for item in report.withheld} == {"acme.retention", "acme.sso", "acme.trial"}
    assert "docs.acme.example is not among the approved domains" in report.withheld[0].reason
    assert not any("docs.acme.example" in source.url for source in report.sources)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"quote": "We keep audit logs for 900 days."}, "not what the archived page has"),
        ({"start": 0, "end": 10}, "not what the archived page has"),
        ({"start": -1, "end": -1}, "not what the archived page has"),
        ({"page_id": "pg_gone"}, "not in the archive"),
        ({"verdict": Verdict.VALUE_NEGATED}, "value is negated"),
        ({"url": "javascript:alert(1)"}, "names no host"),
        ({"url": "http://docs.borealis.example/logs/retention"}, "only https is read"),
    ],
)
def test_a_side_that_is_not_proven_is_withheld_and_the_conflict_left_unresolved(given, change, reason):
    """Without one side nobody can tell what the rule would have preferred."""
    findings = [
        replace(found, evidence=(replace(found.evidence[0], **change), *found.evidence[1:]))
        if found.sub_question_id == "borealis.retention"
        else found
        for found in given.findings
    ]
    report = build(replace(given, findings=findings))
    found = finding(report, "borealis.retention")

    assert (found.status, found.answer, found.preferred_by) == (FindingStatus.UNRESOLVED, None, "")
    assert [item.value for item in found.evidence] == ["30 days"]
    assert [reason in item.reason for item in report.withheld] == [True]
    assert "withheld" in found.note


def test_an_agreed_answer_stands_on_what_is_left_of_its_evidence_in_that_page_s_words(given):
    def without_the_first(found):
        first, second = found.evidence
        return replace(found, evidence=(replace(first, quote="invented"), replace(second, value="180\u00a0days")))

    findings = [without_the_first(found) if found.sub_question_id == "acme.retention" else found for found in given.findings]
    found = finding(build(replace(given, findings=findings)), "acme.retention")

    assert (found.status, found.answer, len(found.evidence)) == (FindingStatus.AGREED, "180\u00a0days", 1)
    assert found.sides[0].preferred


def test_an_answer_without_any_evidence_is_not_printed(given):
    findings = [replace(found, evidence=()) if found.sub_question_id == "acme.retention" else found for found in given.findings]
    found = finding(build(replace(given, findings=findings)), "acme.retention")

    assert (found.status, found.answer, found.value) == (FindingStatus.GAP, None, None)


def test_what_a_refused_candidate_claims_is_told_apart_from_what_the_page_says(given):
    refused = {item.value: item.on_page for item in build(given).unverified}

    assert refused == {"7 days": True, "a whole year": False}


def test_a_redirect_out_of_the_approved_domains_is_named_where_it_was_refused(given):
    (page,) = [page for page in build(given).pages_read if page.status == "foreign_host"]

    assert page.reason == "refused: left the approved domains at https://shop.elsewhere.example/plans"


def test_disputed_and_open_questions_are_listed_for_review_under_ids_that_change_with_the_evidence(given):
    before = {item.sub_question_id: item.id for item in build(given).reviews}
    findings = [
        replace(found, evidence=found.evidence[:1]) if found.sub_question_id == "borealis.retention" else found for found in given.findings
    ]
    after = {item.sub_question_id: item.id for item in build(replace(given, findings=findings)).reviews}

    assert {"borealis.retention", "cirrus.price", "acme.price"} <= before.keys()
    assert "acme.retention" not in before
    assert {key for key in before if before[key] != after[key]} == {"borealis.retention"}


def test_questions_in_the_same_words_share_a_row_and_a_vendor_that_was_not_asked_has_no_cell(given):
    plan = given.plan.model_copy(update={"sub_questions": given.plan.sub_questions[:-1]})
    matrix = build(replace(given, plan=plan)).matrix

    assert matrix.vendors == ["acme", "borealis", "cirrus"]
    assert matrix.vendor_names["acme"] == "Acme"
    assert [(row.wording, row.same_wording, len(row.cells)) for row in matrix.rows][::3] == [
        ("How long does … keep audit logs on its Business plan?", True, 3),
        ("What does … charge per user and month on its Business plan?", True, 2),
    ]


def test_a_row_whose_questions_differ_is_named_by_its_topic(given):
    findings = [
        replace(found, text="What is Acme's retention?") if found.sub_question_id == "acme.retention" else found for found in given.findings
    ]

    row = build(replace(given, findings=findings)).matrix.rows[0]

    assert (row.wording, row.same_wording) == ("Retention", False)


def test_a_language_without_words_is_refused_by_name(given):
    with pytest.raises(InputError, match="language: the report has no words in 'de' yet"):
        build(replace(given, plan=given.plan.model_copy(update={"language": "de"})))


def test_every_part_of_the_contract_is_described_in_the_schema():
    schema = Report.model_json_schema()

    parts = {"Report": schema, **schema["$defs"]}

    assert {"schema_version", "findings", "conclusions", "open_questions", "sources", "changes", "spend", "provenance"} <= set(
        schema["properties"]
    )
    for name, part in parts.items():
        assert part.get("description"), name
        # A part that is described by its own model carries no second description.
        assert all("description" in field or "$ref" in field for field in part.get("properties", {}).values()), name

"""Findings: sides, conflicts and which side is preferred, gaps by kind, and that the order of the evidence never matters."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_pipeline.records import Evidence, FindingStatus, GapKind, Page, PageStatus, Verdict
from research_pipeline.resolution import resolve
from research_pipeline.sides import independent_sources
from research_pipeline.study import AnswerType, Authority, SubQuestion
from research_pipeline.values import parse

ASKED = SubQuestion(id="acme.asked", vendor="acme", text="How long does Acme keep audit logs?", answer="duration")
OFFICIAL, SECONDARY = Authority.OFFICIAL, Authority.SECONDARY


def item(value, *, host="docs.acme.example", path="/a", score=0.9, **fields):
    url = f"https://{host}{path}"
    known = {
        "id": f"ev_{host}{path}{value}{score}", "sub_question_id": ASKED.id, "page_id": f"pg_{path}", "source_id": host,
        "authority": OFFICIAL,
        "url": url, "canonical_url": url, "body_hash": host + path, "value": value, "typed": parse(value, AnswerType.DURATION),
        "quote": f"Audit logs are kept for {value} ({host}{path}).", "start": 0, "end": 10, "verdict": Verdict.VERIFIED, "score": score,
    }  # fmt: skip
    return Evidence(**{**known, **fields})


def page(status, path="/a"):
    url = f"https://docs.acme.example{path}"
    return Page(id=f"pg_{path}", study="s", cycle="c", source_id="d", url=url, final_url=url, canonical_url=url, status=status)


def conclude(*evidence, asked=ASKED, pages=(), candidates_known=True, stop_reason=None):
    return resolve(asked, evidence, pages=pages, candidates_known=candidates_known, stop_reason=stop_reason)


def test_equal_values_agree_and_the_best_supported_wording_answers():
    concluded = conclude(item("30 days", score=0.8), item("30-day", path="/b"), item("720 hours", path="/c", score=0.7))
    assert (concluded.status, concluded.answer) == (FindingStatus.AGREED, "30-day")
    assert len(concluded.evidence) == 3


def test_a_value_well_behind_the_best_is_no_conflict():
    concluded = conclude(item("30 days"), item("7 days", path="/b", score=0.6))
    assert (concluded.status, concluded.answer) == (FindingStatus.AGREED, "30 days")
    assert [found.value for found in concluded.evidence] == ["30 days"]


def test_what_fits_in_part_only_does_not_answer():
    concluded = conclude(item("30 days", score=0.5))
    assert (concluded.status, concluded.answer) == (FindingStatus.UNRESOLVED, None)
    assert [found.value for found in concluded.evidence] == ["30 days"]


def test_what_stands_out_answers_once_the_search_has_ended():
    alone = item("30 days", score=0.48), item("7 days", path="/b", score=0.3)
    ended = [conclude(*alone, stop_reason=rule) for rule in ("max_rounds", "no_new_evidence", "token_limit", None)]
    assert [concluded.answer for concluded in ended] == ["30 days", "30 days", None, None]
    assert conclude(alone[0], item("7 days", path="/b", score=0.4), stop_reason="max_rounds").answer is None
    assert conclude(item("30 days", score=0.44), stop_reason="max_rounds").status is FindingStatus.GAP


def test_a_yes_never_stands_out():
    fields = {"value": "yes", "typed": parse("yes", AnswerType.BOOLEAN)}
    asked = ASKED.model_copy(update={"answer": AnswerType.BOOLEAN})
    assert conclude(replace(item("30 days", score=0.5), **fields), asked=asked, stop_reason="max_rounds").answer is None


def test_a_value_that_another_page_states_as_surely_contradicts():
    best, there, elsewhere = item("30 days", score=0.88), item("7 days", score=0.8), item("7 days", path="/b", score=0.78)
    assert conclude(best, there).status is FindingStatus.AGREED
    assert conclude(best, there, elsewhere).status is not FindingStatus.AGREED
    newer = replace(elsewhere, page_updated="2026-01-01")
    assert conclude(best, there, newer).status is FindingStatus.CONFLICT


def test_a_plan_with_and_without_its_noun_is_one():
    named = [
        replace(item("30 days", path=f"/{n}"), value=value, typed=parse(value, AnswerType.TEXT))
        for n, value in enumerate(("Pro", "Pro plan and above"))
    ]
    asked = ASKED.model_copy(update={"answer": AnswerType.TEXT})
    assert conclude(*named, asked=asked).status is FindingStatus.AGREED


def test_two_pages_that_contradict_are_a_conflict_and_the_official_one_is_preferred():
    concluded = conclude(
        item("7 days", host="reviews.example", authority=SECONDARY, page_updated="2026-09-01"), item("30 days", score=0.85)
    )
    assert (concluded.status, concluded.answer, concluded.preferred_by) == (FindingStatus.CONFLICT, "30 days", "authority")
    assert [found.value for found in concluded.evidence] == ["30 days", "7 days"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("2026-01-05", "2026-09-30"), ("2025", "2026-01"), ("2026-03-31", "2026-04"), (None, "2019"), ("2025-12-31", "2026")],
)
def test_between_official_pages_the_surely_newer_one_is_preferred(old, new):
    concluded = conclude(item("7 days", page_updated=old), item("30 days", path="/b", page_updated=new))
    assert (concluded.status, concluded.answer, concluded.preferred_by) == (FindingStatus.CONFLICT, "30 days", "newer page")


@pytest.mark.parametrize(("one", "other"), [("2026", "2026-05"), ("2026-05", "2026-05-20"), ("2026-05-20", "2026-05-20"), (None, None)])
def test_where_no_date_decides_both_sides_stay_open(one, other):
    concluded = conclude(item("7 days", page_updated=one), item("30 days", path="/b", page_updated=other))
    assert (concluded.status, concluded.answer) == (FindingStatus.UNRESOLVED, None)
    assert {found.value for found in concluded.evidence} == {"7 days", "30 days"}


def test_two_places_of_one_page_are_a_doubt_and_no_conflict():
    assert conclude(item("7 days"), item("30 days")).status is FindingStatus.UNRESOLVED


def test_near_values_are_shown_as_comparable_and_never_merged():
    concluded = conclude(item("6 months"), item("180 days", path="/b", page_updated="2026-01-01"))
    assert (concluded.status, concluded.comparable, concluded.answer) == (FindingStatus.CONFLICT, True, "180 days")
    assert {found.value for found in concluded.evidence} == {"6 months", "180 days"}


def test_values_by_plan_are_a_conflict_by_edition_where_the_plan_is_left_open():
    row = "Free: 7 days | Pro: 30 days"
    sides = item("7 days", scope=("Free",), quote=row), item("30 days", scope=("Pro",), quote=row, score=0.8)
    concluded = conclude(*sides)
    assert (concluded.status, concluded.answer) == (FindingStatus.CONFLICT, None)
    assert "plan" in concluded.note
    named = ASKED.model_copy(update={"text": "How long does Acme keep audit logs on the Pro plan?"})
    assert conclude(*sides, asked=named).status is not FindingStatus.CONFLICT


def test_evidence_without_a_score_of_its_own_counts_in_full():
    concluded = conclude(item("7 days", score=0.0, extractor="model"))
    assert (concluded.status, concluded.answer) == (FindingStatus.AGREED, "7 days")


def test_only_verified_evidence_of_this_question_answers():
    refused = item("7 days", verdict=Verdict.VALUE_NEGATED), item("30 days", sub_question_id="acme.other")
    assert conclude(*refused, pages=[page(PageStatus.USABLE)]).status is FindingStatus.GAP


def test_independent_sources_are_publishers_with_content_of_their_own():
    same_host = [item("30 days"), item("30 days", path="/b")]
    assert independent_sources(same_host) == 1
    copied = [item("30 days"), item("30 days", host="mirror.example", body_hash="docs.acme.example/a")]
    assert independent_sources(copied) == 1
    assert independent_sources([*same_host, item("30 days", host="reviews.example")]) == 2


@pytest.mark.parametrize(
    ("statuses", "candidates_known", "stop_reason", "kind"),
    [
        ([], False, None, GapKind.NOT_ASKED),
        ([], True, "page_limit", GapKind.OUT_OF_BUDGET),
        ([PageStatus.USABLE, PageStatus.BLOCKED], True, "exhausted", GapKind.SILENT),
        ([PageStatus.BLOCKED, PageStatus.SOFT_404], True, None, GapKind.UNUSABLE),
        ([PageStatus.USABLE, PageStatus.FAILED], True, None, GapKind.FAILED),
        ([PageStatus.USABLE, PageStatus.NOT_FETCHED], True, "page_limit", GapKind.OUT_OF_BUDGET),
        ([PageStatus.USABLE], True, "token_limit", GapKind.OUT_OF_BUDGET),
    ],
)
def test_a_gap_tells_why_there_is_no_answer(statuses, candidates_known, stop_reason, kind):
    pages = [page(status, f"/{number}") for number, status in enumerate(statuses)]
    concluded = conclude(pages=pages, candidates_known=candidates_known, stop_reason=stop_reason)
    assert (concluded.status, concluded.gap_kind, concluded.stop_reason) == (FindingStatus.GAP, kind, stop_reason)
    assert concluded.note


def test_every_order_of_three_items_gives_the_same_finding():
    items = [item("7 days"), item("7 days", path="/b"), item("30 days", path="/c", score=0.85)]
    assert len({conclude(*order) for order in itertools.permutations(items)}) == 1


@st.composite
def evidence_sets(draw):
    values = st.sampled_from(["7 days", "1 week", "30 days", "6 months", "180 days", "24 hours"])
    return [
        item(
            draw(values),
            path=f"/{draw(st.integers(0, 3))}",
            score=draw(st.sampled_from([0.5, 0.7, 0.8, 0.82, 0.9])),
            id=f"ev_{number}",
            authority=draw(st.sampled_from([OFFICIAL, SECONDARY])),
            page_updated=draw(st.sampled_from([None, "2025", "2026-03", "2026-03-04"])),
            scope=draw(st.sampled_from([(), ("Free",), ("Pro",)])),
        )
        for number in range(draw(st.integers(1, 6)))
    ]


@given(evidence_sets(), st.randoms(use_true_random=False))
def test_the_order_of_the_evidence_never_matters(items, random):
    shuffled = list(items)
    random.shuffle(shuffled)
    assert conclude(*shuffled) == conclude(*items)


@given(evidence_sets())
def test_what_is_shown_is_verified_evidence_and_an_answer_is_one_of_its_values(items):
    concluded = conclude(*items)
    assert set(concluded.evidence) <= set(items)
    assert concluded.answer is None or concluded.answer in {found.value for found in concluded.evidence}
    assert concluded.status is not FindingStatus.AGREED or concluded.answer is not None


@given(evidence_sets())
def test_repeating_the_evidence_adds_no_side(items):
    repeated = [replace(found, id=found.id + "x") for found in items]
    once, twice = conclude(*items), conclude(*items, *repeated)
    assert (twice.status, twice.independent_sources) == (once.status, once.independent_sources)


def test_pages_that_no_map_could_list_are_not_silent():
    concluded = resolve(ASKED, [], pages=[page(PageStatus.USABLE)], candidates_known=True, stop_reason=None, not_all_asked=True)

    assert concluded.gap_kind is GapKind.FAILED


def test_a_page_that_came_in_part_is_not_silent():
    concluded = conclude(pages=[replace(page(PageStatus.USABLE), truncated=True)])

    assert concluded.gap_kind is GapKind.UNUSABLE

"""Whether a quote stands on the page, wholly, once, and with enough of its sentence."""

from __future__ import annotations

import pytest

from research_pipeline.extraction.gate import Gate
from research_pipeline.records import Candidate, PageStatus, Region, Verdict
from research_pipeline.study import Source
from tests.gate_bench import SOURCE, URL, examine, gate, page, question

PROSE = "<h1>Limits</h1><p>Audit logs are kept for 30 days. Backups are kept for 90 days.</p>"
NOT_ON_THE_PAGE = (
    ("<p>Audit logs are kept for 1,800 days.</p>", "800 days", "800 days."),
    ("<p>Audit logs are kept for 1800 days.</p>", "180", "Audit logs are kept for 180"),
    ("<p>It costs $99 per month in total.</p>", "$9", "It costs $9"),
    ("<p>Provider logs are kept for 30 days.</p>", "30 days", "Pro logs are kept for 30 days."),
    ("<p>The pro-rated logs are kept for 30 days.</p>", "30 days", "rated logs are kept for 30 days"),
    ("<p>Audit logs are kept for 30 days.</p>", "30 days", "Audit logs are kept for at least 30 days."),
    ("<p>Audit logs are kept for 30 days.</p>", "31 days", "Audit logs are kept for 31 days."),
    ("<p>Audit logs are not kept for 30 days.</p>", "30 days", "Audit logs are kept for 30 days."),
    ("<p>Audit logs are kept.</p><p>For 30 days.</p>", "30 days", "Audit logs are kept for 30 days."),
    ("<table><tr><td>Audit</td><td>7 days</td></tr><tr><td>Backup</td><td>30 days</td></tr></table>", "30 days", "Audit | 30 days"),
    ("<table><tr><td>Audit</td><td>7 days</td><td>x</td></tr></table>", "7 days", "7 days | Audit"),
    ("<table><tr><td>Audit logs</td><td>7 days</td></tr></table>", "7 days", "Audit | 7 days"),
    ("<script>Audit logs are kept for 30 days.</script><p>Hello to all of you.</p>", "30 days", "Audit logs are kept for 30 days."),
    ("<p style='display:none'>Audit logs are kept for 30 days.</p><p>Hi.</p>", "30 days", "Audit logs are kept for 30 days."),
    ("<p>Protokolle werden f\ufffdr 90 Tage aufbewahrt.</p>", "90 Tage", "Protokolle werden f\ufffdr 90 Tage aufbewahrt."),
    ("<p>Audit logs are kept for 10² days.</p>", "102 days", "Audit logs are kept for 102 days."),
)


@pytest.mark.parametrize(("body", "value", "quote"), NOT_ON_THE_PAGE)
def test_a_quote_that_the_page_does_not_bear_is_absent(body, value, quote):
    found = examine(body, value, quote)
    assert found.verdict is Verdict.QUOTE_ABSENT
    assert found.start == found.end == -1


@pytest.mark.parametrize("quote", ["", "  ", "30 days", "for 30 days", "a", "|", "…", "days"])
def test_a_quote_that_is_too_short_never_passes(quote):
    assert not examine(PROSE, "30 days", quote).verified


def test_a_short_quote_passes_where_it_is_a_whole_block_that_something_heads():
    assert examine("<dl><dt>Retention</dt><dd>30 days</dd></dl>", "30 days", "30 days").verified
    assert examine("<div>30 days</div>", "30 days", "30 days").verdict is Verdict.QUOTE_TOO_SHORT


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("SAML SSO and 30 days of logs are not included in the Free plan.", "and 30 days of logs are"),
        ("We do not keep audit logs of any kind for 30 days.", "audit logs of any kind for 30 days"),
        ("On the Free plan, audit logs are kept for 30 days.", "audit logs are kept for 30 days"),
        ("Audit logs are kept for 30 days, on Enterprise.", "Audit logs are kept for 30 days"),
        ("Audit logs are kept for 30 days if you pay.", "Audit logs are kept for 30 days"),
        ("Unless you object, audit logs are kept for 30 days.", "audit logs are kept for 30 days"),
        ("Audit logs are kept for 30 days except in Europe.", "Audit logs are kept for 30 days"),
        ("For example, audit logs are kept for 30 days.", "audit logs are kept for 30 days"),
        ("Previously, audit logs were kept for 30 days.", "audit logs were kept for 30 days"),
        ("Audit logs are kept for 30 days, coming soon.", "Audit logs are kept for 30 days"),
        ("It is a myth that audit logs are kept for 30 days.", "audit logs are kept for 30 days"),
    ],
)
def test_a_quote_that_cuts_off_what_changes_its_meaning_is_partial(sentence, quote):
    found = examine(f"<p>{sentence}</p>", "30 days", quote)
    assert found.verdict is Verdict.QUOTE_PARTIAL, found.diagnosis


def test_a_question_is_a_question_even_where_the_quote_drops_its_mark():
    found = examine("<p>Do you keep audit logs for 30 days?</p>", "30 days", "Do you keep audit logs for 30 days")
    assert found.verdict is Verdict.IN_QUESTION


def test_a_quote_may_not_cut_through_a_value():
    body = "<p>The upload limit of every user is 10 MiB per file.</p>"
    found = examine(body, "10", "The upload limit of every user is 10", asked=question("How many?", "count"))
    assert found.verdict in {Verdict.QUOTE_PARTIAL, Verdict.VALUE_ABSENT}


def test_what_is_stored_is_the_pages_own_characters():
    found = examine("<p>Acme’s audit\n logs are KEPT for 30&nbsp;days.</p>", "30 DAYS", "acme's audit logs are kept for 30 days.")
    assert (found.quote, found.value) == ("Acme’s audit logs are KEPT for 30\u00a0days.", "30\u00a0days")


TWICE = "<h2>Audit logs</h2><p>They are kept for 30 days.</p><h2>Backups</h2><p>They are kept for 30 days.</p>"


def test_the_same_words_under_different_headings_are_ambiguous_without_a_hint():
    found = examine(TWICE, "30 days", "They are kept for 30 days.")
    assert found.verdict is Verdict.QUOTE_AMBIGUOUS
    assert "Audit logs" in found.diagnosis


def test_a_hint_settles_which_place_was_meant():
    text = gate(TWICE).text.text
    second = text.rindex("They are")
    found = examine(TWICE, "30 days", "They are kept for 30 days.", start=second)
    assert found.verified
    assert (found.start, found.headers) == (second, ("Backups",))


def test_the_same_words_in_the_same_context_are_one_quote():
    body = "<h2>Audit logs</h2><p>They are kept for 30 days.</p><p>Again: all is well.</p><p>They are kept for 30 days.</p>"
    found = examine(body, "30 days", "They are kept for 30 days.")
    assert found.verified
    assert found.start == gate(body).text.text.index("They are")


def test_the_plan_that_is_asked_for_settles_which_place_was_meant():
    body = "<h2>Free</h2><p>Logs are kept for 30 days.</p><h2>Pro</h2><p>Logs are kept for 30 days.</p>"
    asked = question("How long are logs kept on the Pro plan?")
    found = examine(body, "30 days", "Logs are kept for 30 days.", asked=asked)
    assert (found.verdict, found.scope) == (Verdict.VERIFIED, ("Pro",))


def test_the_main_part_of_a_page_comes_first():
    body = "<p>Audit logs are kept for 30 days.</p></main><footer><p>Audit logs are kept for 30 days.</p></footer><main>"
    assert examine(body, "30 days", "Audit logs are kept for 30 days.").region is Region.MAIN


def test_a_near_miss_names_the_nearest_text_and_the_difference():
    found = examine(PROSE, "60 days", "Audit logs are kept for 60 days.")
    assert "“Audit logs are kept for 30 days.”" in found.diagnosis
    assert "“30” for “60”" in found.diagnosis


def test_a_quote_like_nothing_on_the_page_says_so():
    assert "Nothing on the page is like it." in examine(PROSE, "5", "Zebras gallop over purple meadows").diagnosis


def test_a_page_that_cannot_serve_gives_no_evidence():
    blocked = Gate(page(PageStatus.BLOCKED, reason="a bot wall"), gate(PROSE).text, SOURCE)
    found = blocked.examine(Candidate("acme.asked", "30 days", "Audit logs are kept for 30 days."), question(), extractor="rules")
    assert found.verdict is Verdict.PAGE_UNUSABLE
    assert "a bot wall" in found.diagnosis


def test_a_source_that_does_not_answer_the_sub_question_gives_no_evidence():
    other = Source(id="x", domain="docs.acme.example", start_url=URL, authority="secondary", answers=("acme.other", "beta.*"))
    found = Gate(page(), gate(PROSE).text, other).examine(
        Candidate("acme.asked", "30 days", "Audit logs are kept for 30 days."), question(), extractor="rules"
    )
    assert found.verdict is Verdict.NOT_ASSIGNED
    assert "acme.asked" in found.diagnosis


def test_refused_claims_keep_what_was_claimed():
    found = examine(PROSE, "60 days", "  Audit logs are kept for 60 days.  ")
    assert (found.quote, found.value, found.extractor) == ("Audit logs are kept for 60 days.", "60 days", "rules")


def test_a_page_that_is_one_endless_sentence_is_judged_around_the_value():
    row = "audit logs of tenant number one are not kept for 30 days while backups of it are, "
    body = f"<p>{row * 2000} and audit logs of tenant number two are kept for 30 days</p>"
    quote = "and audit logs of tenant number two are kept for 30 days"
    found = examine(body, "30 days", quote)
    assert (found.verdict, found.quote) == (Verdict.VERIFIED, quote)
    assert examine(body, "30 days", row.strip(" ,"), start=0).verdict is Verdict.VALUE_NEGATED

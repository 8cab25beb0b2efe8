"""Translations of a page that answers are looked at, and what they say at the same place is told where it differs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_pipeline.extraction.translated import translated
from research_pipeline.reading import read_html
from research_pipeline.translations import language_section, translations
from tests.rules_bench import found, question, read
from tests.small_site import ORIGIN, write_study

HOST = "https://docs.acme.example"
SECTIONS = st.lists(st.sampled_from(["docs", "limits", "v2", "api", "about"]), min_size=1, max_size=3)


@pytest.mark.parametrize(
    ("address", "language"),
    [("/fr/docs/limits", "fr"), ("/docs/pt-BR/limits", "pt"), ("/docs/limits", ""), ("/docs/api/it", ""), ("/products/x", ""), ("/", "")],
)
def test_an_address_tells_its_language_by_a_section_near_its_start(address, language):
    assert language_section(HOST + address) == language


@given(SECTIONS, st.sampled_from(["fr", "de", "ja", "zh-cn"]), st.integers(0, 1))
def test_two_addresses_are_translations_of_each_other_or_neither_is(sections, language, position):
    page = f"{HOST}/{'/'.join(sections)}"
    other = f"{HOST}/{'/'.join([*sections[:position], language, *sections[position:]])}"

    assert translations(page, [other, page]) == [other]
    assert translations(other, [other, page]) == [page]


@pytest.mark.parametrize("other", ["/fr/docs/quotas", "/docs/limits", "/fr/docs/limits/api", "/fr/docs/limits?page=2"])
def test_another_page_is_no_translation(other):
    assert translations(f"{HOST}/docs/limits", [HOST + other]) == []


def html(*parts):
    return read_html(f"<html lang=fr><main>{''.join(parts)}</main></html>", url=f"{HOST}/fr/page-0")


def said(body, translation, text="How long before the last reminder is an unpaid account closed?", answer="duration"):
    asked = question(text, answer)
    evidence, _ = found(asked, body)
    best = max((item for item in evidence if item.verified), key=lambda item: item.score)
    return [(candidate.value, candidate.quote) for candidate in translated(asked, [best], read(body, "/page-0"), html(translation))]


REMINDERS = (
    "<h1>Reminders</h1><h2>Unpaid accounts</h2><p>Hello.</p>"
    "<p>We send the first reminder after 14 days, and the last reminder after 30 days.</p>"
)
UNPAID = "<h1>Rappels</h1><h2>Comptes impayés</h2><p>Bonjour.</p>"


def test_the_last_value_of_a_sentence_answers_to_the_last_one_of_its_translation():
    french = f"{UNPAID}<p>Le premier rappel part après 14 jours, d’autres après 20 jours et 45 jours.</p>"

    [(value, quote)] = said(REMINDERS, french, "After how many days is the last reminder sent?")

    assert (value, quote) == ("45 jours", "Le premier rappel part après 14 jours, d’autres après 20 jours et 45 jours.")


@pytest.mark.parametrize(
    "french",
    [
        f"{UNPAID}<p>Les factures sont gardées 10 jours, les avis 45 jours.</p>",  # nothing repeated
        "<h1>Rappels</h1><h2>Comptes</h2><p>Le premier après 14 jours, le dernier après 45 jours.</p>",  # a block is missing
        "<h1>Rappels</h1><h3>Comptes</h3><p>Bonjour.</p><p>Le premier après 14 jours, le dernier après 45.</p>",  # other level
    ],
)
def test_where_the_places_do_not_surely_agree_nothing_is_said(french):
    assert said(REMINDERS, french, "After how many days is the last reminder sent?") == []


LIMITS = "<h1>Limits</h1><ul><li>Projects: 20 per account</li><li>Members: {} per project</li><li>Tokens: 5 per member</li></ul>"


@pytest.mark.parametrize(("projects", "expected"), [("20", ["40"]), ("99", [])])
def test_a_single_value_is_compared_where_its_neighbours_are_the_same(projects, expected):
    french = (
        f"<h1>Limites</h1><ul><li>Projets : {projects} par compte</li><li>Membres : 40 par projet</li>"
        f"<li>Jetons : {'5' if expected else '6'} par membre</li></ul>"
    )

    found_values = said(LIMITS.format(30), french, "How many members may a project have?", "count")

    assert [value.split()[0] for value, _ in found_values] == expected


PAGE = "<html lang='{}'><head><title>{}</title></head><body><main>{}</main></body></html>"
ENGLISH = (
    "<h1>Audit logs</h1><p>Last updated: <time datetime='2026-02-01'>Feb 1, 2026</time></p><h2>Retention</h2>"
    "<p>Audit logs are exported every 12 hours and kept for 90 days.</p>"
)
GERMAN = (
    "<h1>Audit-Logs</h1><p>Letzte Änderung: <time datetime='2021-02-01'>1.2.2021</time></p><h2>Aufbewahrung</h2>"
    "<p>Audit-Logs werden alle 12 Stunden exportiert und {} aufbewahrt.</p>"
)
ASKED = {"id": "acme.audit", "vendor": "acme", "text": "How long does Acme keep audit logs?", "answer": "duration"}


def site_with(place, german):
    site = place / "site"
    site.joinpath("de").mkdir()
    site.joinpath("audit-logs.html").write_text(PAGE.format("en", "Audit logs", ENGLISH))
    site.joinpath("de", "audit-logs.html").write_text(PAGE.format("de", "Audit-Logs", GERMAN.format(german)))
    names = ("audit-logs", "limits", "moved", "de/audit-logs")
    urls = "".join(f"<url><loc>{ORIGIN}/{name}</loc></url>" for name in names)
    site.joinpath("sitemap.xml").write_text(f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>")
    return write_study(place, sub_questions=[ASKED], limits={"pages_per_round": 1})


def test_a_stale_translation_is_shown_as_a_conflict_that_the_newer_page_wins(place, research):
    finished = research.run(site_with(place, "30 Tage"))

    [finding] = finished.report.findings
    assert (finding.status, finding.answer, finding.preferred_by) == ("conflict", "90 days", "newer page")
    assert {item.value: item.url for item in finding.evidence} == {
        "90 days": f"{ORIGIN}/audit-logs",
        "30 Tage": f"{ORIGIN}/de/audit-logs",
    }
    assert finished.report.spend.pages == 2, "the page and its translation, nothing else"
    assert [step.rule for step in research.status("acme.yaml").sub_questions] == ["answered"]


def test_a_translation_that_says_the_same_is_further_evidence_of_one_publisher(place, research):
    finished = research.run(site_with(place, "90 Tage"))

    [finding] = finished.report.findings
    assert (finding.status, finding.answer, finding.independent_sources) == ("agreed", "90 days", 1)
    assert {item.value for item in finding.evidence} == {"90 days", "90 Tage"}
    assert finished.report.spend.pages == 2


def test_a_translation_that_cannot_be_read_costs_the_answer_nothing(place, research):
    study = site_with(place, "30 Tage")
    place.joinpath("site", "de", "audit-logs.html").unlink()

    [finding] = research.run(study).report.findings

    assert (finding.status, finding.answer) == ("agreed", "90 days")

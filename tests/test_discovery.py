"""Which pages come first for a question, by their addresses and by what pages already read say of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_pipeline.discovery import PageHint, covering_source, hints, rank, shows_inside
from research_pipeline.ids import canonical_url
from research_pipeline.reading import read_html
from research_pipeline.study import Authority, Source, SubQuestion

ROOT = "https://docs.acme.example"
PATHS = (
    "/", "/docs/audit-logs", "/docs/logs", "/docs/rate-limits", "/docs/single-sign-on", "/docs/pricing/plans", "/blog/audit-logs",
    "/changelog/audit-logs",
    "/fr/docs/audit-logs", "/docs/faq", "/legal/privacy", "/docs/webhooks/webhookRetries", "/docs/volumes/backups-restores",
)  # fmt: skip
URLS = tuple(ROOT + path for path in PATHS)


def source(start="/", **fields):
    return Source(
        id="acme-docs", domain="docs.acme.example", start_url=ROOT + start, authority=Authority.OFFICIAL, answers=("acme.*",), **fields
    )


def paths(text, urls=URLS, *, answer="duration", known=None, start="/", **fields):
    asked = SubQuestion(id="acme.asked", vendor="acme", text=text, answer=answer)
    return [page.url.removeprefix(ROOT) for page in rank(asked, urls, source=source(start, **fields), known=known or {})]


@pytest.mark.parametrize(
    ("text", "answer", "first"),
    [
        ("How long does Acme keep audit logs?", "duration", "/docs/audit-logs"),
        ("How many requests per minute does the Acme API allow?", "rate", "/docs/rate-limits"),
        ("On which Acme plan is SSO available?", "text", "/docs/single-sign-on"),
        ("What does the Acme Team plan cost?", "money", "/docs/pricing/plans"),
        ("How often does Acme retry a webhook?", "count", "/docs/webhooks/webhookRetries"),
        ("How long are volume backups kept at Acme?", "duration", "/docs/volumes/backups-restores"),
        ("Combien de temps Acme conserve-t-il les audit logs ?", "duration", "/fr/docs/audit-logs"),
    ],
)
def test_the_page_whose_address_bears_the_subject_comes_first(text, answer, first):
    assert paths(text, answer=answer)[0] == first


def test_stories_and_other_languages_come_after_the_documentation():
    order = paths("How long does Acme keep audit logs?")
    assert order.index("/docs/audit-logs") < min(
        order.index("/blog/audit-logs"), order.index("/changelog/audit-logs"), order.index("/fr/docs/audit-logs")
    )


def test_a_story_section_that_is_asked_for_counts_in_full():
    assert paths("What does the Acme changelog say of audit logs?", answer="text")[0] == "/changelog/audit-logs"


def test_a_chinese_question_finds_a_percent_encoded_chinese_address():
    urls = [ROOT + "/zh/%E5%AE%9A%E4%BB%B7", ROOT + "/zh/%E5%AE%A1%E8%AE%A1%E6%97%A5%E5%BF%97", ROOT + "/docs/audit-logs"]
    assert paths("审计日志保留多久？", urls)[0] == "/zh/%E5%AE%A1%E8%AE%A1%E6%97%A5%E5%BF%97"


def test_a_page_stands_once_whatever_its_spellings():
    urls = [ROOT + "/docs/logs", ROOT + "/docs/logs#retention", "HTTPS://Docs.Acme.Example/docs/logs", ROOT + "/docs/%6Cogs"]
    assert len(paths("How long are logs kept?", urls)) == 2  # and the start page


def test_the_start_page_is_a_candidate_even_where_the_patterns_leave_it_out():
    assert set(paths("How long are logs kept?", include_patterns=("LOGS$",))) == {
        "/", "/docs/audit-logs", "/docs/logs", "/blog/audit-logs", "/changelog/audit-logs", "/fr/docs/audit-logs",
    }  # fmt: skip


def test_pictures_and_feeds_are_no_pages():
    assert paths("How long are logs kept?", [ROOT + "/logs.png", ROOT + "/logs.xml", ROOT + "/logs.html"]) == ["/logs.html", "/"]


def test_what_links_say_of_a_page_counts():
    page = read_html('<main><h1>Start</h1><a href="/x/42">Audit log retention</a> <a href="/x/43">Colours</a></main>', url=ROOT + "/")
    known = hints([page])
    assert known[canonical_url(ROOT + "/x/42")] == PageHint(anchors=("Audit log retention",))
    assert paths("How long are audit logs retained?", [ROOT + "/x/42", ROOT + "/x/43"], known=known)[0] == "/x/42"


def test_the_headings_of_a_page_already_read_count():
    page = read_html("<title>Reference</title><main><h1>Reference</h1><h2>Upload limits</h2></main>", url=ROOT + "/ref")
    urls = [ROOT + "/ref", ROOT + "/uses", ROOT + "/about"]
    assert paths("What is the upload limit?", urls, answer="size", known=hints([page]))[0] == "/ref"


@given(st.permutations(URLS))
def test_the_order_of_the_candidates_makes_no_difference(urls):
    assert paths("How long does Acme keep audit logs?", urls) == paths("How long does Acme keep audit logs?")


def test_each_page_tells_which_words_it_was_chosen_for():
    asked = SubQuestion(id="acme.asked", vendor="acme", text="How long does Acme keep audit logs?", answer="duration")
    assert set(rank(asked, URLS, source=source())[0].why.split()) == {"audit", "log"}


def test_keywords_of_the_study_count_like_the_words_of_the_question():
    asked = SubQuestion(id="acme.asked", vendor="acme", text="How long?", answer="duration", keywords=("webhook",))
    assert rank(asked, URLS, source=source())[0].url == ROOT + "/docs/webhooks/webhookRetries"


def test_a_source_that_starts_below_another_of_its_site_is_covered_by_that_ones_map():
    top, docs, french = source("/"), source("/docs/"), source("/docs/fr/index.html")
    other_host = Source(id="x", domain="acme.example", start_url="https://acme.example/", authority=Authority.OFFICIAL, answers=("acme.*",))
    narrowed = source("/", include_patterns=("/docs/",))

    assert covering_source(french, [french, docs, top, other_host, narrowed]) is top
    assert covering_source(french, [french, docs, narrowed]) is docs
    assert covering_source(docs, [french, docs, other_host]) is docs
    assert covering_source(top, [top, source("/")]) is top


def test_a_map_serves_a_source_only_where_it_shows_pages_of_it():
    assert shows_inside(source("/docs/"), [ROOT + "/", ROOT + "/docs/audit-logs"])
    assert not shows_inside(source("/docs/"), [ROOT + "/", ROOT + "/docs/", ROOT + "/docsearch", "https://other.example/docs/a"])

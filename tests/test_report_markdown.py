"""Markdown: whatever a page says stays text, in every place where a value may stand."""

from __future__ import annotations

import string
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from research_pipeline.reporting.building import build
from research_pipeline.reporting.markdown import escape, link, to_markdown
from tests import report_samples as sample

DIALECTS = {"commonmark": MarkdownIt("commonmark"), "github": MarkdownIt("commonmark").enable(["table", "strikethrough"])}
# Control characters are left out: HTML forbids them, so no page text holds them, and Markdown has no way to write them.
TEXTS = st.text(st.sampled_from(string.punctuation + "  \n\tab19éü。\u00a0\u2003"), min_size=1, max_size=60) | st.text(
    st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=60
)
STRUCTURES = [
    "+ item",
    "- item",
    "* item",
    "1. one",
    "2) two",
    "123456789. many",
    "7.",
    "# heading",
    "> quote",
    "===",
    "---",
    "    code",
    "\tcode",
    "``` x",
    "~~~",
    "[a]: /b",
    "a\n===",
]
PLACES = {
    "line": "{}",
    "after words": "page says {} so",
    "heading": "#### {}",
    "quote": "> {}",
    "item": "- {}",
    "bold": "x **{}** y",
    "cell": "| a |\n| --- |\n| {} |",
    "numbered": "1. {}",
    "after a link": "[x](y), {}",
}


def inline(tokens):
    for token in tokens:
        if token.type == "inline":
            yield from token.children


def text_of(tokens):
    return "".join("\n" if token.type in ("softbreak", "hardbreak") else token.content for token in inline(tokens))


def assert_stays_text(text, place, dialect):
    tokens = DIALECTS[dialect].parse(PLACES[place].format(escape(text)))
    plain = DIALECTS[dialect].parse(PLACES[place].format("word"))

    assert text_of(tokens) == text_of(plain).replace("word", text)
    assert [token.type for token in tokens] == [token.type for token in plain]
    assert {token.type for token in inline(tokens)} == {token.type for token in inline(plain)}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("place", PLACES)
def test_a_text_that_looks_like_a_block_is_none(dialect, place):
    for text in STRUCTURES:
        assert_stays_text(text, place, dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("place", PLACES)
@settings(max_examples=40, deadline=None)
@given(text=TEXTS)
def test_a_text_renders_to_itself_wherever_it_is_put(dialect, place, text):
    assert_stays_text(text, place, dialect)


HOSTILE = (
    "![pixel](https://tracker.example/x.png) [here](javascript:alert(1)) <img src=x onerror=alert(1)> <https://a.example> # no\n"
    "# heading\n\n- item\n1. one\n---\n| a | b |\n***bold*** `code` &copy; ~~gone~~ $x$ :smile: www.evil.example https://evil.example"
)


def saying(text, report):
    """The report with this text wherever a page, an extractor or a person may have put some."""
    words = {"quote": text, "title": text, "headers": [text], "value": text, "cue": text}
    findings = [
        found.model_copy(
            update={
                "note": text,
                "answer": text,
                "evidence": [item.model_copy(update=words) for item in found.evidence],
                "sides": [side.model_copy(update={"value": text}) for side in found.sides],
            }
        )
        for found in report.findings
    ]
    return report.model_copy(
        update={
            "question": text,
            "findings": findings,
            "sources": [source.model_copy(update={"title": text}) for source in report.sources],
            "pages_read": [page.model_copy(update={"reason": text}) for page in report.pages_read],
            "unverified": [item.model_copy(update={"claimed_quote": text, "diagnosis": text}) for item in report.unverified],
        }
    )


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_hostile_text_everywhere_adds_no_structure_link_or_image_to_the_report(dialect):
    tokens = dialect.parse(to_markdown(saying(HOSTILE, build(sample.sample_input()))))
    links = [token.attrs["href"] for token in inline(tokens) if token.type == "link_open"]
    code = {token.content for token in inline(tokens) if token.type == "code_inline"}

    assert not {"image", "html_block", "html_inline", "fence", "code_block", "hr"} & {token.type for token in [*tokens, *inline(tokens)]}
    assert all(url.startswith(("https://docs.", "https://toolcheck.example/", "pages/")) for url in links)
    assert code == {"page_limit", "max_pages", "research rerun audit_logs --failed"}
    assert [token.tag for token in tokens if token.type == "heading_open"].count("h1") == 1


def test_the_report_prints_each_quote_in_a_block_quote_of_its_own():
    report = build(sample.sample_input())
    tokens = DIALECTS["commonmark"].parse(to_markdown(report))
    stop_reason, *quotes = [text_of([tokens[place + 2]]) for place, token in enumerate(tokens) if token.type == "blockquote_open"]

    assert stop_reason.startswith("The rule page_limit stopped this cycle.")
    assert sorted(quotes) == sorted(item.quote for found in report.findings for item in found.evidence)


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/x_(y)_z",
        "https://a.example/a b?x=1&copy;=2",
        "https://a.example/<x>\"'\\",
        "https://a.example/*a*#[b]",
    ],
)
def test_an_address_arrives_whole_in_its_link(url):
    tokens = DIALECTS["commonmark"].parse(f"see {link('a *label*', url)} there")

    assert [unquote(token.attrs["href"]) for token in inline(tokens) if token.type == "link_open"] == [url]
    assert text_of(tokens) == "see a *label* there"


def test_an_address_with_another_scheme_is_no_link():
    assert link("a", "javascript:alert(1)") == "a"

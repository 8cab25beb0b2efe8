"""Links that open a page at its quote, judged by a model of what a browser searches; tests/test_links_in_browser.py asks a real one."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from urllib.parse import unquote

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from research_pipeline.records import BlockKind, PageText
from research_pipeline.reporting.links import live_link
from tests.report_samples import page_text

URL = "https://docs.acme.example/logs"


def link(text: PageText, quote: str, *, nth: int = 0, url: str = URL, anchor: str = "") -> str:
    start = [found.start() for found in re.finditer(re.escape(quote), text.text)][nth]
    return live_link(url, text, start=start, end=start + len(quote), anchor=anchor)


def directive(address: str) -> dict[str, str]:
    """The parts of a text directive, decoded as a browser decodes them."""
    parts = address.split(":~:text=")[1].split(",")
    found = {}
    if len(parts) > 1 and parts[0].endswith("-"):
        found["prefix"] = unquote(parts.pop(0)[:-1])
    if len(parts) > 1 and parts[-1].startswith("-"):
        found["suffix"] = unquote(parts.pop()[1:])
    found["start"], *end = map(unquote, parts)
    return found | ({"end": end[0]} if end else {})


def test_a_short_quote_stands_in_the_link_whole():
    text = page_text(URL, "Logs are kept for 180 days.")

    assert link(text, "kept for 180 days") == f"{URL}#:~:text=kept%20for%20180%20days"


def test_characters_with_a_meaning_in_the_directive_are_encoded():
    text = page_text(URL, "Up to 1,000 co-owners & (more) pay 100% — really?")

    assert link(text, "1,000 co-owners & (more) pay 100%") == f"{URL}#:~:text=1%2C000%20co%2Downers%20%26%20%28more%29%20pay%20100%25"


def test_a_long_quote_is_named_by_its_first_and_last_words():
    quote = "Audit log entries on the Business plan are kept for one hundred and eighty days, and are then deleted for good."

    assert directive(link(page_text(URL, quote), quote)) == {"start": "Audit log entries on the", "end": "are then deleted for good."}


def test_a_table_row_is_named_by_its_first_and_last_cell():
    text = page_text(URL, (BlockKind.ROW, "Plan | Log | Sign-on"), (BlockKind.ROW, "Business | 180 days | SAML"))

    assert directive(link(text, "Business | 180 days | SAML")) == {"start": "Business", "end": "SAML"}


def test_a_quote_over_two_lines_of_a_block_is_named_by_both_lines():
    text = page_text(URL, "Logs are kept\nfor 180 days")

    assert directive(link(text, "are kept\nfor 180 days")) == {"start": "are kept", "end": "for 180 days"}


def test_cells_without_a_word_are_passed_over():
    text = page_text(URL, (BlockKind.ROW, "✓ | 180 days | SAML | –"))

    assert directive(link(text, "✓ | 180 days | SAML | –")) == {"start": "180 days", "end": "SAML"}


def test_the_first_of_two_equal_quotes_needs_no_more_and_the_second_takes_the_words_beside_it():
    text = page_text(URL, "Logs are kept 90 days on Free. Logs are kept 90 days on Pro.")

    assert directive(link(text, "90 days", nth=0)) == {"start": "90 days"}
    assert directive(link(text, "90 days", nth=1)) == {"start": "90 days", "suffix": "on Pro."}


def test_a_block_that_stands_twice_takes_words_of_the_block_before():
    text = page_text(URL, "On Free:", "Kept for 90 days.", "On Pro:", "Kept for 90 days.")

    assert directive(link(text, "Kept for 90 days.", nth=1)) == {"prefix": "On Pro:", "start": "Kept for 90 days."}


def test_where_neighbours_cannot_tell_two_quotes_apart_the_link_opens_the_whole_line():
    text = page_text(URL, "On Free:", "We keep it for 90 days, then it goes.", "On Pro:", "We keep it for 90 days, then it goes.")

    assert directive(link(text, "90 days", nth=1)) == {"prefix": "On Pro:", "start": "We keep it for 90 days, then it goes."}


def test_a_match_inside_a_longer_word_or_number_is_no_rival():
    assert directive(link(page_text(URL, "Kept for 190 days, then 90 days."), "90 days", nth=1)) == {"start": "90 days"}


def test_a_match_in_another_case_or_with_an_accent_is_a_rival():
    text = page_text(URL, "POLÍTICA de registros. Politica de pagos.")

    assert directive(link(text, "Politica")) == {"start": "Politica", "suffix": "de pagos."}


def test_a_fragment_of_the_address_is_kept_and_an_older_directive_replaced():
    text = page_text(URL, "Logs are kept for 180 days.")

    assert link(text, "180 days", url=f"{URL}#retention") == f"{URL}#retention:~:text=180%20days"
    assert link(text, "180 days", url=f"{URL}#retention:~:text=old", anchor="top") == f"{URL}#retention:~:text=180%20days"


def test_the_nearest_element_serves_browsers_without_text_directives():
    assert link(page_text(URL, "Kept for 180 days."), "180 days", anchor="rétention") == f"{URL}#r%C3%A9tention:~:text=180%20days"


def test_what_no_reader_sees_gets_the_plain_address():
    text = page_text(URL, (BlockKind.STRUCTURED, "offers.price: 12 USD"))

    assert link(text, "12 USD") == URL
    assert link(text, "12 USD", url=f"{URL}#plans") == f"{URL}#plans"


def test_structured_data_is_no_rival_of_visible_text():
    text = page_text(URL, (BlockKind.STRUCTURED, "description: Kept for 180 days"), "Kept for 180 days")

    assert directive(link(text, "Kept for 180 days", nth=1)) == {"start": "Kept for 180 days"}


def test_a_paged_document_opens_at_its_page():
    text = page_text(URL, "Logs are kept for 180 days.")
    paged = replace(text, blocks=tuple(replace(block, page_number=7) for block in text.blocks))

    assert link(paged, "180 days") == f"{URL}#page=7"


# ── properties ────────────────────────────────────────────────────────────────────────────────────────────────────────


def as_searched(text: str) -> str:
    """Case and accents gone, white space single: written apart from the code under test."""
    letters = (letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return " ".join("".join(letters).casefold().split())


def first_match(blocks: list[str], parts: dict[str, str]) -> tuple[int, int] | None:
    """What a browser would mark, as a span of the lines, by trying every place in turn."""
    lines = [as_searched(line) for block in blocks for line in re.split(r"\n| \| ", block)]
    whole = "\n".join(lines)
    start, end = as_searched(parts["start"]), as_searched(parts.get("end", ""))
    for at in range(len(whole)):
        if not whole.startswith(start, at) or re.match(r"\w\w", whole[at - 1 : at + 1] if at else ""):
            continue
        if "prefix" in parts and not whole[:at].rstrip().endswith(as_searched(parts["prefix"])):
            continue
        stop = at + len(start)
        if end:
            stop = whole.find(end, stop) + len(end)
            if stop < len(end):
                continue
        if re.match(r"\w\w", whole[stop - 1 : stop + 1]):
            continue
        if "suffix" in parts and not whole[stop:].lstrip().startswith(as_searched(parts["suffix"])):
            continue
        return at, stop
    return None


SENTENCES = st.lists(
    st.sampled_from(["logs", "are", "kept", "90", "days", "on", "free", "pro,", "Logs", "(all)", "co-op"]), min_size=1, max_size=18
)


@settings(max_examples=300, deadline=None)
@given(sentences=st.lists(SENTENCES, min_size=1, max_size=6), data=st.data())
def test_the_first_match_of_a_link_is_the_quote_or_holds_it(sentences, data):
    """On a page whose blocks begin differently; where nothing tells two places apart, no link can."""
    blocks = [" ".join([f"item{number}", *words]) for number, words in enumerate(sentences)]
    text = page_text(URL, *blocks)
    nth = data.draw(st.integers(0, len(blocks) - 1))
    block = blocks[nth]
    words = [found.span() for found in re.finditer(r"\S+", block)]
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    quote = block[words[first][0] : words[last][1]]
    assume(re.search(r"\w", quote))
    start = text.blocks[nth].start + words[first][0]

    searched = "\n".join(as_searched(each) for each in blocks)
    place = len("\n".join(as_searched(each) for each in [*blocks[:nth], block[: words[first][0]] + "x"])) - 1
    found = first_match(blocks, directive(live_link(URL, text, start=start, end=start + len(quote))))

    assert found is not None
    assert found[0] <= place < found[1]
    assert as_searched(quote) in searched[slice(*found)]

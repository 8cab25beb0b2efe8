"""Sentences are exact slices, and a dot inside one does not end it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_pipeline.reading import read_html, sentences, split_sentences
from research_pipeline.records import BlockKind


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["Logs are kept for 30 days.", "After that they are deleted."],
        ["Acme Inc. keeps logs for 30 days."],
        ["Acme Inc. Enterprise keeps logs."],
        ["This is sold by Acme Inc.", "The plan has limits."],
        ["Some plans, e.g. Pro, keep more."],
        ["Use a tool (i.e. Terraform) for it."],
        ["Requires v1.2 or later.", "Version 2.0 is out."],
        ["It costs $1.50 per seat.", "Prices vary."],
        ["See example.com for more.", "Done."],
        ["Upload config.yaml. It is read at start."],
        ["Is it free?", "Yes!", "No limits."],
        ["He said “it is free.”", "We agree."],
        ["(See the notes.)", "Then go on."],
        ["Wait… there is more."],
        ["Wait...", "There is more."],
        ["The U.S. government uses it."],
        ["At 5 p.m. we stop."],
        ["See Fig. 3 and Sec. 4.2 for more."],
        ["J. R. Smith wrote it."],
        ["1. First install it.", "2. Then run it."],
        ["Kept 30 days.[1]", "Then deleted."],
        ["Kept 30 days.1", "Then deleted."],
        ["Es gilt z. B. für Pro.", "Nach Ablauf wird gelöscht."],
        ["Es gilt z.B. Pro bzw. Team."],
        ["Coûte env. 30 € par mois.", "Le reste est gratuit."],
        ["ログは30日間保存されます。", "その後削除されます。"],
        ["日志保留30天。", "之后删除！", "好吗？", "好"],
        ["「保存されます。」", "次へ"],
        ["¿Es gratis?", "Sí."],
        ["Это бесплатно.", "Лимитов нет."],
        ["no capital letters here. still the same"],
        ["Free plan: 7 days", "Pro plan: 30 days"],
        ["Free – 7 days", "Pro – 30 days"],
        ["- one thing", "- another thing"],
        ["We keep logs for\nPro plans 30 days."],
        ["Ask approx. 5 people vs. 6."],
        ["Open Settings > Billing. Then choose a plan."],
    ],
)
def test_a_text_is_split_where_a_reader_would(parts: list[str]):
    joiner = "\n" if any(part.startswith(("Free", "- ")) for part in parts) else " "
    text = joiner.join(parts) if not any(ord(part[-1]) > 0x3000 for part in parts) else "".join(parts)
    expected = [piece for part in parts for piece in _whole(part)]

    assert split(text) == expected


def _whole(part: str) -> list[str]:
    """Examples that are easier to read in one piece."""
    pieces = {
        "Upload config.yaml. It is read at start.": ["Upload config.yaml.", "It is read at start."],
        "Open Settings > Billing. Then choose a plan.": ["Open Settings > Billing.", "Then choose a plan."],
    }
    return pieces.get(part, [part])


def test_rows_code_and_labels_are_one_unit():
    page = read_html(
        "<h2>One. Two.</h2><pre>a. B. C.</pre><dl><dt>A. B.</dt><dd>One. Two.</dd></dl>"
        "<table><tr><td>A. B.</td><td>C. D.</td></tr></table>",
        url="https://a.example/",
    )

    units = {block.kind: len(sentences(page, block)) for block in page.blocks}
    assert units == {BlockKind.HEADING: 1, BlockKind.CODE: 1, BlockKind.TERM: 1, BlockKind.DEFINITION: 2, BlockKind.ROW: 1}


def test_spans_are_of_the_page_text():
    page = read_html("<p>First block.</p><ul><li>Logs live 30 days. Then they go.</li></ul>", url="https://a.example/")

    assert [page.text[start:end] for start, end in sentences(page, page.blocks[1])] == ["Logs live 30 days.", "Then they go."]


@given(st.text(alphabet=st.sampled_from('aB1 .!?。\n:()"”-…é\u00a0'), max_size=80))
def test_sentences_are_in_order_apart_and_lose_nothing(text: str):
    spans = split_sentences(text)

    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    covered = {place for start, end in spans for place in range(start, end)}
    assert all(place in covered for place, character in enumerate(text) if not character.isspace())


def test_a_long_text_is_split_in_linear_time():
    text = "The tool, e.g. v1.2 of Acme Inc. Pro, ends here. " * 20_000

    assert len(split_sentences(text)) == 20_000

"""What else a reply may be: structured data, Markdown, bytes of any charset."""

from __future__ import annotations

import json

import pytest

from research_pipeline.reading import decode, is_misread, read_html, read_markdown, sentences
from research_pipeline.records import Block, BlockKind, PageText

URL = "https://docs.acme.example/plans/"


def structured(data: object, *, body: str = "<p>Body</p>") -> tuple[PageText, list[Block]]:
    page = read_html(f'{body}<script type="application/ld+json">{json.dumps(data)}</script>', url=URL)
    return page, [block for block in page.blocks if block.kind is BlockKind.STRUCTURED]


def test_each_value_of_structured_data_is_a_block_with_its_path():
    page, blocks = structured(
        {
            "@context": "https://schema.org",
            "@type": "Product",
            "@id": "#pro",
            "name": "Acme Pro",
            "logo": "https://acme.example/logo.png",
            "isFamilyFriendly": True,
            "offers": [{"@type": "Offer", "priceCurrency": "USD", "price": 10.00, "availability": "https://schema.org/InStock"}],
        }
    )

    assert [page.block_text(block) for block in blocks] == [
        "name | Acme Pro",
        "isFamilyFriendly | true",
        "offers | priceCurrency | USD",
        "offers | price | 10.0",
    ]
    price = blocks[-1]
    assert price.heading_path == ("Product Acme Pro", "Offer")
    assert page.text[price.cells[-1].start : price.cells[-1].end] == "10.0"
    assert (price.cells[-1].row_headers, price.cells[-1].column_headers) == (("offers", "price"), ("USD",))
    assert page.text.startswith("Body\n")


def test_a_number_is_written_as_the_page_writes_it():
    page = read_html('<script type="application/ld+json">{"@type":"Offer","price":10.00,"big":12345678901234567890}</script>', url=URL)

    assert [page.block_text(block) for block in page.blocks] == ["price | 10.00", "big | 12345678901234567890"]


def test_an_answer_in_structured_data_stands_under_its_question_and_splits():
    page, blocks = structured(
        {
            "@type": "FAQPage",
            "mainEntity": [
                {
                    "@type": "Question",
                    "name": "How long?",
                    "acceptedAnswer": {"@type": "Answer", "text": "<p>Logs live <b>30 days</b>.</p><p>Then they go &amp; stay gone.</p>"},
                }
            ],
        }
    )

    answer = blocks[-1]
    assert answer.heading_path == ("FAQPage", "Question How long?", "Answer")
    assert [page.text[start:end] for start, end in sentences(page, answer)] == ["Logs live 30 days.", "Then they go & stay gone."]
    assert [page.text[start:end] for start, end in sentences(page, blocks[0])] == ["mainEntity | name | How long?"]


@pytest.mark.parametrize(
    "script",
    ["{", "[1,", "null", '"text"', "{}", "[[[]]]", '{"a": null}', '{"url": "https://a.example/x"}', "[" * 100_000, '{"a":' * 100_000],
)
def test_data_that_is_broken_or_says_nothing_gives_no_block(script: str):
    page = read_html(f'<p>x</p><script type="application/ld+json">{script}</script>', url=URL)

    assert page.text == "x"


def test_wrapped_and_multiple_scripts_are_read():
    html = (
        '<script type="application/ld+json">//<![CDATA[\n{"name":"a"}\n//]]></script>'
        '<script type=\'application/ld+json; charset=utf-8\'><!-- {"name":"b\tc"} --></script><script>{}</script>'
    )

    assert read_html(html, url=URL).text == "name | a\nname | b c"


def test_a_document_of_plain_text_is_read_as_paragraphs():
    page = read_html("<!doctype html><title></title><pre>Limits\n\nLogs live 30 days.\nThen they go.\n \n- a &lt;b&gt;\n- c</pre>", url=URL)

    assert [(block.kind, page.block_text(block)) for block in page.blocks] == [
        (BlockKind.PARAGRAPH, "Limits"),
        (BlockKind.PARAGRAPH, "Logs live 30 days.\nThen they go."),
        (BlockKind.PARAGRAPH, "- a <b>\n- c"),
    ]
    assert [page.text[start:end] for block in page.blocks for start, end in sentences(page, block)] == [
        "Limits",
        "Logs live 30 days.",
        "Then they go.",
        "- a <b>",
        "- c",
    ]


def test_markdown_gives_the_blocks_of_its_rendered_form():
    page = read_markdown(
        "---\ntitle: 'Plans'\nx: y\n---\n# Limits\n\nKept for **30&nbsp;days**\\*, see [the plans](../plans#x).\n\n- one\n    - two\n\n"
        "| Plan | Days |\n|------|-----:|\n| Pro \\| Team | 30<br>and `a|b` |\n\n```\ncode  here\n```\n",
        url=URL,
    )

    assert [(block.kind, page.block_text(block)) for block in page.blocks] == [
        (BlockKind.HEADING, "Limits"),
        (BlockKind.PARAGRAPH, "Kept for 30\u00a0days*, see the plans."),
        (BlockKind.ITEM, "one"),
        (BlockKind.ITEM, "two"),
        (BlockKind.ROW, "Plan | Days"),
        (BlockKind.ROW, "Pro | Team | 30\nand `a"),
        (BlockKind.CODE, "code  here"),
    ]
    assert page.title == "Plans"
    assert page.links[0].url == "https://docs.acme.example/plans#x"
    assert page.blocks[5].cells[1].column_headers == ("Days",)


def test_markdown_without_front_matter_is_titled_by_its_first_heading():
    assert read_markdown("Intro\n\nLimits\n======\n\n<script>x()</script>\n\n~~old~~ new", url=URL).title == "Limits"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("Größe – 30 Tage".encode(), "text/html; charset=utf-8"),
        ("Größe – 30 Tage".encode("cp1252"), "text/html; charset=windows-1252"),
        (b'<meta charset="windows-1252">' + "Größe – 30 Tage".encode("cp1252"), "text/html"),
        (b"\xef\xbb\xbf" + "Größe – 30 Tage".encode(), "text/html; charset=iso-8859-1"),
        ("Größe – 30 Tage".encode("utf-16"), ""),
        ("Größe – 30 Tage".encode(), ""),
        ("Größe – 30 Tage".encode("cp1252"), ""),
    ],
)
def test_bytes_are_decoded_by_mark_header_declaration_or_what_fits(body: bytes, content_type: str):
    assert decode(body, content_type=content_type).endswith("Größe – 30 Tage")


def test_other_charsets_are_decoded_as_declared():
    assert decode(b"<meta charset=shift_jis>" + "30日間".encode("shift_jis")).endswith("30日間")
    assert decode("日志保留30天".encode("gb2312"), content_type="text/html; charset=gb2312") == "日志保留30天"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", False),
        ("Größe, naïve, Ça va, Â and Ã alone", False),
        ("One \ufffd sign in a long text that is otherwise fine.", False),
        ("Größe für Über".encode().decode("cp1252", "replace"), True),
        ("it’s “quoted” – twice".encode().decode("cp1252", "replace"), True),
        ("日志保留30天".encode("gb2312").decode("utf-8", "replace"), True),
    ],
)
def test_a_wrong_charset_shows(text: str, *, expected: bool):
    assert is_misread(text) is expected

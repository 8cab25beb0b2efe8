"""Page text is what a browser shows: the cases where an extractor glues, splits, loses or invents characters."""

from __future__ import annotations

import pytest

from research_pipeline.reading import read_html
from research_pipeline.records import BlockKind, PageText, Region

URL = "https://docs.acme.example/guide/logs"


def read(html: str) -> PageText:
    return read_html(html, url=URL)


def texts(html: str) -> list[str]:
    page = read(html)
    return [page.block_text(block) for block in page.blocks]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>Un<b>limit</b>ed seats</p>", ["Unlimited seats"]),
        ("<p>Kept for <code>30</code> days</p>", ["Kept for 30 days"]),
        ("<p>See <a href='/x'>the plans</a>, then<i>&nbsp;pay</i>.</p>", ["See the plans, then\u00a0pay."]),
        ("<p>a  b\n\t c</p>", ["a b c"]),
        ("<p> leading and trailing <b> </b></p>", ["leading and trailing"]),
        ("<p>AT&amp;T keeps &lt;all&gt; &#8211; &eacute;v&eacute;nement</p>", ["AT&T keeps <all> – événement"]),
        ("<p>reten&shy;tion</p>", ["reten\u00adtion"]),
        ("<p>50&nbsp;requests per&#8239;second</p>", ["50\u00a0requests per\u202fsecond"]),
        ("<p>very<wbr>long</p>", ["verylong"]),
        ("<p>30<!-- not seen --> days</p>", ["30 days"]),
        ("<p>one<br>two<br/>three</p>", ["one\ntwo\nthree"]),
        ("<p>one<br>\n  two</p>", ["one\ntwo"]),
        ("<p>first paragraph<br><br>second paragraph</p>", ["first paragraph", "second paragraph"]),
        ("<p>10<sup>6</sup> events</p>", ["106 events"]),
        ("<div>retention</div><div>7 days</div>", ["retention", "7 days"]),
        ("<div>before<p>inside</p>after</div>", ["before", "inside", "after"]),
        ("<dl><dt>retention<dd>7 days</dl>", ["retention", "7 days"]),
        ("<ul><li>one<li>two</ul>", ["one", "two"]),
        ("<select><option>Free<option>Pro</select>", ["Free", "Pro"]),
        ("<span>a</span><span>b</span>", ["ab"]),
        ("<p>日本語の<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>です</p>", ["日本語の漢字です"]),
        ("<p>&nbsp;</p><p>\u200b</p><p>kept</p>", ["kept"]),
        ("<p>x</p><pre>  a\n    b\n\nc  </pre>", ["x", "a\n    b\n\nc"]),
        ("<p>x <q>quoted</q> y</p>", ["x quoted y"]),
        ("<figure><img alt='no text'><figcaption>A caption</figcaption></figure>", ["A caption"]),
        ("<p>unclosed <b>bold<p>next</p>", ["unclosed bold", "next"]),
        ("plain text only", ["plain text only"]),
    ],
)
def test_text_is_what_a_browser_shows(html: str, expected: list[str]):
    assert texts(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<script>var secret = 1</script>",
        "<style>.secret{}</style>",
        "<template><p>secret</p></template>",
        "<noscript>secret</noscript>",
        "<svg><title>secret</title><text>secret</text></svg>",
        "<p hidden>secret</p>",
        "<div style='color:red; display : none'><p>secret</p></div>",
        "<div style='visibility:hidden'>secret</div>",
        "<!-- secret -->",
        "<dialog><p>secret</p></dialog>",
        "<div popover>secret</div>",
        "<i class='icon' aria-hidden='true'>secret</i>",
        "<span class='material-icons' aria-hidden='true'>secret</span>",
        "<iframe>secret</iframe>",
        "<video>secret</video>",
        "<datalist><option>secret</datalist>",
        "<input value='secret' placeholder='secret'>",
        "<img alt='secret'>",
    ],
)
def test_what_is_not_shown_is_not_text(html: str):
    assert texts(f"<p>before</p>{html}<p>after</p>") == ["before", "after"]


@pytest.mark.parametrize(
    "html",
    [
        "<details><summary>More</summary><p>shown</p></details>",
        "<span class='sr-only'>shown</span>",
        "<div aria-hidden='true'><p>shown</p></div>",
        "<div hidden='until-found'>shown</div>",
        "<dialog open>shown</dialog>",
        "<button aria-controls='p'>Open</button><div id='p' hidden>shown</div>",
        "<div role='tabpanel' hidden>shown</div>",
        "<div style='display:block'>shown</div>",
        "<custom-card>shown</custom-card>",
    ],
)
def test_what_a_reader_can_open_or_hear_is_text(html: str):
    assert "shown" in texts(html)


def test_permanent_links_of_headings_are_not_their_text():
    html = """<h2 id="a">Limits<a class="headerlink" href="#a" title="Link">¶</a></h2><h2 id="b"><a href="#b">Plans</a></h2>
    <h3><a class="anchor" href="#c" aria-hidden="true">#</a>Seats</h3><h3>Logs <a class="hash-link" href="#d">Direct link to Logs</a></h3>
    <h3>Quota<button>Copy link</button></h3><dl><dt>term<a class="headerlink" href="#t">¶</a></dt></dl>"""

    assert texts(html) == ["Limits", "Plans", "Seats", "Logs", "Quota", "term"]


def test_struck_text_is_marked_with_its_place():
    page = read("<p>Logs are kept <del>7 days</del> <ins>30 days</ins>.</p>")

    (block,) = page.blocks
    assert page.block_text(block) == "Logs are kept 7 days 30 days."
    assert [page.text[start:end] for start, end in block.struck] == ["7 days"]


def test_superscript_is_marked_with_its_place():
    page = read("<p>Up to 10<sup>6</sup> events for 30 days.<sup><a href='#n'>1</a></sup></p>")

    (block,) = page.blocks
    assert page.block_text(block) == "Up to 106 events for 30 days.1"
    assert [page.text[start:end] for start, end in block.raised] == ["6", "1"]


def test_controls_are_labelled_and_do_not_split_a_sentence():
    page = read("<p>Press <button>Save</button> to keep it.</p><button>Copy page</button><select><option>English</select>")

    assert [(block.kind, page.block_text(block)) for block in page.blocks] == [
        (BlockKind.PARAGRAPH, "Press Save to keep it."),
        (BlockKind.CONTROL, "Copy page"),
        (BlockKind.CONTROL, "English"),
    ]


def test_links_side_by_side_do_not_glue():
    assert texts("<nav><a href='/a'>Access</a><a href='/b'>Builds</a></nav>") == ["Access\nBuilds"]


def test_what_the_head_says_is_read():
    page = read(
        """<html lang="pt_BR"><head><base href="/v2/"><title> Logs
        | Acme </title><meta name=description content="How long logs live."><link rel="canonical" href="logs"></head><body>
        <nav><a href="plans">Plans</a><a href="#top">Top</a><a href="mailto:a@b.c">Mail</a><a href="http://[bad">Bad</a></nav>
        <a href="https://other.example/x?a=1"><img alt="Other"></a><div hidden><a href="/deep">Deep</a></div></body></html>"""
    )

    assert (page.title, page.description, page.language) == ("Logs | Acme", "How long logs live.", "pt-br")
    assert page.canonical_url == "https://docs.acme.example/v2/logs"
    assert [(link.url, link.text, link.region) for link in page.links] == [
        ("https://docs.acme.example/v2/plans", "Plans", Region.NAV),
        ("https://other.example/x?a=1", "Other", Region.MAIN),
        ("https://docs.acme.example/deep", "Deep", Region.MAIN),
    ]


def test_a_page_without_claims_has_none():
    page = read("<p>x</p>")

    assert (page.title, page.description, page.language, page.canonical_url, page.updated, page.links) == ("", "", "", None, None, ())


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('<meta property="og:url" content="/og">', "https://docs.acme.example/og"),
        ('<link rel="canonical" href=""><meta property="og:url" content="https://a.example/">', "https://a.example/"),
        ('<link rel="canonical" href="javascript:x">', None),
        ('<link rel="Canonical" href="https://a.example/1"><meta property="og:url" content="https://a.example/2">', "https://a.example/1"),
    ],
)
def test_the_address_a_page_claims(head: str, expected: str | None):
    assert read(f"<head>{head}</head><body>x").canonical_url == expected

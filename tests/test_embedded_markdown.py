"""HTML to Markdown: a reader of the rendered Markdown sees the text of the page, and what kind of block it stands in."""

from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from research_pipeline.reading import read_html, read_markdown
from resources.embedded.markdown import html_to_markdown

URL = "https://docs.acme.example/"


def words(page):
    return page.text.split()


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<h2>Plans</h2>text", "## Plans\n\ntext"),
        ("<p>one<br>two<br><br>three", "one\\\ntwo\n\nthree"),
        ("<ul><li>a<ul><li>b<p>c</ul><li>d</ul>", "- a\n\n  - b\n\n    c\n\n- d"),
        ('<ol start="3"><li>a<li>b</ol>', "3. a\n\n4. b"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n\n> b"),
        ("<pre><code>a\n  b ``` c</code></pre>", "````\na\n  b ``` c\n````"),
        ("<p>set <code>max_days</code> or <code>`x`</code>", "set `max_days` or `` `x` ``"),
        ('<a href="/a b?x=<y>">the <b>plan</b></a>', "[the plan](</a%20b?x=%3Cy%3E>)"),
        ('<a href="/card"><h3>Card</h3></a>', "### Card"),
        ("<p>a*b_c [d] <e> \\ 5 &lt; 6 &amp;amp;", "a\\*b\\_c \\[d\\] \\\\ 5 \\< 6 \\&amp;"),
        ("<p># no<br>- no<br>1. no<br>== ", "\\# no\\\n\\- no\\\n1\\. no\\\n\\=="),
        ("<h1>C #</h1>", "# C \\#"),
        ("<p>in <em>one</em>w<b>o</b>rd", "in oneword"),
        ("a<script>x</script><style>y</style><p hidden>z</p><template>t</template><!-- c -->", "a"),
        ('<img src="x.png" alt="a [chart]">', "a \\[chart\\]"),
        ("<hr>", "---"),
        ("", ""),
    ],
)
def test_each_kind_of_block_has_its_marks(html, markdown):
    assert html_to_markdown(html).rstrip("\n") == markdown


@pytest.mark.parametrize(
    ("html", "rows"),
    [
        ("<tr><th>Plan<th>Kept<tr><td>Pro<td>30|60 days", ["| Plan | Kept |", "| --- | --- |", "| Pro | 30\\|60 days |"]),
        ("<tr><td>Pro<td>30", ["|  |  |", "| --- | --- |", "| Pro | 30 |"]),
        ("<tr><th rowspan=2>P<th colspan=2>Q<tr><td>1<td>2", ["| P | Q | Q |", "| --- | --- | --- |", "| P | 1 | 2 |"]),
        ("<tr><th>a<th>b<tr><td><ul><li>x<li>y</ul><pre>c\nd</pre>", ["| a | b |", "| --- | --- |", "| x y `c d` |  |"]),
        ("<caption>Plans</caption><tr><th>a", ["Plans", "", "| a |", "| --- |"]),
        ("<tr><th>a<tr><td><table><tr><td>in<td>side</table>", ["| a |", "| --- |", "| in side |"]),
        ("<tr><td rowspan=999999 colspan=abc>a</td></tr>", ["|  |", "| --- |", "| a |"]),
    ],
)
def test_a_table_keeps_its_cells_under_their_headers(html, rows):
    assert html_to_markdown(f"<table>{html}</table>").splitlines() == rows


def test_no_depth_of_nesting_stops_it():
    deep = "<div>" * 5_000 + "bottom" + "<ul><li>" * 200

    assert html_to_markdown(deep) == "bottom\n"


_TEXT = st.text(st.sampled_from("ab1 \n.,)(*_`[]<>|~#+-=&;:!\\\"'/?äß日%$"), max_size=14).map(lambda text: escape(text, quote=False))
_INLINE = st.recursive(
    _TEXT,
    lambda inner: st.tuples(st.sampled_from(["b", "em", "code", "span", "a href=/x", "a"]), inner, _TEXT).map(
        lambda part: f"<{part[0]}>{part[1]}</{part[0].split()[0]}>{part[2]}"
    ),
    max_leaves=4,
)
_BLOCK = st.recursive(
    st.tuples(st.sampled_from(["p", "h2", "li", "div", "dd", "blockquote", "pre", "section"]), _INLINE),
    lambda inner: st.tuples(st.sampled_from(["div", "blockquote", "ul", "ol", "li"]), st.lists(inner, max_size=3)),
    max_leaves=6,
)


def _html(block):
    tag, content = block
    return f"<{tag}>{''.join(map(_html, content)) if isinstance(content, list) else content}</{tag}>"


@settings(max_examples=80, deadline=None)
@given(blocks=st.lists(_BLOCK, max_size=4))
def test_every_character_of_the_page_is_on_the_rendered_page(blocks):
    html = "<main>" + "".join(map(_html, blocks)) + "</main>"

    rendered = read_markdown(html_to_markdown(html), url=URL)

    assert "".join(words(rendered)) == "".join(words(read_html(html, url=URL)))

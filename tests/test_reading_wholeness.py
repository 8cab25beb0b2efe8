"""A page that breaks off is told from one whose author is sparing with end tags."""

import pytest

from research_pipeline.reading.wholeness import is_cut

WHOLE = "<html lang=en><head><title>Logs</title></head><body><main><h1>Logs</h1><table><tr><td>90 days</table></main></body></html>"


@pytest.mark.parametrize(
    "html",
    [
        WHOLE,
        "<html lang=en><title>Logs</title><h1>Logs</h1><p>Kept for 90 days.<ul><li>Audit<li>Access</ul>",
        "<div><p>Kept for 90 days.</div></body>",
        "<div><div><p>One end tag is missing.</div></html>",
        "<p>90 days</p><script>if (a < b) document.write('<div>')</script>",
        "Kept for 90 days.",
        "",
    ],
)
def test_a_page_without_end_tags_may_be_whole(html):
    assert not is_cut(html)


@pytest.mark.parametrize("share", [0.75, 0.9, 0.94])
def test_a_page_that_ends_within_its_elements_is_cut(share):
    assert is_cut(WHOLE[: int(len(WHOLE) * share)])


def test_a_page_that_ends_within_a_tag_is_cut():
    assert is_cut("<p>Kept for 90 days.<p class='no")

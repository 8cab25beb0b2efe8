"""Every block knows its place: headings above it, what introduces it, its list, its anchor, its region."""

from __future__ import annotations

from research_pipeline.reading import read_html
from research_pipeline.records import Block, BlockKind, PageText, Region


def read(html: str) -> PageText:
    return read_html(html, url="https://docs.acme.example/")


def block(page: PageText, text: str) -> Block:
    (found,) = [block for block in page.blocks if page.block_text(block) == text]
    return found


def test_the_heading_path_runs_from_the_title_to_the_nearest_heading():
    page = read("<h1>Plans</h1><p>a</p><h2>Pro</h2><h4>Logs</h4><p>b</p><h3>Seats</h3><p>c</p><h2>Free</h2><p>d</p>")

    assert block(page, "a").heading_path == ("Plans",)
    assert block(page, "b").heading_path == ("Plans", "Pro", "Logs")
    assert block(page, "c").heading_path == ("Plans", "Pro", "Seats")
    assert block(page, "d").heading_path == ("Plans", "Free")
    assert block(page, "Free").heading_path == ("Plans",)
    assert (block(page, "Free").kind, block(page, "Free").level) == (BlockKind.HEADING, 2)


def test_a_title_heading_stays_above_sections_of_its_own_level():
    page = read("<title>Rate limits - Acme</title><h1>Rate limits</h1><h1>Overrides</h1><p>a</p><h1>Other</h1><p>b</p>")

    assert block(page, "a").heading_path == ("Rate limits", "Overrides")
    assert block(page, "b").heading_path == ("Rate limits", "Other")


def test_sections_of_the_top_level_do_not_govern_each_other():
    page = read("<title>Plans</title><h1>Free plan</h1><p>a</p><h1>Pro plan</h1><p>b</p>")

    assert block(page, "b").heading_path == ("Pro plan",)


def test_headings_of_a_closed_part_do_not_govern_what_follows():
    page = read(
        "<h1>Plans</h1><aside><h2>Related</h2><p>a</p></aside><details><summary>Free</summary><h2>Deep</h2><p>b</p></details><p>c</p>"
        "<nav><h2>Menu</h2><p>d</p></nav>"
    )

    assert block(page, "b").heading_path == ("Plans", "Free", "Deep")
    assert block(page, "c").heading_path == ("Plans",)
    assert block(page, "d").heading_path == ("Menu",)


def test_roles_make_headings_lists_and_tables():
    page = read(
        '<div role="heading" aria-level="3">Limits</div><div role="list"><div role="listitem">one</div></div>'
        '<div role="table"><div role="row"><span role="columnheader">Plan</span><span role="columnheader">Days</span></div>'
        '<div role="row"><span role="rowheader">Pro</span><span role="cell">30</span></div></div>'
    )

    assert (block(page, "Limits").kind, block(page, "Limits").level) == (BlockKind.HEADING, 3)
    assert block(page, "one").kind is BlockKind.ITEM
    assert block(page, "Pro | 30").cells[1].column_headers == ("Days",)
    assert block(page, "Pro | 30").cells[1].row_headers == ("Pro",)


def test_a_list_knows_what_introduces_it():
    page = read("<p>Logs are kept:</p><ul><li>Free: 7 days<li>Pro<ul><li>audit: 30 days</ul><li>last</ul><ol><li>other</ol>")

    assert block(page, "Free: 7 days").lead_in == "Logs are kept:"
    assert block(page, "audit: 30 days").lead_in == "Logs are kept: › Pro"
    assert (block(page, "Pro").level, block(page, "audit: 30 days").level) == (1, 2)
    assert block(page, "Free: 7 days").group == block(page, "last").group != block(page, "audit: 30 days").group
    assert block(page, "other").lead_in == ""


def test_a_heading_between_paragraph_and_list_ends_the_introduction():
    page = read("<p>Intro</p><h2>New</h2><ul><li>a</ul>")

    assert block(page, "a").lead_in == ""


def test_of_a_long_paragraph_its_last_sentence_introduces():
    page = read(f"<p>{'Words about everything else. ' * 20}The limits are:</p><ul><li>a</ul>")

    assert block(page, "a").lead_in == "The limits are:"


def test_an_item_of_several_paragraphs_keeps_them_apart_and_together():
    page = read("<ul><li><p>Pro</p><p>30 days</p></li></ul>")

    assert [block.kind for block in page.blocks] == [BlockKind.ITEM, BlockKind.ITEM]
    assert page.blocks[0].group == page.blocks[1].group


def test_definitions_bear_their_terms():
    page = read(
        "<p>Limits:</p><dl><dt>Logs<dt>Events<dd>30 days<dd>on request<div><dt>Seats</dt><dd><p>five</p><ul><li>x</ul></dd></div></dl>"
        "<p>z</p>"
    )

    assert block(page, "30 days").lead_in == block(page, "on request").lead_in == "Logs, Events"
    assert block(page, "five").lead_in == "Seats"
    assert block(page, "five").kind is BlockKind.DEFINITION
    assert block(page, "x").lead_in == "Seats › five"
    assert block(page, "Logs").kind is BlockKind.TERM
    assert block(page, "z").lead_in == ""
    assert len({block(page, text).group for text in ("Logs", "30 days", "Seats", "five")}) == 1


def test_a_bold_line_labels_its_siblings_and_no_more():
    page = read(
        "<div><p><b>Pro plan</b></p><p>30 days</p><ul><li>x</ul></div><p>all plans</p><p><strong>Note:</strong> not a label</p><p>y</p>"
    )

    assert block(page, "30 days").lead_in == "Pro plan"
    assert block(page, "x").lead_in == "Pro plan › 30 days"
    assert block(page, "all plans").lead_in == ""
    assert block(page, "y").lead_in == ""


def test_a_bold_line_gives_way_to_the_next_and_to_headings():
    page = read("<p><b>Free</b></p><p>a</p><p><b>Pro</b></p><p>b</p><h2>Other</h2><p>c</p>")

    assert [block(page, text).lead_in for text in "abc"] == ["Free", "Pro", ""]


def test_tabs_by_reference_by_order_and_by_radio_button():
    by_reference = """<p>Limits:</p><div role=tablist><button role=tab id=t1 aria-controls=p1>Business</button>
      <button role=tab id=t2 aria-controls=p2>Community</button></div>
      <div id=p1 role=tabpanel aria-labelledby=t1><ul><li>a</ul></div>
      <div id=p2 role=tabpanel aria-labelledby=t2 hidden><p>b</div><p>c</p>"""
    by_order = """<div><ul role=tablist><li role=tab>Business<li role=tab>Community</ul>
      <div><div role=tabpanel><p>a</div><div role=tabpanel hidden><p>b</div></div></div><p>c</p>"""
    by_radio = """<div><input type=radio id=r1><label for=r1>Business</label><div><p>a</div>
      <input type=radio id=r2><label for=r2>Community</label><div><p>b</div></div><p>c</p>"""
    labels_first = """<div><div><label for=r1>Business</label><label for=r2>Community</label></div>
      <div><div><p>a</div><div><p>b</div></div></div><p>c</p>"""

    for html in (by_reference, by_order, by_radio, labels_first):
        page = read(f"<h1>Builds</h1>{html}")
        assert block(page, "a").heading_path == ("Builds", "Business")
        assert block(page, "b").heading_path == ("Builds", "Community")
        assert block(page, "c").heading_path == ("Builds",)
    page = read(by_reference)
    assert block(page, "Business").kind is BlockKind.SUMMARY
    assert block(page, "a").lead_in == block(page, "b").lead_in == "Limits:"


def test_an_accordion_in_a_heading_is_not_named_twice():
    page = read("<h3><button aria-expanded=false aria-controls=x>Refunds</button></h3><div id=x hidden><p>14 days</p></div>")

    assert block(page, "14 days").heading_path == ("Refunds",)
    assert block(page, "Refunds").kind is BlockKind.HEADING


def test_a_button_that_folds_the_page_away_does_not_head_it():
    page = read("<button aria-controls=all>Toggle sidebar</button><div id=all><h1>Plans</h1><p>30 days</p></div>")

    assert block(page, "30 days").heading_path == ("Plans",)


def test_the_anchor_is_the_nearest_id():
    page = read(
        '<div id="content"><p>a</p><h2 id="limits">Limits</h2><p>b</p><h3>Sub</h3><p>c</p><p id="own">d</p>'
        '<h2><a name="old"></a>Old</h2><p>e</p>'
        '<section id="sec"><h2>In</h2><p>f</p></section></div><footer><p>g</p></footer>'
    )

    assert [block(page, text).anchor for text in "abcdefg"] == ["content", "limits", "limits", "own", "old", "sec", ""]


def test_regions_follow_elements_and_roles():
    page = read(
        "<header><p>banner</p><nav><p>menu</p></nav></header><p>skip</p><main><article><header><h1>T</h1><p>by</p></header><p>text</p>"
        "<aside><p>a note in the text</p></aside><aside><a href=/x>related page</a></aside></article></main>"
        "<p>after</p><footer><p>foot</p></footer>"
        '<div role="contentinfo"><p>info</p></div><div role="dialog" id="cookie-banner"><p>cookies</p></div>'
    )

    assert {page.block_text(found): found.region for found in page.blocks} == {
        "banner": Region.HEADER,
        "menu": Region.NAV,
        "skip": Region.HEADER,
        "T": Region.MAIN,
        "by": Region.MAIN,
        "text": Region.MAIN,
        "a note in the text": Region.MAIN,
        "related page": Region.ASIDE,
        "after": Region.FOOTER,
        "foot": Region.FOOTER,
        "info": Region.FOOTER,
        "cookies": Region.COOKIE,
    }


def test_names_label_regions_only_where_the_structure_agrees():
    page = read(
        '<div class="sidebar"><a href=/a>one</a></div><div class="has-sidebar"><p>body</p></div><div class="site-footer"><p>foot</p></div>'
        '<div class="header"><h1>Title</h1></div><section id="cookie-consent"><h2>Cookie consent</h2><p>about cookies</p></section>'
        '<div class="menu"><p>The menu of the day is not navigation</p></div><div id="onetrust-banner-sdk"><p>we use</p></div>'
    )

    regions = {page.block_text(found): found.region for found in page.blocks}
    assert regions["one"] is Region.NAV
    assert regions["foot"] is Region.FOOTER
    assert regions["we use"] is Region.COOKIE
    assert {regions[text] for text in ("body", "Title", "about cookies", "The menu of the day is not navigation")} == {Region.MAIN}


def test_without_landmarks_the_container_of_most_text_is_main():
    paragraphs = "<p>A paragraph of text.</p>" * 9
    page = read(f'<div><p>Top line</p></div><div id="content"><h1>T</h1>{paragraphs}</div><div><p>Bottom line</p></div>')

    assert block(page, "Top line").region is Region.HEADER
    assert block(page, "Bottom line").region is Region.FOOTER
    assert block(page, "T").region is Region.MAIN


def test_of_several_main_elements_all_are_main():
    page = read("<main><p>a</p></main><p>between</p><main><h1>T</h1><p>b</p></main><p>after</p>")

    assert [block(page, text).region for text in ("a", "between", "b", "after")] == [Region.MAIN, Region.HEADER, Region.MAIN, Region.FOOTER]


def test_pages_of_a_document_number_their_blocks():
    page = read(
        '<section data-page-number="3"><p>a</p><table><tr><td>b</td><td>c</td></tr></table></section>'
        '<section data-page-number="4"><p>d</p></section>'
    )

    assert [(page.block_text(found), found.page_number) for found in page.blocks] == [("a", 3), ("b | c", 3), ("d", 4)]

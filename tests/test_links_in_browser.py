"""Links, opened in a real browser: it shows the quote that the link was made for."""

from __future__ import annotations

import re

import pytest

from research_pipeline.reading.page import read_html
from research_pipeline.reporting.links import live_link
from tests.browser import REMEDY, browser, executable

pytestmark = pytest.mark.skipif(executable() is None, reason=REMEDY)

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<style>body > * { margin: 0 0 2000px; display: block } tr, li { line-height: 3 }</style>
<p>First comes the navigation.</p>
<p id="free">Audit logs are kept for 90 days on every plan.</p>
<p id="pro">Audit logs are kept for 90 days on every plan.</p>
<p id="break">Backups are kept<br>for half a year, or un&shy;til the co-owner says “stop”.</p>
<table><tr><th>Plan</th><th>Log</th><th>Price</th></tr>
<tr id="row"><td>Business</td><td>180&nbsp;days</td><td>$1,200</td></tr>
<tr><td>Business</td><td>30&nbsp;days</td><td>$900</td></tr></table>
<p id="inline">Some <b>bold</b>face, an <code>a-b_c</code> (x, y &amp; z) and 100% more.</p>
<p id="japanese">ログは 180 日間保存されます。その後、完全に削除されます。</p>
<p id="accent">La rétention des journaux naïfs est de 12 mois.</p>
<pre id="code">retention:
  days: 45</pre>
<p id="long">An audit log entry on the Enterprise plan is kept for as long as its workspace itself exists, and not a day longer.</p>
<details><summary>More</summary><p id="folded">Deleted entries can be restored for 14 days.</p></details>
</html>"""

CASES = {
    "free": "Audit logs are kept for 90 days on every plan.",
    "pro": "Audit logs are kept for 90 days on every plan.",
    "break": "kept\nfor half a year, or un\u00adtil the co-owner says “stop”.",
    "row": "Business | 180\u00a0days | $1,200",
    "inline": "an a-b_c (x, y & z) and 100% more.",
    "japanese": "その後、完全に削除されます。",
    "accent": "La rétention des journaux naïfs",
    "code": "retention:\n  days: 45",
    "long": "An audit log entry on the Enterprise plan is kept for as long as its workspace itself exists, and not a day longer.",
    "folded": "Deleted entries can be restored for 14 days.",
}
# The element with an id whose middle is nearest to the middle of the window, once the browser has scrolled.
SHOWN = """new Promise(done => {
  const nearest = () => [...document.querySelectorAll("[id]")].map(element => {
    const box = element.getBoundingClientRect()
    return [Math.abs((box.top + box.bottom - innerHeight) / 2), element.id]
  }).sort((one, other) => one[0] - other[0])[0][1]
  const settle = () => scrollY ? requestAnimationFrame(() => done(nearest())) : setTimeout(settle, 20)
  settle()
  setTimeout(() => done("nothing"), 4000)
})"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    place = tmp_path_factory.mktemp("site") / "page.html"
    place.write_text(PAGE, encoding="utf-8")
    return place.as_uri()


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.mark.parametrize("key", CASES)
def test_the_browser_shows_the_quote_that_the_link_was_made_for(chromium, site, key):
    page = read_html(PAGE, url=site)
    places = [found.start() for found in re.finditer(re.escape(CASES[key]), page.text)]
    start = places[-1 if key == "pro" else 0]

    chromium.open(live_link(site, page, start=start, end=start + len(CASES[key])))

    assert chromium.evaluate(SHOWN) == key


def test_where_the_text_has_changed_the_nearest_element_is_shown(chromium, site):
    page = read_html(PAGE.replace("12 mois", "24 mois"), url=site)
    start = page.text.index("est de 24 mois")

    chromium.open(live_link(site, page, start=start, end=start + len("est de 24 mois"), anchor="accent"))

    assert chromium.evaluate(SHOWN) == "accent"

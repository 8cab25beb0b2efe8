"""The map of a site: what is listed, in which order, and what is left out and why."""

import gzip

import httpx
import pytest

from resources.embedded import EngineSettings, create_app
from resources.embedded.answers import Fetched, SiteAnswer
from resources.embedded.links import links_of
from resources.embedded.robots import read_robots
from resources.embedded.sitemaps import read_sitemap

ORIGIN = "https://docs.acme.example"


def linking(*targets, head=""):
    return head + "".join(f'<a href="{target}">x</a>' for target in targets)


def listing(*paths):
    entries = "".join(f"<url><loc>{ORIGIN}{path}</loc></url>" for path in paths)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'


@pytest.fixture
def ask(tmp_path):
    """Call for the map of a folder that holds the given files; empty pages stand at `pages`."""
    site = tmp_path / "site"
    site.mkdir()

    async def call(files, *, pages=(), start="/", **body):
        for name, content in {**{f"{page}.html": "" for page in pages}, **files}.items():
            file = site / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)
        app = create_app(EngineSettings(mounts={ORIGIN: site}))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://engine") as service:
            reply = await service.post("/", json={"url": ORIGIN + start, "agent": "map", **body})
        data = reply.json()
        assert data["data"]["count"] == len(data["data"]["urls"])
        data["paths"] = [url.removeprefix(ORIGIN) for url in data["data"]["urls"]]
        return data

    return call


async def test_links_come_level_by_level_then_the_sitemap_with_the_start_path_ahead(ask):
    files = {
        "docs/index.html": linking("/docs/a", "/about", "b"),
        "docs/a.html": linking("/docs/a/deep", "/docs/b"),
        "about.html": linking("/team"),
        "sitemap.xml": listing("/zebra", "/docs/late", "/docs/a", "/alpha"),
    }
    pages = ["docs/b", "docs/a/deep", "team", "zebra", "docs/late", "alpha"]

    data = await ask(files, pages=pages, start="/docs/")

    assert data["paths"] == ["/docs/", "/docs/a", "/about", "/docs/b", "/docs/a/deep", "/docs/late", "/zebra", "/alpha"]
    assert (data["success"], data["data"]["truncated"], data["data"]["skipped"], data["token_usage"]) == (True, False, {}, 8)


@pytest.mark.parametrize(
    ("depth", "pages", "paths"), [(0, 9, ["/"]), (1, 9, ["/", "/1"]), (2, 9, ["/", "/1", "/2"]), (9, 3, ["/", "/1", "/2", "/3"])]
)
async def test_depth_bounds_what_is_listed_and_pages_bound_what_is_fetched(ask, depth, pages, paths):
    files = {"index.html": linking("/1"), **{f"{n}.html": linking(f"/{n + 1}") for n in range(1, 9)}}

    data = await ask(files, maxDepth=depth, maxPages=pages)

    assert data["paths"] == paths
    assert data["token_usage"] == 5 + min(len(paths) - bool(depth), pages)


async def test_the_limit_cuts_the_list_and_says_so(ask):
    data = await ask({"index.html": linking("/a", "/b", "/c")}, pages="abc", limit=2)

    assert (data["paths"], data["data"]["truncated"]) == (["/", "/a"], True)


async def test_one_page_is_listed_once_in_whatever_spelling(ask):
    spellings = [
        "/a",
        "/a/",
        "/a#part",
        "HTTPS://DOCS.acme.example:443/a",
        "http://docs.acme.example/a",
        "/b/../a",
        "/a?x=1&y=2",
        "/a?y=2&x=1",
    ]

    data = await ask({"index.html": linking(*spellings, "/größe", "/gr%C3%B6%C3%9Fe")}, pages=["a", "größe"])

    assert data["paths"] == ["/", "/a", "/a?x=1&y=2", "/gr%C3%B6%C3%9Fe"]


async def test_what_is_left_out_is_counted_by_reason(ask):
    links = [
        "/keep",
        "/logo.PNG",
        "/files.tar.gz",
        "https://www.acme.example/",
        "/private/x",
        "/de/keep",
        "/nowhere",
        "mailto:a@acme.example",
        "https://[::1",
    ]
    files = {
        "index.html": linking(*links),
        "robots.txt": "User-agent: *\nDisallow: /private/\n",
        "sitemap.xml": listing("/keep", "/gone", "/other"),
    }

    data = await ask(files, pages=["keep", "private/x", "de/keep", "other"], excludePatterns=["/DE/"], includePatterns=["keep", "^.*/$"])

    assert data["paths"] == ["/", "/keep"]
    assert data["data"]["skipped"] == {
        "exclude pattern": 1, "leads nowhere": 2, "no include pattern": 1, "no text": 2, "other host": 1, "robots.txt": 1,
    }  # fmt: skip


@pytest.mark.parametrize("patterns", [["audit", "PLAN"], "audit|plan"])
async def test_patterns_come_as_array_or_string_and_never_stop_the_crawl(ask, patterns):
    files = {"index.html": linking("/hub"), "hub.html": linking("/audit-log", "/plans")}

    data = await ask(files, pages=["audit-log", "plans"], includePatterns=patterns)

    assert data["paths"] == ["/audit-log", "/plans"]


async def test_pages_that_the_caller_asks_for_are_fetched_first(ask):
    files = {"index.html": linking("/blog", "/plans"), "blog.html": linking("/blog/1"), "plans.html": linking("/plans/pro")}

    data = await ask(files, pages=["blog/1", "plans/pro"], maxPages=2, includePatterns=["plans"])

    assert data["paths"] == ["/plans", "/plans/pro"]


async def test_a_page_that_moved_is_listed_where_it_went_and_one_that_left_the_site_stays(ask):
    rules = "/old: {redirect: /new}\n/away: {redirect: 'https://elsewhere.example/'}\n/gone: {status: 410}"

    data = await ask({"index.html": linking("/old", "/away", "/gone"), "responses.yaml": rules}, pages=["new"], maxPages=9)

    assert data["paths"] == ["/", "/away", "/new"]
    assert data["data"]["skipped"] == {"leads nowhere": 1}


async def test_a_start_page_that_leaves_the_site_is_refused_and_shown(ask):
    data = await ask({"responses.yaml": "/: {redirect: 'https://elsewhere.example/'}", "sitemap.xml": listing("/a")}, pages="a")

    assert (data["success"], data["error"], data["refused_url"]) == (False, "redirect leaves the scope", "https://elsewhere.example/")
    assert data["paths"] == []


async def test_a_start_page_that_moves_to_another_approved_host_is_mapped_there(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    (new / "docs").mkdir(parents=True)
    (old / "responses.yaml").write_text("/: {redirect: 'https://www.acme.example/docs/'}")
    (new / "docs" / "index.html").write_text(linking("/a"))
    (new / "a.html").write_text("")
    mounts = {ORIGIN: old, "https://www.acme.example": new}
    app = create_app(EngineSettings(mounts=mounts, allowed_hosts=frozenset({"docs.acme.example", "www.acme.example"})))

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://engine") as service:
        data = (await service.post("/", json={"url": ORIGIN, "agent": "map"})).json()

    assert data["data"]["urls"] == ["https://www.acme.example/docs/", "https://www.acme.example/a"]


async def test_a_start_page_that_is_missing_leaves_the_sitemap(ask):
    data = await ask({"sitemap.xml": listing("/a")}, pages="a", start="/nowhere")

    assert (data["success"], data["target_status"], data["paths"]) == (True, 404, ["/a"])


async def test_sitemaps_come_from_robots_and_indexes_plain_or_packed(ask):
    addresses = ["/index.xml", "https://elsewhere.example/sitemap.xml", "http://docs.acme.example/list.txt", "https://[::1"]
    index = (
        f"<sitemapindex><sitemap><loc>{ORIGIN}/more.xml.gz</loc></sitemap><sitemap><loc>{ORIGIN}/index.xml</loc></sitemap></sitemapindex>"
    )
    files = {
        "index.html": "",
        "robots.txt": "".join(f"Sitemap: {address}\n" for address in addresses),
        "index.xml": index,
        "more.xml.gz": gzip.compress(listing("/b").encode()),
        "list.txt": f"{ORIGIN}/a\n{ORIGIN}/c\n",
    }

    data = await ask(files, pages="abc")

    assert data["paths"] == ["/", "/a", "/c", "/b"]
    assert data["data"]["skipped"] == {"other host": 1, "unreadable address": 1}


async def test_a_site_that_forbids_its_start_page_has_an_empty_map(ask):
    data = await ask({"index.html": linking("/a"), "robots.txt": "User-agent: *\nDisallow: /", "sitemap.xml": listing("/a")}, pages="a")

    assert (data["success"], data["paths"], data["data"]["skipped"], data["token_usage"]) == (True, [], {"robots.txt": 2}, 5)


async def test_a_site_whose_robots_txt_fails_is_not_crawled(ask):
    data = await ask({"index.html": "", "responses.yaml": "/robots.txt: {status: 503}"})

    assert (data["success"], data["paths"]) == (False, [])
    assert data["error"] == "robots.txt cannot be read, so nothing may be crawled: the site answers 503"


def robots_of(body, status=200):
    return read_robots(Fetched(f"{ORIGIN}/robots.txt", SiteAnswer(status, {}, body)), "EvidenceResearchBot/0.1")


@pytest.mark.parametrize(
    ("body", "allowed"),
    [
        (b"\xef\xbb\xbfUser-agent: *\nDisallow: /x", False),
        (b"User-agent: *\nDisallow: /\nAllow: /x", True),
        (b"User-agent: *\nDisallow: /*y$", True),
        (b"User-agent: evidenceresearchbot\nDisallow: /x\n\nUser-agent: *\nAllow: /", False),
        (b"<!doctype html>User-agent: *\nDisallow: /x", True),
        (b"", True),
        (b"\xff\xfe\0", True),
    ],
)
def test_robots_txt_is_read_as_the_standard_has_it(body, allowed):
    assert robots_of(body).allows(f"{ORIGIN}/x") is allowed


@pytest.mark.parametrize(("status", "allowed"), [(404, True), (403, True), (500, False), (429, False)])
def test_a_robots_txt_that_is_absent_allows_and_one_that_fails_does_not(status, allowed):
    assert robots_of(b"User-agent: *\nAllow: /", status).allows(f"{ORIGIN}/x") is allowed


def test_a_sitemap_that_declares_a_document_type_is_refused():
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>'

    assert read_sitemap(bomb.encode()).fault == "the sitemap declares a document type"
    assert read_sitemap(bomb.encode("utf-16")).pages == []


@pytest.mark.parametrize(
    "body", [b"", b"<html><body><p>Not found<br>", b"\x1f\x8bbroken", b"\xff\xfe<", b"<?xml version='1.0' encoding='klingon'?><a/>"]
)
def test_what_is_no_sitemap_lists_nothing(body):
    assert read_sitemap(body).pages == []


def test_a_sitemap_that_breaks_off_lists_what_came_before():
    assert read_sitemap(listing("/a", "/b").encode()[:-30]).pages == [f"{ORIGIN}/a"]


def test_a_packed_sitemap_is_unpacked_no_further_than_the_cap(monkeypatch):
    monkeypatch.setattr("resources.embedded.sitemaps.MAX_BYTES", 500)

    assert 0 < len(read_sitemap(gzip.compress(listing(*["/a"] * 1000).encode())).pages) < 20


def test_images_in_a_sitemap_are_no_pages():
    body = "<urlset xmlns:image='i'><url><loc> https://a.example/x </loc><image:image><image:loc>https://a.example/i.png</image:loc></image:image></url></urlset>"

    assert read_sitemap(body.encode()).pages == ["https://a.example/x"]


@pytest.mark.parametrize(
    ("html", "links"),
    [
        (linking("b", "/c", "?d", "//other.example/e"), ["/x/b", "/c", "/x/a?d", "//other.example/e"]),
        (linking("b", head='<base href="/y/">'), ["/y/b"]),
        ('<a rel="nofollow noopener" href="b">b</a><a rel="noopener" href="c">c</a>', ["/x/c"]),
        (linking("b", head='<meta name="Robots" content="noindex, NOFOLLOW">'), []),
        (linking("b", head='<meta name="robots" content="none">'), []),
        (linking("javascript:void(0)", "tel:123", "data:text/html,x", " /c d "), ["/c%20d"]),
        ('<a>no</a><a href>empty</a><map><area href="b"></map>', ["/x/a", "/x/b"]),
    ],
)
def test_links_are_those_that_a_crawler_may_follow(html, links):
    expected = [f"https:{link}" if link.startswith("//") else ORIGIN + link for link in links]

    assert links_of(html, f"{ORIGIN}/x/a") == expected

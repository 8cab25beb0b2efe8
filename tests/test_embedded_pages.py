"""One page: what kind of document it is, in which charset, and what the reply says of it."""

import io

import httpx
import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from resources.embedded import EngineSettings, create_app
from resources.embedded.answers import SiteAnswer
from resources.embedded.documents import NoText, read_document
from resources.embedded.metering import map_tokens, page_tokens

ORIGIN = "https://docs.acme.example"


@pytest.fixture
def ask(tmp_path):
    """Call for a page of a folder that holds the given files."""
    site = tmp_path / "site"
    site.mkdir()

    async def call(path="/", files=None, *, flags=None, **body):
        for name, content in (files or {}).items():
            file = site / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)
        app = create_app(EngineSettings(mounts={ORIGIN: site}, max_bytes=1_000_000))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://engine") as service:
            return await service.post("/", params={"html": "true"} if flags is None else flags, json={"url": ORIGIN + path, **body})

    return call


def pdf(*pages, title="Plans"):
    writer = PdfWriter()
    writer.add_metadata({"/Title": title})
    font = DictionaryObject({NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1")})
    font[NameObject("/BaseFont")] = NameObject("/Helvetica")
    for lines in pages:
        page = writer.add_blank_page(595, 842)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})})
        stream = DecodedStreamObject()
        shown = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
        stream.set_data(f"BT /F1 12 Tf 60 780 Td {shown}ET".encode())
        page[NameObject("/Contents")] = writer._add_object(stream)
    body = io.BytesIO()
    writer.write(body)
    return body.getvalue()


async def test_a_page_tells_where_it_ended_and_what_it_is(ask):
    rules = "/old: {redirect: /plans, status: 301}\n/plans: {headers: {Last-Modified: 'Wed, 04 Mar 2026 08:00:00 GMT', Set-Cookie: a=b}}"

    reply = await ask("/old#top", {"plans.html": "<p>30 days</p>", "responses.yaml": rules})

    data = reply.json()
    etag = data["headers"].pop("etag")
    assert data == {
        "success": True, "status": "completed", "error": "", "url": f"{ORIGIN}/plans", "target_status": 200, "html": "<p>30 days</p>",
        "redirects": [{"url": f"{ORIGIN}/old", "status": 301, "location": f"{ORIGIN}/plans"}], "content_type": "text/html",
        "headers": {"last-modified": "Wed, 04 Mar 2026 08:00:00 GMT"}, "truncated": False, "charset": "utf-8", "replacement_characters": 0,
        "token_usage": 2,
    }  # fmt: skip
    assert etag
    wire = {name: reply.headers[name] for name in ("token_usage", "x-status-code", "bandwidth_usage", "runtime")}
    assert wire == {"token_usage": "2", "x-status-code": "200", "bandwidth_usage": "0.000014", "runtime": "0"}


async def test_the_sites_own_404_is_a_page_with_a_status(ask):
    reply = await ask("/lost", {"404.html": "<h1>Lost</h1>"})

    assert (reply.status_code, reply.headers["x-status-code"]) == (200, "404")
    assert (reply.json()["success"], reply.json()["target_status"], reply.json()["html"]) == (True, 404, "<h1>Lost</h1>")


@pytest.mark.parametrize(
    ("flags", "held"),
    [
        ({}, {"html"}),
        ({"html": "true"}, {"html"}),
        ({"markdown": "true"}, {"markdown"}),
        ({"html": "true", "markdown": "true"}, {"html", "markdown"}),
    ],
)
async def test_flags_choose_the_form_of_the_text(ask, flags, held):
    data = (await ask("/", {"index.html": "<h1>Plans</h1><p>30 days"}, flags=flags)).json()

    assert {"html", "markdown"} & set(data) == held
    assert data.get("markdown", "# Plans\n\n30 days\n") == "# Plans\n\n30 days\n"


@pytest.mark.parametrize(
    ("target", "refused"),
    [
        ("https://elsewhere.example/x", "https://elsewhere.example/x"),
        ("//www.docs.acme.example/", "https://www.docs.acme.example/"),
        ("ftp://x/", "ftp://x/"),
    ],
)
async def test_a_redirect_out_of_the_scope_is_refused_and_shown(ask, target, refused):
    reply = await ask("/moved", {"responses.yaml": f"/moved: {{redirect: '{target}'}}"})

    data = reply.json()
    assert (data["success"], data["status"], data["error"]) == (False, "failed", "redirect leaves the scope")
    assert (data["refused_url"], data["target_status"], reply.headers["x-status-code"]) == (refused, 302, "302")
    assert data["redirects"] == [{"url": f"{ORIGIN}/moved", "status": 302, "location": refused}]
    assert data["token_usage"] == 1


async def test_redirects_in_a_circle_or_without_end_are_given_up(ask):
    rules = "/a: {redirect: /b}\n/b: {redirect: /a}\n" + "\n".join(f"/{n}: {{redirect: /{n + 1}}}" for n in range(1, 9))

    assert (await ask("/a", {"responses.yaml": rules})).json()["error"] == "the redirects run in a circle"
    assert (await ask("/1")).json()["error"] == "more than 5 redirects"
    assert (await ask("/4")).json()["target_status"] == 404


async def test_a_page_that_refreshes_at_once_is_a_redirect(ask):
    files = {
        "old.html": '<meta http-equiv="refresh" content="0; url=/new/">',
        "away.html": '<meta http-equiv="Refresh" content="0;URL=https://elsewhere.example/">',
        "new/index.html": '<meta http-equiv="refresh" content="0; url=/new/#self"><p>new',
        "slow.html": '<meta http-equiv="refresh" content="600; url=/logout"><p>slow',
    }

    assert (await ask("/old", files)).json()["url"] == f"{ORIGIN}/new/"
    assert (await ask("/away")).json()["refused_url"] == "https://elsewhere.example/"
    assert (await ask("/slow")).json()["url"] == f"{ORIGIN}/slow"


@pytest.mark.parametrize(
    ("content_type", "body", "charset", "text"),
    [
        ("text/html; charset=Shift_JIS", "<p>保存期間は30日間です", "cp932", "保存期間は30日間です"),
        ("text/html", '<meta charset="gbk"><p>日志保留三十天', "gb18030", "日志保留三十天"),
        ("text/html", '<meta charset="windows-1252"><p>30 days – “kept”', "cp1252", "30 days – “kept”"),
        ("text/html", "<p>30 days – “kept”", "cp1252", "30 days – “kept”"),
        ("text/html", '<html lang="ja"><p>保存期間は30日間です', "cp932", "保存期間は30日間です"),
        ("text/html", "<p>größer", "utf-8", "größer"),
        ("text/html; charset=utf-16", "<p>größer", "utf-16-le", "größer"),
        ("text/html; charset=rot13", "<p>größer", "utf-8", "größer"),
        ("text/html; charset=idna", "<p>größer", "utf-8", "größer"),
    ],
)
def test_a_page_is_decoded_in_the_charset_it_is_written_in(content_type, body, charset, text):
    encoded = body.encode({"utf-16-le": "utf-16"}.get(charset, charset))

    document = read_document(SiteAnswer(200, {"content-type": content_type}, encoded))

    assert (document.charset, document.replacement_characters) == (charset, 0)
    assert document.html.endswith(text)


def test_what_a_wrong_charset_destroys_is_counted():
    document = read_document(SiteAnswer(200, {"content-type": "text/html; charset=utf-8"}, "<p>保存期間".encode("cp932")))

    assert document.replacement_characters > 0


def test_a_character_that_the_cap_cuts_is_no_loss():
    document = read_document(SiteAnswer(200, {"content-type": "text/html; charset=utf-8"}, "<p>保存".encode()[:-1], truncated=True))

    assert (document.html, document.replacement_characters) == ("<p>保", 0)


@pytest.mark.parametrize(
    ("content_type", "body", "reason"),
    [
        ("image/png", b"\x89PNG\r\n\x1a\n\0\0", "the body is binary (image/png)"),
        ("text/html", b"PK\3\4\0\0", "the body is binary (text/html)"),
        ("image/svg+xml", b"<svg></svg>", "the content type is image/svg+xml"),
        ("application/zip", b"zip", "the content type is application/zip"),
        ("application/pdf", b"%PDF-1.7\nbroken", "the PDF cannot be read"),
    ],
)
def test_what_holds_no_text_is_named(content_type, body, reason):
    with pytest.raises(NoText) as caught:
        read_document(SiteAnswer(200, {"content-type": content_type}, body))

    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize("content_type", ["image/png", "text/plain", "application/octet-stream", ""])
def test_html_is_known_by_its_content(content_type):
    document = read_document(SiteAnswer(200, {"content-type": content_type}, b"\n<!DOCTYPE html><p>30 days"))

    assert document.html == "\n<!DOCTYPE html><p>30 days"
    assert not document.original_type


def test_plain_text_arrives_as_html_that_holds_it():
    document = read_document(SiteAnswer(200, {"content-type": "text/plain"}, b"a < b & c"))

    assert "<pre>a &lt; b &amp; c</pre>" in document.html
    assert (document.content_type, document.original_type, len(document.original_sha256)) == ("text/html", "text/plain", 64)


async def test_a_pdf_arrives_as_html_with_its_pages_marked(ask):
    body = pdf(["Audit logs are kept for 30 days on", "the Business plan."], ["Enterprise: 1 year < 2 years"])

    data = (await ask("/plans.html", {"plans.html": body})).json()

    assert data["success"]
    assert (data["content_type"], data["original_content_type"]) == ("text/html", "application/pdf")
    assert len(data["original_sha256"]) == 64
    assert "<title>Plans</title>" in data["html"]
    assert '<section data-page-number="1">\n<p>Audit logs are kept for 30 days on\nthe Business plan.</p>' in data["html"]
    assert '<section data-page-number="2">\n<p>Enterprise: 1 year &lt; 2 years</p>' in data["html"]


async def test_a_pdf_without_text_fails_that_page_alone(ask):
    data = (await ask("/scan", {"scan": pdf([]), "index.html": "fine"})).json()

    assert (data["success"], data["error"], data["target_status"]) == (False, "the PDF holds no text", 200)
    assert (await ask("/")).json()["success"]


async def test_a_body_above_the_cap_is_cut_and_paid_as_read(ask):
    data = (await ask("/", {"index.html": "x" * 1_000_001})).json()

    assert (data["truncated"], len(data["html"]), data["token_usage"]) == (True, 1_000_000, 5)


@pytest.mark.parametrize(("size", "tokens"), [(0, 1), (1, 2), (250_000, 2), (250_001, 3), (10_000_000, 41)])
def test_a_page_costs_a_token_and_one_more_for_each_quarter_megabyte_begun(size, tokens):
    assert page_tokens(size) == tokens


def test_a_map_costs_five_tokens_and_its_pages():
    assert map_tokens(3) == 8


async def test_a_slow_site_is_given_up_in_time(ask):
    reply = await ask("/slow", {"responses.yaml": "/slow: {delay: 30}"}, flags={"timeout": "0.05"}, maxRetries=0)

    assert reply.status_code == 502, "a failed call, which says nothing of the page"
    assert reply.json()["message"] == "The site could not be reached: the site did not answer in time"

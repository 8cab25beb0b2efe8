"""The service as its callers see it: token, account, error bodies, its book, rehearsed failures, and itself on a port."""

import asyncio
import json
import signal
import subprocess
import sys
import textwrap

import httpx
import pytest

from research_pipeline.errors import ConfigurationError
from resources.embedded import EngineSettings, create_app, serve

ORIGIN = "https://docs.acme.example"


@pytest.fixture
def site(tmp_path):
    root = tmp_path / "site"
    root.mkdir()
    (root / "index.html").write_text("<h1>Acme</h1>")
    (root / "responses.yaml").write_text(
        "/flaky: {fail_first: 2, headers: {Retry-After: '7'}, body: <p>there</p>}\n/busy: {fail_first: 1, fail_status: 429, body: x}"
    )
    return root


def client_of(app, **headers):
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://engine", headers=headers)


def client(site, **settings):
    return client_of(create_app(EngineSettings(mounts={ORIGIN: site}, **settings)))


async def page(service, path="/", **flags):
    return await service.post("/", params={"html": "true", **flags}, json={"url": ORIGIN + path})


@pytest.mark.parametrize("token", [{}, {"x-api-token": "wrong"}, {"authorization": "Bearer wrong"}, {"x-api-token": "schlüssel".encode()}])
async def test_without_a_valid_token_nothing_is_answered(site, token):
    service = client(site, tokens=frozenset({"right", "other"}))

    for reply in [await service.post("/", json={"url": ORIGIN}, headers=token), await service.get("/subscription-accounts", headers=token)]:
        assert reply.status_code == 401
        assert reply.json() == {
            "message": "Unauthorized access" if token else "API token is required",
            **({"error": "Unauthorized"} if token else {"data": None}),
        }


@pytest.mark.parametrize("token", [{"x-api-token": "right"}, {"authorization": "Bearer right"}])
async def test_a_valid_token_is_accepted_in_either_header(site, token):
    reply = await client(site, tokens=frozenset({"right", "other"})).post("/", json={"url": ORIGIN}, headers=token)

    assert reply.status_code == 200


async def test_a_page_may_be_asked_for_with_get(site):
    reply = await client(site).get("/", params={"url": ORIGIN, "html": "true", "maxRetries": "1", "saveResult": "false"})

    assert (reply.status_code, reply.json()["html"]) == (200, "<h1>Acme</h1>")


@pytest.mark.parametrize(
    ("query", "body", "status", "message"),
    [
        ("", b"{", 400, "the body is no JSON"),
        ("", b"[]", 400, "the body is no JSON object"),
        ("", b"{}", 422, "url: Field required"),
        ("?markdwon=true", b"{}", 422, "unknown query parameter: markdwon"),
        ("?timeout=soon", b'{"url": "https://a.example"}', 422, "timeout: "),
        ("", b'{"url": "file:///etc/passwd"}', 422, "url: "),
        ("", b'{"url": "https://"}', 422, "url: "),
        ("", b'{"url": "https://[::1"}', 422, "url: "),
        ("", b'{"url": "https://a.example:x/"}', 422, "url: "),
        ("", b'{"url": "https://a.example/\\ud800"}', 422, "url: "),
        ("", b'{"url": "https://a.example", "agent": "listing"}', 422, "agent: "),
        ("", b'{"url": "https://a.example", "maxdepth": 2}', 422, "maxdepth: "),
        ("", b'{"url": "https://a.example", "agent": "map", "includePatterns": ["("]}', 422, "includePatterns: "),
        ("", b'{"url": "https://a.example", "agent": "general"}', 422, "prompt: "),
    ],
)
async def test_a_wrong_call_is_refused_by_name_and_costs_nothing(site, query, body, status, message):
    service = client(site)

    reply = await service.post(f"/{query}", content=body)

    assert reply.status_code == status
    assert set(reply.json()) == {"message", "error"}
    assert reply.json()["message"].startswith(message)
    assert (await service.get("/subscription-accounts")).json()["data"]["tokenUsage"] == 0


async def test_other_paths_and_methods_get_the_documented_bodies(site):
    service = client(site)

    lost, wrong = await service.get("/tasks/1"), await service.delete("/")

    assert (lost.status_code, lost.json()) == (404, {"message": "Cannot GET /tasks/1", "errors": "Not Found"})
    assert (wrong.status_code, wrong.json()["error"]) == (405, "Method Not Allowed")


async def test_an_exhausted_account_is_refused_with_403(site):
    service = client(site, token_limit=4)

    replies = [await page(service) for _ in range(3)]

    assert [reply.status_code for reply in replies] == [200, 200, 403]
    assert replies[2].json()["message"] == "Token limit exceeded"
    assert (await service.get("/subscription-accounts")).json()["data"] == {"tokenLimit": 4, "tokenUsage": 4, "rateLimit": 0, "rateTtl": 0}


async def test_a_rehearsed_failure_fails_the_first_calls_and_charges_nothing(site):
    service = client(site)

    replies = [await page(service, "/flaky") for _ in range(3)]

    assert [reply.status_code for reply in replies] == [503, 503, 200]
    assert replies[0].headers["retry-after"] == "7"
    assert "x-status-code" not in replies[0].headers
    assert replies[2].json()["html"] == "<p>there</p>"
    assert [int(reply.headers["token_usage"]) for reply in replies] == [0, 0, 2]
    assert (await page(service, "/busy")).status_code == 429


async def test_the_book_tells_every_call_and_outlives_the_engine(site, tmp_path):
    book = tmp_path / "books" / "engine.jsonl"
    await page(client(site, book=book), "/flaky")
    with book.open("ab") as torn:
        torn.write(b'{"event": "rep')
    revived = client(site, book=book)

    replies = [await page(revived, "/flaky"), await page(revived, "/flaky"), await page(revived)]
    usage = (await revived.get("/subscription-accounts")).json()["data"]["tokenUsage"]

    lines = [json.loads(line) for line in book.read_text().splitlines() if line.endswith("}")]
    calls = [(line["event"], line["tool"], line["url"].removeprefix(ORIGIN), line.get("status"), line.get("cost")) for line in lines]
    assert [reply.status_code for reply in replies] == [503, 200, 200]
    assert usage == 4
    assert calls[:4] == [
        ("request", "page", "/flaky", None, None), ("reply", "page", "/flaky", 503, 0),
        ("request", "page", "/flaky", None, None), ("reply", "page", "/flaky", 503, 0),
    ]  # fmt: skip
    assert calls[4:8] == [
        ("request", "page", "/flaky", None, None), ("reply", "page", "/flaky", 200, 2),
        ("request", "page", "/", None, None), ("reply", "page", "/", 200, 2),
    ]  # fmt: skip
    assert lines[0]["id"] == lines[1]["id"] != lines[2]["id"]
    assert lines[0]["arguments"] == {"html": "true", "url": f"{ORIGIN}/flaky"}


async def test_two_engines_on_one_book_share_an_account(site, tmp_path):
    one, other = (client(site, book=tmp_path / "book.jsonl", token_limit=3) for _ in range(2))

    statuses = [(await page(service)).status_code for service in (one, other, one, other)]

    assert statuses == [200, 200, 403, 403]


def test_an_app_serves_one_event_loop_after_another(site):
    app = create_app(EngineSettings(mounts={ORIGIN: site}))

    async def ask():
        async with client_of(app) as service:
            return [reply.status_code for reply in await asyncio.gather(*(page(service) for _ in range(5)))]

    assert [asyncio.run(ask()) for _ in range(2)] == [[200] * 5] * 2


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"mounts": {"http://docs.acme.example": "."}}, "no https origin"),
        ({"mounts": {"https://docs.acme.example/docs": "."}}, "no https origin"),
        ({"mounts": {"https://docs.acme.example": "nowhere"}}, "is no folder"),
        ({"approved_loopback": {"https://docs.acme.example"}}, "not on this machine"),
        ({"allowed_hosts": {"https://docs.acme.example/"}}, "no host name"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(tmp_path, settings, named):
    mounts = {origin: tmp_path / folder for origin, folder in settings.pop("mounts", {}).items()}

    with pytest.raises(ConfigurationError, match=named):
        EngineSettings(mounts=mounts, **settings)


def test_an_open_port_without_a_token_is_refused():
    with pytest.raises(ConfigurationError, match="can be reached from other machines"):
        serve(EngineSettings(), host="0.0.0.0", port=0, announce=print)


def test_the_service_runs_on_a_port_until_it_is_told_to_stop(site):
    program = f"""
        from pathlib import Path
        from resources.embedded import EngineSettings, serve
        settings = EngineSettings(mounts={{{ORIGIN!r}: Path({str(site)!r})}})
        serve(settings, host="127.0.0.1", port=0, announce=lambda address: print(address, flush=True))
    """
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().strip()
        reply = httpx.post(address, params={"html": "true"}, json={"url": ORIGIN}, trust_env=False)
        process.send_signal(signal.SIGTERM)

    assert (reply.status_code, reply.json()["html"]) == (200, "<h1>Acme</h1>")
    assert reply.headers["token_usage"] == "2"

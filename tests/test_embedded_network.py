"""The engine over real sockets: what it refuses to connect to, what it makes of a site that misbehaves, and its manners."""

import asyncio
import gzip
import json
import socket
from contextlib import asynccontextmanager, closing, suppress

import httpx
import pytest

from resources.embedded import EngineSettings, create_app
from resources.embedded.engine import Engine
from resources.embedded.fetching import Pace
from resources.embedded.network import AddressRefused, SiteUnreachable, is_public, resolve
from resources.embedded.protocol import parse_call


class Site:
    """A server on loopback that answers each path with the bytes given for it, and keeps what it was asked."""

    def __init__(self, answers):
        self.answers = answers
        self.asked = []
        self.origin = ""

    async def talk(self, reader, writer):
        request = (await reader.readuntil(b"\r\n\r\n")).decode()
        path = request.split()[1]
        self.asked.append((path, request.lower()))
        answer = self.answers.get(path, http(404, b""))
        answer = answer.pop(0) if isinstance(answer, list) else answer
        with suppress(ConnectionError), closing(writer):
            if answer is None:  # never say a word: wait until the caller gives up
                await reader.read()
            else:
                writer.write(answer)
                await writer.drain()

    @property
    def paths(self):
        return [path for path, _ in self.asked]


def http(status, body=b"", **headers):
    fields = {
        "Content-Type": "text/html",
        "Content-Length": str(len(body)),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status} X\r\n{head}\r\n".encode() + body


@asynccontextmanager
async def serving(answers):
    site = Site(answers)
    async with await asyncio.start_server(site.talk, "127.0.0.1", 0) as server:
        site.origin = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield site


UNREACHABLE = "The site could not be reached"


async def ask(url, *, approved=(), flags=None, body=None, **settings):
    app = create_app(EngineSettings(approved_loopback=frozenset(approved), politeness_seconds=0, **settings))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://engine") as service:
        reply = await service.post("/", params={"html": "true", **(flags or {})}, json={"url": url, "maxRetries": 0, **(body or {})})
    return reply.json()


async def test_an_approved_loopback_origin_is_read():
    async with serving({"/a": http(200, b"<p>there", ETag='"1"')}) as site:
        data = await ask(f"{site.origin}/a", approved=[site.origin], user_agent="Tester/1.0")

    assert (data["html"], data["url"], data["headers"]) == ("<p>there", f"{site.origin}/a", {"etag": '"1"'})
    assert "user-agent: tester/1.0\r\n" in site.asked[0][1]
    assert f"host: {site.origin.removeprefix('http://')}\r\n" in site.asked[0][1]


async def test_a_loopback_address_that_nobody_approved_is_never_asked():
    async with serving({"/": http(200, b"secret")}) as site:
        port = site.origin.rpartition(":")[2]
        for url in [
            site.origin,
            f"https://127.0.0.1:{port}",
            f"https://localhost:{port}",
            f"https://[::ffff:127.0.0.1]:{port}",
            f"https://2130706433:{port}",
        ]:
            data = await ask(url)
            assert (data["success"], bool(data["refused_url"])) == (False, True)

    assert site.asked == []


async def test_a_redirect_to_a_private_address_is_never_asked():
    async with serving({"/": http(302, Location="http://169.254.169.254/latest/meta-data/")}) as site:
        hosts = frozenset({site.origin.removeprefix("http://"), "169.254.169.254"})
        data = await ask(site.origin, approved=[site.origin], allowed_hosts=hosts)

    assert (data["success"], data["refused_url"]) == (False, "http://169.254.169.254/latest/meta-data/")
    assert data["error"] == "the address is not https"


async def test_a_redirect_to_another_port_leaves_the_scope_unless_the_list_names_it():
    async with serving({"/": http(200, b"other")}) as other, serving({"/": http(302, Location=other.origin + "/")}) as site:
        both = [site.origin, other.origin]
        refused = await ask(site.origin, approved=both)
        assert (refused["error"], refused["refused_url"], other.asked) == ("redirect leaves the scope", other.origin + "/", [])

        followed = await ask(site.origin, approved=both, allowed_hosts=frozenset(origin.removeprefix("http://") for origin in both))

    assert (followed["html"], followed["url"]) == ("other", other.origin + "/")


async def test_a_host_outside_the_list_is_refused_before_any_request():
    async with serving({"/": http(200)}) as site:
        data = await ask(site.origin, approved=[site.origin], allowed_hosts=frozenset({"docs.acme.example"}))

    assert (data["error"], data["refused_url"], site.asked) == ("the address leaves the scope", site.origin, [])


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255",
        "::1", "::", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
        "::127.0.0.1", "2001:db8::1",
    ],
)  # fmt: skip
def test_addresses_that_are_not_everybodys_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::5db8:d822", "2002:5db8:d822::"])
def test_addresses_of_the_internet_are_public(address):
    assert is_public(address)


async def test_a_name_that_leads_to_this_machine_is_refused_for_what_it_leads_to():
    with pytest.raises(AddressRefused, match="not a public address"):
        await resolve("localhost", 443, loopback=False)
    with pytest.raises(AddressRefused, match="not a loopback address"):
        await resolve("93.184.216.34", 80, loopback=True)
    with pytest.raises(SiteUnreachable):
        await resolve("docs.acme.invalid", 443, loopback=False)


@pytest.fixture
def hasty(monkeypatch):
    monkeypatch.setattr("resources.embedded.fetching._FIRST_PAUSE", 0.001)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("answers", [[b"", b"HTTP/1.1 broken"], [http(503, Retry_After="0"), http(429)], [http(502, b"bad"), b""]])
async def test_a_site_that_fails_in_passing_is_asked_again(answers):
    async with serving({"/": [*answers, http(200, b"there")]}) as site:
        data = await ask(site.origin, approved=[site.origin], body={"maxRetries": 2})

    assert (data["success"], data["html"], len(site.asked)) == (True, "there", 3)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("answer", "asked", "status"),
    [
        (http(500), 1, 500),
        (http(404), 1, 404),
        (http(503), 3, 503),
        (http(429, Retry_After="3600"), 1, 429),
        (http(503, Retry_After="never"), 3, 503),
    ],
)
async def test_what_a_site_keeps_saying_is_its_answer(answer, asked, status):
    async with serving({"/": answer}) as site:
        data = await ask(site.origin, approved=[site.origin], body={"maxRetries": 2})

    assert (data["success"], data["target_status"], len(site.asked)) == (True, status, asked)


@pytest.mark.usefixtures("hasty")
async def test_a_site_that_keeps_failing_is_given_up_with_its_reason():
    async with serving({"/": b""}) as site:
        data = await ask(site.origin, approved=[site.origin], body={"maxRetries": 2})

    assert data["message"].startswith(f"{UNREACHABLE}: RemoteProtocolError: ")
    assert len(site.asked) == 3


async def test_a_port_where_nobody_listens_is_a_failure_with_its_reason():
    with socket.create_server(("127.0.0.1", 0)) as closed:
        origin = f"http://127.0.0.1:{closed.getsockname()[1]}"

    data = await ask(origin, approved=[origin])

    assert data["message"].startswith(f"{UNREACHABLE}: ConnectError: ")


@pytest.mark.parametrize(
    ("answer", "error"),
    [(None, "the site did not answer in time"), (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<p>", "RemoteProtocolError: ")],
)
async def test_a_silent_or_broken_off_answer_is_no_page(answer, error):
    async with serving({"/": answer}) as site:
        data = await ask(site.origin, approved=[site.origin], flags={"timeout": "0.2"})

    assert data["message"].startswith(f"{UNREACHABLE}: {error}")


async def test_a_body_is_cut_at_the_cap_after_unpacking():
    packed = http(200, gzip.compress(b"x" * 5_000_000), Content_Encoding="gzip")
    async with serving({"/": packed}) as site:
        data = await ask(site.origin, approved=[site.origin], max_bytes=300_000)

    assert (len(data["html"]), data["truncated"], data["token_usage"]) == (300_000, True, 3)


async def test_a_map_keeps_to_robots_and_reads_a_packed_sitemap():
    page = b"<a href=/a>a</a><a href=/private/b>b</a><a href=https://elsewhere.example/>c</a>"
    async with serving({}) as site:
        sitemap = f"<urlset><url><loc>{site.origin}/from-sitemap</loc></url></urlset>".encode()
        site.answers.update(
            {
                "/": http(200, page),
                "/a": http(404),
                "/robots.txt": http(200, b"User-agent: *\nDisallow: /private/\nSitemap: /map.gz", Content_Type="text/plain"),
                "/map.gz": http(200, gzip.compress(sitemap), Content_Type="application/gzip"),
            }
        )
        data = await ask(site.origin, approved=[site.origin], body={"agent": "map"})

    assert data["data"]["urls"] == [f"{site.origin}/", f"{site.origin}/from-sitemap"]
    assert data["data"]["skipped"] == {"leads nowhere": 1, "other host": 1, "robots.txt": 1}
    assert site.paths == ["/robots.txt", "/", "/a", "/map.gz", "/sitemap.xml"]


async def test_a_map_honours_the_delay_that_a_site_wishes_up_to_a_bound():
    async with serving({"/robots.txt": http(200, b"User-agent: *\nCrawl-delay: 600", Content_Type="text/plain")}) as site:
        engine = Engine(EngineSettings(approved_loopback=frozenset({site.origin}), max_crawl_delay=8.0))
        await engine.answer(parse_call("POST", {}, json.dumps({"url": site.origin, "agent": "map"}).encode()))

    assert engine.sites.pace._delays == {site.origin.removeprefix("http://"): 8.0}


async def test_a_map_of_a_site_that_is_down_has_failed_rather_than_found_nothing():
    async with serving({"/robots.txt": b"", "/": b""}) as site:
        data = await ask(site.origin, approved=[site.origin], body={"agent": "map"})

    assert (data["success"], data["status"], data["data"]["urls"]) == (False, "failed", [])
    assert "RemoteProtocolError" in data["error"]


async def test_a_hosts_requests_are_spaced_and_another_host_need_not_wait(monkeypatch):
    clock, waits = [100.0], []

    async def sleep(seconds):
        waits.append(seconds)

    monkeypatch.setattr("resources.embedded.fetching.time.monotonic", lambda: clock[0])
    monkeypatch.setattr("resources.embedded.fetching.asyncio.sleep", sleep)
    pace = Pace(1.0)

    for host in ["a", "a", "b", "a"]:
        await pace.turn(host)
    pace.slow_down("b", 4.0)
    clock[0] += 10
    for _ in range(2):
        await pace.turn("b")

    assert waits == [1.0, 2.0, 4.0]

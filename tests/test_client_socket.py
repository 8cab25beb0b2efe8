"""What only a real socket can do wrong: refuse, drop, cut short, garble, hang."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from research_pipeline.errors import RequestRefused, TransientFailure
from research_pipeline.retrying import RetryPolicy
from resources import gateway
from resources.protocol import WireSettings

URL = "https://docs.acme.example/logs"
ONCE = RetryPolicy(attempts=1)
WHOLE = b'{"html": "<p>30 days</p>", "token_usage": 2}'


@asynccontextmanager
async def service(answer):
    """A server on loopback that reads each request and lets `answer` do with the connection what it likes."""

    async def handle(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
        await reader.readexactly(length)
        try:
            await answer(writer)
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    finally:
        server.close()


def reply(body, *headers, length=None):
    size = b"Content-Length: %d" % (len(body) if length is None else length)
    return b"\r\n".join([b"HTTP/1.1 200 OK", b"Content-Type: application/json", size, *headers, b"", body])


def sending(data):
    async def answer(writer):
        writer.write(data)
        await writer.drain()

    return answer


async def reset(writer):
    writer.transport.abort()


async def hang(_writer):
    await asyncio.Event().wait()


async def ask(desk, answer, **settings):
    async with service(answer) as address, desk.client(None, **{"base_url": address, "retry": ONCE, **settings}) as client:
        return await client.read_page(URL, desk.context())


async def test_a_whole_reply_over_a_socket_is_a_page(desk):
    assert (await ask(desk, sending(reply(WHOLE)))).body == "<p>30 days</p>"


@pytest.mark.parametrize(
    "answer",
    [
        sending(b""),
        reset,
        sending(b"HTTP/1.1 200 OK\r\n"),
        sending(reply(WHOLE[:20], length=len(WHOLE))),
        sending(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n" + WHOLE),
        sending(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n" + WHOLE[:16]),
        sending(reply(WHOLE, b"Content-Encoding: gzip")),
        sending(b"SSH-2.0-OpenSSH_9.2\r\n"),
    ],
    ids=["dropped", "reset", "cut in the head", "cut in the body", "bad chunk", "cut in a chunk", "no gzip", "no HTTP"],
)
async def test_a_reply_that_breaks_off_is_a_passing_failure_of_unknown_cost(desk, answer):
    with pytest.raises(TransientFailure) as failed:
        await ask(desk, answer)

    assert failed.value.cost is None
    assert desk.ledger.spent("cycle-1").tokens == 5


async def test_a_service_that_hangs_is_given_up_after_the_page_timeout_and_its_grace(desk):
    with pytest.raises(TransientFailure, match="no reply in time"):
        await ask(desk, hang, wire=WireSettings(page_timeout=0.05), grace=0.05)

    assert desk.ledger.spent("cycle-1").tokens == 5


async def test_a_reply_within_the_grace_is_not_too_late(desk):
    async def late(writer):
        await asyncio.sleep(0.1)
        await sending(reply(WHOLE))(writer)

    assert (await ask(desk, late, wire=WireSettings(page_timeout=0.01), grace=30)).body == "<p>30 days</p>"


async def test_a_service_that_is_not_there_costs_nothing(desk):
    async with service(hang) as address:
        pass
    async with desk.client(None, base_url=address, retry=ONCE) as client:
        with pytest.raises(TransientFailure) as failed:
            await client.read_page(URL, desk.context())

    assert failed.value.cost == 0
    assert desk.ledger.spent("cycle-1").tokens == 0


async def test_a_reply_without_end_is_cut_off(desk, monkeypatch):
    monkeypatch.setattr(gateway, "LARGEST_REPLY", 1000)

    with pytest.raises(RequestRefused, match="longer than 1000 bytes"):
        await ask(desk, sending(reply(b" " * 5000)))

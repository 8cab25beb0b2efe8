"""An agent drives a whole study with the official client: over stdio and over HTTP, through restarts, and never past what is proven."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from research_pipeline.errors import ConfigurationError, UnknownName
from research_pipeline.looping import Loops
from research_pipeline.mcp_server import build_server, serve_http
from research_pipeline.service import Research
from resources.home import Home
from tests.small_site import ORIGIN, write_study

RESEARCH = str(Path(sys.executable).with_name("research"))
ENDS = ("finalize", "abort", "escalate_budget")
PATIENCE = 240


async def call(client, tool, **arguments):
    """A reply, and that it came as every reply must."""
    began = time.monotonic()
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    reply = result.structured_content
    assert {"budget_left", "stop_reason"} <= set(reply) or "refused" in reply
    reply["took"] = time.monotonic() - began
    return reply


async def settled(client):
    """The status once no work is under way."""
    until = time.monotonic() + PATIENCE
    while (status := await call(client, "loop_status", study="acme"))["working"]:
        assert time.monotonic() < until, status
        await asyncio.sleep(0.05)
    return status


async def drive(client, *, steps=40):
    """As an agent is told to: what comes next, until the loop says that it is over or so many steps are made."""
    await call(client, "loop_init", study="acme")
    for _ in range(steps):
        await settled(client)
        await call(client, "loop_next", study="acme")
        await settled(client)
        step = await call(client, "loop_next", study="acme")
        if step["decision"]["next_action"] in ENDS:
            return step
        await call(client, "fetch", study="acme")
    return None


async def reported(client):
    await call(client, "loop_report", study="acme")
    await settled(client)
    return await call(client, "loop_report", study="acme")


def answers(report):
    return {item["sub_question_id"]: (item["status"], item["answer"]) for item in report["items"]}


def environment(place):
    return {"PATH": os.environ["PATH"], "PYTHONPATH": os.environ.get("PYTHONPATH", ""), "RESEARCH_STUDIES": str(place)}


@asynccontextmanager
async def over_stdio(place):
    parameters = StdioServerParameters(
        command=RESEARCH, args=["mcp", "--home", str(place / "home")], env=environment(place), cwd=str(place)
    )
    async with Client(stdio_client(parameters)) as client:
        yield client


@asynccontextmanager
async def over_http(place):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [RESEARCH, "mcp", "--http", "--port", str(port), "--home", str(place / "home")]
    server = subprocess.Popen(command, cwd=place, env=environment(place))  # noqa: ASYNC220 - it is only started here
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
            until = time.monotonic() + PATIENCE
            while True:
                try:
                    await http.get("/")
                    break
                except httpx.TransportError:
                    assert time.monotonic() < until, "the server does not listen"
                    await asyncio.sleep(0.05)
            foreign = await http.post("/mcp", json={}, headers={"Host": "evil.example", "Accept": "application/json"})
            assert foreign.status_code in (403, 421)
            foreign = await http.post("/mcp", json={}, headers={"Origin": "https://evil.example", "Accept": "application/json"})
            assert foreign.status_code == 403
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            yield client
    finally:
        server.terminate()
        server.wait()


async def test_a_study_through_a_restart_and_both_transports_ends_as_a_run_does(place, research):
    study = write_study(place)
    async with over_stdio(place) as client:
        assert len((await client.list_tools()).tools) == 11
        await drive(client, steps=1)
    async with over_http(place) as client:
        last = await drive(client)
        assert last is not None
        report = await reported(client)

    state = research.stores.loop.state(report["cycle"])
    assert research.stores.loop.rebuilt(report["cycle"]) == state
    assert not state.working
    by_run = (await asyncio.to_thread(research.run, study, new=True)).report  # which has an event loop of its own
    assert answers(report) == {item.sub_question_id: (item.status.value, item.answer) for item in by_run.findings}


@pytest.fixture
def cheat(place):
    """Drives in this process, without waiting for a server."""
    write_study(place, limits={"max_rounds": 2, "max_pages": 6})
    loops = Loops(Research(Home(place / "home"), studies=place), actor="cheat", patience=None)
    yield loops
    loops.close()


def test_a_cheating_agent_is_refused_each_time_with_a_reason_and_the_report_shows_none_of_it(cheat, place):
    page = f"{ORIGIN}/audit-logs"
    quote = "Audit logs are kept for 90 days on the Business plan."
    with pytest.raises(UnknownName, match="no name of a study"):
        cheat.init("../acme")
    cheat.init("acme")
    assert "refused" in cheat.end_gap("acme", sub_question_id="acme.uptime"), "nothing was read"
    cheat.fetch("acme")
    cheat.fetch("acme", url=page, sub_question_ids=["acme.uptime"])

    def bring(key, quote, value, url=page):
        return cheat.update("acme", sub_question_id=key, url=url, quote=quote, value=value).get("refused", "")

    assert "quote_absent" in bring("acme.uptime", "Acme guarantees an uptime of 99.99 % every month.", "99.99 %")
    assert "value_absent" in bring("acme.audit", quote, "180 days")
    assert "not read" in bring("acme.uptime", quote, "90 days", url=f"{ORIGIN}/never-read")
    assert "cited" in bring("acme.uptime", quote, "90 days", url="https://evil.example/")
    assert "approved" in cheat.fetch("acme", url="https://evil.example/")["refused"]
    assert "vendor" in cheat.add_gap("acme", sub_question_id="evil.price", text="What does it cost?", answer="money")["refused"]
    for _ in range(3):
        assert "once" in bring("acme.audit", quote, "90 days")
    assert "no verified evidence" in cheat.end_gap("acme", sub_question_id="acme.uptime")["refused"]
    assert "further round" in cheat.report("acme")["refused"], "a report is no way out"
    refusals = 0
    for _ in range(20):
        cheat.next("acme")
        refusals += "refused" in cheat.fetch("acme")

    assert refusals >= 18, "two rounds are all there are"
    report = cheat.report("acme")
    assert answers(report)["acme.uptime"] == ("gap", None)
    assert report["round"] <= 2
    assert report["budget_left"]["pages"] >= 0
    text = "".join(path.read_text() for path in (place / "home" / "reports" / "acme").rglob("report.*"))
    assert not [word for word in ("99.99", "evil.example", "never-read") if word in text]
    assert {item["sub_question_id"] for item in report["items"]} == {"acme.audit", "acme.rate", "acme.uptime"}


def test_without_the_extra_the_error_says_which_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)

    with pytest.raises(ConfigurationError, match="extra `mcp`"):
        build_server(None)


async def test_another_machine_is_not_served():
    with pytest.raises(ConfigurationError, match="this machine"):
        await serve_http(None, host="0.0.0.0", port=8765)


async def test_tools_say_what_they_are_for_and_take_no_path_command_or_setting():
    tools = await build_server(None).list_tools()

    assert {tool.name for tool in tools} == {
        *("loop_init", "loop_status", "loop_next", "run_channel", "fetch", "loop_update"),
        *("loop_get_gaps", "loop_add_gap", "loop_close", "loop_report", "loop_events"),
    }
    taken = {name for tool in tools for name in tool.input_schema["properties"]}
    assert taken == {
        *("study", "question", "offset", "channel", "query", "sub_question_ids", "url"),
        *("sub_question_id", "quote", "value", "text", "answer", "must_mention"),
    }
    assert all(len(tool.description) > 80 for tool in tools)

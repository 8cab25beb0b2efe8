"""An agent that drives a study with the official client as it is told to, over stdio or HTTP."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

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


async def settled(client, study):
    """The status once no work is under way."""
    until = time.monotonic() + PATIENCE
    while (status := await call(client, "loop_status", study=study))["working"]:
        assert time.monotonic() < until, status
        await asyncio.sleep(0.5)  # each look takes the server from its work
    return status


async def drive(client, study, *, steps=60):
    """As an agent is told to: what comes next, until the loop says that it is over or so many steps are made."""
    await call(client, "loop_init", study=study)
    for _ in range(steps):
        await settled(client, study)
        await call(client, "loop_next", study=study)
        await settled(client, study)
        step = await call(client, "loop_next", study=study)
        if step["decision"]["next_action"] in ENDS:
            return step
        await call(client, "fetch", study=study)
    return None


async def reported(client, study):
    """The report, read page by page."""
    await call(client, "loop_report", study=study)
    await settled(client, study)
    report = await call(client, "loop_report", study=study)
    while (offset := report["next_offset"]) is not None:
        more = await call(client, "loop_report", study=study, offset=offset)
        report = {**more, "items": report["items"] + more["items"]}
    return report


def answers(report):
    return {item["sub_question_id"]: (item["status"], item["answer"]) for item in report["items"]}


def environment(studies):
    """What a server gets: no settings from outside, and a scraper that does not wait between attempts."""
    path = {"PATH": os.environ["PATH"], "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    return {**path, "RESEARCH_STUDIES": str(studies), "MRSCRAPER_BACKOFF_SECONDS": "0"}


@asynccontextmanager
async def over_stdio(home, studies):
    parameters = StdioServerParameters(command=RESEARCH, args=["mcp", "--home", str(home)], env=environment(studies), cwd=str(home.parent))
    async with Client(stdio_client(parameters)) as client:
        yield client


@asynccontextmanager
async def over_http(home, studies):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [RESEARCH, "mcp", "--http", "--port", str(port), "--home", str(home)]
    server = subprocess.Popen(command, cwd=home.parent, env=environment(studies))  # noqa: ASYNC220 - it is only started here
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

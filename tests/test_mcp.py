"""Tools for agents: answered at once whatever they set going, refused with a reason, and never past what is proven."""

import asyncio
import sys
import threading

import pytest
import yaml
from mcp import Client

from research_pipeline.errors import ConfigurationError, UnknownName
from research_pipeline.looping import Loops
from research_pipeline.mcp_server import build_server, serve_http
from research_pipeline.service import Research
from resources.home import Home
from tests.channel_server import STUDIES, Said, service, set_reach, write_papers
from tests.mcp_driving import PATIENCE, answers, call, settled
from tests.small_site import ORIGIN, write_study

SLOWEST = 3.0  # seconds, of any reply


async def test_every_call_is_answered_in_under_three_seconds_while_a_service_lets_everybody_wait(place, monkeypatch):
    write_papers(place)
    (place / "acme.yaml").write_text(yaml.safe_dump(STUDIES))
    asked, free = threading.Event(), threading.Event()

    def hangs(_query):
        asked.set()
        free.wait(PATIENCE)
        return Said()

    loops = Loops(Research(Home(place / "home"), studies=place), actor="agent")
    with service(hangs) as served:
        set_reach(monkeypatch, served)
        async with Client(build_server(lambda: loops)) as client:
            took = [(await call(client, "loop_init", study="acme"))["took"]]
            await settled(client, "acme")
            begun = await call(client, "run_channel", study="acme", channel="arxiv")
            assert begun["working"]
            assert "Begun" in begun["did"]
            assert await asyncio.to_thread(asked.wait, PATIENCE)
            others = [
                await call(client, "run_channel", study="acme", channel="arxiv", query="other words"),
                await call(client, "fetch", study="acme"),
                await call(client, "loop_report", study="acme"),
                await call(client, "loop_close", study="acme", sub_question_id="acme.audit"),
                *[await call(client, f"loop_{look}", study="acme") for look in ("status", "next", "get_gaps", "events")],
            ]
            assert all(reply["working"] for reply in others), "it waits for the service all the while"
            free.set()
            ended = await settled(client, "acme")
            found = await call(client, "run_channel", study="acme", channel="arxiv")
    loops.close()

    assert ended["last_work"] == {"what": "ask arxiv for 1 question(s)", "total": 2}
    assert [item["channel"] for item in found["items"]] == ["arxiv", "arxiv"]
    assert max([*took, begun["took"], found["took"], ended["took"], *(reply["took"] for reply in others)]) < SLOWEST


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

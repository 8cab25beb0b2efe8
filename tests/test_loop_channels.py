"""Asking channels step by step: within the plan, once per query, each failure named, and what is found read like any page."""

import pytest
import yaml

from research_pipeline.looping import Loops
from research_pipeline.service import Research
from resources.home import Home
from tests.channel_server import ARXIV, PAPERS, STUDIES, Said, atom, service, set_reach, write_papers

MANY = [(f"2610.{number:05}v1", f"Paper {number}", "2026-10-01", "") for number in range(12)]
KEY = "acme.audit"


@pytest.fixture
def served(monkeypatch):
    with service() as made:
        set_reach(monkeypatch, made)
        yield made


@pytest.fixture
def loops(place, served):
    write_papers(place)
    # What the source asks for by itself finds nothing; the agent looks further.
    served.says = lambda asked: Said(atom([])) if "retention" in asked["search_query"] else Said(atom([*PAPERS, *MANY]))
    limits = {"max_rounds": 2, "max_discover_calls": 5, "max_failures_in_a_row": 9}
    (place / "acme.yaml").write_text(yaml.safe_dump({**STUDIES, "rubrics": [{"rule": "max_age", "age": "1 year"}], "limits": limits}))
    made = Loops(Research(Home(place / "home"), studies=place), actor="agent", patience=None)
    yield made
    made.close()


def test_an_agent_asks_a_channel_of_the_plan_its_own_query_and_is_kept_to_scope_budget_and_dates(loops, served):
    cycle = loops.init("acme")["cycle"]

    def ask(**arguments):
        reply = loops.run_channel("acme", **{"channel": "arxiv", "query": "audit logs", **arguments})
        assert {"budget_left", "stop_reason"} <= set(reply)
        return reply

    assert "names no channel 'site'" in ask(channel="site", query="")["refused"]
    assert "names no channel 'semantic-scholar'" in ask(channel="semantic-scholar")["refused"]
    assert "names no channel 'http://evil.example/'" in ask(channel="http://evil.example/")["refused"]
    assert "no word" in ask(query=" ) ")["refused"]
    assert not served.asked, "a refusal asks nobody"

    first = ask()
    assert first["dates"]["until"] > first["dates"]["since"]
    assert (first["total"], first["next_offset"], len(first["items"])) == (13, 10, 10), "one of them is older than a year"
    assert all(item["title"] and item["url"].startswith(f"{ARXIV}/abs/") and item["channel"] == "arxiv" for item in first["items"])
    assert first["items"][0]["snippet_from_page"] == PAPERS[0][3]
    assert [item["title"] for item in ask(offset=10)["items"]] == ["Paper 9", "Paper 10", "Paper 11"]
    asked = len(served.asked)
    assert ask()["items"] == first["items"]
    assert len(served.asked) == asked == 2, "the plan's query and the agent's, each once"

    served.says = lambda _asked: Said("busy", 503, headers={"retry-after": "0"})
    failed = ask(query="something else")
    assert "channel arxiv" in failed["failed"]
    assert failed["last_work"]["failed"] == failed["failed"]
    assert failed["budget_left"]["discover_calls"] == 3, "what failed gives its place back"

    read = loops.fetch("acme")["last_work"]
    assert {page["url"] for page in read["read"]} == {f"{ARXIV}/abs/{name}" for name in (PAPERS[0][0], MANY[0][0])}
    assert "approved" in loops.fetch("acme", url="https://export.arxiv.org/abs/1")["refused"]
    loops.next("acme")
    report = loops.report("acme")
    assert (report["items"][0]["answer"], report["items"][0]["status"]) == ("90 days", "agreed")
    store = loops._stores.loop
    assert store.rebuilt(cycle) == store.state(cycle)

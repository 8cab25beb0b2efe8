"""How a fault is written, which calls it meets, and for how long."""

import asyncio

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_pipeline.errors import ConfigurationError
from resources.embedded import EngineSettings, Fault, create_app
from resources.embedded.faults import FAULTS, FaultLayer
from resources.embedded.protocol import Tool

ORIGIN = "https://docs.acme.example"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("login-wall", Fault("login-wall")),
        ("throttled:2", Fault("throttled", first=2)),
        ("throttled@/pricing", Fault("throttled", "/pricing")),
        ("throttled@https://docs.acme.example/a:b:3", Fault("throttled", "https://docs.acme.example/a:b", 3)),
        ("throttled@^https:", Fault("throttled", "^https:")),
        ("throttled@a@b", Fault("throttled", "a@b")),
    ],
)
def test_a_fault_is_written_as_name_pattern_and_number(text, fault):
    assert Fault.parse(text) == fault


@pytest.mark.parametrize("text", ["", "nonsense", "throttled@(", "throttled:0", "throttled:two", "@/pricing"])
def test_what_writes_no_fault_is_refused_with_the_form(text):
    with pytest.raises(ConfigurationError, match="NAME@PATTERN:N"):
        Fault.parse(text)


@given(name=st.sampled_from(sorted(FAULTS)), pattern=st.from_regex(r"[a-z/.]{0,12}", fullmatch=True), first=st.none() | st.integers(1, 99))
def test_every_fault_reads_as_it_is_written(name, pattern, first):
    text = name + (f"@{pattern}" if pattern else "") + (f":{first}" if first else "")

    assert Fault.parse(text) == Fault(name, pattern, first)


def test_a_fault_is_over_after_the_calls_that_it_met():
    layer = FaultLayer([Fault("throttled", "/PRICING", 2), Fault("soft-404")])
    met = [
        len(layer.on(tool, ORIGIN + path))
        for tool, path in [(Tool.PAGE, "/"), (Tool.MAP, "/pricing"), (Tool.PAGE, "/pricing"), (Tool.PAGE, "/pricing"), (Tool.ACCOUNT, "")]
    ]

    assert met == [1, 1, 2, 1, 0]


@pytest.mark.parametrize("flags", [{"html": "true"}, {"markdown": "true"}])
@pytest.mark.parametrize("name", sorted(name for name, kind in FAULTS.items() if not name.startswith(("reply-", "no-reply"))))
async def test_every_fault_answers_every_call_with_a_reply(tmp_path, name, flags):
    (tmp_path / "index.html").write_text("<html><body><p>Kept for 90 days.</p></body></html>")
    app = create_app(EngineSettings(mounts={ORIGIN: tmp_path}, faults=(Fault(name),)))
    bodies = [{"url": ORIGIN}, {"url": ORIGIN, "agent": "map", "includePatterns": "x"}]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://engine") as client:
        replies = await asyncio.gather(
            *(client.post("/", params=flags, json=body) for body in bodies), client.get("/subscription-accounts")
        )

    assert all(reply.status_code < 600 and reply.content for reply in replies)

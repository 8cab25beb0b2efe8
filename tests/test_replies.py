"""Replies are read in every shape that has been seen, and none is too strange to be read or kept."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from research_pipeline.errors import TransientFailure
from research_pipeline.limits import Tool
from resources.protocol import open_reply
from resources.replies import GeneralReply, MapReply, PageReply, Redirect, general_reply, map_reply, pack, page_reply, unpack

URL = "https://docs.acme.example/logs"
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
JSON = {"content-type": "application/json"}


def opened(payload, **headers):
    return open_reply(200, JSON | headers, json.dumps(payload).encode())


def page(payload, tool=Tool.HTML, **headers):
    return page_reply(opened(payload, **headers), URL, tool=tool, retrieved_at=NOW)


def site(payload, limit=1000):
    return map_reply(opened(payload), URL, retrieved_at=NOW, limit=limit)


def general(payload):
    return general_reply(opened(payload), URL, retrieved_at=NOW)


# ── pages ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("content_type", "content"),
    [
        ("application/json", json.dumps({"html": "<p>é</p>", "token_usage": 2}).encode()),
        ("application/json; charset=utf-8", json.dumps({"data": {"html": "<p>é</p>"}, "tokenUsage": "2"}).encode()),
        ("application/json", json.dumps({"data": json.dumps({"html": "<p>é</p>", "tokenUsage": 2}), "token_usage": 2}).encode()),
        ("text/plain", json.dumps({"html": "<p>é</p>", "token_usage": 2}).encode()),
        ("text/html; charset=utf-8", "<p>é</p>".encode()),
        ("text/html", "<p>é</p>".encode()),
        ("text/html; charset=windows-1252", "<p>é</p>".encode("windows-1252")),
    ],
)
def test_a_page_is_found_wherever_the_reply_holds_it(content_type, content):
    envelope = open_reply(200, {"content-type": content_type, "token_usage": "2", "x-status-code": "200"}, content)
    reply = page_reply(envelope, URL, tool=Tool.HTML, retrieved_at=NOW)

    assert (reply.body, reply.hollow_reason, envelope.tokens, reply.target_status) == ("<p>é</p>", "", 2, 200)


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ({"success": False, "error": "timeout"}, "timeout"),
        ({"success": False, "error": "a\x00\n" + "b" * 9999}, "a " + "b" * 298),
        ({"success": False, "html": "<p>captcha</p>", "message": "blocked"}, "blocked"),
        ({"success": False}, "the service says that it failed, and not why"),
        ({"status": "failed", "html": ""}, "the service says that it failed, and not why"),
        ({"data": {"status": "FAIL"}, "tokenUsage": 10}, "the service's data say that it failed"),
        ({"success": True}, "the reply holds no html"),
        ({"html": None, "data": None}, "the reply holds no html"),
        ({"html": 7}, "the reply holds no html"),
    ],
)
def test_a_reply_that_calls_itself_a_failure_is_hollow(payload, reason):
    assert page(payload).hollow_reason == reason


def test_an_empty_page_is_a_page():
    reply = page({"html": "  ", "success": True})

    assert (reply.body, reply.hollow_reason) == ("  ", "")


def test_where_a_page_ended_is_proven_only_by_a_service_that_says_so():
    assert page({"html": "x"}).hop_unproven
    assert page({"html": "x", "url": URL}).hop_unproven
    hops = [{"url": URL, "status": 301, "location": "https://docs.acme.example/new"}]
    told = page({"html": "x", "url": "https://docs.acme.example/new", "redirects": hops})

    assert not told.hop_unproven
    assert told.final_url == "https://docs.acme.example/new"
    assert told.redirects == (Redirect(URL, 301, "https://docs.acme.example/new"),)
    assert page({"html": "x", "finalUrl": "https://docs.acme.example/new"}).final_url == "https://docs.acme.example/new"


def test_unknown_keys_and_statuses_disturb_nothing():
    reply = page({"html": "x", "status": "brand-new", "residential_proxy_usage": {"a": 1}, "headers": None, "redirects": "none"})

    assert (reply.body, reply.hollow_reason, reply.headers, reply.redirects) == ("x", "", {}, ())


@pytest.mark.parametrize("content", [b"", b"{", b'{"html": "cut of', b"[1, 2]", b"null", b"[" * 100_000, b'{"html": "\xff"}'])
def test_a_reply_that_says_json_and_is_none_is_a_passing_failure(content):
    with pytest.raises(TransientFailure) as broken:
        open_reply(200, JSON | {"token_usage": "3"}, content)

    assert broken.value.cost == 3


# ── maps ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "payload",
    [
        {"data": {"urls": [URL, "/plans", URL], "count": 2}},
        {"data": json.dumps({"urls": [URL, "/plans"], "count": "2"})},
        {"data": {"data": {"urls": [URL, "/plans"]}}},
        {"data": [URL, "/plans"]},
        {"data": {"urls": [{"url": URL}, {"url": "/plans"}, {"title": "no address"}]}},
        {"data": {"urls": [URL, "mailto:a@b.c", "javascript:x()", "", None, 3, "https://[", " /plans "]}},
    ],
)
def test_a_map_is_found_wherever_the_reply_holds_it(payload):
    reply = site(payload)

    assert reply.urls == (URL, "https://docs.acme.example/plans")
    assert (reply.count, reply.truncated, reply.hollow_reason) == (2, False, "")


def test_a_map_without_pages_is_a_map_and_one_without_a_list_is_hollow():
    assert site({"data": {"urls": [], "count": 0}}).hollow_reason == ""
    assert site({"data": []}).hollow_reason == ""
    assert site({"data": None}).hollow_reason == "the reply holds no list of URLs"
    assert site({"data": {"status": "FAIL"}}).hollow_reason == "the service's data say that it failed"


def test_a_map_that_was_cut_says_so():
    assert site({"data": {"urls": [URL], "count": 9}}).truncated
    assert site({"data": {"urls": [URL]}}, limit=1).truncated
    assert site({"data": {"urls": [URL], "truncated": True, "skipped": {"gone": 2}}}).skipped == {"gone": 2}


# ── extractions ──────


def test_items_come_alone_or_in_a_list_and_never_without_their_page():
    assert general({"data": {"value": "30 days"}, "html": "<p>30 days</p>"}).items == ({"value": "30 days"},)
    reply = general({"data": '[{"value": "a"}, {"value": "b"}, "noise", {}]', "html": "x"})

    assert reply.items == ({"value": "a"}, {"value": "b"})
    assert reply.body == "x"
    assert general({"data": [], "html": "x"}).hollow_reason == ""
    assert general({"data": "sorry", "html": "x"}).hollow_reason == "the reply holds no data"


KNOWN = ["data", "html", "markdown", "urls", "count", "success", "status", "error", "url", "redirects", "token_usage", "headers", "skipped"]
anything = st.characters(exclude_categories=())  # lone surrogates too: JSON can spell them
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(anything, max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KNOWN) | st.text(anything, max_size=3), inner, max_size=4),
    max_leaves=12,
)


@example({"data": [{"value": float("nan")}]})
@example({"html": "\ud800", "data": {"urls": ["/\udfff"]}})
@given(st.dictionaries(st.sampled_from(KNOWN), json_values, max_size=6))
def test_no_payload_is_too_strange_to_be_read_and_kept(payload):
    envelope = open_reply(200, JSON, json.dumps(payload).encode())
    for reply in (
        page_reply(envelope, URL, tool=Tool.HTML, retrieved_at=NOW),
        page_reply(envelope, URL, tool=Tool.MARKDOWN, retrieved_at=NOW),
        map_reply(envelope, URL, retrieved_at=NOW, limit=10),
        general_reply(envelope, URL, retrieved_at=NOW),
    ):
        facts, body = pack(reply)

        assert unpack(type(reply), json.loads(json.dumps(facts)), body) == reply


@given(
    st.binary(max_size=60),
    st.sampled_from(["application/json", "text/html", "text/html; charset=gbk", "", "image/png", "text/plain; charset=nonsense"]),
)
def test_no_bytes_are_too_strange_to_be_judged(content, content_type):
    try:
        envelope = open_reply(200, {"content-type": content_type}, content)
    except TransientFailure:
        return
    assert isinstance(page_reply(envelope, URL, tool=Tool.HTML, retrieved_at=NOW).body, str)


@pytest.mark.parametrize("kind", [PageReply, GeneralReply, MapReply])
def test_what_the_ledger_knows_is_not_kept_twice(kind):
    reply = kind(url=URL, final_url=URL, hop_unproven=False, retrieved_at=NOW, tokens=4, call_key="call_1", body_hash="ab")

    assert pack(reply)[0].keys().isdisjoint({"tokens", "call_key", "body_hash", "from_ledger", "body", "urls"})

"""The wire: requests leave nothing to the server's defaults; accounts and errors are read in every shape that has been seen."""

import json

import pytest

from research_pipeline.errors import TransientFailure
from resources.protocol import (
    Account,
    MapRequest,
    WireSettings,
    error_message,
    general_request,
    map_request,
    page_request,
    read_account,
    whole_number,
)

URL = "https://docs.acme.example/logs"
WIRE = WireSettings()


# ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_page_request_spells_everything_out():
    request = page_request(URL, markdown=False, settings=WIRE)

    assert request.flags == {"html": "true", "timeout": "120", "saveResult": "false"}
    assert request.body == {"url": URL, "maxRetries": 1, "tokenCap": 5}
    assert page_request(URL, markdown=True, settings=WIRE).flags == {"markdown": "true", "timeout": "120", "saveResult": "false"}


def test_a_map_request_spells_everything_out():
    request = map_request(MapRequest(URL, include=(".*log.*", "plans?$"), exclude=("/blog/",)), WIRE)

    assert request.flags == {"timeout": "120", "saveResult": "false"}
    assert request.body == {
        "url": URL, "agent": "map", "maxDepth": 2, "maxPages": 3, "limit": 1000, "maxRetries": 1, "tokenCap": 60,
        "includePatterns": [".*log.*", "plans?$"], "excludePatterns": ["/blog/"],
    }  # fmt: skip


def test_patterns_may_go_as_one_string_that_means_the_same():
    settings = WireSettings(pattern_form="string")

    assert map_request(MapRequest(URL, include=("a|b", "c")), settings).body["includePatterns"] == "(?:a|b)|(?:c)"


def test_a_schema_follows_the_prompt_after_its_marker():
    request = general_request(URL, "How long?", schema={"type": "object"}, settings=WIRE)

    assert request.flags["html"] == "true"
    assert request.body["agent"] == "general"
    assert request.body["prompt"] == 'How long?\n\nJson Schema:\n{"type": "object"}'
    assert request.body["tokenCap"] == 20


def test_a_raw_address_is_sent_percent_encoded():
    request = page_request("https://docs.acme.example/über uns?q=ä", markdown=False, settings=WIRE)

    assert request.body["url"] == "https://docs.acme.example/%C3%BCber%20uns?q=%C3%A4"


def test_settings_that_do_not_decide_the_reply_do_not_make_another_call():
    other = WireSettings(page_timeout=30, max_retries=3, page_tokens=9, pattern_form="string")

    assert page_request(URL, markdown=False, settings=WIRE).call.key("c") == page_request(
        URL + "#top", markdown=False, settings=other
    ).call.key("c")
    assert page_request(URL, markdown=False, settings=WIRE).call.key("c") != page_request(URL, markdown=True, settings=WIRE).call.key("c")


# ── accounts, errors ──


@pytest.mark.parametrize(
    ("body", "account", "left"),
    [
        ({"data": {"tokenLimit": 100, "tokenUsage": 30}}, Account(100, 30), 70),
        ({"tokenLimit": "100", "tokenUsage": "30"}, Account(100, 30), 70),
        ({"data": {"tokenLimit": 100, "tokenUsage": 130}}, Account(100, 130), 0),
        ({"data": {"tokenLimit": 100}}, Account(100, 0), 100),
        ({"data": {"isEnterprise": True}}, Account(None, 0), None),
    ],
)
def test_an_account_is_read_in_every_shape(body, account, left):
    assert read_account(json.dumps(body).encode()) == account
    assert account.left == left


@pytest.mark.parametrize("content", [b"<html>", b'{"data": "x"}', b'{"data": null}', b"[]"])
def test_what_is_no_account_is_a_passing_failure(content):
    with pytest.raises(TransientFailure):
        read_account(content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"message": "Unauthorized access", "error": "Unauthorized"}', "Unauthorized access"),
        (b'{"message": "Cannot GET /x", "errors": "Not Found"}', "Cannot GET /x"),
        (b'{"errors": ["url is wrong"]}', '["url is wrong"]'),
        (b"<html>\n <h1>502</h1>", "<html> <h1>502</h1>"),
        (b"{}", ""),
        (b"", ""),
        (b"a\x00b", "ab"),
    ],
)
def test_an_error_body_is_read_in_every_shape(content, message):
    assert error_message(content) == message


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3, 3),
        ("3", 3),
        (2.2, 3),
        ("1.0", 1),
        (-1, None),
        (True, None),
        (None, None),
        ("many", None),
        (float("nan"), None),
        (10**400, None),
        ([], None),
    ],
)
def test_a_count_is_a_whole_number_or_unknown(value, number):
    assert whole_number(value) == number

"""Faults of replies: work that was done, and a reply that hides, garbles or contradicts it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from resources.embedded.fault_kinds import PAGES, FaultKind
from resources.embedded.faulty_sites import FOREIGN_URL, SITE_FAULTS
from resources.embedded.protocol import Call, RawText, Reply, Tool, error_body

_TEXTS = {"html": "text/html; charset=utf-8", "markdown": "text/markdown; charset=utf-8"}
_OWN_KEYS = frozenset(
    {"url", "target_status", "redirects", "refused_url", "content_type", "headers", "truncated", "charset", "replacement_characters"}
)
_OVERRUN = 3  # times its cap that a call costs which keeps to none


def _texts(reply: Reply) -> dict[str, str]:
    return {name: reply.body[name] for name in _TEXTS if isinstance(reply.body.get(name), str)}


def _with_texts(change: Callable[[str], Any]) -> Callable[[Call, Reply], Reply]:
    return lambda _call, reply: _saying(reply, {name: change(text) for name, text in _texts(reply).items()})


def _saying(reply: Reply, more: Mapping[str, Any]) -> Reply:
    return replace(reply, body={**reply.body, **more})


def _without(reply: Reply, names: frozenset[str]) -> Reply:
    return replace(reply, body={name: value for name, value in reply.body.items() if name not in names})


def _missing_text(_call: Call, reply: Reply) -> Reply:
    return _without(reply, frozenset(_TEXTS))


def _no_final_url(_call: Call, reply: Reply) -> Reply:
    return _without(reply, _OWN_KEYS)


def _foreign_redirect(call: Call, reply: Reply) -> Reply:
    hop = {"url": call.body.url, "status": 302, "location": FOREIGN_URL}
    return _saying(reply, {"url": FOREIGN_URL, "redirects": [hop]})


def _misread(charset: str) -> Callable[[Call, Reply], Reply]:
    return _with_texts(lambda text: text.encode(charset, "replace").decode("utf-8", "replace"))


def _unknown_status(_call: Call, reply: Reply) -> Reply:
    return _saying(reply, {"status": "archived", "proxy": {"pool": 3}, "residential_proxy_usage": None, "html_path": "s3://bucket/key"})


def _raw_text(_call: Call, reply: Reply) -> Reply:
    found = _texts(reply)
    name = "markdown" if "markdown" in found else "html"
    return replace(reply, text=RawText(found[name], _TEXTS[name])) if found and "data" not in reply.body else reply


def _cut_json(_call: Call, reply: Reply) -> Reply:
    whole = json.dumps(dict(reply.body))
    return replace(reply, text=RawText(whole[: len(whole) // 2], "application/json"))


def _raw_unicode(_call: Call, reply: Reply) -> Reply:
    data: dict[str, Any] = reply.body.get("data", {})
    return _saying(reply, {"data": {**data, "urls": [unquote(url) for url in data.get("urls", ())]}})


def _without_usage_headers(_call: Call, reply: Reply) -> Reply:
    return replace(_without(reply, frozenset({"target_status"})), tells_usage=False)


def _cost_unsaid(_call: Call, reply: Reply) -> Reply:
    return replace(_without(reply, frozenset({"token_usage"})), tells_usage=False)


def _failed_but_charged(_call: Call, reply: Reply) -> Reply:
    body = {"success": False, "message": "The run failed", "data": {"status": "FAIL"}, "token_usage": reply.cost}
    return replace(reply, body=body)


def _null_but_charged(_call: Call, reply: Reply) -> Reply:
    return replace(reply, body={"data": None, "token_usage": reply.cost})


def _cap_is_an_error(call: Call, reply: Reply) -> Reply:
    cost = call.body.token_cap or reply.cost
    return Reply({**error_body(400, "tokenCap reached before the run was finished"), "token_usage": cost}, 400, cost)


def _cap_is_overrun(call: Call, reply: Reply) -> Reply:
    cost = _OVERRUN * (call.body.token_cap or reply.cost)
    return replace(_saying(reply, {"token_usage": cost}), cost=cost)


REPLY_FAULTS = {
    "empty-text": FaultKind("the page's text is empty", PAGES, after=_with_texts(lambda _text: "")),
    "blank-text": FaultKind("the page's text is white space", PAGES, after=_with_texts(lambda _text: " \n\n ")),
    "null-text": FaultKind("the page's text is null", PAGES, after=_with_texts(lambda _text: None)),
    "missing-text": FaultKind("the reply has no field for the page's text", PAGES, after=_missing_text),
    "no-final-url": FaultKind("the reply does not say where it ended, nor what the page was", PAGES, after=_no_final_url),
    "foreign-content": replace(SITE_FAULTS["foreign-content"], after=_no_final_url),
    "foreign-redirect": FaultKind("the reply names an address of another host as where it ended", PAGES, after=_foreign_redirect),
    "misread-shift-jis": FaultKind("a page in Shift_JIS is read as UTF-8", PAGES, after=_misread("shift_jis")),
    "misread-gbk": FaultKind("a page in GBK is read as UTF-8", PAGES, after=_misread("gbk")),
    "misread-windows-1252": FaultKind("a page in windows-1252 is read as UTF-8", PAGES, after=_misread("cp1252")),
    "unknown-status": FaultKind("`status` has a value that nobody knows, and there are fields besides", after=_unknown_status),
    "raw-text": FaultKind("the page's text itself, in place of JSON", frozenset({Tool.PAGE}), after=_raw_text),
    "cut-json": FaultKind("200 with half a JSON object", after=_cut_json),
    "raw-unicode-urls": FaultKind("a map lists addresses in raw Unicode", frozenset({Tool.MAP}), after=_raw_unicode),
    "no-usage-headers": FaultKind("no usage headers, and no word of the site's status", after=_without_usage_headers),
    "cost-unsaid": FaultKind("nothing says what the call cost", after=_cost_unsaid),
    "failed-but-charged": FaultKind("200 with `success: false` and a price", after=_failed_but_charged),
    "null-but-charged": FaultKind("200 with `data: null` and a price", after=_null_but_charged),
    "token-cap-is-an-error": FaultKind("the call meets its tokenCap: 400, charged to the cap", after=_cap_is_an_error),
    "token-cap-overrun": FaultKind(f"the call costs {_OVERRUN} times its tokenCap", after=_cap_is_overrun),
}

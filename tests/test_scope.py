"""Plans and editions: named in questions, and governing places of a page."""

from __future__ import annotations

import pytest

from research_pipeline.extraction.scope import Scope, ScopeMatch, asked_scope, bears_a_word, bound_scopes, in_scope
from tests.gate_bench import gate, question

QUESTIONS = (
    ("How long does Acme keep audit logs on its Business plan?", ("business",)),
    ("How long are audit logs kept on Acme Enterprise?", ("enterprise",)),
    ("What is Acme's Hobby plan limit?", ("hobby",)),
    ("How many requests may Acme Hobby customers make?", ("hobby",)),
    ("How long is the free trial of Acme Business?", ("business",)),
    ("How long are logs kept on the Zephyr plan?", ("zephyr",)),
    ("What do Acme Zephyr customers pay?", ("zephyr",)),
    ("What is the limit in Acme's Enterprise+ edition?", ("enterprise plus",)),
    ("What is the limit on Acme Enterprise Plus?", ("enterprise plus",)),
    ("What is the limit on the Free and Pro plans?", ("free", "pro")),
    ("Wie lange speichert Acme Protokolle im Enterprise-Tarif?", ("enterprise",)),
    ("Combien de temps sur le forfait Pro ?", ("pro",)),
    ("¿Cuánto tiempo en el plan Pro?", ("pro",)),
    ("Acme の Pro プランの保存期間は？", ("pro",)),
    ("How long does Acme keep audit logs?", ()),
    ("On which Acme plan is SAML available?", ()),
    ("Which plan is needed for SSO with Google Workspace?", ()),
    ("When does Acme offer Business Class support?", ()),
    ("How many business days does a reply take?", ()),
    ("How do I upgrade my plan?", ()),
)


@pytest.mark.parametrize(("text", "names"), QUESTIONS)
def test_a_question_names_its_plans(text, names):
    assert asked_scope(question(text)).names == names


def test_a_scope_word_that_names_a_plan_is_one():
    assert asked_scope(question(must_mention=("business", "staging"))) == Scope(("business",), ("business", "staging"))


@pytest.mark.parametrize(
    ("text", "borne"),
    [("On the Business plan", True), ("businesses", False), ("business logs", True), ("Businesslike", False), ("", False)],
)
def test_scope_words_stand_at_token_boundaries(text, borne):
    assert bears_a_word(Scope(must_mention=("business",)), [text]) is borne


def place(body, value):
    text = gate(body).text
    start = text.text.index(value)
    block = next(block for block in text.blocks if block.start <= start < block.end)
    return text, block, start, start + len(value)


BOUND = (
    ("1000 RPH for Hobby customers, 10000 RPH for Pro customers; custom for Enterprise.", "1000 RPH", ("Hobby",)),
    ("1000 RPH for Hobby customers, 10000 RPH for Pro customers; custom for Enterprise.", "10000 RPH", ("Pro",)),
    ("Logs are kept for 7 days (30 days on Pro).", "7 days", ()),
    ("Logs are kept for 7 days (30 days on Pro).", "30 days", ("Pro",)),
    ("Pro (30 days), Enterprise (90 days).", "90 days", ("Enterprise",)),
    ("Unlike Free, Pro keeps logs for 30 days.", "30 days", ("Pro",)),
    ("Logs are kept for 30 days, on Pro and Enterprise.", "30 days", ("Pro", "Enterprise")),
    ("Free plan users get 7 days while Pro gets 30 days.", "30 days", ("Pro",)),
    ("All plans keep logs for 30 days.", "30 days", ()),
    ("Business customers get logs. Entries stay for 30 days.", "30 days", ("Business",)),
    ("Free has 7 days. Entries stay for 30 days.", "30 days", ()),
    ("The Zephyr plan is new. On Zephyr, logs stay for 30 days.", "30 days", ("Zephyr",)),
    ("On Acme Business, logs stay for 30 days.", "30 days", ("Business",)),
    ("It takes 3 Business days or 30 days.", "30 days", ()),
    ("Pro tips: keep logs for 30 days.", "30 days", ()),
)


@pytest.mark.parametrize(("sentences", "value", "plans"), BOUND)
def test_the_nearest_plan_governs_a_value(sentences, value, plans):
    assert bound_scopes(*place(f"<p>{sentences}</p>", value)) == plans


@pytest.mark.parametrize(
    ("body", "plans"),
    [
        ("<h2>Enterprise</h2><p>Logs: 30 days</p>", ("Enterprise",)),
        ("<h2>Enterprise</h2><h3>Logs</h3><p>30 days</p>", ("Enterprise",)),
        ("<h2>Enterprise</h2><h3>Pro</h3><p>30 days</p>", ("Pro",)),
        ("<h2>Enterprise SSO</h2><p>30 days</p>", ()),
        ("<p>On the Pro plan:</p><ul><li>30 days of logs</li></ul>", ("On the Pro plan:",)),
        ("<table><tr><th>Kept</th><th>Plan</th></tr><tr><td>30 days</td><td>Zephyr</td></tr></table>", ("Zephyr",)),
        ("<table><tr><th>Plan</th><th>Kept</th></tr><tr><td>Hobby / Trial</td><td>30 days</td></tr></table>", ("Hobby / Trial",)),
        (
            "<table><tr><th></th><th>Free</th><th>Pro ($20)</th></tr><tr><td>Logs</td><td>7</td><td>30 days</td></tr></table>",
            ("Pro ($20)",),
        ),
    ],
)
def test_headers_headings_and_lead_ins_govern(body, plans):
    assert bound_scopes(*place(body, "30 days")) == plans


def test_a_place_matches_another_or_none():
    pro = Scope(("pro",))
    assert in_scope(pro, *place("<p>On Pro, logs stay for 30 days.</p>", "30 days")) is ScopeMatch.MATCH
    assert in_scope(pro, *place("<p>On Pro+, logs stay for 30 days.</p>", "30 days")) is ScopeMatch.OTHER
    assert in_scope(pro, *place("<p>Logs stay for 30 days.</p>", "30 days")) is ScopeMatch.UNBOUND
    assert in_scope(Scope(), *place("<p>Logs stay for 30 days.</p>", "30 days")) is ScopeMatch.MATCH

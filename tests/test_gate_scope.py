"""Whether the plan or edition that governs a value is the one that is asked for."""

from __future__ import annotations

import pytest

from research_pipeline.records import Verdict
from tests.gate_bench import examine, question

BY_COLUMN = (
    "<table><tr><th>Feature</th><th>Free</th><th>Pro</th><th>Enterprise+</th></tr>"
    "<tr><td>Audit log retention</td><td>7 days</td><td>30 days</td><td>90 days</td></tr></table>"
)
BY_ROW = (
    "<table><tr><th>Plan</th><th>Audit log retention</th></tr><tr><td>Free / Trial</td><td>7 days</td></tr>"
    "<tr><td>Pro</td><td>30 days</td></tr><tr><td>Enterprise+</td><td>90 days</td></tr></table>"
)
BY_HEADING = (
    "<h2>Free</h2><p>Audit logs are kept for 7 days.</p><h2>Pro plan</h2><p>Audit logs are kept for 30 days.</p>"
    "<h2>Enterprise+</h2><p>Audit logs are kept for 90 days.</p>"
)
BY_CLAUSE = "<p>Audit logs are kept for 7 days on Free, 30 days on Pro, and 90 days on Enterprise+.</p>"
BY_LEADING_CLAUSE = "<p>On Free, audit logs are kept for 7 days; on Pro, for 30 days; on Enterprise+, for 90 days.</p>"
BY_BRACKET = "<p>Audit logs are kept for 7 days (Free), 30 days (Pro) or 90 days (Enterprise+).</p>"
BY_LABEL = "<p>Audit log retention: Free: 7 days; Pro: 30 days; Enterprise+: 90 days.</p>"
RESPECTIVELY = "<p>Free, Pro and Enterprise+ keep audit logs for 7 days, 30 days and 90 days respectively.</p>"
BY_ITEM = "<ul><li>Free: audit logs for 7 days</li><li>Pro: audit logs for 30 days</li><li>Enterprise+: audit logs for 90 days</li></ul>"
PAGES = (BY_COLUMN, BY_ROW, BY_HEADING, BY_CLAUSE, BY_LEADING_CLAUSE, BY_BRACKET, BY_LABEL, RESPECTIVELY, BY_ITEM)
RIGHT = {"Free": "7 days", "Pro": "30 days", "Enterprise+": "90 days"}
FORMS = (
    "How long does Acme keep audit logs on the {plan} plan?",
    "What is the audit log retention for Acme {plan} customers?",
    "How long are audit logs kept on Acme's {plan} tier?",
    "Wie lange werden Audit-Logs im {plan}-Tarif aufbewahrt?",
)


@pytest.mark.parametrize("body", PAGES)
def test_a_value_answers_for_its_own_plan_and_no_other(body):
    for form in FORMS:
        for asked in (*RIGHT, "Enterprise", "Zephyr"):
            for plan, value in RIGHT.items():
                found = examine(body, value, asked=question(form.format(plan=asked)))
                expected = Verdict.VERIFIED if plan == asked else Verdict.OUT_OF_SCOPE
                assert found.verdict is expected, (form, asked, value, found.diagnosis)


def test_table_evidence_carries_its_headers_and_its_plan():
    found = examine("<h2>Limits</h2>" + BY_COLUMN, "30 days", asked=question(FORMS[0].format(plan="Pro")))
    assert found.headers == ("Limits", "Audit log retention", "Pro")
    assert found.scope == ("Pro",)


ONLY_SOME = (
    ("All plans except Free keep audit logs for 30 days.", "Pro", True),
    ("All plans except Free keep audit logs for 30 days.", "Free", False),
    ("Audit logs are kept for 30 days on every plan.", "Pro", True),
    ("Audit logs are kept for 30 days on all paid plans.", "Pro", True),
    ("Audit logs are kept for 30 days on all paid plans.", "Free", False),
    ("Pro and Team customers have audit logs for 30 days.", "Team", True),
    ("Pro and Team customers have audit logs for 30 days.", "Hobby", False),
    ("On Pro and above, audit logs are kept for 30 days.", "Enterprise", True),
    ("On Pro and above, audit logs are kept for 30 days.", "Free", False),
    ("Unlike Free, Pro keeps audit logs for 30 days.", "Free", False),
    ("Unlike Free, Pro keeps audit logs for 30 days.", "Pro", True),
    ("Business customers get audit logs. Entries are kept for 30 days.", "Business", True),
    ("Business customers get audit logs. Entries are kept for 30 days.", "Pro", False),
    ("Audit logs are kept for 30 days.", "Pro", False),
    ("Our providers keep audit logs for 30 days.", "Pro", False),
    ("Im Pro-Tarif werden Audit-Logs 30 days aufbewahrt.", "Pro", True),
    ("Sur le forfait Pro, les journaux sont conservés 30 days.", "Pro", True),
    ("En el plan Pro los registros se conservan 30 days.", "Pro", True),
    ("Proプランでは監査ログは30 days保存されます。", "Pro", True),
    ("Proプランでは監査ログは30 days保存されます。", "Free", False),
)


@pytest.mark.parametrize(("sentences", "plan", "fits"), ONLY_SOME)
def test_a_sentence_says_for_which_plans_it_holds(sentences, plan, fits):
    found = examine(f"<p>{sentences}</p>", "30 days", sentences, asked=question(FORMS[0].format(plan=plan)))
    assert found.verdict is (Verdict.VERIFIED if fits else Verdict.OUT_OF_SCOPE), found.diagnosis


def test_a_value_that_nothing_binds_is_taken_for_the_plan_that_the_title_names():
    asked = question(FORMS[0].format(plan="Pro"))
    assert examine("<p>Audit logs are kept for 30 days.</p>", "30 days", asked=asked, title="Acme Pro").verified


def test_without_a_plan_in_the_question_the_plan_is_told_and_not_judged():
    found = examine(BY_CLAUSE, "30 days", asked=question("How long are audit logs kept?"))
    assert (found.verdict, found.scope) == (Verdict.VERIFIED, ("Pro",))


MUST = (
    ("<p>Business keeps audit logs for 30 days.</p>", True),
    ("<h2>Business</h2><p>Audit logs are kept for 30 days.</p>", True),
    ("<table><tr><th>Plan</th><th>Kept</th></tr><tr><td>Business</td><td>30 days</td></tr></table>", True),
    ("<p>Audit logs are kept for 30 days.</p>", False),
    ("<p>Business is good.</p><h2>Logs</h2><p>Audit logs are kept for 30 days.</p>", False),
    ("<p>Businesslike audit logs are kept for 30 days.</p>", False),
    ("<h2>Free</h2><p>Audit logs are kept for 30 days, as all of our business.</p>", False),
)


@pytest.mark.parametrize(("body", "fits"), MUST)
def test_a_scope_word_must_stand_in_the_quote_or_what_heads_it(body, fits):
    found = examine(body, "30 days", asked=question(must_mention=("business",)))
    assert found.verdict is (Verdict.VERIFIED if fits else Verdict.OUT_OF_SCOPE), found.diagnosis


def test_any_one_of_the_scope_words_will_do():
    body = "<h2>Staging</h2><p>Audit logs are kept for 30 days.</p>"
    assert examine(body, "30 days", asked=question(must_mention=("staging", "test environment"))).verified
    assert not examine(body, "30 days", asked=question(must_mention=("production",))).verified

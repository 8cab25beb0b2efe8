"""Claims whose value a quote states in hard dress: they must pass."""

from __future__ import annotations

import pytest

from tests.gate_bench import examine, question

VALUES = (
    ("duration", "30 days", "90 days"),
    ("size", "10 GB", "25 GB"),
    ("money", "$20", "$45"),
    ("percent", "99.5%", "99.9%"),
    ("rate", "50 requests per minute", "80 requests per minute"),
    ("count", "100 projects", "250 projects"),
)
STATED = (
    "The limit is {v}.",
    "The limit is no more than {v}.",
    "You cannot have more than {v}.",
    "The limit must not exceed {v}.",
    "It may not be larger than {v}.",
    "Requests over {v} are not accepted.",
    "Anything beyond {v} is not supported.",
    "Not only is the limit {v}, it is shared.",
    "No, the limit is {v}.",
    "The limit is not {w} but {v}.",
    "The limit is {v}, not {w}.",
    "The limit is {v} rather than {w}.",
    "Instead of {w}, the limit is now {v}.",
    "The limit is now {v}, previously {w}.",
    "Previously {w}, now {v}.",
    "The limit was raised from {w} to {v}.",
    "Today it is {v}; {w} is planned.",
    "There is no charge, and the limit is {v}.",
    "No credit card is required for the {v} allowance.",
    "If you do not pay, the limit is {v}.",
    "Accounts that are not verified get {v}.",
    "We don't meter traffic, but the limit is {v}.",
    "The limit of {v} is not configurable.",
    "Upgrading does not change the {v} limit.",
    "The limit (e.g. for uploads) is {v}.",
    "How much? The limit is {v}.",
    "The limit isn’t shared; it is {v} each.",
    "The limit is <b>{v}</b>.",
    "The limit is <a href='/x'>{v}</a> for all.",
    "The limit is {v} (contact us for more).",
    "The limit is {v}, unless you ask for more.",
    "The default limit, which nobody has to set, is {v}.",
    "Das Limit beträgt {v}.",
    "Das Limit beträgt nicht mehr als {v}.",
    "La limite est de {v}.",
    "La limite n'est pas de plus de {v}.",
    "El límite es {v}.",
    "El límite no es de más de {v}.",
)


@pytest.mark.parametrize("template", STATED)
def test_a_value_that_its_sentence_asserts_passes(template):
    for kind, value, other in VALUES:
        body = f"<h2>Limits</h2><p>{template.format(v=value, w=other)}</p>"
        found = examine(body, value, asked=question("What is the limit?", kind))
        assert found.verified, (value, found.verdict, found.diagnosis)
        assert value.casefold() in found.value.casefold()


PLANS = (
    "SAML SSO is available on {v}.",
    "SAML SSO is only available on {v}.",
    "SAML SSO is not available on plans other than {v}.",
    "You cannot use SAML SSO unless you are on {v}.",
    "Not available on Hobby, only on {v}.",
    "SAML SSO is available on {v} and is not available on Hobby.",
    "SAML SSO is available on {v}, not on Hobby.",
    "{v} includes features not found in Hobby.",
    "Unlike Hobby, {v} includes SAML SSO.",
    "SAML SSO ist nur im Tarif {v} enthalten.",
    "SAML SSO est inclus dans le forfait {v}.",
    "SAML SSO está incluido en el plan {v}.",
    "SAML SSOは{v}プランで利用できます。",
)


@pytest.mark.parametrize("template", PLANS)
@pytest.mark.parametrize("plan", ["Enterprise", "Zephyr"])
def test_a_plan_that_the_sentence_names_as_the_answer_passes(template, plan):
    found = examine(f"<p>{template.format(v=plan)}</p>", plan, asked=question("Which plan includes SAML SSO?", "text"))
    assert found.verified, (found.verdict, found.diagnosis)


SPANNING = (
    "<table><tr><th rowspan=2>Log</th><th colspan=2>Kept</th></tr><tr><th>min</th><th>max</th></tr>"
    "<tr><td>Audit</td><td>1 day</td><td>30 days</td></tr></table>"
)
DRESSED = (
    ("<p>Audit logs are kept for 30&nbsp;days.</p>", "Audit logs are kept for 30 days."),
    ("<p>Audit logs are kept for thir­ty days.</p>", "Audit logs are kept for thirty days."),
    ("<p>Audit logs are<br>kept for 30 days.</p>", "Audit logs are kept for 30 days."),
    ("<p>Audit <em>lo</em>gs are kept for <code>30 days</code>.</p>", "Audit logs are kept for 30 days."),
    ("<p>AUDIT LOGS ARE KEPT FOR 30 DAYS.</p>", "audit logs are kept for 30 days."),
    ("<p>Acme’s audit logs are “kept” for 30 days.</p>", 'Acme\'s audit logs are "kept" for 30 days.'),
    ("<p>Audit logs — all of them — are kept for 30 days.</p>", "Audit logs - all of them - are kept for 30 days."),
    ("<p>Audit\n\n   logs are kept\tfor 30 days.</p>", "Audit logs are kept for 30 days."),
    ("<p>Audit logs are kept for ３０ days.</p>", "Audit logs are kept for 30 days."),
    ("<p>Audit logs are kept&#8203; for 30 days.</p>", "Audit logs are kept for 30 days."),
    ("<dl><dt>Audit logs</dt><dd>30 days</dd></dl>", "30 days"),
    ("<p>Kept for:</p><ul><li>Audit logs: 30 days</li></ul>", "Audit logs: 30 days"),
    ("<table><tr><th>Log</th><th>Kept</th></tr><tr><td>Audit</td><td>30 days</td></tr></table>", "Audit | 30 days"),
    ("<table><tr><th>Log</th><th>Kept</th></tr><tr><td>Audit</td><td>30 days</td></tr></table>", "| Audit | 30 days |"),
    ("<table><tr><th>Log</th><th>Kept</th></tr><tr><td>Audit</td><td>30 days</td></tr></table>", "Audit\t30 days"),
    ("<table><tr><th>Log</th><th>Tag</th><th>Kept</th></tr><tr><td>Audit</td><td>x</td><td>30 days</td></tr></table>", "Audit | 30 days"),
    ("<table><tr><th>Log</th><th>Kept (days)</th></tr><tr><td>Audit</td><td>30</td></tr></table>", "Audit | 30"),
    ("<table><tr><th>Log</th><th>Kept, days</th></tr><tr><td>Audit</td><td>30</td></tr></table>", "Audit | 30"),
    (SPANNING, "Audit | 1 day | 30 days"),
    ("<details><summary>How long are audit logs kept?</summary><p>They are kept for 30 days.</p></details>", "They are kept for 30 days."),
)


@pytest.mark.parametrize(("body", "quote"), DRESSED)
def test_the_page_may_dress_a_quote_as_it_likes(body, quote):
    found = examine(body, "30 days", quote)
    assert found.verified, (found.verdict, found.diagnosis)


def test_a_default_in_code_is_a_statement():
    assert examine("<pre># retention = 30 days   (default)</pre>", "30 days").verified

"""Claims whose value stands in a real quote that does not state it: none may pass."""

from __future__ import annotations

import pytest

from research_pipeline.records import Verdict
from tests.gate_bench import examine, question

VALUES = (
    ("duration", "30 days", "90 days"),
    ("size", "10 GB", "25 GB"),
    ("money", "$20", "$45"),
    ("percent", "99.5%", "99.9%"),
    ("rate", "50 requests per minute", "80 requests per minute"),
    ("count", "100 projects", "250 projects"),
)
DENIED = (
    "The limit is not {v}.",
    "The limit isn’t {v}.",
    "The limit isn't {v} but {w}.",
    "The limit is {w}, not {v}.",
    "The limit is {w} (not {v}).",
    "The limit is {w} rather than {v}.",
    "The limit is {w} instead of {v}.",
    "We have never granted {v}.",
    "It is no longer {v}.",
    "Neither {v} nor {w} applies.",
    "Neither {w} nor {v} applies.",
    "There is no limit of {v}.",
    "No account gets {v} of anything.",
    "You cannot get {v}.",
    "You can’t have {v}, whatever you pay.",
    "It is a myth that the limit is {v}.",
    "Contrary to rumours of {v}, the limit is {w}.",
    "Trials run without the {v}.",
    "All limits apply except {v}.",
    "We do not offer projects, members, or {v}.",
    "We don't, on any plan, offer {v}.",
    "A limit of {v} is not available.",
    "A limit of {v} isn't offered.",
    "A limit of {v} is unavailable.",
    "{v} is not the limit.",
    "None of the limits is {v}.",
    "Nobody gets {v}.",
    "Das Limit beträgt nicht {v}.",
    "Es gibt kein Limit von {v}.",
    "Das Limit beträgt {w} statt {v}.",
    "La limite n'est pas {v}.",
    "Il n'y a aucune limite de {v}.",
    "El límite no es {v}.",
    "No hay un límite de {v}.",
)
SUPERSEDED = (
    "Previously {v}, now {w}.",
    "The limit was previously {v}.",
    "The limit is {w}, previously {v}.",
    "The limit is {w} (previously {v}).",
    "The limit is now {w}; it used to be {v}.",
    "The limit was {v} and is now {w}.",
    "The limit was raised from {v} to {w}.",
    "The limit has been increased from {v} to {w}.",
    "The limit is {w}, up from {v}.",
    "Formerly, the limit was {v}.",
    "Until March 2024, the limit was {v}.",
    "Before 2023 the limit was {v}.",
    "The old limit of {v} has been replaced.",
    "{v} → {w}",
    "Historically, accounts had {v}.",
    "Früher {v}, jetzt {w}.",
    "Auparavant {v}, désormais {w}.",
    "Antes {v}, ahora {w}.",
)
HEDGED = (
    "A limit of {v} is coming soon.",
    "{v}, coming soon.",
    "Coming soon: {v}.",
    "We plan to offer {v}.",
    "We are considering {v}.",
    "A limit of {v} is on our roadmap.",
    "A limit of {v} is planned.",
    "In the future, the limit will be {v}.",
    "The limit will soon be {v}.",
    "The limit will be increased to {v}.",
    "The limit might be {v}.",
    "We hope to reach {v}.",
    "Contact sales for {v}.",
    "The proposed limit is {v}.",
    "Demnächst: {v}.",
    "Bientôt {v}.",
    "Próximamente {v}.",
)
ILLUSTRATED = (
    "For example, a limit of {v} stops large uploads.",
    "Set a limit (e.g. {v}).",
    "Choose a limit such as {v}.",
    "Suppose your limit is {v}.",
    "Imagine a limit of {v}.",
    "Let's say you have {v}.",
    "If you choose {v}, the form turns green.",
    "You might enter a number, for instance {v}.",
    "Zum Beispiel {v}.",
    "Par exemple {v}.",
    "Por ejemplo {v}.",
)
ASKED = (
    "Is the limit {v}?",
    "Do you offer {v}?",
    "Can I get {v}, please?",
    "Why only {v}?",
    "¿El límite es {v}?",
    "Gibt es {v}?",
)
GROUPS = (
    (DENIED, Verdict.VALUE_NEGATED),
    (SUPERSEDED, Verdict.VALUE_NEGATED),
    (HEDGED, Verdict.HEDGED),
    (ILLUSTRATED, Verdict.IN_EXAMPLE),
    (ASKED, Verdict.IN_QUESTION),
)


@pytest.mark.parametrize(("template", "verdict"), [(template, verdict) for templates, verdict in GROUPS for template in templates])
def test_a_value_that_its_sentence_does_not_assert_is_refused(template, verdict):
    for kind, value, other in VALUES:
        sentence = template.format(v=value, w=other)
        found = examine(f"<h2>Limits</h2><p>{sentence}</p>", value, sentence, asked=question("What is the limit?", kind))
        # a denial comes before other reasons; a range that spans the old and the new value is no mention of either
        assert found.verdict in {verdict, Verdict.VALUE_NEGATED, Verdict.VALUE_ABSENT}, (value, found.verdict)
        assert found.diagnosis


STATUS_COLUMN = (
    "<table><tr><th>Name</th><th>Limit</th><th>Status</th></tr>"
    "<tr><td>Uploads of all kinds</td><td>{v}</td><td>Coming soon</td></tr></table>"
)
UNDER = (
    ("<h2>Not included</h2><ul><li>A limit of {v} for everyone</li></ul>", Verdict.VALUE_NEGATED),
    ("<p>The Free plan does not include:</p><ul><li>A limit of {v} for everyone</li></ul>", Verdict.VALUE_NEGATED),
    ("<p>The following are not supported:</p><ul><li>A limit of {v} for everyone</li></ul>", Verdict.VALUE_NEGATED),
    ("<dl><dt>Not supported</dt><dd>A limit of {v} for everyone</dd></dl>", Verdict.VALUE_NEGATED),
    ("<h2>Roadmap</h2><p>A limit of {v} for everyone.</p>", Verdict.HEDGED),
    ("<h2>Coming soon</h2><p>A limit of {v} for everyone.</p>", Verdict.HEDGED),
    ("<h2>Example</h2><p>A limit of {v} for everyone.</p>", Verdict.IN_EXAMPLE),
    ("<h2>Sample configuration</h2><p>A limit of {v} for everyone.</p>", Verdict.IN_EXAMPLE),
    ("<h2>Old limits</h2><p>A limit of {v} for everyone.</p>", Verdict.VALUE_NEGATED),
    ("<h2>A limit of {v} for everyone</h2><p>We like it.</p>", Verdict.BARE_HEADING),
    ("<details><summary>A limit of {v} for everyone</summary><p>We like it.</p></details>", Verdict.BARE_HEADING),
    ("<pre>limit = {v} for everyone</pre>", Verdict.IN_EXAMPLE),
    ("<table><tr><th>Name</th><th>Old limit</th></tr><tr><td>Uploads of all kinds</td><td>{v}</td></tr></table>", Verdict.VALUE_NEGATED),
    (STATUS_COLUMN, Verdict.HEDGED),
)


@pytest.mark.parametrize(("body", "verdict"), UNDER)
def test_a_value_is_judged_by_what_it_stands_under(body, verdict):
    for kind, value, _ in VALUES:
        found = examine(body.format(v=value), value, asked=question("What is the limit?", kind))
        assert found.verdict is verdict, (value, found.diagnosis)


PLANS = (
    "SAML SSO is not included in the {v} plan.",
    "SAML SSO is not available on {v}.",
    "The {v} plan does not include SAML SSO.",
    "The {v} plan doesn’t include SAML SSO.",
    "All plans except {v} include SAML SSO.",
    "All plans but {v} include SAML SSO.",
    "SAML SSO is available on Pro, not on {v}.",
    "Unlike {v}, Pro includes SAML SSO.",
    "SAML SSO is unavailable on {v}.",
    "On {v}, SAML SSO is not available.",
    "{v}, Hobby and Trial do not include SAML SSO.",
    "Pro includes SAML SSO, but {v} does not.",
    "SAML SSO is coming soon to {v}.",
    "SAML SSO used to be part of {v}.",
    "Is SAML SSO part of {v}?",
    "SAML SSO ist im Tarif {v} nicht enthalten.",
    "SAML SSO n'est pas inclus dans le forfait {v}.",
    "SAML SSO no está incluido en el plan {v}.",
    "{v}プランではSAML SSOは利用できません。",
)


@pytest.mark.parametrize("template", PLANS)
@pytest.mark.parametrize("plan", ["Free", "Starter", "Zephyr"])
@pytest.mark.parametrize("kind", ["text", "choice"])
def test_a_plan_that_the_sentence_denies_is_no_answer(template, plan, kind):
    choices = {"choices": ("Free", "Starter", "Zephyr", "Pro")} if kind == "choice" else {}
    sentence = template.format(v=plan)
    found = examine(f"<p>{sentence}</p>", plan, sentence, asked=question("Which plan includes SAML SSO?", kind, **choices))
    assert not found.verified
    assert found.verdict in {Verdict.VALUE_NEGATED, Verdict.HEDGED, Verdict.IN_QUESTION}


def test_a_row_that_says_no_of_a_plan_does_not_name_it_as_the_answer():
    body = "<table><tr><th>Plan</th><th>SAML SSO</th></tr><tr><td>Free</td><td>✗</td></tr><tr><td>Pro</td><td>✓</td></tr></table>"
    asked = question("Which plan includes SAML SSO?", "text")
    assert examine(body, "Free", "Free | ✗", asked=asked).verdict is Verdict.VALUE_NEGATED
    assert examine(body, "Pro", "Pro | ✓", asked=asked).verified

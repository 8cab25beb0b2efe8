"""Sentences as pages write them that answer a yes-or-no or a which-plan question, and others that only seem to."""

from __future__ import annotations

import pytest

from tests.gate_bench import examine, question

SCIM = question("Does Acme support SCIM user provisioning?", "boolean")
PLAN = question("On which plan is SAML SSO available?", "text")
CHOICE = question("On which plan is SAML SSO available?", "choice", choices=("Free", "Pro", "Business", "Enterprise"))
YES = (
    "Acme supports SCIM user provisioning.",
    "You can manage users through SCIM.",
    "SCIM 2.0 is fully supported.",
    "With SCIM, you can provision users automatically.",
    "SCIM provisioning lets you create users automatically.",
    "Enterprise customers can use SCIM.",
    "Our SCIM API allows identity providers to create users.",
    "SCIM works with Okta and Entra ID.",
    "Acme now supports SCIM.",
    "Acme offers SCIM on request.",
    "Both SAML and SCIM are available.",
    "SCIM can be enabled in the settings.",
    "SCIM: yes",
    "SCIM wird von Acme unterstützt.",
    "Acme prend en charge SCIM.",
    "Acme admite SCIM.",
    "AcmeはSCIMをサポートしています。",
)
NO = (
    "SCIM: no",
    "SCIM – not available",
    "Sadly, SCIM isn't something we offer.",
    "We don't have SCIM.",
    "There's no SCIM here.",
    "SCIM has not been implemented.",
    "SCIM support was dropped.",
    "SCIM is not something Acme supports.",
    "Acme does not, at this time, support SCIM.",
    "At the moment we lack SCIM.",
    "No SCIM.",
    "SCIM isn't available on any plan.",
    "Users must be created manually because SCIM is not supported.",
    "Although SAML is supported, SCIM is not.",
    "SAML works. SCIM does not.",
    "Acme bietet kein SCIM an.",
    "SCIM ist leider nicht enthalten.",
    "Acme unterstützt SCIM nicht.",
    "Acme ne prend pas en charge SCIM.",
    "Acme no admite SCIM.",
    "AcmeはSCIMをサポートしていません。",
)
NEITHER = (
    "Turn on SCIM in the settings.",
    "SCIM requires the Enterprise plan.",
    "We have decided against SCIM.",
    "SCIM is out of scope.",
    "Without SCIM, users are created at first login.",
    "SCIM never worked.",
    "We're evaluating SCIM.",
    "SCIM is in beta.",
    "SCIM may be added.",
    "SCIM is high on our roadmap.",
    "We will support SCIM next year.",
    "SCIM support is coming.",
    "Learn about SCIM.",
    "What is SCIM?",
    "SCIM is an open standard for user provisioning.",
    "The SCIM guide is available here.",
    "Okta supports SCIM.",
    "Okta can send SCIM requests.",
    "Contact us about SCIM.",
    "See how SCIM is supported by other vendors.",
    "SCIM users cannot log in with a password.",
    "SCIM tokens do not expire.",
    "SCIM does not sync groups.",
    "SCIM requests are not rate limited.",
    "You cannot delete a SCIM user.",
    "SCIM tokens are not stored.",
    "SCIM groups are not supported.",
    "SCIM traffic is excluded from the quota.",
    "SCIM logs are unavailable.",
)
NOT_THE_PLAN = (
    ("SAML SSO isn't something Free users get.", "Free"),
    ("Free users will have to do without SAML SSO.", "Free"),
    ("You won't find SAML SSO on Free.", "Free"),
    ("SAML SSO: Free ✗, Pro ✓", "Free"),
    ("To get SAML SSO, upgrade from Free to Pro.", "Free"),
    ("SAML SSO is free of charge.", "Free"),
    ("Start a free trial of SAML SSO.", "Free"),
    ("SAML SSO is available on Enterprise Plus.", "Enterprise"),
    ("SAML SSO comes with Enterprise+.", "Enterprise"),
    ("If you are on Free, SAML SSO is missing.", "Free"),
    ("SAML SSO was part of Free until 2020.", "Free"),
    ("SAML SSO may come to Free.", "Free"),
    ("SAML SSO is available on any plan above Free.", "Free"),
    ("Every plan beyond Free has SAML SSO.", "Free"),
    ("SAML SSO needs more than the Free plan.", "Free"),
    ("The Free plan is too small for SAML SSO.", "Free"),
    ("Free lacks SAML SSO.", "Free"),
    ("Is Free enough for SAML SSO?", "Free"),
    ("Businesses like SAML SSO.", "Business"),
    ("SAML SSO is for professionals.", "Pro"),
)
THE_PLAN = (
    ("SAML SSO is available on the Pro plan and above.", "Pro"),
    ("SAML SSO is part of Enterprise.", "Enterprise"),
    ("Enterprise customers can use SAML SSO.", "Enterprise"),
    ("To use SAML SSO, upgrade to Enterprise.", "Enterprise"),
    ("To get SAML SSO, upgrade from Free to Pro.", "Pro"),
    ("SAML SSO requires Enterprise.", "Enterprise"),
    ("SAML SSO (Enterprise only)", "Enterprise"),
    ("Available on: Enterprise", "Enterprise"),
    ("SAML SSO is an Enterprise feature.", "Enterprise"),
    ("SAML SSO is exclusive to Enterprise.", "Enterprise"),
    ("SAML SSO is not part of Free; it is part of Enterprise.", "Enterprise"),
    ("Free does not have it, Enterprise does.", "Enterprise"),
    ("Only the Enterprise plan has SAML SSO.", "Enterprise"),
    ("SAML SSO needs the Enterprise plan, which is not free.", "Enterprise"),
    ("You need Enterprise for SAML SSO.", "Enterprise"),
    ("You can't use SAML SSO without Enterprise.", "Enterprise"),
)


def passes(sentence, value, asked):
    return examine(f"<h2>Sign-in</h2><p>{sentence}</p>", value, sentence, asked=asked).verified


@pytest.mark.parametrize("sentence", YES)
def test_a_yes_is_a_yes(sentence):
    assert (passes(sentence, "yes", SCIM), passes(sentence, "no", SCIM)) == (True, False)


@pytest.mark.parametrize("sentence", NO)
def test_a_no_is_a_no(sentence):
    assert (passes(sentence, "yes", SCIM), passes(sentence, "no", SCIM)) == (False, True)


@pytest.mark.parametrize("sentence", NEITHER)
def test_talk_about_the_subject_is_neither(sentence):
    assert (passes(sentence, "yes", SCIM), passes(sentence, "no", SCIM)) == (False, False)


@pytest.mark.parametrize(("sentence", "plan"), NOT_THE_PLAN)
def test_a_plan_that_is_only_mentioned_is_no_answer(sentence, plan):
    assert (passes(sentence, plan, PLAN), passes(sentence, plan, CHOICE)) == (False, False)


@pytest.mark.parametrize(("sentence", "plan"), THE_PLAN)
def test_a_plan_that_has_it_is_the_answer(sentence, plan):
    assert passes(sentence, plan, PLAN)

"""Answers in words: plans, places, hours, versions, choices, yes and no."""

import pytest

from research_pipeline.records import FindingStatus
from tests.rules_bench import finding, table

SSO = """<h1>Single sign-on</h1><h2>Google Workspace</h2><p>This feature is only available on the Pro plan and above.</p>
<h2>SAML</h2><p>SAML SSO is available on <strong>Enterprise</strong> plans only.</p>"""
TIERS = "<h1>SAML SSO for groups</h1><p>Tier: Premium, Ultimate</p><p>Users sign in through their identity provider.</p>"
REGIONS = "<h1>Regions</h1><p>Projects can be deployed to these regions:</p>" + table(
    "Name | Location | Identifier",
    "US West | California, USA | us-west-2",
    "EU West | Amsterdam, Netherlands | eu-west-4",
    "Asia East | Singapore | as-east-1",
)
LOCATIONS = (
    "<h1>Where your data is stored</h1><p>The two locations on offer are the United States (Iowa) and the European Union (Frankfurt).</p>"
)
CONFINED = "<h1>Metadata boundary</h1><p>Customer metadata can be confined to Germany or to France.</p>"
FAQ = "<h1>FAQ</h1><h2>Where are my apps hosted?</h2><p>All our servers are located in Falkenstein, Germany.</p>"
SUPPORT = """<h1>Support</h1><p>Incidents are handled 24/7.</p><h2>Business class</h2>
<p>Business class support is offered Monday through Friday, 9am to 9pm Pacific Time.</p>"""
TLS = "<h1>TLS</h1><p>Acme supports TLS 1.2 and TLS 1.3. Support for TLS 1.0 was removed in 2018.</p>"
COMPARED = "<h1>Plans</h1>" + table(
    "Feature | Free | Team | Enterprise", "Single sign-on | — | ✓ | ✓", "SAML groups | ✗ | ✗ | ✓", "Audit logs | ✗ | ✗ | Add-on"
)
CARDS = """<h1>Pricing</h1><h2>Starter</h2><ul><li>Three projects</li></ul><h2>Business ($30)</h2><ul><li>SCIM provisioning</li></ul>
<h2>Enterprise</h2><ul><li>SCIM provisioning</li><li>No phone support yet</li></ul>"""
LABELLED = "<h1>Sign-in</h1><p>Availability: Enterprise plan</p><h2>Kerberos</h2><p>Users sign in with a Kerberos ticket.</p>"
DIRECTORY = """<h1>Directory sync</h1><p>SCIM provisioning is supported with any identity provider.</p>
<p>SCIM does not support nested groups.</p><h2>LDAP</h2><p>LDAP is not supported.</p><h2>Kerberos</h2><p>Kerberos is coming soon.</p>"""


@pytest.mark.parametrize(
    ("text", "answer", "body", "expected"),
    [
        ("Which Acme plan is needed for SSO with Google Workspace?", "text", SSO, "Pro plan and above"),
        ("On which Acme plan is SAML SSO available?", "text", SSO, "Enterprise plans"),
        ("In which Acme tiers is SAML SSO for groups available?", "text", TIERS, "Premium, Ultimate"),
        ("Which Acme plan is required for single sign-on?", "text", COMPARED, "Team"),
        ("On which Acme plan are SAML groups available?", "text", COMPARED, "Enterprise"),
        ("Which Acme plan includes SCIM provisioning?", "text", CARDS, "Business"),
        ("Which Acme plan does Kerberos sign-in need?", "text", LABELLED, "Enterprise plan"),
        ("Where is the EU region of Acme located?", "text", REGIONS, "Amsterdam, Netherlands"),
        ("In which locations can Acme data be stored?", "text", LOCATIONS, "United States (Iowa) and the European Union (Frankfurt)"),
        ("To which regions can customer metadata be confined at Acme?", "text", CONFINED, "Germany or to France"),
        ("Where are the servers of Acme located?", "text", FAQ, "Falkenstein, Germany"),
        ("During which hours does Acme offer Business class support?", "text", SUPPORT, "Monday through Friday, 9am to 9pm Pacific Time"),
        ("Which TLS versions does Acme support?", "version", TLS, "TLS 1.2 and TLS 1.3"),
        ("Does Acme support SCIM provisioning?", "boolean", DIRECTORY, "yes"),
        ("Does Acme support LDAP?", "boolean", DIRECTORY, "no"),
    ],
)
def test_what_a_page_says_in_words_answers(text, answer, body, expected):
    concluded = finding(text, answer, body)
    assert (concluded.status, concluded.answer) == (FindingStatus.AGREED, expected)


@pytest.mark.parametrize(
    ("text", "answer", "body"),
    [
        ("Does Acme support Kerberos?", "boolean", DIRECTORY),
        ("Does Acme support SAML?", "boolean", DIRECTORY),
        ("On which Acme plan are audit logs available?", "text", SSO),
        ("On which Acme plan are audit logs available?", "text", COMPARED),
        ("Which Acme plan includes phone support?", "text", CARDS),
        ("In which region does Acme store customer logs?", "text", SUPPORT),
        ("Who founded Acme?", "text", FAQ),
    ],
)
def test_what_no_page_says_in_words_stays_open(text, answer, body):
    assert finding(text, answer, body).answer is None


def test_a_choice_is_one_of_the_names_given():
    body = "<h1>Encryption</h1><p>Volumes are encrypted at rest with AES-256. Backups are not encrypted.</p>"
    concluded = finding("With which cipher are Acme volumes encrypted?", "choice", body, choices=("AES-128", "AES-256"))
    assert (concluded.status, concluded.answer) == (FindingStatus.AGREED, "AES-256")

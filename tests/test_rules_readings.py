"""What a value is said of: ends of ranges, holders, cases, bursts, labels, and plans that a page names in its own way."""

import pytest

from research_pipeline.extraction import rules
from research_pipeline.extraction.extremes import Extreme, asked_extreme, end_of
from research_pipeline.extraction.plans import common_plans
from research_pipeline.extraction.scope import page_scopes
from research_pipeline.records import FindingStatus
from research_pipeline.resolution import ANSWER_FLOOR
from research_pipeline.study import AnswerType
from research_pipeline.values import mentions
from tests.rules_bench import finding, found, question, read, table

TIMEOUT = "<h1>Sessions</h1><p>You can set the session timeout of Acme to any value between 6 hours and 90 days.</p>"
RATES = "<h1>API limits</h1>" + table(
    "Limit | Description",
    "API rate limit per organization | Requests that an organization can send to the API per minute. Default: 200 requests per minute",
    "API rate limit per user | Requests that a user can send to the API per minute, beside the organization-wide limit. "
    "Default: 50 requests per minute",
)
BACKUPS = (
    "<h1>Disaster recovery</h1><p>The four-hour backup frequency of Acme keeps losses small.</p>"
    "<p>Backups are retained for 30 days and are replicated.</p>"
)
CALLS = (
    "<h1>Machines API</h1><p>The limit of the Acme API is 1 request per second, with bursts of up to 3 requests per second. "
    "This applies to all actions except Get Machine which has a limit of 5 requests per second.</p>"
)


@pytest.mark.parametrize(
    ("question", "answer", "pages", "expected"),
    [
        ("What is the longest session timeout that can be set in Acme?", "duration", [TIMEOUT], "90 days"),
        ("What is the shortest session timeout that can be set in Acme?", "duration", [TIMEOUT], "6 hours"),
        ("How many API requests per minute may an organization send to Acme?", "rate", [RATES], "200 requests per minute"),
        ("How many API requests per minute may a user send to Acme?", "rate", [RATES], "50 requests per minute"),
        ("How long does Acme keep its backups?", "duration", [BACKUPS], "30 days"),
        ("What is the rate limit of the Acme API, apart from Get Machine?", "rate", [CALLS], "1 request per second"),
        (
            "What does one Acme log drain cost per month?",
            "money",
            ["<h1>Log drains</h1><p>Each log drain of Acme costs $0.0822 per hour ($60 per month).</p>"],
            "$60 per month",
        ),
        (
            "What does the Acme Business plan cost per user per month with annual billing?",
            "money",
            ["<h1>Billing</h1><p>Business plan: $0.67 per user per month with annual billing ($0.80/month billed monthly).</p>"],
            "$0.67 per user per month",
        ),
        (
            "How many domains per hour can a user add to Acme?",
            "rate",
            ["<h1>Limits</h1>" + table("Description | Limit | Duration (seconds) | Scope", "Domains added per hour | 120 | 3600 | user")],
            "120",
        ),
        (
            "What is the first response time for a Severity 1 ticket at Acme?",
            "duration",
            [
                "<h1>Support</h1><h2>Response times</h2>"
                + table("Ticket | First response time", "Severity 2 (high) | 1 day", "Severity 1 (critical) | 2 hours")
            ],
            "2 hours",
        ),
        (
            "What is the minimum TLS version required to connect to the Acme API?",
            "version",
            ["<h1>TLS</h1><p>The Acme API requires a minimum TLS version of 1.2 to connect.</p>"],
            "1.2",
        ),
        (
            "How many Acme Actions minutes a month does Acme Pro include?",
            "count",
            ["<h1>Plans</h1><h2>Acme Pro</h2><p>Acme Pro includes:</p><ul><li>3,000 Acme Actions minutes per month</li></ul>"],
            "3,000",
        ),
        (
            "How quickly does Acme support respond to Professional customers?",
            "duration",
            ["<h1>Support</h1><p>Response of Acme support on the Professional plan: next business day for all customers.</p>"],
            "next business day",
        ),
        (
            "How long does the Acme trial last?",
            "duration",
            ["<h1>Trials</h1><p>The trial starts at once and is set up in 24 hours.</p><p>A trial of Acme lasts 30 days.</p>"],
            "30 days",
        ),
    ],
)
def test_the_value_that_is_asked_for_is_told_from_its_neighbours(question, answer, pages, expected):
    found = finding(question, answer, *pages)

    assert (found.status, found.answer) == (FindingStatus.AGREED, expected)


@pytest.mark.parametrize(
    ("question", "answer", "page"),
    [
        (
            "What is the maximum size of a request to the Acme batch endpoint?",
            "size",
            "<h1>Batches</h1><p>There is no limit on the number of events that a request to the batch endpoint holds.</p>",
        ),
        (
            "How many days does Acme's All Access Trial last?",
            "duration",
            "<h1>Limits</h1>"
            + table(
                "Limit | Default",
                "Artifact retention | 30 days on the Pro plan, 90 days on the Enterprise plan, and as long as the All Access Trial",
            ),
        ),
        (
            "How many machines may be used during Acme's free trial?",
            "count",
            "<h1>Free trial</h1><p>The trial includes 2 total VM hours, shared across the machines that you launch.</p>",
        ),
        (
            "What is the maximum size of an uploaded file on the Acme Free plan?",
            "size",
            "<h1>Uploads</h1><p>The Free plan includes a total of 5 GB of file storage.</p>",
        ),
    ],
)
def test_a_value_of_something_else_does_not_answer(question, answer, page):
    assert finding(question, answer, page).status is not FindingStatus.AGREED


def test_a_bound_that_excludes_its_number_is_stated_with_it():
    page = "<h1>Licenses</h1><p>The minimum purchase for an Acme license subscription is more than 10 users.</p>"

    found = finding("What is the minimum number of users for an Acme license subscription?", "count", page)

    assert found.answer == "more than 10 users"


def test_a_list_of_plans_and_the_least_of_them_by_the_layout_agree():
    listed = "<h1>SAML</h1><p>SAML single sign-on is available on the Professional and Enterprise plans.</p>"
    cards = (
        "<h1>Editions</h1><h2>Professional</h2><ul><li>Single sign-on with SAML</li></ul><h2>Enterprise</h2><ul><li>Audit logs</li></ul>"
    )

    found = finding("On which Acme plans is SAML single sign-on available?", "text", listed, cards)

    assert found.status is FindingStatus.AGREED
    assert "Professional" in found.answer


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The Acme Cloud Standard and Acme Cloud Plus plans include 5 GB of storage.", ["standard", "plus"]),
        ("Support: $29/month Standard; $199/month Premium.", ["standard", "premium"]),
        ("Agreements are signed for users with the Boost, Scale, or Enterprise package.", ["boost", "scale", "enterprise"]),
    ],
)
def test_plans_are_named_behind_products_and_prices_and_in_lists(text, names):
    assert [plan.name for plan in common_plans().plans(text)] == names


def test_a_product_in_front_of_plans_is_none():
    page = read("<h1>URLs</h1><p>Acme Cloud plans come with a URL.</p><p>It needs 25 Acme Cloud Plus licenses.</p>", "/urls")

    assert "acme cloud" not in page_scopes(page).reader.known


@pytest.mark.parametrize(
    "body",
    [
        "<h1>Plans</h1><p>Our free Zephyr plan is for one person.</p><p>Uploads on the Zephyr plan may have 100 MB each.</p>",
        "<h1>Plans</h1><p>The Zephyr plan is free.</p><p>Uploads on the Zephyr plan may have 100 MB each.</p>",
    ],
)
def test_a_plan_that_the_page_calls_free_answers_for_the_free_plan(body):
    assert finding("How large may an upload be on the Acme Free plan?", "size", body).answer == "100 MB"


def test_the_plan_of_which_another_has_everything_does_not_govern():
    page = (
        "<h1>Plans</h1><h2>Acme Entry</h2><p>Entry has all features of Enterprise with these limits:</p>"
        "<ul><li>10,000 messages of history</li></ul>"
    )

    found = finding("How many messages of history does the Acme Enterprise plan keep?", "count", page)

    assert found.status is not FindingStatus.AGREED


def test_a_lead_in_that_speaks_of_what_is_not_listed_denies_nothing():
    page = "<h1>Settings</h1><p>Settings or limits not listed here use the defaults:</p>" + table(
        "Setting | Acme", "Maximum attachment size | 100 MB"
    )

    assert finding("What is the maximum attachment size in Acme?", "size", page).answer == "100 MB"


@pytest.mark.parametrize(
    ("text", "extreme", "end"),
    [
        ("between 6 hours and 8,760 hours", Extreme.MOST, "8,760 hours"),
        ("between 6 hours and 8,760 hours", Extreme.LEAST, "6 hours"),
        ("5-10 days", Extreme.MOST, "10 days"),
        ("5-10 days", Extreme.LEAST, ""),
        ("90 days", Extreme.MOST, ""),
    ],
)
def test_the_end_of_a_range_is_given_as_the_page_writes_it(text, extreme, end):
    [mention] = mentions(text, AnswerType.DURATION)

    assert end_of(mention, extreme, AnswerType.DURATION) == end


def test_a_question_for_both_ends_asks_for_neither():
    assert asked_extreme("What are the minimum and maximum retention?") is None


def test_plans_that_each_repeat_the_products_name_are_one_answer():
    page = "<h1>SCIM</h1><p>SCIM provisioning is available for Acme Cloud Team, Acme Cloud Business, and Acme Cloud Enterprise plans.</p>"

    found = finding("On which Acme plans is SCIM provisioning available?", "text", page)

    assert "Team, Acme Cloud Business, and Acme Cloud Enterprise" in found.answer


def test_which_customers_have_a_thing_is_a_question_for_plans():
    page = "<h1>Audit logs</h1><p>Audit log streaming is available on the Enterprise plan.</p>"

    assert "Enterprise" in finding("Which customers can use audit log streaming in Acme?", "text", page).answer


def test_a_version_of_another_thing_and_one_that_was_given_up_are_no_answers():
    page = "<h1>Python versions</h1><p>The Acme agent no longer supports Python 3.6.</p><p>With version 8 of the agent, use Python 3.9.</p>"

    evidence, _ = found(question("Which Python version does the Acme agent need?", "version"), page)

    assert all(item.score < ANSWER_FLOOR for item in evidence)


def test_a_length_is_no_count_of_things():
    page = (
        "<h1>Password policy</h1><p>Passwords have at least 12 characters.</p><p>Password policy: a minimum of 24 previous passwords.</p>"
    )

    asked = "What is the minimum length of a password in Acme's password policy?"

    assert finding(asked, "count", page).answer == "12 characters"


def test_the_others_of_a_list_are_nobody_else():
    page = (
        "<h1>Support</h1><p>Urgent issues get a target for a first response. The targets for the others are:</p>"
        "<ul><li>High severity: response within 4 hours</li></ul>"
    )

    assert finding("How fast does Acme respond to high severity issues?", "duration", page).answer == "4 hours"


NOTED = (
    "<h1>Audit logs</h1><p>This feature is only available on the Pro and Enterprise plans.</p>"
    "<h2>Retention</h2><p>Audit logs are retained for 90 days.</p>"
    "<h2>SAML</h2><p>SAML is available on the Enterprise plan.</p>"
    "<p>An identity provider is needed.</p><p>Ask yours.</p><p>Then turn it on.</p><p>SAML sessions last 12 hours.</p>"
    "<h2>Exports</h2><p>Exports of audit logs are limited to 500 MB.</p>"
)


@pytest.mark.parametrize(
    ("asked", "answer", "expected"),
    [
        ("How long are audit logs retained on the Acme Enterprise plan?", "duration", "90 days"),
        ("How long do SAML sessions last on the Acme Enterprise plan?", "duration", "12 hours"),
        ("How long are audit logs retained on the Acme Free plan?", "duration", None),
        ("How long do SAML sessions last on the Acme Pro plan?", "duration", None),
    ],
)
def test_what_is_said_once_of_all_that_a_heading_holds_governs_the_values_under_it(asked, answer, expected):
    assert finding(asked, answer, NOTED).answer == expected


SLA = (
    "<h1>SLA</h1><p>Acme commits to an uptime of 99.9% a month.</p>"
    "<p>If uptime is below 99.9%, you receive a credit of 10%; below 99%, 25%.</p>"
)
SEATS = "<h1>Billing</h1><p>The Team plan costs $50 a month and includes 5 seats. Each additional seat is $15 per month.</p>"
REMOVAL = (
    "<h1>Deleting your account</h1><p>When you delete your account, your data is removed from our systems within 30 days, "
    "and from backups within 90 days.</p>"
)


@pytest.mark.parametrize(
    ("asked", "answer", "page", "expected"),
    [
        ("What uptime does Acme guarantee?", "percent", SLA, "99.9%"),
        ("What does the Acme Team plan cost per month?", "money", SEATS, "$50 a month"),
        ("How long does Acme retain data after an account is deleted?", "duration", REMOVAL, "30 days"),
        (
            "How many members can an Acme Free workspace have?",
            "count",
            "<h1>Free plan</h1><ul><li>Up to 10 members</li></ul>",
            "10 members",
        ),
        (
            "What is the minimum TLS version of Acme?",
            "version",
            "<h1>TLS</h1><p>Acme supports TLS 1.2 and TLS 1.3 and dropped TLS 1.0 and TLS 1.1.</p>",
            "TLS 1.2",
        ),
        (
            "Which TLS versions does Acme support?",
            "version",
            "<h1>TLS</h1><p>Acme supports TLS 1.2. TLS 1.0 and 1.1 are disabled.</p>",
            "TLS 1.2",
        ),
        (
            "On which Acme plan is SAML single sign-on available?",
            "text",
            "<h1>SAML</h1><p>SAML is an Enterprise feature.</p><p>Configure SAML with your provider.</p>",
            "Enterprise",
        ),
        (
            "What are Acme's support hours?",
            "text",
            "<h1>Support</h1><p>Our support team is available Monday to Friday, 9am to 6pm CET.</p>",
            "Monday to Friday, 9am to 6pm CET",
        ),
        (
            "How fast is Acme's response to critical incidents?",
            "duration",
            "<h1>Severity levels</h1>"
            + table(
                "Severity | Response time | Resolution time", "Critical incidents | 30 minutes | 4 hours", "Minor | 4 hours | 24 hours"
            ),
            "30 minutes",
        ),
        (
            "How fast does Acme resolve critical incidents?",
            "duration",
            "<h1>Severity levels</h1>"
            + table(
                "Severity | Response time | Resolution time", "Critical incidents | 30 minutes | 4 hours", "Minor | 4 hours | 24 hours"
            ),
            "4 hours",
        ),
        (
            "How long are audit logs retained on the Acme Enterprise plan?",
            "duration",
            "<h1>Audit API</h1><p>Audit logs are retained for 90 days (standard) or 365 days (enterprise).</p>",
            "365 days",
        ),
        (
            "Which editions of Acme include SAML SSO?",
            "text",
            "<h1>SAML SSO</h1><p>SAML SSO is available on Acme Enterprise and Business Critical editions.</p>",
            "Enterprise and Business Critical editions",
        ),
        (
            "What are the support hours of Acme Premier?",
            "text",
            "<h1>Support plans</h1>" + table("Capability | Standard | Premier", "Support hours | 9x5 | 24x7x365", "Users | 1 | 5"),
            "24x7x365",
        ),
        (
            "What are Acme's business hours for support?",
            "text",
            "<h1>Support</h1><p>Targets apply 24x7 for critical issues and during business hours (Mon–Fri 9:00–17:00 UTC) otherwise.</p>",
            "Mon–Fri 9:00–17:00 UTC",
        ),
        (
            "Which Acme plan has an uptime SLA?",
            "text",
            "<h1>Plans</h1>" + table("Feature | Free | Launch | Business", "Projects | 10 | 100 | 5000", "Uptime SLA | – | – | 99.95%"),
            "Business",
        ),
        (
            "Where does Acme store customer data?",
            "text",
            "<h1>Hosting</h1><p>Customer data is stored in AWS us-east-1 (N. Virginia).</p>",
            "AWS us-east-1 (N. Virginia)",
        ),
        (
            "How often does Acme back up data?",
            "duration",
            "<h1>Backups</h1><p>Backups of data run every 6 hours and are kept for 35 days.</p>",
            "6 hours",
        ),
        (
            "Within what time can a deleted Acme workspace be restored?",
            "duration",
            "<h1>Deleted workspaces</h1><p>To have a deleted workspace restored, contact support within 30 days.</p>",
            "30 days",
        ),
    ],
)
def test_values_beside_others_of_their_kind_are_told_apart(asked, answer, page, expected):
    assert finding(asked, answer, page).answer == expected


BUCKETS = "<h1>Message endpoints</h1><p>Bulk deletion of messages will not delete messages older than 2 weeks, and fails otherwise.</p>"
RENEWAL = (
    "<h1>Certificates</h1><ul><li>Renews certificates automatically when 30 days of validity remain (certificates are valid for 90 days)"
    "</li></ul>"
)
SHARDING = "<h1>Sharding</h1><p>Sharding requirements were added for bots in over 100,000 guilds.</p>"
SMTP = (
    "<h1>Outbound mail</h1><p>Outbound SMTP is disabled on the Hobby plan to prevent spam and abuse. However, even when SMTP is available, "
    "we recommend services with HTTPS APIs for their features.</p>"
)
CODES = "<h1>Audit log</h1><p>Two audit log reasons track changes: VOICE_STATUS_UPDATE (192) and VOICE_STATUS_DELETE (193).</p>"


@pytest.mark.parametrize(
    ("asked", "answer", "page"),
    [
        ("How long does Acme keep deleted messages?", "duration", BUCKETS),
        ("How many guilds can one shard support at most on Acme?", "count", SHARDING),
        ("How long can an audit log reason be on Acme?", "count", CODES),
        ("How many bots can an Acme account own?", "count", '<h1>Bots</h1><p>The value will be "0" if it comes from the app\'s bot.</p>'),
        ("How many bots can an Acme account own?", "count", "<h1>Intents</h1><p>Required for bots in 100 or more servers.</p>"),
        ("How many members can an Acme Pro workspace have?", "count", "<h1>API</h1><p>10 RPS for Hobby and 50 RPS for Pro customers.</p>"),
        ("How long does Acme keep deleted projects?", "duration", "<h1>Projects</h1><p>Projects may be kept online indefinitely.</p>"),
        ("Does Acme support SMTP on the Hobby plan?", "boolean", SMTP),
    ],
)
def test_what_only_looks_like_the_answer_is_none(asked, answer, page):
    found = finding(asked, answer, page)

    assert found.answer in (None, "no")


def test_what_remains_of_a_time_is_not_how_long_it_lasts():
    assert finding("How long do Acme's certificates remain valid?", "duration", RENEWAL).answer == "90 days"


def test_an_item_with_figures_in_several_sentences_is_quoted_by_them():
    page = (
        "<h1>Automated access</h1><ul><li>Rate limits: Keep to under 4 requests per second. Small bursts above this are fine. "
        "Please keep downloads to 1 request per second.</li></ul>"
    )

    evidence, _ = found(question("How many requests per second should automated access to Acme keep under?", "rate"), page)

    assert {item.quote for item in evidence if item.value == "4 requests per second"} == {
        "Rate limits: Keep to under 4 requests per second."
    }


def test_the_default_stands_in_the_column_that_is_called_so():
    page = "<h1>Sandboxes</h1>" + table("Limit | Default | Maximum", "Idle timeout of sandboxes | 30 minutes | 120 minutes")

    assert finding("What is the default idle timeout of sandboxes in Acme?", "duration", page).answer == "30 minutes"


def test_what_news_said_once_counts_less_than_what_a_page_says_now():
    asked = question("How many guilds can a shard of Acme have?", "count")
    body = "<h1>Shards</h1><p>Each shard can have 2500 guilds.</p>"

    scores = [max(candidate.score for candidate in rules.extract(read(body, path), [asked])) for path in ("/gateway", "/change-log")]

    assert scores[1] < scores[0]


def test_a_row_whose_label_names_the_counted_things_otherwise_answers():
    page = "<h1>Limits</h1>" + table(
        "Limit | Description and default",
        "IP addresses per token | The maximum number of IP allowlist entries per token. Default: 24 addresses",
        "Teams per organization | The maximum number of teams that an organization can have. Default: 250 teams",
    )

    assert finding("How many IP allowlist entries can an Acme token have?", "count", page).answer == "24"


def test_a_number_behind_a_named_tier_is_counted():
    page = "<h1>CI settings</h1>" + table(
        "Setting | Acme", "Limit of dotenv variables | Free tier: 50<br>Premium tier: 100<br>Ultimate tier: 150"
    )

    assert finding("How many dotenv variables are allowed on Acme Ultimate?", "count", page).answer == "150"


def test_a_word_with_a_footnotes_mark_is_that_word():
    page = "<h1>Account limits</h1>" + table("Feature | Workers Free | Workers Paid", "Number of scripts<sup>1</sup> | 100 | 500")

    assert finding("How many scripts can one have on the Workers Paid plan of Acme?", "count", page).answer == "500"


HUB = "<h1>Hub usage</h1><p>Pro and Team users benefit from unlimited pulls with fair use.</p>" + table(
    "User type | Pulls per month | Pull rate limit per hour",
    "Team (authenticated) | 100K | Unlimited",
    "Pro (authenticated) | 25K | Unlimited",
    "Personal (authenticated) | Not applicable | 100",
)
RUNS = "<h1>Actions limits</h1>" + table(
    "Limit category | Limit | Threshold",
    "Workflow execution limit | Workflow run time | 35 days",
    "Workflow execution limit | Gate approval time | 30 days",
    "Self-hosted | Job queue time | 24 hours",
)


@pytest.mark.parametrize(
    ("asked", "answer", "page", "expected"),
    [
        ("How many pulls per month are included in Acme Pro?", "rate", HUB, "25K"),
        ("What is the pull rate limit per hour for Acme Personal users?", "rate", HUB, "100"),
        ("How long can a workflow run last on Acme?", "duration", RUNS, "35 days"),
        ("How long can a workflow wait for gate approval on Acme?", "duration", RUNS, "30 days"),
    ],
)
def test_a_row_is_labelled_by_two_cells_and_its_numbers_are_scaled(asked, answer, page, expected):
    assert finding(asked, answer, page).answer == expected


def test_a_vendors_own_name_is_no_plan():
    page = "<h1>Audit log</h1><p>The audit log is only available to Acme customers on the Enterprise plan.</p>"

    assert finding("On which plan is the audit log of Acme available?", "text", page).answer == "Enterprise plan"


def test_a_number_of_a_case_is_no_limit():
    page = "<h1>Intents</h1><p>The members intent is required for bots in under 100 servers.</p>"

    assert finding("How many servers can an Acme user join?", "count", page).status is not FindingStatus.AGREED


def test_of_a_sentence_with_very_many_values_the_one_beside_the_asked_words_is_judged():
    listed = ", ".join(f"item {number} for {number % 25 + 1} hours" for number in range(300))
    page = f"<h1>Retention</h1><p>We keep {listed}, audit logs for 90 days, {listed}.</p>"

    evidence, _ = found(question("How long does Acme keep audit logs?", "duration"), page)

    assert max(evidence, key=lambda item: item.score).value == "90 days"

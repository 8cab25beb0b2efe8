"""Answers that stand in tables: rows, columns, labels and cells with several values."""

import pytest

from research_pipeline.records import FindingStatus
from tests.rules_bench import finding, read, table

LIMITS = "<h1>Limits</h1><p>All limits are per account.</p>" + table(
    "Feature | Free | Team | Enterprise",
    "Boards | 3 | 40 | 1,000",
    "Automations per board | 5 | 250 | 5,000",
    "Attachment size | 10 MB | 250 MB | 2 GB",
    "Version history | 7 days | 90 days | 2 years",
    "Search index | 14 days | 14 days | 14 days",
)
RETENTION = (
    "<h1>Logs</h1><h2>Audit log retention</h2><p>How long audit logs are kept depends on your plan:</p>"
    + table("Plan | Retention period", "Free and Hobby | 48 hours", "Pro | 30 days", "Enterprise | 18 months")
    + "<h2>Deploy log retention</h2><p>Deploy logs are kept for a shorter time:</p>"
    + table("Plan | Retention period", "Free and Hobby | 24 hours", "Pro | 14 days", "Enterprise | 90 days")
)
SETTINGS = "<h1>Settings of acme.example</h1><h2>Pipelines</h2>" + table(
    "Setting | acme.example | Default (self-managed)",
    "Pipeline schedules in a project | <code>10</code> on the Free plan, <code>50</code> on all paid plans | Unlimited",
    "Webhooks | 100 per project, 50 per group | 100 per project",
    "Artifact expiry | Deleted after 30 days unless otherwise specified | Never",
)
RATES = "<h1>Rate limits</h1>" + table(
    "Endpoint | Limited by | Limit",
    "Sign-up mails | account | 2 mails per hour",
    "Token refresh | IP address | 1,800 requests per hour",
    "Code verification | IP address | 360 requests per hour",
)


@pytest.mark.parametrize(
    ("text", "answer", "body", "expected"),
    [
        ("How many boards does Acme Team allow?", "count", LIMITS, "40"),
        ("How many automations per board can Acme Enterprise customers have?", "count", LIMITS, "5,000"),
        ("What is the maximum attachment size on Acme's Free plan?", "size", LIMITS, "10 MB"),
        ("How long is the version history on the Team plan of Acme?", "duration", LIMITS, "90 days"),
        ("How long does Acme keep audit logs on the Pro plan?", "duration", RETENTION, "30 days"),
        ("How long does Acme keep deploy logs on the Pro plan?", "duration", RETENTION, "14 days"),
        ("What is the audit log retention on Acme Enterprise?", "duration", RETENTION, "18 months"),
        ("How many pipeline schedules may a project have on the Free plan of Acme?", "count", SETTINGS, "10"),
        ("How many webhooks can a project have at Acme?", "count", SETTINGS, "100"),
        ("After how many days do artifacts expire at Acme?", "duration", SETTINGS, "30 days"),
        ("How many token refresh requests per hour does Acme allow?", "rate", RATES, "1,800 requests per hour"),
        ("How many sign-up mails per hour does Acme send?", "rate", RATES, "2 mails per hour"),
    ],
)
def test_a_table_answers_by_its_row_and_column(text, answer, body, expected):
    concluded = finding(text, answer, body)
    assert (concluded.status, concluded.answer) == (FindingStatus.AGREED, expected)


def test_a_row_is_quoted_as_its_cells():
    concluded = finding("How long does Acme keep audit logs on the Pro plan?", "duration", RETENTION)
    assert concluded.evidence[0].quote == "Pro | 30 days"
    assert read(RETENTION).text[concluded.evidence[0].start : concluded.evidence[0].end] == "Pro | 30 days"


def test_another_plans_cell_is_never_shown_as_the_answer():
    concluded = finding("What is the maximum attachment size on Acme's Team plan?", "size", LIMITS)
    assert [item.value for item in concluded.evidence] == ["250 MB"]


def test_a_value_in_a_rows_label_is_a_key_and_not_the_answer():
    credit = "<h1>Service level agreement</h1><p>We promise a monthly uptime of at least 99.9%.</p>" + table(
        "Monthly uptime | Service credit", "below 99.9% | 10%", "below 99.0% | 25%"
    )
    concluded = finding("What monthly uptime does Acme promise?", "percent", credit)
    assert (concluded.status, concluded.answer) == (FindingStatus.AGREED, "99.9%")


def test_one_value_for_each_plan_is_a_conflict_by_edition_where_the_question_names_none():
    concluded = finding("What is the maximum attachment size at Acme?", "size", LIMITS)
    assert concluded.status in (FindingStatus.CONFLICT, FindingStatus.UNRESOLVED)
    assert concluded.answer is None
    assert {"10 MB", "250 MB", "2 GB"} <= {item.value for item in concluded.evidence}

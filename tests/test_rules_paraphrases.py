"""Questions that say it with other words than the page does."""

import pytest

from research_pipeline.records import FindingStatus
from research_pipeline.wording import importance, likeness, narrows, terms
from tests.rules_bench import finding, table

CHECKS = "<h1>Health checks</h1><p>The default timeout on health checks is 300 seconds.</p>"
DISCOUNTS = "<h1>Plans</h1><p>We offer a 40% discount on all commercial plans to certified academic and non-profit organizations.</p>"
BUILDS = "<h1>Builds</h1><h2>Limits</h2><ul><li>7 GB of memory (upgradable)</li><li>15 minutes of build time</li></ul>"
PENDING = "<h1>Limits</h1><p>You can have a maximum of 300 Pending Authorizations on your account.</p>"
PLANS = "<h1>Plans</h1><h2>Resources</h2>" + table("Plan | Replicas | RAM", "Hobby | 6 | 48 GB", "Pro | 42 | 1 TB")
KINDS = "<h1>Webhooks</h1><p>Acme supports two distinct types of webhooks.</p>"
ROOTS = "<h1>Certificates</h1><p>In OpenSSL 1.0.2, clients that trust Root X1 fail with the Android chain.</p>"


@pytest.mark.parametrize(
    ("text", "answer", "body", "expected"),
    [
        ("How long does Acme wait for a health check to pass unless I change it?", "duration", CHECKS, "300 seconds"),
        ("What reduction do charities and universities get on Acme commercial plans?", "percent", DISCOUNTS, "40%"),
        ("How much memory can an Acme build use before upgrading?", "size", BUILDS, "7 GB"),
        ("How many outstanding authorizations may an Acme account have?", "count", PENDING, "300 Pending Authorizations"),
        ("How many replicas does the Acme Pro plan permit?", "count", PLANS, "42"),
    ],
)
def test_a_paraphrase_finds_the_answer(text, answer, body, expected):
    concluded = finding(text, answer, body)
    assert (concluded.status, concluded.answer) == (FindingStatus.AGREED, expected)


@pytest.mark.parametrize(
    ("text", "answer", "body"),
    [
        ("How many webhooks can a whole Acme workspace have?", "count", KINDS),
        ("What is the oldest Android version that trusts Root X1 at Acme?", "version", ROOTS),
        (
            "What does each additional member cost on the Acme Pro plan?",
            "money",
            "<h1>Pricing</h1><p>The Pro plan costs $20 per month.</p>",
        ),
    ],
)
def test_what_answers_another_question_in_similar_words_stays_open(text, answer, body):
    assert finding(text, answer, body).answer is None


def test_a_general_word_weighs_little_and_still_narrows():
    server, quickly = terms("server quickly")
    assert importance(server) < 1
    assert narrows(server)
    assert importance(quickly) < 1
    assert not narrows(quickly)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("outbound", "egress"),
        ("charity", "nonprofit"),
        ("cancelling", "cancellation"),
        ("unless changed", "default"),
        ("at most", "maximum"),
    ],
)
def test_words_for_one_thing_are_alike(asked, found):
    assert likeness(terms(asked)[0], terms(found)[0]) > 0

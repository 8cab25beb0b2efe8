"""Extraction by a model: nothing is believed that the page does not say, whatever the model makes of it."""

import pytest

from tests import reading_model
from tests.model_bench import bench_of, read
from tests.model_server import CutOff, Refuses, Status, provider
from tests.small_site import PAGES

SITE = {name: PAGES[name] for name in ("audit-logs.html", "limits.html")}
MODEL_NAME = "openai-chat:a-model, prompt extraction 1"


def advice_of(outcome):
    """What the check of the extractor warns of; empty where it passed."""
    [check] = [check for check in outcome.checks if check.name == "extractor_reliable"]
    return "" if check.passed else check.advice


async def test_what_the_pages_say_is_verified_and_a_second_reading_is_answered_from_the_ledger(tmp_path):
    with provider(reading_model.reads_well) as server:
        async with bench_of(tmp_path, server, SITE) as bench:
            _, evidence, findings = await read(bench)
            paid = len(server.asked)
            again = await read(bench)

    assert (findings["acme.audit"].answer, findings["acme.rate"].answer) == ("90 days", "120 requests per minute")
    assert findings["acme.uptime"].gap_kind == "silent"
    assert [item.extractor for item in evidence["acme.audit"]] == [MODEL_NAME]
    assert again[1] == evidence
    assert len(server.asked) == paid == len(SITE), "one call for a page, with all questions in it"


async def test_a_long_page_is_asked_in_pieces_and_what_stands_at_its_end_is_found(tmp_path):
    filler = "".join(f"<p>Chapter {number} speaks of something else, at some length, and answers nothing.</p>" for number in range(600))
    page = f"<h1>Handbook</h1>{filler}<h2>Audit logs</h2>{PAGES['audit-logs.html']}"

    with provider(reading_model.reads_well) as server:
        async with bench_of(tmp_path, server, {"handbook.html": page}) as bench:
            _, evidence, findings = await read(bench)
            text = bench.text_of(bench.stores.warehouse.read_pages("acme", bench.cycle, ["acme.audit"])["acme.audit"][0])

    assert findings["acme.audit"].answer == "90 days"
    assert len(server.asked) > 3
    [item] = evidence["acme.audit"]
    assert text.text[item.start : item.end] == item.quote


@pytest.mark.parametrize(
    ("says", "verdict"),
    [(reading_model.paraphrases, "quote_absent"), (reading_model.misreads, "value_absent"), (reading_model.invents, "quote_absent")],
)
async def test_what_a_model_makes_up_is_kept_with_its_verdict_and_answers_nothing(tmp_path, says, verdict):
    with provider(says) as server:
        async with bench_of(tmp_path, server, SITE) as bench:
            outcomes, evidence, findings = await read(bench)

    assert {finding.status for finding in findings.values()} == {"gap"}
    assert {item.verdict for items in evidence.values() for item in items} == {verdict}
    assert not all(check.passed for outcome in outcomes.values() for check in outcome.checks)


@pytest.mark.parametrize("said", [Status(500), Refuses(), CutOff(), {"items": "none"}], ids=["500", "refusal", "over-long", "no list"])
async def test_a_model_that_fails_leaves_a_failed_gap_and_never_silence(tmp_path, said):
    with provider(lambda _: said) as server:
        async with bench_of(tmp_path, server, SITE, limits={"max_failures_in_a_row": 50}) as bench:
            outcomes, _, findings = await read(bench)

    assert {finding.gap_kind for finding in findings.values()} == {"failed"}
    assert all("could be extracted" in advice_of(outcome) for outcome in outcomes.values())


async def test_a_budget_that_is_used_up_leaves_questions_out_of_budget(tmp_path):
    with provider(reading_model.reads_well) as server:
        async with bench_of(tmp_path, server, SITE, limits={"max_model_cost_usd": 0.0001}) as bench:
            _, _, findings = await read(bench)

    assert {finding.gap_kind for finding in findings.values()} == {"out_of_budget"}
    assert {finding.stop_reason for finding in findings.values()} == {"model_cost_limit"}
    assert server.asked == []


async def test_many_refused_items_are_a_warning_that_names_model_and_prompt(tmp_path):
    def says(asked):
        found = reading_model.reads_well(asked)["items"]
        return {"items": found + [{**one, "value": f"{number} days"} for one in found for number in (5, 6, 7)]}

    with provider(says) as server:
        async with bench_of(tmp_path, server, SITE) as bench:
            outcomes, _, findings = await read(bench)

    assert findings["acme.audit"].answer == "90 days"
    assert f"3 of 4 items of {MODEL_NAME} were refused, more than 30%" in advice_of(outcomes["acme.audit"])
    assert not advice_of(outcomes["acme.uptime"])


async def test_more_questions_than_fit_into_a_call_are_asked_in_several(tmp_path):
    many = [
        {"id": f"acme.q{number}", "vendor": "acme", "text": f"What is setting {number} of Acme?", "answer": "count"} for number in range(25)
    ]
    with provider(lambda _: {"items": []}) as server:
        async with bench_of(tmp_path, server, {"limits.html": PAGES["limits.html"]}, sub_questions=many) as bench:
            await read(bench)

    assert sorted(len(reading_model.questions_in(asked.text)) for asked in server.asked) == [1, 12, 12]

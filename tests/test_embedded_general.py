"""The general agent: answers the questions of a prompt from one page, without a model."""

import json

import httpx
import pytest

from resources.embedded import EngineSettings, create_app

ORIGIN = "https://docs.acme.example"
QUESTION = {"id": "acme.retention", "vendor": "acme", "text": "How long are audit logs kept?", "answer": "duration"}
PAGE = "<h1>Audit log</h1><p>Audit logs are kept for 180 days. Invoices are sent monthly.</p>"


@pytest.fixture
def ask(tmp_path):
    (tmp_path / "logs.html").write_text(PAGE)
    (tmp_path / "responses.yaml").write_text("/away: {redirect: 'https://elsewhere.example/'}")
    app = create_app(EngineSettings(mounts={ORIGIN: tmp_path}))

    async def call(prompt, path="/logs"):
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://engine") as service:
            return await service.post("/", params={"html": "true"}, json={"url": ORIGIN + path, "agent": "general", "prompt": prompt})

    return call


async def test_the_questions_of_a_prompt_are_answered_with_quotes_of_the_page(ask):
    reply = await ask(f"Answer from the page alone.\nQuestions: {json.dumps([QUESTION])}\n\nJson Schema:\n{{}}")

    data = reply.json()
    assert data["data"]["items"][0] == {
        "sub_question_id": "acme.retention",
        "value": "180 days",
        "quote": "Audit logs are kept for 180 days.",
    }
    assert (data["html"], data["token_usage"], reply.headers["token_usage"]) == (PAGE, 7, "7")


async def test_a_page_that_is_not_there_has_no_items(ask):
    data = (await ask(f"Questions: {json.dumps([QUESTION])}", "/away")).json()

    assert (data["success"], data["data"], data["refused_url"], data["token_usage"]) == (False, None, "https://elsewhere.example/", 6)


@pytest.mark.parametrize(
    ("prompt", "message"),
    [
        ("How long?", "prompt: holds no `Questions:`"),
        ("Questions: [{", "prompt: what follows `Questions:` is no JSON"),
        ("Questions: {}", "prompt: questions: "),
        ('Questions: [{"id": "x"}]', "prompt: questions: 0.id: "),
        ("Questions: " + json.dumps([{**QUESTION, "answer": "poem"}]), "prompt: questions: 0.answer: "),
    ],
)
async def test_a_prompt_without_readable_questions_is_refused(ask, prompt, message):
    reply = await ask(prompt)

    assert reply.status_code == 422
    assert reply.json()["message"].startswith(message)
    assert reply.headers["token_usage"] == "0"

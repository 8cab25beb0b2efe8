"""Plans that a model drafts: checked like written ones, sent back with their problems, and left to a person after three."""

import pytest

from research_pipeline.checking import read_study
from research_pipeline.drafts import Brief
from research_pipeline.errors import InputError
from research_pipeline.plan_drafting import draft_study
from research_pipeline.study import Limits, ModelPrice
from resources.home import Home
from resources.models.resource import ModelResource
from tests.model_server import KEY, PRICE, provider

BRIEF = Brief("logs", "How long does Acme keep audit logs?", ("Acme",), ("docs.acme.example",), "openai-chat:a-model", ModelPrice(**PRICE))
QUESTION = {"id": "acme.logs", "vendor": "acme", "text": "How long does Acme keep audit logs?", "answer": "duration"}
SOURCE = {
    "id": "acme-docs",
    "domain": "docs.acme.example",
    "start_url": "https://docs.acme.example/",
    "authority": "official",
    "answers": ["acme.*"],
}
GOOD = {"sub_questions": [QUESTION], "sources": [SOURCE]}
ELSEWHERE = {**SOURCE, "domain": "evil.example", "start_url": "https://evil.example/"}


def drafted(tmp_path, server, brief=BRIEF):
    resource = ModelResource(base_url=server.url, api_key=KEY)
    path = tmp_path / "studies" / f"{brief.name}.yaml"
    return draft_study(brief, Home(tmp_path / "home"), path, limits=Limits(), resource=resource), path


def test_a_sound_draft_becomes_a_study_that_waits_for_approval(tmp_path):
    with provider(lambda _: GOOD) as server:
        made, path = drafted(tmp_path, server)

    study = read_study(path.read_text(), name="logs")
    assert (made.problems, len(server.asked)) == ((), 1)
    assert (study.approval, study.approved_domains, study.sub_questions[0].id) == ("required", ("docs.acme.example",), "acme.logs")


def test_problems_go_back_and_the_next_draft_mends_them(tmp_path):
    with provider(lambda asked: GOOD if "was refused" in asked.text else {**GOOD, "sources": [ELSEWHERE]}) as server:
        made, _ = drafted(tmp_path, server)

    assert (made.problems, len(server.asked)) == ((), 2)
    assert "evil.example is not in `approved_domains`" in server.asked[1].text


def test_after_three_drafts_a_person_gets_the_best_one_with_its_problems(tmp_path):
    worse = {"sub_questions": [QUESTION, QUESTION], "sources": [ELSEWHERE]}
    with provider(lambda _: {**GOOD, "sources": [ELSEWHERE]} if len(server.asked) == 2 else worse) as server:
        made, path = drafted(tmp_path, server)

    assert len(server.asked) == 3
    assert [problem.path for problem in made.problems] == ["sources[0].domain"]
    assert path.read_text() == made.text


def test_an_existing_file_is_never_overwritten_and_nothing_is_asked(tmp_path):
    with provider(lambda _: GOOD) as server:
        drafted(tmp_path, server)
        with pytest.raises(InputError, match="is there already"):
            drafted(tmp_path, server)

    assert len(server.asked) == 1

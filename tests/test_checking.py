"""A study file is refused whole, with every problem and its remedy, before anything is spent."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from research_pipeline.checking import read_study
from research_pipeline.cron import cron_problem
from research_pipeline.errors import StudyInvalid
from research_pipeline.planning import answers, forecast, plan_of

GOOD = {
    "question": "How long do the vendors keep audit logs?",
    "sub_questions": [
        {"id": "acme.audit", "vendor": "acme", "text": "How long does Acme keep audit logs?", "answer": "duration"},
        {"id": "bolt.plan", "vendor": "bolt", "text": "Which plan has SSO?", "answer": {"choices": ["Free", "Pro"]}},
    ],
    "sources": [
        {
            "id": "acme",
            "domain": "docs.acme.example",
            "start_url": "https://docs.acme.example/",
            "authority": "official",
            "answers": "acme.*",
        },
        {
            "id": "bolt",
            "domain": "bolt.example",
            "start_url": "https://bolt.example/docs",
            "authority": "secondary",
            "answers": ["bolt.plan"],
        },
    ],
    "approved_domains": ["docs.acme.example", "bolt.example"],
}
CHANNEL = {"id": "acme", "channel": "arxiv", "query": "audit logs", "authority": "secondary", "answers": "acme.*"}


def with_change(path: str, value: object) -> dict:
    study = yaml.safe_load(yaml.safe_dump(GOOD))
    target = study
    *way, last = path.split("/")
    for step in way:
        target = target[int(step) if step.isdigit() else step]
    target[int(last) if last.isdigit() else last] = value
    return study


def problems_of(study: object, *, name: str = "audit") -> list:
    with pytest.raises(StudyInvalid) as refusal:
        read_study(study if isinstance(study, str) else yaml.safe_dump(study), name=name)
    return list(refusal.value.problems)


def test_a_good_study_is_read_with_its_defaults():
    study = read_study(yaml.safe_dump(GOOD), name="audit")

    assert study.engine == "embedded"
    assert study.extractor == "rules"
    assert study.limits.max_rounds == 3
    assert study.sub_questions[1].choices == ("Free", "Pro")
    assert study.sources[0].answers == ("acme.*",)


@pytest.mark.parametrize(
    ("path", "value", "where", "words"),
    [
        ("sources/0/start_url", "http://docs.acme.example/", "sources[0].start_url", "not https"),
        ("sources/0/start_url", "docs.acme.example", "sources[0].start_url", "names no host"),
        ("sources/0/domain", "www.docs.acme.example", "sources[0].domain", "not the host of the start URL"),
        ("sources/0/domain", "https://docs.acme.example", "sources[0].domain", "no host name"),
        ("sources/0/authority", "friend", "sources[0].authority", "official"),
        ("sources/0/answers", ["zeta.*"], "sources[0].answers[0]", "matches no sub-question"),
        ("sources/1/answers", ["acme.audit"], "sub_questions[1].id", "no source may answer"),
        ("sources/0/include_patterns", ["(audit"], "sources[0].include_patterns[0]", "does not compile"),
        ("sources/1/id", "acme", "sources[0].id", "names 2 sources"),
        ("sub_questions/1/id", "acme.audit", "sub_questions[0].id", "names 2 sub-questions"),
        ("sub_questions/0/id", "acme,audit", "sub_questions[0].id", "not a sub-question id"),
        ("sub_questions/0/vendor", "zenith", "sub_questions[0].id", "does not start with its vendor"),
        ("sub_questions/0/answer", "durration", "sub_questions[0].answer", "duration"),
        ("sub_questions/0/answer", {"choices": []}, "sub_questions[0]", "choices"),
        ("approved_domains", ["docs.acme.example"], "sources[1].domain", "not in `approved_domains`"),
        ("approved_domains", ["*.example"], "approved_domains[0]", "no host name"),
        ("limits", {"max_pages": 0}, "limits.max_pages", "greater than or equal to 1"),
        ("limits", {"max_pages": "many"}, "limits.max_pages", "valid integer"),
        ("limits", {"max_sources": 1}, "sources", "more than `limits.max_sources`"),
        ("limits", {"max_page": 3}, "limits.max_page", "no such field"),
        ("language", "de", "language", "no words in 'de'"),
        ("schedule", {"cron": "0 6 * *"}, "schedule.cron", "five"),
        ("schedule", {"cron": "0 6 * * 1", "timezone": "Mars/Base"}, "schedule.timezone", "no time zone"),
        ("mounts", {"http://docs.acme.example": "x"}, "mounts.http://docs.acme.example", "no https origin"),
        ("rubrics", [{"rule": "min_sources"}], "rubrics[0]", "`count` goes with"),
        ("model", "any", "model", "a model `provider:name`"),
        ("extractor", "model", "extractor", "no `model` is set"),
        ("approval", "maybe", "approval", "automatic"),
        ("sub_questions", [], "sub_questions", "there are none"),
        ("sources/0", {**CHANNEL, "channel": "arxvi"}, "sources[0].channel", "no channel 'arxvi'"),
        ("sources/0", {**CHANNEL, "start_url": "https://arxiv.org/"}, "sources[0].start_url", "beside `channel`"),
        ("sources/0", {**CHANNEL, "query": " ?"}, "sources[0].query", "nothing to look for"),
        ("sources/0", CHANNEL, "sources[0].channel", "lie on arxiv.org, which is not in `approved_domains`"),
        ("sources/0/query", "audit logs", "sources[0].query", "no `channel`"),
        ("sources/0/start_url", "", "sources[0].start_url", "field required"),
        ("sources/0", {**CHANNEL, "channel": 5}, "sources[0].channel", "valid string"),
    ],
)
def test_a_mistake_is_named_with_its_place(path, value, where, words):
    found = [problem for problem in problems_of(with_change(path, value)) if problem.path == where]

    assert any(words in problem.message for problem in found), found


def test_ten_mistakes_give_ten_messages():
    study = with_change("sources/0/start_url", "http://docs.acme.example/")
    study["language"] = "xx"
    study["limits"] = {"max_pages": 0, "max_tokens": -1, "max_stepz": 2}
    study["sub_questions"][0]["answer"] = "durration"
    study["sub_questions"][1]["id"] = "acme.other"
    study["sources"][0]["include_patterns"] = ["("]
    study["sources"][1]["answers"] = ["nobody.*", "acme.other"]
    study["mounts"] = {"ftp://x.example": "x"}
    study["questions"] = "?"

    assert len(problems_of(study)) >= 10
    assert len({problem.path for problem in problems_of(study)}) >= 10


def test_a_mistake_in_one_item_does_not_accuse_the_others():
    study = with_change("sub_questions/0/answer", "durration")

    assert [problem.path for problem in problems_of(study)] == ["sub_questions[0].answer"]


def test_an_item_that_cannot_be_read_whole_is_checked_as_far_as_it_can():
    study = with_change("sources/0/authority", "friend")
    study["sources"][0] |= {"start_url": "http://other.example/", "include_patterns": ["("], "answers": ["acme.*", "zeta.*"], "id": "bolt"}
    study["sub_questions"][0] |= {"answer": "durration", "vendor": "zenith"}
    study["sub_questions"][1] |= {"text": "?", "answer": {"choices": []}}
    study["mounts"] = {"https://docs.acme.example": "nowhere"}

    with pytest.raises(StudyInvalid) as refusal:
        read_study(yaml.safe_dump(study), name="audit", is_folder=lambda _: False)
    assert {problem.path for problem in refusal.value.problems} == {
        "sources[0].authority",
        "sources[0].start_url",
        "sources[0].domain",
        "sources[0].include_patterns[0]",
        "sources[0].answers[1]",
        "sources[0].id",
        "sources[1].id",
        "sub_questions[0].answer",
        "sub_questions[0].id",
        "sub_questions[1].text",
        "sub_questions[1]",
        "mounts.https://docs.acme.example",
    }


def test_a_misspelt_field_gets_the_right_one_proposed():
    study = {**GOOD, "aproved_domains": []}

    assert [problem.remedy for problem in problems_of(study)] == ["Did you mean `approved_domains`?"]


def test_a_key_that_stands_twice_is_refused():
    [problem] = problems_of("question: one\nquestion: two\n")

    assert "stands twice" in problem.message
    assert problem.path.startswith("line 2")


@pytest.mark.parametrize("text", ["", "- a\n", "question: [", "just words", "\x00", "a: &a [*a]"])
def test_text_that_is_no_study_is_refused_in_words(text):
    assert problems_of(text)


def test_a_file_name_that_cannot_name_a_study_is_refused():
    assert problems_of(GOOD, name="My Study")[0].path == "(file name)"


def test_approved_domains_may_be_a_list_shared_by_studies():
    study = {**GOOD, "approved_domains": "domains.yaml"}

    read = read_study(yaml.safe_dump(study), name="audit", domain_list=lambda _: ["bolt.example", "docs.acme.example"])
    assert read.approved_domains == ("bolt.example", "docs.acme.example")
    assert problems_of(study)[0].path == "approved_domains"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from([*GOOD, "limits", "id", "vendor", "answer", "mounts", "x"]), inner, max_size=5)
        ),
    )
)
def test_any_yaml_is_either_a_study_or_refused_with_problems(data):
    try:
        outcome = read_study(yaml.safe_dump(data), name="audit")
    except StudyInvalid as refusal:
        outcome = refusal.problems

    assert outcome


def test_the_plan_id_covers_everything_but_schedule_and_mounts():
    plan = plan_of(read_study(yaml.safe_dump(GOOD), name="audit"), name="audit")
    again = {**GOOD, "schedule": {"cron": "0 6 * * 1"}, "mounts": {"https://docs.acme.example": "site"}}
    changed = with_change("sub_questions/0/text", "How long does Acme keep them?")

    assert plan_of(read_study(yaml.safe_dump(again), name="audit"), name="audit").plan_id == plan.plan_id
    assert plan_of(read_study(yaml.safe_dump(changed), name="audit"), name="audit").plan_id != plan.plan_id


def test_absent_approved_domains_are_those_of_the_sources():
    plan = plan_of(read_study(yaml.safe_dump({k: v for k, v in GOOD.items() if k != "approved_domains"}), name="audit"), name="audit")

    assert plan.approved_domains == ("docs.acme.example", "bolt.example")
    assert not plan.approved.refusal("https://docs.acme.example/x")
    assert "not among" in plan.approved.refusal("https://www.docs.acme.example/x")


def test_a_forecast_stays_inside_the_limits():
    study = {**GOOD, "limits": {"max_pages": 3, "max_tokens": 20}}
    plan = plan_of(read_study(yaml.safe_dump(study), name="audit"), name="audit")

    whole, one = forecast(plan), forecast(plan, keys=frozenset({"acme.audit"}))
    assert whole.pages_at_most == 3
    assert whole.tokens_at_most <= 20
    assert one.discover_calls == 1
    assert [answers(plan.sources[0], key) for key in plan.questions] == [True, False]


@pytest.mark.parametrize("line", ["0 6 * * 1", "*/5 0-6 1,15 jan-mar MON", "0 0 * * 7", "30 4 1 */2 *"])
def test_a_cron_line_is_taken(line):
    assert cron_problem(line) == ""


@pytest.mark.parametrize(
    "line", ["", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8", "5-1 * * * *", "*/0 * * * *", "@daily", "a * * * *"]
)
def test_a_line_that_is_no_cron_line_is_explained(line):
    assert cron_problem(line).endswith(".")


def test_a_channel_is_part_of_the_plan_with_its_hosts_and_costs_no_tokens():
    study = with_change("sources/0", CHANNEL)
    del study["approved_domains"]
    plan = plan_of(read_study(yaml.safe_dump(study), name="audit"), name="audit")
    study["sources"][0]["query"] = "retention"

    assert plan.approved_domains == ("arxiv.org", "bolt.example")
    assert plan.channel_hosts == {"arxiv": ("arxiv.org",)}
    assert plan.sources[0].place == "arxiv: audit logs"
    assert plan.source_for("https://arxiv.org/abs/1", key="acme.audit") == plan.sources[0]
    assert plan.source_for("https://www.arxiv.org/abs/1", key="acme.audit") is None
    assert plan_of(read_study(yaml.safe_dump(study), name="audit"), name="audit").plan_id != plan.plan_id
    expected = forecast(plan)
    assert (expected.discover_calls, expected.searches) == (2, 1)
    assert expected.tokens_likely == 8 + 2 * expected.pages_likely
    good = plan_of(read_study(yaml.safe_dump(GOOD), name="audit"), name="audit")
    assert not {"channel", "channel_hosts"} & {*good.model_dump(), *good.model_dump()["sources"][0]}, "plans of before keep their ids"

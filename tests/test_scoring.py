"""How a report is held against labels: what counts as right, open, missed and wrong, and what a wrong label is told."""

import json

import pytest

from research_pipeline.errors import CorpusInvalid
from research_pipeline.records import FindingStatus
from research_pipeline.reporting.report import Citation, ReportedFinding
from research_pipeline.scoring import Label, doubts, judge, read_corpus, stands_on, study_of, visible_text
from research_pipeline.scoring.alike import is_one_of

HOSTS = json.dumps({"acme": "https://docs.acme.example"})
AGREED = {
    "id": "acme-logs",
    "vendor": "acme",
    "question": "How long are logs kept?",
    "answer_type": "duration",
    "expected_status": "agreed",
    "expected_values": ["30 days", "30"],
    "must_quote_contain": ["kept for 30 days"],
    "answer_page_paths": ["/logs/"],
    "trap_values": ["7 days"],
}
SIDES = [{"values": ["7 days"], "must": "7 days", "page": "/a"}, {"values": ["1 day"], "must": "1 Tag", "page": "/b"}]
CONFLICT = {**AGREED, "expected_status": "conflict", "expected_values": ["7 days", "1 day"], "conflict_values": SIDES}
GAP = {**AGREED, "expected_status": "gap", "expected_values": [], "must_quote_contain": None, "answer_page_paths": None}


def finding(status, answer, *cited, note=""):
    """`cited` are (value, quote, path)."""
    items = [Citation.model_construct(value=v, quote=q, url=f"https://docs.acme.example{p}") for v, q, p in cited]
    return ReportedFinding.model_construct(status=FindingStatus(status), answer=answer, evidence=items, note=note)


KEPT = ("30 days", "Logs are kept for 30 days.", "/elsewhere")
SEVEN, ONE, OTHER = ("7 days", "7 days before", "/x"), ("1 day", "1 day", "/b.html"), ("5 days", "5 days", "/a")


@pytest.mark.parametrize(
    ("label", "reported", "outcome"),
    [
        (AGREED, finding("agreed", "30 days", KEPT), "right"),
        (AGREED, finding("agreed", "30 days", ("30 days", "30 days, always", "/logs")), "right"),
        (AGREED, finding("agreed", "30 days", ("30 days", "30 days, always", "/logs/index.html")), "right"),
        (AGREED, finding("agreed", "30 days", ("30 days", "30 days, always", "/other")), "wrong"),
        (AGREED, finding("agreed", "30 days", ("31 days", "kept for 30 days", "/logs")), "wrong"),
        (AGREED, finding("agreed", "7 days", ("7 days", "7 days", "/logs")), "wrong"),
        (AGREED, finding("agreed", "31 days", KEPT), "wrong"),
        (AGREED, finding("unresolved", None, OTHER), "open"),
        (AGREED, finding("conflict", None, OTHER, KEPT), "open"),
        (AGREED, finding("conflict", None, OTHER, SEVEN), "wrong"),
        (AGREED, finding("gap", None), "missed"),
        (AGREED, None, "missed"),
        (CONFLICT, finding("conflict", None, SEVEN, ONE), "right"),
        (CONFLICT, finding("unresolved", None, ONE, SEVEN), "right"),
        (CONFLICT, finding("conflict", None, SEVEN, OTHER), "missed"),
        (CONFLICT, finding("agreed", "7 days", SEVEN), "missed"),
        (CONFLICT, finding("agreed", "5 days", OTHER), "wrong"),
        (CONFLICT, finding("unresolved", None, OTHER), "open"),
        (CONFLICT, finding("conflict", None, OTHER), "wrong"),
        (CONFLICT, finding("gap", None), "missed"),
        (GAP, finding("gap", None), "right"),
        (GAP, None, "right"),
        (GAP, finding("unresolved", None, KEPT), "open"),
        (GAP, finding("agreed", "30 days", KEPT), "wrong"),
        (GAP, finding("conflict", None, KEPT), "wrong"),
    ],
)
def test_a_finding_is_judged_by_its_label(label, reported, outcome):
    judged = judge(Label.model_validate(label), reported)

    assert judged.outcome == outcome
    assert bool(judged.reason) == (outcome != "right")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("30 days", ["30 Days"]),
        ("30\u00a0days", ["30 days"]),
        ("thirty days", ["30 days"]),
        ("1 minute", ["1 mins"]),
        ("50 requests per second", ["50"]),
        ("50 per week", ["50 per week", "50"]),
        ("30,000", ["30 000"]),
        ("$2,000 per month", ["$2,000"]),
        ("the Enterprise plan", ["Enterprise"]),
        ("Non‑profit", ["Non-profit"]),
    ],
)
def test_the_same_value_in_other_words_is_the_same(answer, expected):
    assert is_one_of(answer, expected)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("30 hours", ["30 days"]),
        ("30 hours", ["30 days", "30"]),
        ("30 business days", ["30 days"]),
        ("30 million", ["30"]),
        ("€30", ["$30"]),
        ("30–60 days", ["30 days"]),
        ("not Enterprise", ["Enterprise"]),
        ("Enterprise and Team", ["Enterprise"]),
        ("Team", ["Enterprise"]),
        ("", ["30"]),
        (None, ["no"]),
    ],
)
def test_another_value_is_another(answer, expected):
    assert not is_one_of(answer, expected)


def test_a_quote_stands_on_a_page_whole_or_as_the_cells_of_a_row():
    page = visible_text(
        "<head><title>30 days</title></head><body><p>Kept&nbsp;for <b>thirty</b>\n days.</p><script>var x = 'kept for ever'</script>"
        "<table><tr><td>Logs</td><td>soft\u00adly</td><td>7 days</td></tr></table>"
        '<script type="application/ld+json">{"price": "9.00"}</script></body>'
    )

    assert stands_on("kept for thirty days.", page)
    assert stands_on("Logs | 7 days", page)
    assert stands_on("softly", page)
    assert stands_on('"price": "9.00"', page)
    assert not stands_on("7 days | Logs", page)
    assert not stands_on("kept for ever", page)
    assert not stands_on("", page)


@pytest.mark.parametrize(
    ("change", "place", "said"),
    [
        ({"vendor": "beta"}, "line 1, vendor", "no origin"),
        ({"answer_type": "length"}, "line 1, answer_type", "'duration'"),
        ({"expected_status": "gap"}, "line 1, the fields together", "`expected_values`"),
        ({"expected_status": "conflict"}, "line 1, the fields together", "`conflict_values`"),
        ({"must_quote_contain": [], "answer_page_paths": []}, "line 1, the fields together", "which quote is right"),
        ({"trap_value": ["1"], "trap_values": []}, "", ""),
        ({"start_path": "docs"}, "line 1, start_path", "pattern"),
        ({"id": "acme-"}, "line 1, id", "no sub-question id"),
    ],
)
def test_a_wrong_label_is_named_with_its_line_and_field(change, place, said):
    text = json.dumps({**AGREED, **change})
    if not place:
        assert len(read_corpus(HOSTS, text).labels) == 1
        return
    with pytest.raises(CorpusInvalid) as caught:
        read_corpus(HOSTS, text)

    [problem] = caught.value.problems
    assert problem.path == f"questions.jsonl, {place}"
    assert said in str(caught.value)


def test_every_problem_of_a_corpus_is_found_at_once():
    misspelt = {**{name: value for name, value in AGREED.items() if name != "trap_values"}, "trap_value": ["7 days"], "labelled_by": "me"}
    lines = [json.dumps(misspelt), "", "{", "[]", json.dumps(AGREED), json.dumps(AGREED)]
    with pytest.raises(CorpusInvalid) as caught:
        read_corpus(json.dumps({"acme": "ftp://acme.example", "ACME!": "https://acme.example"}), "\n".join(lines))

    assert [problem.path for problem in caught.value.problems] == [
        "hosts.json, acme",
        "hosts.json, ACME!",
        "questions.jsonl, line 1, trap_value",
        "questions.jsonl, line 3, column 2",
        "questions.jsonl, line 4",
        *(f"questions.jsonl, line {line}, id" for line in (1, 5, 6)),
    ]


@pytest.mark.parametrize(("hosts", "questions"), [("{}", "{}"), ("[1]", ""), ("{", ""), (HOSTS, "\n")])
def test_a_corpus_without_vendors_or_questions_is_refused(hosts, questions):
    with pytest.raises(CorpusInvalid):
        read_corpus(hosts, questions)


def test_a_label_whose_words_are_not_on_its_page_is_doubted():
    pages = {"/logs/": "logs are kept for 30 days", "/a": "7 days", "/b": "two days"}

    def about(label):
        return [problem.path for problem in doubts(Label.model_validate({**label, "line": 4}), lambda path: pages.get(path, ""))]

    assert about(AGREED) == []
    assert about({**AGREED, "must_quote_contain": ["kept for 40 days"]}) == ["questions.jsonl, line 4, must_quote_contain"]
    assert about({**AGREED, "answer_page_paths": ["/gone"]}) == ["questions.jsonl, line 4, page /gone"]
    assert about({**CONFLICT, "answer_page_paths": None}) == ["questions.jsonl, line 4, conflict_values"]


def test_a_study_says_nothing_of_where_answers_stand():
    made = study_of(read_corpus(HOSTS, json.dumps({**AGREED, "start_path": "/docs/"})), "acme", site="/sites/acme")

    assert made["sub_questions"] == [{"id": "acme.logs", "vendor": "acme", "text": "How long are logs kept?", "answer": "duration"}]
    assert made["sources"][0]["start_url"] == "https://docs.acme.example/docs/"
    assert "/logs" not in json.dumps(made)
    assert "30 days" not in json.dumps(made)

"""`research evaluate` on a small corpus of the demo's sites: what it runs, counts and explains."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from research_pipeline.errors import InputError
from resources.corpus import CorpusFolder

DEMO = Path(__file__).parents[1] / "demo"
RESEARCH = str(Path(sys.executable).with_name("research"))
STUDY = yaml.safe_load(DEMO.parent.joinpath("studies", "demo.yaml").read_text("utf-8"))
FOUND = yaml.safe_load(DEMO.joinpath("expected.yaml").read_text("utf-8"))
PAGES = {  # where a person finds the answers
    "quillbox.trash-retention": ["/help/trash"],
    "quillbox.konten": ["/de/geloeschte-konten"],
    "larkhold.encryption": ["/security/encryption"],
    "larkhold.sdk-python": ["/sdk/python"],
}


def label(key, **changes):
    question = next(item for item in STUDY["sub_questions"] if item["id"] == key)
    vendor, _, name = key.partition(".")
    answer = question["answer"]
    kind = {"answer_type": "choice", "choices": answer["choices"]} if isinstance(answer, dict) else {"answer_type": answer}
    common = {"id": f"{vendor}-{name}", "vendor": vendor, "question": question["text"], "kind": name.partition("-")[0], **kind}
    found = {"expected_status": "agreed", "expected_values": FOUND[key].get("answers"), "answer_page_paths": PAGES.get(key)}
    return {**common, **found, **changes}


SIDES = [
    {"values": ["30 days"], "must": "30 days", "page": "/guide/deleted-files"},
    {"values": ["60 days"], "must": "60 days", "page": "/reference/retention"},
]
LABELS = [
    *map(label, PAGES),
    label("quillbox.uptime", expected_status="gap", expected_values=None),
    label("larkhold.deleted-file-retention", expected_status="conflict", conflict_values=SIDES),
    # A person who overlooked the page: the answer counts as wrong, and is shown with its quote.
    label("quillbox.api-v1-end", expected_status="gap", expected_values=None),
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    folder.joinpath("hosts.json").write_text(json.dumps({name: f"https://docs.{name}.example" for name in ("larkhold", "quillbox")}))
    folder.joinpath("questions.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in LABELS))
    for vendor in ("larkhold", "quillbox"):
        folder.joinpath(vendor).mkdir()
        folder.joinpath(vendor, "site").symlink_to(DEMO / vendor)
    return folder


@pytest.fixture(scope="module")
def told(corpus):
    done = subprocess.run([RESEARCH, "evaluate", corpus], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_evaluation_counts_by_vendor_and_kind(told):
    rows = {line.split()[0]: line.split()[1:] for line in told.splitlines() if line and not line.startswith(" ")}

    assert rows["larkhold"][:9] == ["3", "3", "0", "0", "0", "1.00", "1.00", "0/0", "1/1"]
    assert rows["quillbox"][:9] == ["4", "3", "0", "0", "1", "0.67", "1.00", "1/2", "0/0"]
    assert rows["all"][:9] == ["7", "6", "0", "0", "1", "0.83", "1.00", "1/2", "1/1"]
    assert rows["api"][:5] == ["1", "0", "0", "0", "1"]
    assert int(rows["all"][9]) == int(rows["larkhold"][9]) + int(rows["quillbox"][9]) > 0


def test_a_wrong_answer_is_explained_with_its_quote_and_what_was_expected(told):
    _, _, explained = told.partition("wrong: quillbox.api-v1-end")

    assert "answered all the same" in explained
    assert "reported: agreed, 30 June 2027" in explained
    assert "https://docs.quillbox.example/developers/api-versions" in explained
    assert "expected: gap, line 7" in explained
    assert "none of them absent" in told


def test_a_bad_corpus_is_refused_before_anything_runs(corpus, tmp_path):
    def refusal(folder):
        with pytest.raises(InputError) as caught:
            CorpusFolder(folder)
        return str(caught.value)

    assert "no folder" in refusal(tmp_path / "nowhere")
    assert "hosts.json: there is no such file" in refusal(tmp_path)
    tmp_path.joinpath("hosts.json").write_bytes(corpus.joinpath("hosts.json").read_bytes())
    tmp_path.joinpath("questions.jsonl").write_bytes(b"\xff")
    assert "questions.jsonl: it cannot be read" in refusal(tmp_path)
    tmp_path.joinpath("questions.jsonl").write_text(json.dumps({**LABELS[2], "answer_type": "colour"}))
    assert "questions.jsonl, line 1, answer_type" in refusal(tmp_path)
    tmp_path.joinpath("questions.jsonl").write_text(json.dumps(LABELS[2]))
    assert "no folder larkhold/site" in refusal(tmp_path)


def test_labels_that_name_no_page_of_the_site_are_doubted(corpus):
    assert [doubt.path for doubt in CorpusFolder(corpus).doubts()] == []

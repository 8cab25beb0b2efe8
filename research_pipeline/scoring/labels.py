"""A corpus as its labels say: which questions are asked of which site, and what a person found there.

`hosts.json` maps each vendor to its origin; `questions.jsonl` has one label a line. Every problem is found at once, each with its file,
line and field.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, cast
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from research_pipeline.errors import CorpusInvalid, Problem
from research_pipeline.scoring.alike import fold
from research_pipeline.study import SUB_QUESTION_ID, VENDOR, AnswerType

HOSTS, QUESTIONS = "hosts.json", "questions.jsonl"


class Expected(StrEnum):
    """What a label says must come out."""

    AGREED = "agreed"
    CONFLICT = "conflict"
    GAP = "gap"


def _listed(value: Any) -> Any:
    return () if value is None else value


Texts = Annotated[tuple[str, ...], BeforeValidator(_listed)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)  # notes of the labeller's own are welcome


class Side(_Part):
    """One side of a conflict: any of its values, a text that its quote holds, and the path of a page that carries it."""

    values: Texts = Field(min_length=1)
    must: str = Field(min_length=1)
    page: str = Field(min_length=1)


class Label(_Part):
    """One question with what a person found. `line` is where it stands in `questions.jsonl`."""

    id: str = Field(min_length=1)
    vendor: str
    question: str = Field(min_length=3)
    answer_type: AnswerType
    expected_status: Expected
    expected_values: Texts = ()
    conflict_values: Annotated[tuple[Side, ...], BeforeValidator(_listed)] = ()
    must_quote_contain: Texts = ()
    answer_page_paths: Texts = ()
    trap_values: Texts = ()
    choices: Texts = ()
    start_path: str = Field(default="/", pattern="^/")
    kind: str = "other"
    line: int = 0

    @property
    def key(self) -> str:
        """Id of the sub-question: the vendor, a dot, and the label's id without the vendor in front."""
        return f"{self.vendor}.{self.id.removeprefix(f'{self.vendor}-')}"

    @model_validator(mode="after")
    def _has_what_its_status_needs(self) -> Label:
        if (self.expected_status is Expected.CONFLICT) != bool(self.conflict_values):
            raise ValueError("`conflict_values` go with `expected_status: conflict`, and are needed there")
        if self.expected_status is Expected.CONFLICT and len(self.conflict_values) < 2:
            raise ValueError("a conflict has two sides or more in `conflict_values`")
        if (self.expected_status is Expected.GAP) == bool(self.expected_values):
            raise ValueError("`expected_values` are what answers: needed unless `expected_status` is gap, and wrong there")
        if self.expected_status is Expected.AGREED and not (self.must_quote_contain or self.answer_page_paths):
            raise ValueError("`must_quote_contain` or `answer_page_paths` must say which quote is right")
        if (self.answer_type is AnswerType.CHOICE) != bool(self.choices):
            raise ValueError("`choices` go with `answer_type: choice`, and are needed there")
        return self


@dataclass(frozen=True, slots=True)
class Corpus:
    """The labels of a corpus, and the origin of each vendor's site."""

    origins: Mapping[str, str]
    labels: tuple[Label, ...]

    @property
    def vendors(self) -> tuple[str, ...]:
        """Those that are asked about, in the order of `hosts.json`."""
        asked = {label.vendor for label in self.labels}
        return tuple(vendor for vendor in self.origins if vendor in asked)

    def of(self, vendor: str) -> tuple[Label, ...]:
        """The labels of a vendor."""
        return tuple(label for label in self.labels if label.vendor == vendor)


def read_corpus(hosts: str, questions: str) -> Corpus:
    """A corpus from the texts of its two files.

    Raises:
        CorpusInvalid: with every problem of both.
    """
    origins, problems = _origins(hosts)
    labels: list[Label] = []
    for number, line in enumerate(questions.splitlines(), 1):
        if line.strip():
            label, wrong = _label(line, number)
            labels += [label] if label else []
            problems += wrong
    problems += _together(labels, origins)
    if not labels and not problems:
        problems.append(Problem(QUESTIONS, "it holds no question.", "Write one label a line, as JSON."))
    if problems:
        raise CorpusInvalid(problems)
    return Corpus(origins, tuple(labels))


def _origins(text: str) -> tuple[dict[str, str], list[Problem]]:
    remedy = 'Write one such as {"acme": "https://docs.acme.example"}.'
    try:
        data: object = json.loads(text)
    except json.JSONDecodeError as error:
        return {}, [Problem(f"{HOSTS}, line {error.lineno}", f"this is not JSON: {error.msg}.", remedy)]
    if not isinstance(data, dict) or not data:
        return {}, [Problem(HOSTS, "it maps no vendor to an origin.", remedy)]
    origins = {str(vendor): str(origin) for vendor, origin in cast("dict[object, object]", data).items()}
    return origins, [
        Problem(f"{HOSTS}, {vendor}", problem, remedy) for vendor, origin in origins.items() if (problem := _origin_problem(vendor, origin))
    ]


def _origin_problem(vendor: str, origin: str) -> str:
    parts = urlsplit(origin)
    if not VENDOR.fullmatch(vendor):
        return f"{vendor!r} is no vendor slug: it must match {VENDOR.pattern}."
    if parts.scheme != "https" or not parts.hostname or parts.path.strip("/") or parts.query:
        return f"{origin!r} is no https origin."
    return ""


def _label(line: str, number: int) -> tuple[Label | None, list[Problem]]:
    where = f"{QUESTIONS}, line {number}"
    try:
        data: object = json.loads(line)
    except json.JSONDecodeError as error:
        return None, [Problem(f"{where}, column {error.colno}", f"this is not JSON: {error.msg}.", "Write one JSON object a line.")]
    if not isinstance(data, dict):
        return None, [Problem(where, "this is no JSON object.", "Write one JSON object a line.")]
    fields = cast("dict[str, object]", data)
    problems = [
        Problem(f"{where}, {name}", f"there is no such field; {near!r} is meant?", "Correct the name.") for name, near in _misspelt(fields)
    ]
    try:
        return Label.model_validate({**fields, "line": number}), problems
    except ValidationError as error:
        return None, problems + [
            Problem(f"{where}, {'.'.join(map(str, detail['loc'])) or 'the fields together'}", f"{_said(detail['msg'])}.", "")
            for detail in error.errors(include_url=False)
        ]


def _said(message: str) -> str:
    return message.removeprefix("Value error, ").rstrip(".")


def _misspelt(fields: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """A field that nobody reads is the labeller's own, unless it looks like one that is read."""
    for name in fields.keys() - Label.model_fields.keys():
        for near in difflib.get_close_matches(name, Label.model_fields.keys() - fields.keys(), n=1, cutoff=0.8):
            yield name, near


def _together(labels: Sequence[Label], origins: Mapping[str, str]) -> Iterator[Problem]:
    counts = Counter(label.key for label in labels)
    for label in labels:
        where = f"{QUESTIONS}, line {label.line}"
        if label.vendor not in origins:
            yield Problem(f"{where}, vendor", f"{label.vendor!r} has no origin.", f"Add it to {HOSTS}.")
        if counts[label.key] > 1:
            yield Problem(f"{where}, id", f"{label.id!r} stands {counts[label.key]} times.", "Give each question an id of its own.")
        if not SUB_QUESTION_ID.fullmatch(label.key):
            yield Problem(f"{where}, id", f"{label.key!r} is no sub-question id.", f"It must match {SUB_QUESTION_ID.pattern}.")


def doubts(label: Label, page_text: Callable[[str], str]) -> Iterator[Problem]:
    """What looks wrong with a label when its pages are looked up: a page that is not there, a text that none of them holds.

    Args:
        page_text: visible text of the page at a path, folded; empty where the site has no such page.
    """
    where = f"{QUESTIONS}, line {label.line}"
    texts = {path: page_text(path) for path in (*label.answer_page_paths, *(side.page for side in label.conflict_values))}
    for path in (path for path, text in texts.items() if not text):
        yield Problem(f"{where}, page {path}", "the site has no such page, or it says nothing.", "Name the page as its address does.")
    if label.expected_status is Expected.AGREED and label.must_quote_contain and texts and all(texts.values()):
        wanted = [fold(text) for text in label.must_quote_contain]
        if not any(text in page for text in wanted for page in texts.values()):
            message = f"none of {list(label.must_quote_contain)} stands on {', '.join(texts)}."
            yield Problem(f"{where}, must_quote_contain", message, "Copy the words from the page.")
    for side in label.conflict_values:
        if texts[side.page] and fold(side.must) not in texts[side.page]:
            yield Problem(f"{where}, conflict_values", f"{side.must!r} does not stand on {side.page}.", "Copy the words from the page.")

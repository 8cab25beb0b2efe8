"""A study as far as its fields can be read one by one; a stand-in takes the place of each that cannot."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from research_pipeline.errors import Problem
from research_pipeline.study import Limits, ModelPrice, Rubric, Schedule, Source, Study, SubQuestion

_REMEDIES: Mapping[str, str] = {
    "missing": "Add it.",
    "enum": "Write one of the values that the message lists.",
    "literal_error": "Write one of the values that the message lists.",
    "int_parsing": "Write a whole number.",
    "int_from_float": "Write a whole number.",
    "int_type": "Write a whole number.",
    "float_parsing": "Write a number.",
    "float_type": "Write a number.",
    "string_type": "Write text; put it in quotes if YAML takes it for something else.",
    "string_too_short": "Write more than that.",
    "tuple_type": "Write a list.",
    "dict_type": "Write a mapping of `key: value` lines.",
    "model_type": "Write a mapping of `key: value` lines.",
    "too_short": "Give at least one.",
    "greater_than": "Write a larger number.",
    "greater_than_equal": "Write a larger number.",
    "less_than_equal": "Write a smaller number.",
}
_PARTS: Mapping[str, type[BaseModel]] = {
    "sub_questions": SubQuestion,
    "sources": Source,
    "limits": Limits,
    "rubrics": Rubric,
    "schedule": Schedule,
    "model_price": ModelPrice,
}


@dataclass(frozen=True)
class Draft:
    """A study of which some fields may be stand-ins for what could not be read, so that the rest is checked all the same.

    `unread` are the paths of those fields: what is said of them has been said.
    """

    study: Study
    problems: tuple[Problem, ...] = ()
    unread: frozenset[str] = frozenset()

    @property
    def questions(self) -> Iterator[tuple[str, SubQuestion]]:
        """Path in the file and sub-question."""
        return ((f"sub_questions[{index}]", item) for index, item in enumerate(self.study.sub_questions))

    @property
    def sources(self) -> Iterator[tuple[str, Source]]:
        """Path in the file and source."""
        return ((f"sources[{index}]", item) for index, item in enumerate(self.study.sources))


# What takes the place of a field that could not be read. Whatever such a field would have to agree with is taken to agree.
_STAND_INS: Mapping[str, Mapping[str, Any]] = {
    "sub_questions": {"id": "unread.id", "vendor": "unread", "text": "unread", "answer": "text"},
    "sources": {
        "id": "unread",
        "domain": "unread.example",
        "start_url": "https://unread.example/",
        "authority": "official",
        "answers": ["*"],
    },
}


def validate(data: dict[str, Any]) -> Draft:
    """The fields of a file as a study, with a problem for each that cannot be read."""
    kept = {**data, **{group: list(_listed(data[group])) for group in _STAND_INS if isinstance(data.get(group), list)}}
    problems: list[Problem] = []
    unread: set[str] = set()
    while True:  # what is wrong between the fields of an item shows once each of them can be read
        try:
            return Draft(Study.model_validate(kept), tuple(problems), frozenset(unread))
        except ValidationError as error:
            details = error.errors(include_url=False)
        for detail in details:
            problems.append(_problem(detail))
            unread |= _stand_in(kept, detail["loc"])
        if "question" in unread:
            kept["question"] = "unread"


def _stand_in(kept: dict[str, Any], location: Sequence[int | str]) -> set[str]:
    """Put stand-ins where something could not be read; the paths of the fields that are stand-ins now."""
    group, *rest = location or ("",)
    if not rest or group not in _STAND_INS or not isinstance(rest[0], int):
        kept.pop(str(group), None)
        return {str(group)}
    index, fields = rest[0], _STAND_INS[str(group)]
    item = kept[str(group)][index]
    # Of a fault between fields of an item it is not known which one is wrong; it lies in how the answer is given.
    wrong = {str(rest[1])} if len(rest) > 1 else set(fields) if not isinstance(item, dict) else {"answer", "choices"}
    read = {name: value for name, value in cast("dict[str, Any]", item).items() if name not in wrong} if isinstance(item, dict) else {}
    kept[str(group)][index] = {**read, **{name: fields[name] for name in wrong & set(fields)}}
    return {f"{group}[{index}].{name}" for name in wrong}


def _listed(value: object) -> Sequence[object]:
    return cast("list[object]", value) if isinstance(value, list) else [value]


def _problem(detail: ErrorDetails) -> Problem:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in detail["loc"]).removeprefix(".") or "(file)"
    kind = detail["type"]
    if kind == "extra_forbidden":
        return Problem(path, "there is no such field.", _did_you_mean(detail["loc"]))
    message = detail["msg"].removeprefix("Value error, ").rstrip(".")
    shown = detail["input"] if kind != "missing" and isinstance(detail["input"], str | int | float | bool) else None
    got = f" (it says {shown!r})" if shown is not None and repr(shown) not in message else ""
    return Problem(path, f"{message[:1].lower()}{message[1:]}{got}.", _REMEDIES.get(kind, ""))


def _did_you_mean(location: Sequence[int | str]) -> str:
    names = list((_PARTS.get(str(location[0]), Study) if len(location) > 1 else Study).model_fields)
    close = difflib.get_close_matches(str(location[-1]), names, n=1)
    return f"Did you mean `{close[0]}`?" if close else f"Remove it; the fields here are {', '.join(names)}."

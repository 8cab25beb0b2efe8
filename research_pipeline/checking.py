"""Study file → checked study. All problems of a file are found at once, each with its path and remedy, before anything is spent."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, cast
from urllib.parse import urlsplit

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from research_pipeline.channels import BUILT_IN, Channel
from research_pipeline.domains import comparable_domain, is_loopback
from research_pipeline.errors import Problem, StudyInvalid
from research_pipeline.ids import host_of
from research_pipeline.study import STUDY_NAME, Limits, ModelPrice, Rubric, Schedule, Source, Study, SubQuestion

REPORT_LANGUAGES = ("en",)
_NO_MAPPING = Problem("(file)", "it holds no mapping.", "Start with `question:`, `sub_questions:` and `sources:`.")

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


def _no_list(name: str) -> Sequence[str]:
    raise FileNotFoundError(name)


def read_study(
    text: str,
    *,
    name: str,
    domain_list: Callable[[str], Sequence[str]] = _no_list,
    is_folder: Callable[[str], bool] = bool,
    channels: Mapping[str, Channel] = BUILT_IN,
) -> Study:
    """A study from the text of its file.

    Args:
        text: YAML.
        name: the file's stem, which is the study's name.
        is_folder: whether a mount's target is there; any target that is named, where nobody can look.
        channels: those that a source may name.
        domain_list: gives the host names of a list that `approved_domains` names (it ends in .yaml); raises OSError or ValueError.

    Raises:
        StudyInvalid: with every problem that the file has.
    """
    problems = [] if STUDY_NAME.fullmatch(name) else [_bad_name(name)]
    data = _load(text, name)
    listed = data.get("approved_domains")
    if isinstance(listed, str) and listed.endswith((".yaml", ".yml")):
        try:
            data["approved_domains"] = list(domain_list(listed))
        except (OSError, ValueError) as error:
            data["approved_domains"] = None
            remedy = "Name a YAML file, relative to the study, that holds a list of host names."
            problems.append(Problem("approved_domains", f"the list {listed!r} cannot be read: {error}.", remedy))
    draft = _validate(data)
    problems += draft.problems
    problems += check(draft, channels)
    problems += [_missing(origin, target) for origin, target in draft.study.mounts.items() if not is_folder(target)]
    if problems:
        raise StudyInvalid(f"study {name!r}", problems)
    return draft.study


def _missing(origin: str, folder: str) -> Problem:
    return Problem(f"mounts.{origin}", f"{folder} is no folder.", "Give a folder that holds the site, relative to the study file.")


def _bad_name(name: str) -> Problem:
    return Problem("(file name)", f"{name!r} cannot name a study.", f"Rename the file: its stem must match {STUDY_NAME.pattern}.")


class _UniqueKeys(yaml.SafeLoader):
    """YAML lets a later key silently replace an earlier one; a study must not lose a line like that."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[object] = set()
        for key_node, _ in node.value:
            key = cast("object", self.construct_object(key_node, deep=True))  # pyright: ignore[reportUnknownMemberType]  # untyped in PyYAML
            if isinstance(key, str) and key in seen:
                raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} stands twice", key_node.start_mark)
            seen.add(key if isinstance(key, str) else repr(key))
        return super().construct_mapping(node, deep)


def _load(text: str, name: str) -> dict[str, Any]:
    try:
        data: object = yaml.load(text, _UniqueKeys)  # noqa: S506  # a SafeLoader
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}, column {mark.column + 1}" if mark else "(file)"
        what = getattr(error, "problem", None) or str(error)
        raise StudyInvalid(f"study {name!r}", [Problem(where, f"this is not YAML: {what}.", "Mend the line.")]) from error
    if not isinstance(data, dict):
        raise StudyInvalid(f"study {name!r}", [_NO_MAPPING])
    return {str(key): value for key, value in cast("dict[object, Any]", data).items()}


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


def _validate(data: dict[str, Any]) -> Draft:
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


def check(draft: Draft, channels: Mapping[str, Channel] = BUILT_IN) -> list[Problem]:
    """What fields mean together: every rule of a plan, each problem with its remedy."""
    found = (*(problem for rule in _RULES for problem in rule(draft)), *_channels(draft, channels))
    return [problem for problem in found if not _is_said(problem, draft)]


def _is_said(problem: Problem, draft: Draft) -> bool:
    """Whether a problem is with a field that could not be read, or with one that would have to agree with such a field."""
    paths = {problem.path, problem.path.partition(".")[0] + "." + _AGREES_WITH.get(problem.path.rpartition(".")[2], "")}
    return any(path == unread or path.startswith(f"{unread}[") for path in paths for unread in draft.unread)


_AGREES_WITH = {"id": "vendor", "domain": "start_url", "start_url": "domain"}


def _ids(draft: Draft) -> Iterator[Problem]:
    for what, items in (("sub-question", draft.questions), ("source", draft.sources)):
        placed = [(path, item.id) for path, item in items]
        counts = Counter(item_id for _, item_id in placed)
        for path, item_id in placed:
            if counts[item_id] > 1:
                yield Problem(f"{path}.id", f"{item_id!r} names {counts[item_id]} {what}s.", "Give each an id of its own.")
    for path, question in draft.questions:
        if not question.id.startswith(f"{question.vendor}."):
            remedy = f"Write `{question.vendor}.{question.id.split('.', 1)[-1]}`, or mend the vendor."
            yield Problem(f"{path}.id", f"{question.id!r} does not start with its vendor {question.vendor!r}.", remedy)


def _needed_parts(draft: Draft) -> Iterator[Problem]:
    for part, given in (("sub_questions", draft.study.sub_questions), ("sources", draft.study.sources)):
        if not given:
            yield Problem(part, "there are none.", "Write at least one, or let a model draft them: `research draft QUESTION`.")


def _channels(draft: Draft, known: Mapping[str, Channel]) -> Iterator[Problem]:
    for path, source in draft.sources:
        if not source.channel:
            if source.query:
                yield Problem(f"{path}.query", "it is a query to no `channel`.", "Name the channel, or remove the line.")
            continue
        if source.channel not in known:
            remedy = f"Write one of {', '.join(sorted(known))}; or give `domain` and `start_url` instead, and the site is read."
            yield Problem(f"{path}.channel", f"there is no channel {source.channel!r}.", remedy)
        elif draft.study.approved_domains is not None:
            yield from _hosts_not_approved(draft, path, source.channel, known[source.channel].hosts)
        for field in ("domain", "start_url"):
            if getattr(source, field):
                remedy = "A source is a site or a channel: remove one of the two; a second source may name the other."
                yield Problem(f"{path}.{field}", "it stands beside `channel`.", remedy)
        if not any(letter.isalnum() for letter in source.query):
            remedy = "Write what it is to look for, such as `query: audit log retention`."
            yield Problem(f"{path}.query", f"the channel {source.channel} has nothing to look for.", remedy)


def _hosts_not_approved(draft: Draft, path: str, channel: str, hosts: Iterable[str]) -> Iterator[Problem]:
    approved = {comparable for domain in draft.study.approved_domains or () if (comparable := _comparable(domain))}
    for host in hosts:
        if comparable_domain(host) not in approved:
            message = f"the pages of {channel} lie on {host}, which is not in `approved_domains`."
            yield Problem(f"{path}.channel", message, "Add the host there if it may be read, else drop the source.")


def _comparable(domain: str) -> str:
    """Comparable, or empty for what is no domain, which is said of it where it stands."""
    try:
        return comparable_domain(domain)
    except ValueError:
        return ""


def _addresses(draft: Draft) -> Iterator[Problem]:
    for path, source in draft.sources:
        if source.channel or f"{path}.channel" in draft.unread:
            continue
        if missing := [field for field in ("domain", "start_url") if not getattr(source, field)]:
            remedy = "Add it; or, to ask a service instead of reading a site, `channel` and `query`."
            yield from (Problem(f"{path}.{field}", "field required.", remedy) for field in missing)
            continue
        try:
            host = host_of(source.start_url)
        except ValueError as error:
            yield Problem(f"{path}.start_url", f"{error}.", "Write a whole URL such as https://docs.acme.example/.")
            continue
        scheme = urlsplit(source.start_url).scheme.lower()
        if scheme != "https" and not (scheme == "http" and is_loopback(source.start_url)):
            yield Problem(
                f"{path}.start_url", f"{source.start_url!r} is not https.", "Write https://; plain http is for this machine alone."
            )
        try:
            domain = comparable_domain(source.domain)
        except ValueError as error:
            yield Problem(f"{path}.domain", f"{error}.", "Write the host alone, such as docs.acme.example.")
            continue
        if domain != host:
            yield Problem(f"{path}.domain", f"{source.domain!r} is not the host of the start URL ({host}).", "Make the two the same host.")


def _approval_of_domains(draft: Draft) -> Iterator[Problem]:
    approved: set[str] = set()
    for index, domain in enumerate(draft.study.approved_domains or ()):
        try:
            approved.add(comparable_domain(domain))
        except ValueError as error:
            yield Problem(f"approved_domains[{index}]", f"{error}.", "Write host names such as docs.acme.example, one an entry.")
    if draft.study.approved_domains is None:
        return
    for path, source in draft.sources:
        domain = _comparable(source.domain)
        if source.channel or not domain:
            continue  # said of the channel, or of the domain itself
        if domain not in approved:
            yield Problem(
                f"{path}.domain", f"{domain} is not in `approved_domains`.", "Add it there if it may be read, else drop the source."
            )


def _coverage(draft: Draft) -> Iterator[Problem]:
    keys = [question.id for question in draft.study.sub_questions]
    unknown = any(path == "sub_questions" or (path.startswith("sub_questions[") and path.endswith(".id")) for path in draft.unread)
    for path, source in draft.sources:
        for index, pattern in enumerate(source.answers):
            if not unknown and not any(fnmatchcase(key, pattern) for key in keys):
                remedy = "Write an id of a sub-question, or a glob such as `acme.*`."
                yield Problem(f"{path}.answers[{index}]", f"{pattern!r} matches no sub-question.", remedy)
    patterns = [pattern for source in draft.study.sources for pattern in source.answers]
    for path, question in draft.questions:
        if patterns and not any(fnmatchcase(question.id, pattern) for pattern in patterns):
            yield Problem(f"{path}.id", f"no source may answer {question.id!r}.", "Add the id to the `answers` of a source.")


def _patterns(draft: Draft) -> Iterator[Problem]:
    for path, source in draft.sources:
        for index, pattern in enumerate(source.include_patterns):
            try:
                re.compile(pattern)
            except re.error as error:
                remedy = "Write a regular expression; `.*` stands for anything."
                yield Problem(f"{path}.include_patterns[{index}]", f"{pattern!r} does not compile: {error}.", remedy)


def _number_of_sources(draft: Draft) -> Iterator[Problem]:
    count, most = len(draft.study.sources), draft.study.limits.max_sources
    if count > most:
        yield Problem("sources", f"there are {count}, more than `limits.max_sources` ({most}).", "Drop some or raise the limit.")


def _language(draft: Draft) -> Iterator[Problem]:
    language = draft.study.language
    if language not in REPORT_LANGUAGES:
        remedy = f"Write one of: {', '.join(REPORT_LANGUAGES)}. Quotes stay in the language of their page."
        yield Problem("language", f"the report has no words in {language!r} yet.", remedy)


def _mount_origins(draft: Draft) -> Iterator[Problem]:
    for origin in draft.study.mounts:
        parts = urlsplit(origin)
        if parts.scheme != "https" or not parts.hostname or parts.path.strip("/") or parts.query:
            yield Problem(f"mounts.{origin}", f"{origin!r} is no https origin.", "Write scheme and host alone: https://docs.acme.example.")


def _models(draft: Draft) -> Iterator[Problem]:
    study = draft.study
    if study.model is None and "model" not in draft.unread:
        if study.extractor == "model":
            yield Problem("extractor", "it says `model`, and no `model` is set.", "Name one, such as `model: openai:gpt-5-mini`.")
        if study.model_price is not None:
            yield Problem("model_price", "it is the price of no `model`.", "Name the model, or remove the line.")


_RULES = (
    _needed_parts,
    _ids,
    _addresses,
    _approval_of_domains,
    _coverage,
    _patterns,
    _number_of_sources,
    _language,
    _mount_origins,
    _models,
)

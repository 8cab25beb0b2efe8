"""What the fields of a study have to mean together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from research_pipeline.channels import BUILT_IN, Channel
from research_pipeline.checking.draft import Draft
from research_pipeline.domains import comparable_domain, is_loopback
from research_pipeline.errors import Problem
from research_pipeline.ids import host_of

REPORT_LANGUAGES = ("en",)


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

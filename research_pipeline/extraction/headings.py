"""What a heading, a table header or a lead-in does to all that stands under it: `Not included`, `Planned`, `Old limit`, `Example`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from research_pipeline.extraction.assertion import Assertion, Standing, assertion
from research_pipeline.extraction.clauses import masked
from research_pipeline.extraction.cues import View, find, has, whole
from research_pipeline.reading import split_sentences

_INTRODUCES = (":", "…", "-")
_NOT_LISTED = re.compile(  # says which ones are meant, and nothing of those that follow
    r"(?:that are |which are )?\bnot (?:listed|mentioned|shown|covered|specified|described|named|given|set)"
    r"(?: (?:here|above|below|otherwise|in (?:this|the)(?: \w+){1,2}))?",
    re.IGNORECASE,
)
_CHAIN = " › "  # how the reader joins the lead-ins of nested lists


def under(headers: Iterable[str]) -> Standing:
    """What the first of the headers that says anything does to a value under it."""
    for header in headers:
        found = _of_header(header)
        if found is not Assertion.ASSERTED:
            return Standing(found, header)
    return Standing(Assertion.ASSERTED)


def _of_header(header: str) -> Assertion:
    text = View(header).text.strip(" :")
    if not text or "?" in text:
        return Assertion.ASSERTED
    if whole("obsolete").fullmatch(text):
        return Assertion.FORMER
    if whole("sample").fullmatch(text):
        return Assertion.ILLUSTRATED
    if whole("pending").fullmatch(text):
        return Assertion.HEDGED
    plain = masked(text)
    if whole("missing").fullmatch(plain) or any(has("absence", plain[cue.end :]) for cue in find("negation", plain)):
        return Assertion.NEGATED
    return Assertion.ASSERTED


def introduced(lead_in: str, unit: str, start: int, end: int, *, entity: bool, today: str = "") -> Standing:
    """What the sentence that introduces a list or table does to the value `unit[start:end]` in it (`The Free plan does not include:`)."""
    for part in reversed(lead_in.split(_CHAIN)):
        spans = split_sentences(part)
        if not spans:
            continue
        last = part[spans[-1][0] : spans[-1][1]]
        text = View(last).text
        if "?" in text or not (last.endswith(_INTRODUCES) or text[-1:] not in ".!" or has("announce", text)):
            continue
        opening = _NOT_LISTED.sub("", last).rstrip(" .:") + " "
        found = assertion(opening + unit, len(opening) + start, len(opening) + end, entity=entity, today=today)
        is_button = (
            found.assertion is Assertion.HEDGED and not last.rstrip().endswith(_INTRODUCES) and has("contact", View(found.cue + " ").text)
        )
        if found.assertion not in (Assertion.ASSERTED, Assertion.ASKED) and found.start < len(opening) and not is_button:
            return Standing(found.assertion, last)
    return Standing(Assertion.ASSERTED)

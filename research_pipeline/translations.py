"""The same page in other languages: which addresses of a site are translations of each other, and which of them to look at.

Translations are told by their addresses: the paths differ in a language section alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from research_pipeline.records import DiscoveredUrl, Finding, FindingStatus, Page

MOST_COMPARED = 2  # translations that are read to see whether they say what the page says: each costs a page

_LANGUAGE_SECTION = re.compile(
    r"(ar|bg|bn|ca|cs|da|de|el|en|es|et|fa|fi|fr|he|hi|hr|hu|id|it|ja|ko|lt|lv|ms|nb|nl|no|pl|pt|ro|ru|sk|sl|sr|sv|th|tr|uk|ur|vi|zh)"
    r"(?:[-_][a-z]{2,4})?"
)
_SECTIONS_LOOKED_AT = 2  # a language stands first in a path, or behind the name of a part of the site


def language_section(url: str) -> str:
    """The language code that an address has for a section of its path, empty where it has none: `fr` of `/fr/docs/limits`."""
    position = _position(_sections(url))
    return "" if position is None else _sections(url)[position][:2]


def translations(url: str, urls: Iterable[str]) -> list[str]:
    """Those of `urls` that are the page at `url` in another language, in their order."""
    page, language = _without_language(url), language_section(url)
    return [other for other in urls if language_section(other) != language and _without_language(other) == page]


def to_compare(finding: Finding, candidates: Sequence[DiscoveredUrl]) -> list[DiscoveredUrl]:
    """Translations of the page that gives an agreed answer best: the first few candidates among them, and each page once."""
    if finding.status is not FindingStatus.AGREED or not finding.evidence:
        return []
    by_address = {candidate.canonical_url: candidate for candidate in sorted(candidates, key=lambda item: (item.rank, item.source_id))}
    found = translations(finding.evidence[0].canonical_url, by_address)
    return [by_address[address] for address in found[:MOST_COMPARED]]


def not_looked_at(compared: Iterable[DiscoveredUrl], pages: Iterable[Page]) -> list[DiscoveredUrl]:
    """Those that were not asked for yet."""
    asked = {address for page in pages for address in (page.url, page.canonical_url)}
    return [item for item in compared if not asked & {item.url, item.canonical_url}]


def _without_language(url: str) -> tuple[str, ...]:
    parts, sections = urlsplit(url), _sections(url)
    position = _position(sections)
    kept = sections if position is None else [*sections[:position], *sections[position + 1 :]]
    return (parts.hostname or "", parts.query, *kept)


def _position(sections: list[str]) -> int | None:
    named = (position for position, section in enumerate(sections[:_SECTIONS_LOOKED_AT]) if _LANGUAGE_SECTION.fullmatch(section))
    return next(named, None)


def _sections(url: str) -> list[str]:
    return [section.casefold() for section in urlsplit(url).path.split("/") if section]

"""Which pages of a site may answer a sub-question: candidate addresses ranked before anything is paid for reading them.

An address speaks through the words of its path; pages that were read already add what they say of others (the text of their links)
and of themselves (title and headings). Ranking is a pure function: the same input gives the same order.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from research_pipeline.ids import canonical_url, origin_of
from research_pipeline.records import BlockKind, PageText, Region
from research_pipeline.study import AnswerType, Source, SubQuestion
from research_pipeline.translations import language_section
from research_pipeline.wording import Term, importance, language_of, likeness, terms, vendor_span

_canonical = lru_cache(maxsize=8192)(canonical_url)  # the same links stand on every page of a site


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WHERE = re.compile(r"\b(?:where|wo|où|d[oó]nde)\b", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[a-zA-Z])(?=\d{2})")
_EXTENSIONS = re.compile(r"\.(?:html?|php|aspx?|md)$", re.IGNORECASE)
_NOT_PAGES = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|ico|css|js|json|xml|zip|gz|tar|mp4|webm|woff2?|txt|rss|atom)$", re.IGNORECASE)

# Sections that tell stories about the product instead of describing it; they count less unless the question names them.
_STORY_SECTIONS = _set(
    "changelog change-log changelogs release-notes releases blog blogs news press event events webinar webinars case-studies customers "
    "careers jobs tag tags category categories author authors search newsletter"
)
_LEGAL_SECTIONS = _set("legal privacy terms tos dpa cookies policies policy imprint subprocessors")

# Where limits, prices and the like are usually described, by the kind of answer asked for.
_TYPICAL_WORDS: Mapping[AnswerType, str] = {
    AnswerType.RATE: "rate limits quotas",
    AnswerType.COUNT: "limits quotas",
    AnswerType.SIZE: "limits quotas",
    AnswerType.MONEY: "pricing billing",
    AnswerType.DURATION: "retention",
}

# What documentation usually calls the page on a topic, where its address does not say the topic's own word.
_TOPICS: Mapping[str, str] = {
    "ip": "privacy",
    "personal": "privacy",
    "gdpr": "privacy security",
    "cookie": "privacy",
    "uptim": "sla",
    "sla": "terms",
    "tls": "security ssl encryption reference",
    "saml": "sso authentication",
    "sso": "saml authentication",
    "scim": "sso provisioning directory",
    "password": "security authentication",
    "trial": "pricing billing",
    "token": "authentication",
    "region": "regions locations infrastructure",
    "respond": "support sla",
    "backup": "backups security",
    "support": "support contact",
}
# Pages on many things, tried before others where no address speaks: the order among them.
_GENERAL_PAGES: Mapping[str, float] = {
    "faq": 0.06,
    "limit": 0.06,
    "referenc": 0.05,
    "pric": 0.04,
    "overview": 0.03,
    "security": 0.03,
    "set": 0.02,
}

ALIKE = 0.8  # for each better page that was chosen for the same words
_FIELD_WEIGHTS = {"last": 1.0, "path": 0.7, "title": 1.0, "anchor": 1.1, "heading": 0.7}
_TYPICAL_WEIGHT, _LEAST_WEIGHT = 0.35, 0.3
_STORY_FACTOR, _LEGAL_FACTOR, _FOREIGN_FACTOR, _UNMARKED_FACTOR = 0.45, 0.7, 0.25, 0.6
_HOME_FACTOR, _ABROAD_FACTOR = 1.15, 0.1  # of pages in the language of the question, and of others where there are such
_START_SCORE = 0.05  # the start page leads on where nothing else matches


@dataclass(frozen=True, slots=True)
class PageHint:
    """What is known of a page without asking for it again: its own words, where it was read, and the texts of links to it."""

    title: str = ""
    headings: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate page, best first in its list. `why` are the words of the question that its address or hints bear."""

    url: str
    canonical_url: str
    score: float
    why: str


def hints(pages: Iterable[PageText]) -> dict[str, PageHint]:
    """What pages already read say of themselves and, through their links, of others; keyed by canonical URL."""
    titles: dict[str, tuple[str, tuple[str, ...]]] = {}
    anchors: dict[str, list[str]] = {}
    for page in pages:
        headings = tuple(page.block_text(block) for block in page.blocks if block.kind is BlockKind.HEADING and block.region is Region.MAIN)
        titles[_canonical(page.url)] = (page.title, headings)
        for link in page.links:
            known = anchors.setdefault(_canonical(link.url), [])
            if link.text and link.text not in known:
                known.append(link.text)
    return {url: PageHint(*titles.get(url, ("", ())), tuple(anchors.get(url, ()))) for url in {**titles, **anchors}}


def covering_source(source: Source, sources: Iterable[Source]) -> Source:
    """The source whose map covers this one: of those that start at or above it on the same site, with the same patterns, the uppermost."""
    start = urlsplit(source.start_url)
    covering = (
        other
        for other in sources
        if not other.channel
        and other.include_patterns == source.include_patterns
        and origin_of(other.start_url) == origin_of(source.start_url)
        and start.path.startswith(_folder(other.start_url))
    )
    return min(covering, key=lambda other: (len(urlsplit(other.start_url).path), other is not source), default=source)


def shows_inside(source: Source, urls: Iterable[str]) -> bool:
    """Whether some of the addresses lie where the source starts, or below, besides its start page."""
    inside = origin_of(source.start_url) + _folder(source.start_url)
    start = _canonical(source.start_url)
    return any(url.startswith(inside) and _canonical(url) != start for url in urls)


def _folder(url: str) -> str:
    """The path of a start page up to its last slash: what a map begins below."""
    return urlsplit(url).path.rpartition("/")[0] + "/"


def rank(sub_question: SubQuestion, urls: Iterable[str], *, source: Source, known: Mapping[str, PageHint] | None = None) -> list[Ranked]:
    """Candidate pages of a source for a sub-question, best first and distinct by canonical URL; a start URL is always among them.

    Args:
        urls: addresses that discovery found; those that the source's `include_patterns` leave out, or that name no page, are dropped.
        known: hints by canonical URL, see `hints`.
    """
    known = known or {}
    asked = _Asked.of(sub_question)
    candidates: dict[str, str] = {}
    for url in (*filter(None, [source.start_url]), *sorted(set(urls))):
        if url == source.start_url or _admitted(url, source):
            candidates.setdefault(_canonical(url), url)
    pages = [_Address.of(url, canonical, known.get(canonical, PageHint()), asked.language) for canonical, url in candidates.items()]
    matches = [{term.stem: page.match(term) for term, _ in asked.words} for page in pages]
    rarity = _rarity(asked, matches)
    start = _canonical(source.start_url) if source.start_url else ""
    scored = zip(pages, matches, strict=True)
    at_home = any(page.language == asked.language for page in pages)
    ranked = [_score(page, match, asked, rarity, start=page.canonical_url == start, at_home=at_home) for page, match in scored]
    return _varied(sorted(ranked, key=lambda page: (-page.score, len(page.canonical_url), page.canonical_url)))


def _varied(ranked: list[Ranked]) -> list[Ranked]:
    """Each further page that bears the same words counts less: where one did not answer, the next is better chosen for others."""
    seen: Counter[str] = Counter()
    varied: list[Ranked] = []
    for page in ranked:
        varied.append(replace(page, score=round(page.score * ALIKE ** seen[page.why], 6)))
        seen[page.why] += bool(page.why)
    return sorted(varied, key=lambda page: (-page.score, len(page.canonical_url), page.canonical_url))


def _admitted(url: str, source: Source) -> bool:
    if _NOT_PAGES.search(urlsplit(url).path):
        return False
    return not source.include_patterns or any(re.search(pattern, url, re.IGNORECASE) for pattern in source.include_patterns)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The words of a question that choose pages, each with its weight."""

    words: tuple[tuple[Term, float], ...]
    language: str

    @classmethod
    def of(cls, sub_question: SubQuestion) -> _Asked:
        language = language_of(sub_question.text)
        span = vendor_span(sub_question.text, sub_question.vendor) or (0, 0)
        weighted: dict[str, tuple[Term, float]] = {}
        for term in terms(sub_question.text, language):
            if not (span[0] <= term.start < span[1]) and not term.number:
                weighted.setdefault(term.stem, (term, max(importance(term), _LEAST_WEIGHT)))
        for text, weight in [
            (" ".join((*sub_question.keywords, *sub_question.must_mention)), 1.0),
            (_TYPICAL_WORDS.get(sub_question.answer, ""), _TYPICAL_WEIGHT),
        ]:
            for term in terms(text, language):
                weighted.setdefault(term.stem, (term, weight))
        topics = [_TOPICS.get(term.stem) or _TOPICS.get(term.concept, "") for term, _ in weighted.values()]
        if _WHERE.search(sub_question.text):
            topics.append("regions hosting security privacy")
        if any(term.concept == "plan" for term, _ in weighted.values()):
            topics.append("pricing plans")
        for term in terms(" ".join(topics), language):
            weighted.setdefault(term.stem, (term, _TYPICAL_WEIGHT))
        return cls(tuple(weighted.values()), language)


@dataclass(frozen=True, slots=True)
class _Address:
    """One candidate with its words by field, and what its sections say of it."""

    url: str
    canonical_url: str
    fields: Mapping[str, tuple[Term, ...]]
    sections: tuple[str, ...]
    language: str

    @classmethod
    def of(cls, url: str, canonical: str, hint: PageHint, language: str) -> _Address:
        segments = [_EXTENSIONS.sub("", unquote(segment)) for segment in urlsplit(canonical).path.split("/") if segment]
        sections = tuple(segment.casefold() for segment in segments)
        texts = {
            "last": segments[-1] if segments else "",
            "path": " ".join(segments[:-1]),
            "title": hint.title,
            "anchor": " ".join(hint.anchors),
            "heading": " ".join(hint.headings),
        }
        fields = {name: tuple(terms(_CAMEL.sub(" ", text.replace("_", " ")), language)) for name, text in texts.items() if text}
        return cls(url, canonical, fields, sections, language_section(canonical))

    def match(self, asked: Term) -> float:
        """The best field's likeness to one asked word, at most a little above 1."""
        return max(
            (weight * _best(asked, self.fields[name]) for name, weight in _FIELD_WEIGHTS.items() if name in self.fields), default=0.0
        )


def _best(asked: Term, found: Iterable[Term]) -> float:
    return max((max(likeness(asked, term), _partial(asked.stem, term.stem)) for term in found), default=0.0)


def _partial(asked: str, found: str) -> float:
    """Addresses shorten and join words: `auth` for authentication, `ratelimits` for rate limits."""
    if min(len(asked), len(found)) < 4 or not asked.isalpha():
        return 0.0
    return 0.6 if asked.startswith(found) or found.startswith(asked) else 0.5 if asked in found else 0.0


def _rarity(asked: _Asked, matches: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Inverse page frequency of each asked word over the candidates, 0 to 1: a word that all addresses bear chooses none."""
    total = len(matches)
    counts = {term.stem: sum(match[term.stem] >= 0.5 for match in matches) for term, _ in asked.words}
    return {word: math.log((total + 1) / (count + 0.5)) / math.log(2 * (total + 1)) for word, count in counts.items()}


def _score(page: _Address, match: Mapping[str, float], asked: _Asked, rarity: Mapping[str, float], *, start: bool, at_home: bool) -> Ranked:
    """`at_home`: the site has pages in the question's language."""
    score = _prior(page, start=start) + sum(weight * rarity[term.stem] * match[term.stem] for term, weight in asked.words)
    score *= _section_factor(page, asked, at_home=at_home) / (1 + 0.03 * len(page.sections))
    return Ranked(page.url, page.canonical_url, round(score, 6), " ".join(word for word, strength in match.items() if strength))


def _prior(page: _Address, *, start: bool) -> float:
    """What an address is worth before anything is asked."""
    own = (_GENERAL_PAGES.get(term.stem, 0.0) for term in page.fields.get("last", ()))
    return max((_START_SCORE if start else 0.0), *own, 0.0)


def _section_factor(page: _Address, asked: _Asked, *, at_home: bool) -> float:
    asked_stems = {term.stem for term, _ in asked.words}
    factor = 1.0
    for sections, reduction in ((_STORY_SECTIONS, _STORY_FACTOR), (_LEGAL_SECTIONS, _LEGAL_FACTOR)):
        named = [section for section in page.sections if section in sections]
        if named and not any(term.stem in asked_stems for section in named for term in terms(section, asked.language)):
            factor *= reduction
    if page.language == asked.language:
        factor *= _HOME_FACTOR
    elif page.language or asked.language != "en":
        factor *= _ABROAD_FACTOR if at_home else _FOREIGN_FACTOR if page.language else _UNMARKED_FACTOR
    return factor

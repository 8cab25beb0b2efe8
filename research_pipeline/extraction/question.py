"""What a sub-question asks for, read once: its subject, the thing counted, the rate's denominator, and the kind of a free-text answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from research_pipeline.study import AnswerType, SubQuestion
from research_pipeline.wording import Term, language_of, stem, terms, vendor_span

# Words that ask or relate instead of naming a subject: a page that answers may do without them.
_RELATING = frozenset(
    ["retain", "delete", "expire", "limit", "allow", "price", "support", "create", "size", "name", "minimum", "region", "plan", "use", "need", "require", "get", "apply", "set", "do", "make", "long", "offer", "commit", "guarantee", "happen", "work", "much", "rate", "number", "value", "percentage", "percent", "commitment"]
)
# Nouns that most pages of a product's documentation bear.
_COMMON = frozenset(
    ["api", "service", "account", "customer", "data", "platform", "application", "app", "product", "user", "request", "call", "default", "new", "doc", "page", "feature", "option", "type", "system", "tool", "project", "standard"]
)
_UNITS_OF_TIME = frozenset(["second", "minute", "hour", "day", "week", "month", "year"])
_PERIODIC = re.compile(
    r"(?:dai|hour|week|month|year|annual|quarter)(?:ly|al)?ly$|daily$|annual$|hebdomadaire|mensuel|quotidien|taglich|wochentlich|monatlich|jahrlich"
)

SUBJECT_WEIGHT, COMMON_WEIGHT, RELATING_WEIGHT, UNIT_WEIGHT = 1.0, 0.55, 0.4, 0.15

_HOW_MANY = re.compile(
    r"\b(?:how many|how much|number of|combien de|combien d['’]|nombre de|wie ?viele?|anzahl(?: der| an)?|cu[aá]nt[oa]s?|n[uú]mero de|quant[eiao]s?|hoeveel)\s+",
    re.IGNORECASE,
)
_PER = re.compile(
    r"\b(?:per|every|each|an?|in|within|par|pro|por|al?|toutes les|alle|cada)\s+(?:(\d+|[a-z]+)\s+)?"
    r"(seconds?|minutes?|hours?|days?|weeks?|months?|years?|secondes?|heures?|jours?|semaines?|mois|ann[eé]e?s?|ans?|"
    r"sekunden?|minuten?|stunden?|tage?|wochen?|monate?|jahre?|segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|a[nñ]os?)\b",
    re.IGNORECASE,
)


class TextKind(StrEnum):
    """What a free-text answer is."""

    PLAN = "plan"
    PLACE = "place"
    HOURS = "hours"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Weighted:
    """A term of the question and how much it matters that an answering place bears it."""

    term: Term
    weight: float


@dataclass(frozen=True, slots=True)
class Ask:
    """A sub-question, read.

    `counted` is the noun after "how many", its head last. `per` is the denominator the question itself gives: stem of the unit and
    how many of it (`hour`, `3`).
    """

    sub_question: SubQuestion
    language: str
    words: tuple[Weighted, ...]
    counted: tuple[Term, ...] = ()
    per: tuple[str, str] | None = None
    text_kind: TextKind = TextKind.OTHER

    @property
    def subjects(self) -> tuple[Term, ...]:
        """The terms without which a place is about something else."""
        return tuple(word.term for word in self.words if word.weight >= SUBJECT_WEIGHT)

    @classmethod
    def of(cls, sub_question: SubQuestion) -> Ask:
        """Read a sub-question."""
        text = sub_question.text
        language = language_of(text)
        span = vendor_span(text, sub_question.vendor) or (0, 0)
        found = [term for term in terms(text, language) if not span[0] <= term.start < span[1]]
        return cls(
            sub_question,
            language,
            words=_weighted(text, found),
            counted=_counted(text, found),
            per=_denominator(text),
            text_kind=_text_kind(text) if sub_question.answer is AnswerType.TEXT else TextKind.OTHER,
        )


def _weighted(text: str, found: list[Term]) -> tuple[Weighted, ...]:
    by_stem: dict[str, Weighted] = {}
    for term in found:
        by_stem.setdefault(term.stem, Weighted(term, _weight(term, text)))
    return tuple(by_stem.values())


def _weight(term: Term, text: str) -> float:
    word = text[term.start : term.end].casefold()
    if term.concept in _UNITS_OF_TIME and not _PERIODIC.search(word):
        return UNIT_WEIGHT
    if term.number:
        return UNIT_WEIGHT
    if term.concept in _RELATING or term.stem in _RELATING_STEMS:
        return RELATING_WEIGHT
    if term.concept in _COMMON or term.stem in _COMMON_STEMS:
        return COMMON_WEIGHT
    return SUBJECT_WEIGHT


_RELATING_STEMS = frozenset(stem(word) for word in _RELATING)
_COMMON_STEMS = frozenset(stem(word) for word in _COMMON)


def _counted(text: str, found: list[Term]) -> tuple[Term, ...]:
    """The unbroken run of terms after "how many"."""
    asked = _HOW_MANY.search(text)
    if asked is None:
        return ()
    run: list[Term] = []
    position = asked.end()
    for term in found:
        if term.start < position:
            continue
        if text[position : term.start].strip(" -\u2019'"):
            break
        run.append(term)
        position = term.end
    return tuple(run)


def _denominator(text: str) -> tuple[str, str] | None:
    found = None
    for found in _PER.finditer(text):
        pass
    if found is None:
        return None
    unit = terms(found[2])
    return (unit[0].concept, stem((found[1] or "1").casefold())) if unit else None


_TEXT_KINDS: Mapping[TextKind, re.Pattern[str]] = MappingProxyType(
    {
        TextKind.PLAN: re.compile(
            r"\b(?:which|what|on which|welche[mrsn]?|quel(?:le)?s?|qu[eé])\b[^?]{0,40}\b(?:plans?|tiers?|editions?|packages?|subscriptions?|spend|tarif|forfait|offre)\b",
            re.IGNORECASE,
        ),
        TextKind.PLACE: re.compile(
            r"\bwhere\b|\b(?:which|what)\b[^?]{0,30}\b(?:regions?|countr(?:y|ies)|locations?|city|cities|data ?cent(?:er|re)s?|jurisdictions?)\b|\bwo\b|\boù\b|\bd[oó]nde\b",
            re.IGNORECASE,
        ),
        TextKind.HOURS: re.compile(r"\b(?:which|what)\s+(?:business |working |support |opening )?(?:hours|times)\b", re.IGNORECASE),
    }
)


def _text_kind(text: str) -> TextKind:
    return next((kind for kind, pattern in _TEXT_KINDS.items() if pattern.search(text)), TextKind.OTHER)

"""What a sub-question asks for, read once: its subject, the thing counted, the rate's denominator, and the kind of a free-text answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

from research_pipeline.study import AnswerType, SubQuestion
from research_pipeline.wording import Term, language_of, stem, terms, vendor_span

SUBJECT_WEIGHT, COMMON_WEIGHT, RELATING_WEIGHT, UNIT_WEIGHT = 1.0, 0.55, 0.4, 0.15


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split()) | frozenset(words.split())


# Words that ask or relate instead of naming a subject: a place that answers may say it with others.
_RELATING = _stems(
    "retain delete expire limit allow price support create size minimum plan use need require get apply set do make offer commit guarantee "
    "happen work rate number value percentage percent commitment send contain cover give stand choose enforce recommend store single last "
    "take stay remain be have count total overall long old often fast big large soon late exist mean know want accept handle run "
    "permettre permet stellt stellen"
)
# Nouns that most pages of a product's documentation bear.
_COMMON = _stems(
    "api service account customer data platform application app product user request call new doc page feature option type system tool "
    "project name region"
)
_UNITS_OF_TIME = frozenset(["second", "minute", "hour", "day", "week", "month", "year"])
_PERIODIC: Mapping[str, str] = MappingProxyType({"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "hourli": "hour", "hourly": "hour"})

_HOW_MANY = re.compile(
    r"\b(?:how many|how much|number of|combien de|combien d['’]|nombre de|wie ?viele?|anzahl(?: der| an)?|cu[aá]nt[oa]s?|n[uú]mero de|quant[eiao]s?"
    r"|hoeveel)\s+",
    re.IGNORECASE,
)
_TIME_UNITS = (
    "seconds? minutes? hours? days? weeks? months? years? secondes? heures? jours? semaines? mois ann[eé]es? ans? sekunden? minuten? stunden? "
    "tage? wochen? monate? jahre? segundos? minutos? horas? d[ií]as? semanas? mes(?:es)? a[nñ]os?"
)
_PER = re.compile(
    rf"\b(?:per|every|each|an?|in|within|par|pro|por|al?|toutes les|alle|cada)\s+(?:(\d+|[a-z]+)\s+)?({_TIME_UNITS.replace(' ', '|')})\b",
    re.IGNORECASE,
)


class TextKind(StrEnum):
    """What a free-text answer is."""

    PLAN = "plan"
    PLACE = "place"
    HOURS = "hours"
    OTHER = "other"


_ASKED_KINDS: Mapping[TextKind, re.Pattern[str]] = MappingProxyType(
    {
        TextKind.PLAN: re.compile(
            r"\b(?:which|what|welche[mrsn]?|quel(?:le)?s?|qu[eé])\b[^?]{0,40}"
            r"\b(?:plans?|tiers?|editions?|packages?|subscriptions?|spend|tarif|forfait|offre)\b",
            re.IGNORECASE,
        ),
        TextKind.PLACE: re.compile(
            r"\bwhere\b|\b(?:which|what)\b[^?]{0,30}\b(?:regions?|countr(?:y|ies)|locations?|city|cities|data ?cent(?:er|re)s?|jurisdictions?)\b"
            r"|\bwo\b|\boù\b|\bd[oó]nde\b",
            re.IGNORECASE,
        ),
        TextKind.HOURS: re.compile(r"\b(?:which|what)\s+(?:business |working |support |opening )?(?:hours|times)\b", re.IGNORECASE),
    }
)


@dataclass(frozen=True, slots=True)
class Weighted:
    """A term of the question and how much it matters that an answering place bears it."""

    term: Term
    weight: float


@dataclass(frozen=True)
class Ask:
    """A sub-question, read.

    `counted` is the noun after "how many", its head last. `per` is the denominator that the question itself gives: the unit's concept and
    how many of it (`hour`, `3`).
    """

    sub_question: SubQuestion
    language: str
    words: tuple[Weighted, ...]
    vendor: tuple[Term, ...] = ()
    counted: tuple[Term, ...] = ()
    per: tuple[str, str] | None = None
    text_kind: TextKind = TextKind.OTHER

    @classmethod
    def of(cls, sub_question: SubQuestion) -> Ask:
        """Read a sub-question."""
        text = sub_question.text
        language = language_of(text)
        span = vendor_span(text, sub_question.vendor) or (0, 0)
        found = terms(text, language)
        named = tuple(term for term in found if span[0] <= term.start < span[1])
        rest = [term for term in found if term not in named]
        return cls(
            sub_question,
            language,
            words=_weighted(text, rest),
            vendor=named,
            counted=_counted(text, rest),
            per=_denominator(text, rest),
            text_kind=_text_kind(text) if sub_question.answer is AnswerType.TEXT else TextKind.OTHER,
        )

    @cached_property
    def subjects(self) -> frozenset[str]:
        """Stems of the terms without which a place is about something else."""
        return frozenset(word.term.stem for word in self.words if word.weight >= SUBJECT_WEIGHT)

    @cached_property
    def _borne(self) -> frozenset[str]:
        asked = [*(word.term for word in self.words), *self.vendor]
        return frozenset(term.stem for term in asked) | frozenset(term.concept for term in asked)

    @cached_property
    def _narrowing(self) -> frozenset[str]:
        text, words = self.sub_question.text, [word.term for word in self.words]
        pairs = zip(words, words[1:], strict=False)
        return frozenset(first.stem for first, second in pairs if not text[first.end : second.start].strip(" -"))

    def narrows(self, term: Term) -> bool:
        """Whether a term of the question narrows the one right behind it: `audit` in `audit logs`."""
        return term.stem in self._narrowing

    def bears(self, term: Term) -> bool:
        """Whether a word found before another narrows nothing: the question says it too, or it is one of the general words."""
        return term.stem in self._borne or term.concept in self._borne or term.stem in _GENERAL or term.concept in _GENERAL or term.number


_GENERAL = _RELATING | _COMMON


def _weighted(text: str, found: list[Term]) -> tuple[Weighted, ...]:
    by_stem: dict[str, Weighted] = {}
    for term in found:
        by_stem.setdefault(term.stem, Weighted(term, _weight(term, text)))
    return tuple(by_stem.values())


def _weight(term: Term, text: str) -> float:
    if term.concept in _UNITS_OF_TIME or term.number:
        return UNIT_WEIGHT
    if term.concept in _RELATING or term.stem in _RELATING:
        return RELATING_WEIGHT
    if text[term.start : term.end].isupper() and term.end - term.start > 2:
        return SUBJECT_WEIGHT
    return COMMON_WEIGHT if term.concept in _COMMON or term.stem in _COMMON else SUBJECT_WEIGHT


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


def _denominator(text: str, found: list[Term]) -> tuple[str, str] | None:
    given = list(_PER.finditer(text))
    if given:
        unit = terms(given[-1][2])
        return (unit[0].concept, stem((given[-1][1] or "1").casefold())) if unit else None
    return next(((_PERIODIC[term.concept], "1") for term in found if term.concept in _PERIODIC), None)


def _text_kind(text: str) -> TextKind:
    return next((kind for kind, pattern in _ASKED_KINDS.items() if pattern.search(text)), TextKind.OTHER)

"""What a sub-question asks for, read once: its subject, the thing counted, the rate's denominator, and the kind of a free-text answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

from research_pipeline.extraction.plans import HOLDER
from research_pipeline.extraction.scope import Scope, asked_scope, plans_asked
from research_pipeline.study import AnswerType, SubQuestion
from research_pipeline.wording import (
    COMMON_WEIGHT,
    NUMBER_WORDS,
    SUBJECT_WEIGHT,
    UNIT_WEIGHT,
    Term,
    importance,
    language_of,
    narrows,
    plain,
    stem,
    terms,
    vendor_span,
)

COUNTED_TYPES = frozenset({AnswerType.COUNT, AnswerType.RATE})
_PERIODIC: Mapping[str, str] = MappingProxyType(
    {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "hourli": "hour", "hourly": "hour"}
)

_HOW_MANY = re.compile(
    r"\b(?:how many|how much|number of|combien de|combien d['’]|nombre de|wie ?viele?|anzahl(?: der| an)?|cu[aá]nt[oa]s?|n[uú]mero de"
    r"|quant[eiao]s?|hoeveel)\s+|いくつの|何[個件回人]の|多少[个個]?|几[个個]",
    re.IGNORECASE,
)
_MANNER = frozenset(["total", "concurrent", "consecutive", "maximum", "minimum", "default"])  # `in total`, `at once`: no part of the noun
_TIME_UNITS = (
    "seconds? minutes? hours? days? weeks? months? years? secondes? heures? jours? semaines? mois ann[eé]es? ans? sekunden? minuten? "
    "stunden? tage? wochen? monate? jahre? segundos? minutos? horas? d[ií]as? semanas? mes(?:es)? a[nñ]os?"
)
_BEFORE = re.compile(
    r"\b(?:how (?:long|far|much|early|soon)|days?|hours?|weeks?|months?|minutes?|jours?|heures?|tage|stunden|d[ií]as)\s+"
    r"(?:before|prior to|ahead of|in advance|avant|vor|antes)\b",
    re.IGNORECASE,
)
_LASTS = re.compile(r"\bhow (?:long|many \w+)\b.*?(?<!\bthe )(?<!\bits )\b(lasts?)\b", re.IGNORECASE)  # the verb, which says nothing more
_WHICH = re.compile(
    r"\b(?:which|what|welche[mnrs]?|quel(?:le)?s?|qu[eé]|cu[aá]l(?:es)?)\s+$", re.IGNORECASE
)  # before the name of the choices
_ACRONYM = re.compile(r"[A-Z]{3,}\d?")
_WIDESPREAD = frozenset(["sso", "api", "url", "cli", "app", "rest", "http", "https", "faq"])
_ASKING_WORD = r"(?:is|are|can|may|does|do|has|have|how|what|which)"
_WITHOUT = re.compile(
    r"\b(?:without|outside(?: of)?|excluding|except(?: for)?|apart from|aside from|other than|besides|ohne|sans|sin)\s+"
    r"(?:any\s+|the\s+|an?\s+|our\s+)*"
    rf"([\w-]+(?:\s+(?!{_ASKING_WORD}\b)[\w-]+){{0,4}})",
    re.IGNORECASE,
)
_AGAINST = re.compile(r"\b(?:per|pro|par|por|each|every|for (?:each|every))\s+$", re.IGNORECASE)
_PER = re.compile(
    r"\b(?:per|every|each|an?|in|within|par|pro|por|al?|toutes les|alle|cada)\s+(?:an?\s+)?"
    rf"(?:(\d+|{'|'.join(NUMBER_WORDS)})[\s-]+)?({_TIME_UNITS.replace(' ', '|')})\b",
    re.IGNORECASE,
)


_BILLING = re.compile(r"\s+(?:billing|payments?|subscriptions?|contracts?|commitments?|plans?|terms?)\b", re.IGNORECASE)
_BILLED = re.compile(r"\b(?:billed|paid|paying|pays?|invoiced)\s+$", re.IGNORECASE)


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
            r"\b(?:plans?|tiers?|editions?|packages?|subscriptions?|spend|tarif|forfait|offre)\b"
            r"|\b(?:which|what) (?:customers|accounts|subscribers|organi[sz]ations)\b",
            re.IGNORECASE,
        ),
        TextKind.PLACE: re.compile(
            r"\bwhere\b|\b(?:which|what)\b[^?]{0,30}\b(?:regions?|countr(?:y|ies)|locations?|city|cities|data ?cent(?:er|re)s?)\b"
            r"|\bwo\b|\boù\b|\bd[oó]nde\b",
            re.IGNORECASE,
        ),
        TextKind.HOURS: re.compile(
            r"\b(?:which|what)\s+(?:business |working |support |opening )?(?:hours|times)\b"
            r"|\b(?:business|working|support|office|opening|service) hours\b"
            r"|\bwhen (?:is|are)\b[^?]*\b(?:open|available|reachable|staffed)\b",
            re.IGNORECASE,
        ),
    }
)


# Words that name the kind of answer: a value of that kind says them by itself.
_IMPLIED: Mapping[TextKind | AnswerType, frozenset[str]] = MappingProxyType(
    {
        TextKind.PLAN: frozenset(["plan", "need", "requir", "price", "availabl", "support", "offer"]),
        TextKind.PLACE: frozenset(["region", "country", "city"]),
        TextKind.HOURS: frozenset(["during", "time", "open", "support", "availabl"]),
        AnswerType.VERSION: frozenset(["vers", "version"]),
        AnswerType.PERCENT: frozenset(["percentag", "percentage", "percent"]),
        AnswerType.MONEY: frozenset(["price", "spend"]),
        AnswerType.COUNT: frozenset(["number"]),
        AnswerType.SIZE: frozenset(["size"]),
        AnswerType.DURATION: frozenset(["period", "long", "fast", "soon"]),
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
    offset: bool = False  # how long before something is asked for
    without: frozenset[str] = frozenset()  # stems of what the question leaves out: `without the add-on`
    against: frozenset[str] = frozenset()  # stems of the words that the question itself puts behind "per"

    @classmethod
    def of(cls, sub_question: SubQuestion) -> Ask:
        """Read a sub-question."""
        text = sub_question.text
        language = language_of(text)
        span = vendor_span(text, sub_question.vendor) or (0, 0)
        found = terms(text, language)
        named = tuple(term for term in found if span[0] <= term.start < span[1])
        rest = [term for term in found if term not in named]
        per = _denominator(text, rest, sub_question.answer) if sub_question.answer in (*COUNTED_TYPES, AnswerType.MONEY) else None
        if _SUPPORTS.search(text):
            rest = [term for term in rest if term.stem != "support"]
        if sub_question.answer is AnswerType.DURATION and (lasts := _LASTS.search(text)):
            rest = [term for term in rest if term.start != lasts.start(1)]

        if sub_question.answer is AnswerType.CHOICE:
            rest = [term for term in rest if not _WHICH.search(text, 0, term.start)]
        left_out = [place.span() for place in _WITHOUT.finditer(text)]
        without = frozenset(term.stem for start, end in left_out for term in rest if start < term.start < end)
        rest = [term for term in rest if term.stem not in without and all(term.start != start for start, _ in left_out)]
        kind = _text_kind(text) if sub_question.answer is AnswerType.TEXT else TextKind.OTHER
        return cls(
            sub_question,
            language,
            words=_weighted(
                [*rest, *_demanded(sub_question, language)],
                per,
                _IMPLIED.get(kind) or _IMPLIED.get(sub_question.answer, frozenset()),
                named=_acronyms(text, rest) if kind is TextKind.PLAN else frozenset(),
                slight=_holders(sub_question, rest) | (_described(text, rest) if kind is TextKind.PLAN else frozenset[int]()),
            ),
            vendor=named,
            counted=_counted(text, rest, vendor=span),
            per=per,
            text_kind=kind,
            without=without,
            offset=_BEFORE.search(text) is not None,
            against=frozenset(term.stem for term in rest if _AGAINST.search(text, 0, term.start)),
        )

    @cached_property
    def scope(self) -> Scope:
        """The plans the question names."""
        return asked_scope(self.sub_question)

    @cached_property
    def service(self) -> str:
        """The vendor's hosted service where the question names it by its domain, in small letters: `acme.com`."""
        start, end = vendor_span(self.sub_question.text, self.sub_question.vendor) or (0, 0)
        named = self.sub_question.text[start:end].casefold()
        return named if "." in named else ""

    @cached_property
    def plan_words(self) -> frozenset[str]:
        """Stems of the words that name the asked plans."""
        named = {term.stem for name in self.scope.names for term in terms(name, self.language)}
        return frozenset(named | {word.term.stem for word in self.words if word.term.concept == "plan"} if named else ())

    @cached_property
    def subjects(self) -> frozenset[str]:
        """Stems of the terms without which a place is about something else."""
        return frozenset(word.term.stem for word in self.words if word.weight >= SUBJECT_WEIGHT)

    @cached_property
    def own_subjects(self) -> frozenset[str]:
        """The subjects but for names of plans; where none is left, the words that matter next."""
        others = {word.term.stem: word.weight for word in self.words if word.term.stem not in self.plan_words}
        return frozenset(stem for stem in others if stem in self.subjects) or frozenset(
            stem for stem, weight in others.items() if weight >= COMMON_WEIGHT
        )

    @cached_property
    def head(self) -> Term | None:
        """What the question is about first of all: the last of the first words that adjoin and name something (`logs` of `audit logs`)."""
        adjoin = {one.term.start: two.term.start for one, two in self.pairs}
        last, head = None, None
        for word in (word for word in self.words if word.weight > UNIT_WEIGHT):
            if last is not None and adjoin.get(last.start) != word.term.start:
                break
            last = word.term
            if last.stem in self.own_subjects and last.concept != "support":
                head = last
        return head

    @cached_property
    def _borne(self) -> frozenset[str]:
        asked = [*(word.term for word in self.words), *self.vendor]
        return frozenset(term.stem for term in asked) | frozenset(term.concept for term in asked)

    @cached_property
    def _narrowed(self) -> Mapping[str, Term]:
        return {one.term.stem: two.term for one, two in self.pairs}

    def narrowed_by(self, term: Term) -> Term | None:
        """The term right behind one of the question, which it narrows: `logs` for `audit` in `audit logs`."""
        return self._narrowed.get(term.stem)

    @cached_property
    def pairs(self) -> tuple[tuple[Weighted, Weighted], ...]:
        """Words that adjoin in the question: together they name one thing."""
        text = self.sub_question.text
        adjoining = zip(self.words, self.words[1:], strict=False)
        return tuple(
            (one, two) for one, two in adjoining if one.term.end <= two.term.start and not text[one.term.end : two.term.start].strip(" -")
        )

    @cached_property
    def compounds(self) -> Mapping[str, frozenset[str]]:
        """Stem → the one-word spellings of the pairs it stands in: `healthcheck` for both words of `health check`."""
        text, found = self.sub_question.text, dict[str, set[str]]()
        for one, two in self.pairs:
            for term in (one.term, two.term):
                found.setdefault(term.stem, set()).add(plain(text[one.term.start : one.term.end]) + two.term.stem)
        return {stem: frozenset(spellings) for stem, spellings in found.items()}

    def bears(self, term: Term) -> bool:
        """Whether a word found before another narrows nothing: the question says it too, or it is one of the general words."""
        return term.stem in self._borne or term.concept in self._borne or not narrows(term)


def _weighted(
    found: list[Term], per: tuple[str, str] | None, implied: frozenset[str], *, named: frozenset[str], slight: frozenset[int]
) -> tuple[Weighted, ...]:
    """How much each term matters.

    `named` are stems of acronyms that name the subject alone: beside them other words only describe it. `slight` are where words stand
    that add little: what holds a plan (`a Free workspace`), and what tells such an acronym's kind (`SAML single sign-on`).
    """
    by_stem: dict[str, Weighted] = {}
    for term in found:
        weight = UNIT_WEIGHT if term.start in slight else _weight(term, per, implied)
        by_stem.setdefault(term.stem, Weighted(term, min(weight, COMMON_WEIGHT) if named and term.stem not in named else weight))
    return tuple(by_stem.values())


def _acronyms(text: str, found: list[Term]) -> frozenset[str]:
    """Stems of words in capitals, such as `SCIM`, but for those that are said of many things."""
    return frozenset(term.stem for term in found if _ACRONYM.fullmatch(text[term.start : term.end]) and term.stem not in _WIDESPREAD)


def _described(text: str, found: list[Term]) -> frozenset[int]:
    """Where the words stand right behind an acronym that tell its kind: `provisioning` of `SCIM user provisioning`."""
    behind: set[int] = set()
    acronyms, last = _acronyms(text, found), -1
    for term in found:
        if last >= 0 and not text[last : term.start].strip(" -"):
            behind.add(term.start)
            last = term.end
        else:
            last = term.end if term.stem in acronyms else -1
    return frozenset(behind)


def _holders(sub_question: SubQuestion, found: list[Term]) -> frozenset[int]:
    """Where nouns of holders stand right behind a plan's name: `workspace` of `a Free workspace`."""
    text, ends = sub_question.text, [plan.end for plan in plans_asked(sub_question.text, sub_question.vendor)]
    behind = (term for term in found if any(end < term.start and not text[end : term.start].strip() for end in ends))
    return frozenset(term.start for term in behind if HOLDER.fullmatch(text[term.start : term.end]))


def _demanded(sub_question: SubQuestion, language: str) -> list[Term]:
    """The scope words that the study adds to the question; they stand nowhere in its text."""
    return [replace(term, start=-1, end=-1) for word in sub_question.must_mention for term in terms(word, language)]


_SUPPORTS = re.compile(
    r"\b(?:does|do|did|can|will)\b(?:(?!\b(?:offer|provide|give|have|include|respond|answer)).)*?\bsupport\b(?!\s+(?:respond|answer|react|repl))",
    re.IGNORECASE,
)


def _weight(term: Term, per: tuple[str, str] | None, implied: frozenset[str]) -> float:
    if per is not None and _PERIODIC.get(term.concept) == per[0]:
        return UNIT_WEIGHT
    return min(importance(term), UNIT_WEIGHT if term.concept in implied or term.stem in implied else 1.0)


def _counted(text: str, found: list[Term], *, vendor: tuple[int, int]) -> tuple[Term, ...]:
    """The unbroken run of terms after "how many"."""
    asked = _HOW_MANY.search(text)
    if asked is None:
        return ()
    run: list[Term] = []
    position = vendor[1] if vendor[0] == asked.end() else asked.end()
    for term in found:
        if term.start < position:
            continue
        if (run and term.concept in _MANNER) or re.search(r"(?:^|\s)\w", text[position : term.start]):
            break
        run.append(term)
        position = term.end
    return tuple(run)


def _denominator(text: str, found: list[Term], answer: AnswerType) -> tuple[str, str] | None:
    given = list(_PER.finditer(text))
    if given:
        unit = terms(given[-1][2])
        return (unit[0].concept, stem((given[-1][1] or "1").casefold())) if unit else None
    if answer is AnswerType.COUNT:
        return None  # `monthly active users` are counted, not a number per month
    return next(((_PERIODIC[term.concept], "1") for term in found if term.concept in _PERIODIC and not _is_of_billing(text, term)), None)


def _is_of_billing(text: str, term: Term) -> bool:
    """`With yearly billing` says how one pays, not against what the price is."""
    return _BILLING.match(text, term.end) is not None or _BILLED.search(text, 0, term.start) is not None


def _text_kind(text: str) -> TextKind:
    return next((kind for kind, pattern in _ASKED_KINDS.items() if pattern.search(text)), TextKind.OTHER)

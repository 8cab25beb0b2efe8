"""Candidates for free-text answers of a kind that a page's own form gives away: plans, places and hours. Other kinds are left open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from research_pipeline.extraction.offering import card, cards_before, labels, section_of, ticked
from research_pipeline.extraction.places import place_factor
from research_pipeline.extraction.plans import Plan, is_plan_word
from research_pipeline.extraction.question import Ask, TextKind
from research_pipeline.extraction.ranking import fit, promising
from research_pipeline.extraction.scope import page_scopes
from research_pipeline.extraction.units import PageUnits, Unit
from research_pipeline.records import BlockKind, Candidate

Spans = list[tuple[int, int]]

_SAID_BY_LAYOUT = frozenset(("plan", "support"))  # concepts: that a plan has what its card or column holds
_SAID_BY_HOURS = frozenset(("hour", "time"))
CARD_FACTOR = 0.9  # for each card before: of two plans that list a thing, the lesser one is what is needed
BARE_PLAN_FACTOR = 0.77  # a name without the word plan may name something else
AROUND_THE_CLOCK_FACTOR = 0.75  # `24/7` is oftener said of another service than of the hours asked for
ALWAYS_OPEN_FACTOR = 0.4  # where the hours of an office are asked for
EVERY_PLAN_FACTOR = 0.85  # where plans are told apart, what all have is oftener something else
UNSAID_FACTOR = 0.6  # a plan or place is named, but not as where the subject is to be had

_OFFICE = regex.compile(r"\b(?:business|working|office|opening) hours\b", regex.IGNORECASE)
_AROUND_THE_CLOCK = regex.compile(r"24\s?[/x×]\s?7(?:\s?[/x×]\s?365)?")
_PLAN_NOUN = regex.compile(
    r"\b(?:plans?|tiers?|editions?|subscriptions?|features?|customers|available on|availability)\b", regex.IGNORECASE
)
_EVERY_PLAN = regex.compile(r"\b(?:all|every)\s+(?:\p{Lu}[\w.]*\s+)?(?:plans?|tiers?|editions?|subscriptions?)\b", regex.IGNORECASE)
_BETWEEN_PLANS = regex.compile(
    r"\s*(?:plans?|tiers?|editions?)?\s*(?:,|/|&|\band\b|\bor\b|,\s*(?:and|or)\b|\bund\b|\bet\b|\by\b)\s*(?:the\s+)?", regex.IGNORECASE
)
_FURTHER_NAME = regex.compile(  # of a plan that is not known, at the end of a list: `Enterprise and Business Critical editions`
    r"\s*(?:,|&|,?\s*and|,?\s*or)\s+(?:the\s+)?\p{Lu}[\w-]*(?: \p{Lu}[\w-]*)?\s+(?:plans|tiers|editions|packages|subscriptions)\b"
)
_PRODUCT_NAME = regex.compile(r"\p{Lu}[\w.-]*(?: \p{Lu}[\w.-]*)? $")
_PLAN_TAIL = regex.compile(
    r"\s*(?:[Pp]lans?|[Tt]iers?|[Ee]ditions?|[Ss]ubscriptions?)?(?:\s*(?:and|or)\s+(?:above|higher|up|later))?(?!\w)"
)
_AVAILABILITY = regex.compile(
    r"\b(?:available|availability|includ\w+|support\w*|offer\w*|provid\w+|requir\w+|need\w*|only|access\w*|upgrade|enabled?|exclusive|"
    r"part of|"
    r"(?:is|are) (?:an? )?(?-i:\p{Lu})[\w+]*(?:[ -]only)? (?:features?|functionality|capabilit(?:y|ies))|comes? with|"
    r"tiers?:|plans?:|editions?:|prerequisites?|before you begin|verfügbar|disponible|inclus\w*|enthalten)",
    regex.IGNORECASE,
)
_TIER_HEADER = regex.compile(r"\b(?:plan|tier|edition|package|subscription)s?$", regex.IGNORECASE)
_LONGEST_TIER = 40  # characters; a longer cell tells of the tier
_ADDED_TO = regex.compile(r"\badd-?ons?\s+(?:for|on|to|with|in)\s+(?:the\s+)?$", regex.IGNORECASE)  # what is not part of the plan
_WITH_ADDED = regex.compile(r"\s*(?:plans?|tiers?)?\s+(?:with|plus)\s+(?:the|an?|our)\s+(?:[\w-]+\s+){0,2}add-?on\b", regex.IGNORECASE)
_PLACE_HEADER = regex.compile(
    r"\b(?:locations?|localit(?:y|ies)|regions?|"
    r"city|cities|countr(?:y|ies)|data ?cent(?:er|re)s?|where|geograph\w+|standort|lieu|ubicación)(?: name)?$",
    regex.IGNORECASE,
)
_NAMED_PLACE = r"\p{Lu}[\p{L}.'-]*(?:[ \u00a0](?:of[ \u00a0])?(?:the[ \u00a0])?\p{Lu}[\p{L}.'-]*)*(?:\s*\([^()]*\))?"
_CLOUD_REGION = (
    r"(?:(?:AWS|GCP|Azure|Google Cloud|Amazon Web Services)(?:['’]s)?\s+)?(?:region\s+)?"
    r"(?:us|eu|ap|ca|sa|me|af|uk|europe|asia|australia|northamerica|southamerica)(?:-\p{Ll}+)+-?\d\b(?:\s*region)?(?:\s*\([^()]*\))?"
)
_PLACE = regex.compile(
    r"\b(?:(?:located|hosted|stored|based|resides?|situated|housed|kept|processed|region(?: is)?|data ?cent(?:er|re)s?(?: is| are)?)\s+"
    r"(?:physically |exclusively |only )?(?:in|at|within)"
    r"|(?:confined|pinned|restricted|limited)\s+to|(?:regions?|locations?|countries|jurisdictions)[^.:;()]{0,25}?(?:\bare|\bis|:))\s+(?:the\s+)?"
    rf"({_CLOUD_REGION}|{_NAMED_PLACE}(?:(?:\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+)(?:(?:to|in)\s+)?(?:the\s+)?{_NAMED_PLACE})*)"
)
_CODE = regex.compile(r"\p{Ll}-\p{Ll}[^ ]*\d|_|^\p{Ll}+\d")  # an identifier such as eu-west-1
_REGION_CODE = regex.compile(
    r"\b(?:(?:AWS|GCP|Azure) |aws-|gcp-)?(?:us|eu|ap|ca|sa|me|af|uk|europe|asia|australia|northamerica|southamerica)(?:-\p{Ll}+)+-?\d\b"
)
_ASKS_REGION = regex.compile(r"\b(?:which|what)\s+(?:\w+\s+){0,3}regions?\b", regex.IGNORECASE)
_PARENTHESIS = regex.compile(r"\(([^()]*\p{Lu}[^()]*)\)")
_CLOCK = r"(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d)?\s?(?:[ap]\.?m\.?|Uhr|h)?"
_WEEKDAY = r"(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Satur|Sun)(?:day)?s?"
_ZONE_NAME = r"(?:[A-Z]{2,4}T?\b|(?:[A-Z]\w+ ){1,2}Time)(?:[+-]\d+)?"
_ZONE = rf"(?:\s*(?:\({_ZONE_NAME}\)|{_ZONE_NAME}))?"
_HOURS = regex.compile(
    rf"(?:\b(?:{_WEEKDAY}\s*(?:to|through|-|–|until)\s*{_WEEKDAY}|weekdays|business days|daily|every day),?\s*(?:from\s+|between\s+)?)?"
    rf"\b{_CLOCK}\s*(?:to|-|–|until|and)\s*{_CLOCK}{_ZONE}"
    rf"|\b{_WEEKDAY}\s+{_CLOCK}\s*(?:to|-|–|until)\s*{_WEEKDAY}\s+{_CLOCK}{_ZONE}|\b(?:24|\d{{1,2}})\s?[/x×]\s?[57](?:\s?[/x×]\s?365)?\b",
)


def textual_candidates(ask: Ask, units: PageUnits) -> Iterator[Candidate]:
    """Every span of the asked kind, scored."""
    for unit in promising(ask, units, units.units):
        if ask.text_kind is TextKind.PLAN:
            yield from _offered(ask, units, unit)
        spans = [(start, end) for start, end in _spans(ask, units, unit) if not _echoes(ask, units, unit.text[start:end])]
        placed = [(unit.start + start, unit.start + end) for start, end in spans]
        for (start, end), span in zip(spans, placed, strict=True):
            about = section_of(units.page, unit.block) if ask.text_kind is TextKind.PLAN and labels(unit.block, unit.text) else ""
            judged = fit(
                ask, units, unit, span, placed, implied=_SAID_BY_HOURS if ask.text_kind is TextKind.HOURS else frozenset(), about=about
            )
            score = judged.score * place_factor(ask, units, unit, span) * _said_factor(ask, unit, (start, end))
            yield Candidate(ask.sub_question.id, unit.text[start:end], unit.text, unit.start, round(score, 4), why=" ".join(judged.near))


def _echoes(ask: Ask, units: PageUnits, text: str) -> bool:
    """Whether a span only says what the question says."""
    return ask.text_kind is TextKind.PLACE and all(ask.bears(term) for term in units.words(text).terms)


def _offered(ask: Ask, units: PageUnits, unit: Unit) -> Iterator[Candidate]:
    """The first plan that the layout gives the unit's subject: the least one that is needed."""
    columns = ticked(units.page, unit.block)
    name, start, end = columns[0] if columns else (card(units.page, unit.block), unit.start, unit.end)
    if not name:
        return
    judged = fit(ask, units, unit, (start, end), [(start, end)], implied=_SAID_BY_LAYOUT)
    factor = 1.0 if columns else CARD_FACTOR ** cards_before(units.page, unit.block)
    score = judged.score * factor * place_factor(ask, units, unit, (start, end))
    yield Candidate(ask.sub_question.id, name, unit.text, unit.start, round(score, 4), why=" ".join(judged.near))


def _spans(ask: Ask, units: PageUnits, unit: Unit) -> Spans:
    match ask.text_kind:
        case TextKind.PLAN:
            named = _plans(unit.text, page_scopes(units.page).reader.plans(unit.text))
            return named or [found.span() for found in _EVERY_PLAN.finditer(unit.text)] or _tiers(unit)
        case TextKind.PLACE:
            codes = [found.span() for found in _REGION_CODE.finditer(unit.text)] if _ASKS_REGION.search(ask.sub_question.text) else []
            return codes if codes and not unit.block.cells else _places(unit)
        case TextKind.HOURS:
            return [(found.start(), found.end()) for found in _HOURS.finditer(unit.text) if any(mark in found[0] for mark in "apmh:/xU")]
        case TextKind.OTHER:
            return []


def _said_factor(ask: Ask, unit: Unit, span: tuple[int, int]) -> float:
    """A plan answers where it stands with a word of availability, in the unit, its lead-in or its nearest heading; best with its noun."""
    found = unit.text[span[0] : span[1]]
    if ask.text_kind is TextKind.HOURS:
        lost = ALWAYS_OPEN_FACTOR if _OFFICE.search(ask.sub_question.text) else AROUND_THE_CLOCK_FACTOR
        return lost if _AROUND_THE_CLOCK.fullmatch(found) else 1.0
    if ask.text_kind is not TextKind.PLAN:
        return 1.0
    if _EVERY_PLAN.fullmatch(found):
        return EVERY_PLAN_FACTOR
    said = " . ".join((unit.text, unit.block.lead_in, *unit.block.heading_path[-1:]))
    factor = 1.0 if _AVAILABILITY.search(said) else UNSAID_FACTOR
    return factor if _PLAN_NOUN.search(unit.text, span[0], span[1] + 12) or _PLAN_NOUN.match(unit.text) else factor * BARE_PLAN_FACTOR


def _plans(text: str, named: Sequence[Plan]) -> Spans:
    """Plans named in a row are one answer: `Team Plan and Enterprise Plan`, `Premium, Ultimate`, `Pro plan and above`."""
    spans: Spans = []
    for plan in named:
        if is_plan_word(plan.name) or _ADDED_TO.search(text, 0, plan.start) or _WITH_ADDED.match(text, plan.end):
            continue
        start, end = plan.start, plan.end
        if spans and _joined(text, spans[-1], start):
            start = spans.pop()[0]
        more = _FURTHER_NAME.match(text, end)
        tail = _PLAN_TAIL.match(text, end)
        is_unknown = more is not None and not any(end <= other.start < more.end() for other in named)
        spans.append((start, more.end() if more and is_unknown else tail.end() if tail and tail[0].strip() else end))
    return spans


def _joined(text: str, before: tuple[int, int], start: int) -> bool:
    """Whether only a listing word stands between two plans, or that and the product's name once more: `Acme Pro and Acme Team`."""
    between = text[before[1] : start]
    product = _PRODUCT_NAME.search(text, 0, before[0])
    return _BETWEEN_PLANS.fullmatch(between.removesuffix(product[0]) if product else between) is not None


def _tiers(unit: Unit) -> Spans:
    """The cell under a header that names tiers, which may be called by what they cost: `$500` under `Spend tier`."""
    cells = [cell for cell in unit.block.cells if any(_TIER_HEADER.search(header.strip()) for header in cell.column_headers)]
    return [(cell.start - unit.start, cell.end - unit.start) for cell in cells if 0 < cell.end - cell.start <= _LONGEST_TIER]


def _places(unit: Unit) -> Spans:
    if unit.block.kind is BlockKind.ROW:
        cells = [cell for cell in unit.block.cells if any(_PLACE_HEADER.search(header.strip()) for header in cell.column_headers)]
        spans = [_narrow(unit.text, cell.start - unit.start, cell.end - unit.start) for cell in cells if cell.end > cell.start]
        return [(start, end) for start, end in spans if not _CODE.search(unit.text, start, end)]
    return [(found.start(1), found.start(1) + len(found[1].rstrip(".,"))) for found in _PLACE.finditer(unit.text)]


def _narrow(text: str, start: int, end: int) -> tuple[int, int]:
    """Of `Central EU (Frankfurt)` the place in brackets."""
    inside = list(_PARENTHESIS.finditer(text, start, end))
    return inside[0].span(1) if len(inside) == 1 else (start, end)

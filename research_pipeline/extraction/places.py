"""What a place on a page is worth whatever it says: its region and kind, the plan that governs it, the row it stands in."""

from __future__ import annotations

from urllib.parse import unquote

import regex

from research_pipeline.extraction.question import Ask, TextKind
from research_pipeline.extraction.scope import ScopeMatch, bound_scopes, in_scope, page_scopes
from research_pipeline.extraction.units import PageUnits, Unit
from research_pipeline.records import BlockKind, Cell, Region
from research_pipeline.wording import Term

OTHER_REGION = 0.25  # of what stands outside a page's main part (measured on real documentation sites)
CODE = 0.7  # code shows an instance more often than it states a rule
NEWS = 0.75  # what was said on a day of a page that goes on being written may have changed since
LABEL = 0.6  # of a value in the cell that labels its row: a key of the table, not what it tells
UNASKED_LABEL = 0.2  # lost where no word of a row's label is asked for
OTHER_LABEL = 0.75  # kept besides, where neither headers nor headings name what the question is about first of all
OTHER_ENVIRONMENT = 0.7  # of what a page or section on another environment than the product's own says, where the question names none
OTHER_SERVICE = 0.8  # of a page that names the product alone, where its hosted service is asked for (`GitLab.com`)
QUALIFIED = 0.8  # of a variant of the asked plan, beside the plan itself
SPECIAL = 0.93  # of what one plan governs, where the question names none
OTHER_NUMBER = 0.5  # of what the unit numbers otherwise than the question does
UNBOUND, OTHER_PLAN = 0.8, 0.4  # of what no plan governs, or another, where the question names one

_NEWS = regex.compile(r"[/ ](?:change-?logs?|release[- ]notes|releases|blogs?|news|press|announcements?|whats-new)\b", regex.IGNORECASE)
_NUMBERED = regex.compile(r"\b(\p{L}{3,})[ -](\d)\b(?![.,\d%])")
_AVAILABILITY = regex.compile(r"(?:plan )?availab(?:le|ility)|included|supported|plans?|tiers?", regex.IGNORECASE)
_COUNTING = regex.compile(  # words that stand before a number without being numbered by it
    r"the|than|over|within|last|past|next|first|every|each|per|after|before|least|most|about|only|for|and|with"
)
_ENVIRONMENT = regex.compile(
    r"\b(?:staging|sandbox(?:es)?|playground|testnet|beta|deprecated|legacy|environnement de test|pré-?production|testumgebung)\b"
    r"|ステージング|テスト環境",
    regex.IGNORECASE,
)


def place_factor(ask: Ask, units: PageUnits, unit: Unit, span: tuple[int, int]) -> float:
    """The worth of a span of a page, from 0 to 1."""
    factor = 1.0 if unit.block.region is Region.MAIN else OTHER_REGION
    if unit.block.kind is BlockKind.CODE:
        factor *= CODE
    if _NEWS.search(units.page.url) and not _NEWS.search(f"/{ask.sub_question.text}"):
        factor *= NEWS
    if (service := ask.service) and not _speaks_of(service, units, unit):
        factor *= OTHER_SERVICE
    if _is_of_another_number(ask, unit, span):
        factor *= OTHER_NUMBER
    return factor * _environment(ask, units, unit) * _scope(ask, units, unit, span) * _label(ask, units, unit, span)


def _is_of_another_number(ask: Ask, unit: Unit, span: tuple[int, int]) -> bool:
    """Whether the unit, outside the value, numbers the asked thing otherwise: `Severity 2` where `Severity 1` is asked for."""
    asked = {
        noun.casefold(): number for noun, number in _NUMBERED.findall(ask.sub_question.text) if not _COUNTING.fullmatch(noun.casefold())
    }
    if not asked:
        return False
    text = unit.text[: max(0, span[0] - unit.start)] + " " + unit.text[max(0, span[1] - unit.start) :]
    found = [(noun.casefold(), number) for noun, number in _NUMBERED.findall(text)]
    return any(noun in asked and number != asked[noun] for noun, number in found) and not any(asked.get(noun) == n for noun, n in found)


def _speaks_of(service: str, units: PageUnits, unit: Unit) -> bool:
    """Whether the page's title or address, or what stands around the unit, names the service by its domain."""
    around = " ".join(
        (unquote(units.page.url), units.page.title, *unit.block.heading_path, unit.block.lead_in, unit.before, unit.text)
    ).casefold()
    return service in around.replace("_", ".").partition("://")[2].partition("/")[2]


def _environment(ask: Ask, units: PageUnits, unit: Unit) -> float:
    named = _ENVIRONMENT.search(" . ".join((units.page.title, *unit.block.heading_path)))
    return OTHER_ENVIRONMENT if named and not _ENVIRONMENT.search(ask.sub_question.text) else 1.0


def _scope(ask: Ask, units: PageUnits, unit: Unit, span: tuple[int, int]) -> float:
    if not ask.scope.names:
        return SPECIAL if bound_scopes(units.page, unit.block, *span) else 1.0
    match = in_scope(ask.scope, units.page, unit.block, *span)
    if match is ScopeMatch.MATCH and _is_qualified(unit, span):
        return QUALIFIED
    return {ScopeMatch.MATCH: 1.0, ScopeMatch.UNBOUND: UNBOUND, ScopeMatch.OTHER: OTHER_PLAN}[match]


def _is_qualified(unit: Unit, span: tuple[int, int]) -> bool:
    """Whether the value's column adds something in brackets to a plan that has a column of its own: `Pro (no spend cap)` beside `Pro`."""
    own = unit.cell_at(*span)
    header = own.column_headers[-1] if own is not None and own.column_headers else ""
    bare = header.partition("(")[0].strip()
    return bool(bare) and bare != header and any(bare == other for cell in unit.block.cells for other in cell.column_headers)


def _label(ask: Ask, units: PageUnits, unit: Unit, span: tuple[int, int]) -> float:
    """A value in a row's label is its key, and a label with unasked words is about something else."""
    cells, own = unit.block.cells, unit.cell_at(*span)
    if own is None or len(cells) < 2:
        return 1.0
    if own.start == cells[0].start:
        return 1.0 if is_keyed(ask, units, unit) else LABEL
    text = " . ".join(units.page.text[cell.start : cell.end] for cell in unit.labels_of(own))
    if not ask.scope.names and page_scopes(units.page).reader.sole(text):
        return 1.0  # a plan, which the question leaves open
    if ask.text_kind is TextKind.PLAN and _AVAILABILITY.fullmatch(text.strip()):
        return 1.0
    label = units.words(text).terms
    unasked = sum(not ask.bears(term) for term in label)
    if label and (head := ask.head) and not any(_is_asked(ask, term) for term in label) and not _heads(units, unit, own, head):
        return (1 - UNASKED_LABEL * unasked / len(label)) * OTHER_LABEL
    return 1 - UNASKED_LABEL * unasked / len(label) if label else 1.0


def _is_asked(ask: Ask, term: Term) -> bool:
    return any(term.stem == word.term.stem or term.concept == word.term.concept for word in ask.words)


def _heads(units: PageUnits, unit: Unit, cell: Cell, head: Term) -> bool:
    """Whether other cells, the headers or the headings above bear what the question is about first of all."""
    others = (units.page.text[other.start : other.end] for other in unit.block.cells if other.start != cell.start)
    said = units.words(" . ".join((*others, *cell.column_headers, *unit.block.heading_path, unit.block.lead_in, units.page.title)))
    return head.stem in said.by_stem or head.concept in said.by_concept


def is_keyed(ask: Ask, units: PageUnits, unit: Unit) -> bool:
    """Whether a row tells its label what it holds: the subject stands in the other cells (`$500 | Priority support, audit logs`)."""
    others = units.words(" . ".join(units.page.text[cell.start : cell.end] for cell in unit.block.cells[1:]))
    return any(stem in others.by_stem for stem in ask.subjects)

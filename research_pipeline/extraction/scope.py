"""Which plan or edition governs a value at a place of a page, and whether it is the one a sub-question asks about.

What stands nearest governs: the piece of the sentence that names a plan, the row and column headers of a cell, the sentences before in
the same block, the lead-in, the heading path from the innermost, the page's title. A value that another plan governs is out of scope.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from urllib.parse import urlsplit

from research_pipeline.extraction.binding import Binding, bind, carry, speaks_for
from research_pipeline.extraction.clauses import REACH
from research_pipeline.extraction.cues import Span, View
from research_pipeline.extraction.identity import Identity
from research_pipeline.extraction.notes import PROSE, tells_of_all
from research_pipeline.extraction.plans import UNPAID, Plan, PlanReader, canonical, common_plans, is_plan_word, own_names
from research_pipeline.normalising import find_all, normalise
from research_pipeline.reading import sentences
from research_pipeline.records import Block, BlockKind, Cell, PageText, Region
from research_pipeline.study import SubQuestion
from research_pipeline.wording import vendor_span

PAID = "paid"  # asked for where any plan that costs something will do
_ASKS_PAID = re.compile(
    r"\b(?:paid|paying)\s+(?:\w+\s+)?(?:plans?|tiers?|customers?|users?|accounts?|subscriptions?|versions?)\b"
    r"|\bif (?:we|you|one|i|they) pay\b|\b(?-i:[A-Z]\w+ Paid)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Scope:
    """What a sub-question confines its answer to: plans by comparable name, any of which will do, and words of which one must be borne.

    `spoken` are its words in a row, by which it names plans that only the page's own use gives away (`Workers Free`).
    """

    names: tuple[str, ...] = ()
    must_mention: tuple[str, ...] = ()
    spoken: str = field(default="", compare=False)

    def names_any(self, found: Iterable[str]) -> bool:
        """Whether one of the plans found is asked for: by its name, or by more words of the question than its common name has."""
        found = tuple(found)
        if PAID in self.names and any(UNPAID.isdisjoint(name.split()) for name in found):
            return True
        return compare_names(self.names, found) or any(
            f" {name} " in self.spoken and any(set(asked.split()) < set(name.split()) for asked in self.names) for name in found
        )

    def __bool__(self) -> bool:
        return bool(self.names or self.must_mention)


class ScopeMatch(StrEnum):
    """How the plans at a place compare with those asked."""

    MATCH = "match"
    OTHER = "other"
    UNBOUND = "unbound"


def asked_scope(sub_question: SubQuestion) -> Scope:
    """The plans that a question names (`on the Pro plan`, `Acme Hobby customers`, `auf dem Enterprise-Tarif`), and its scope words."""
    named = [plan.name for plan in plans_asked(sub_question.text, sub_question.vendor)]
    named += [PAID] if _ASKS_PAID.search(sub_question.text) and not named else []
    named += [plan.name for word in sub_question.must_mention for plan in common_plans().header(word)]
    spoken = " ".join(re.findall(r"[\w+]+", sub_question.text.casefold()))
    return Scope(tuple(dict.fromkeys(named)), sub_question.must_mention, f" {spoken} ")


@lru_cache(maxsize=1024)
def plans_asked(text: str, vendor: str) -> tuple[Plan, ...]:
    """The plans in a question, in its own places; the vendor's name is none."""
    start, end = vendor_span(text, vendor) or (0, 0)
    possessive = re.match(r"['’]s?(?!\w)", text[end:]) if end else None
    blank = end - start + (possessive.end() if possessive else 0)
    view = View(text[:start] + " " * blank + text[start + blank :])
    found = ((plan, view.unfolded(Span(plan.start, plan.end))) for plan in common_plans().plans(view.cased))
    return tuple(replace(plan, start=place.start, end=place.end) for plan, place in found)


def bears_a_word(scope: Scope, texts: Iterable[str]) -> bool:
    """Whether one of the scope words stands in one of the texts, at token boundaries, in the singular or the plural."""
    pages = [normalise(text) for text in texts if text]
    forms = {form for word in scope.must_mention for form in (word, word.removesuffix("s"), word + "s")}
    return any(find_all(form, page) for form in forms for page in pages)


def bound_scopes(text: PageText, block: Block, mention_start: int, mention_end: int) -> tuple[str, ...]:
    """The plans that govern `text.text[mention_start:mention_end]`, in the page's own words; empty where none does."""
    return page_scopes(text).binding(block, mention_start, mention_end).shown


def in_scope(scope: Scope, text: PageText, block: Block, mention_start: int, mention_end: int) -> ScopeMatch:
    """Whether the plans that govern a place are those asked. Scope words are no part of this: see `bears_a_word`."""
    return page_scopes(text).match(scope, block, mention_start, mention_end)[0]


def page_scopes(text: PageText) -> PageScopes:
    """The scopes of a page, kept for the few pages in hand."""
    return _page_scopes(Identity(text))


@lru_cache(maxsize=8)
def _page_scopes(page: Identity) -> PageScopes:
    return PageScopes(page.text)


@dataclass(frozen=True, slots=True)
class _Note:
    """What a sentence sets for all that stands after it under its headings."""

    position: int
    region: Region
    above: tuple[str, ...]
    binding: Binding


class PageScopes:
    """Reads what governs the places of one page. It learns the names that the page itself calls plans."""

    def __init__(self, text: PageText) -> None:
        self.text = text
        names, others = _names_on(text)
        self.reader = PlanReader(names, others) if names or others else common_plans()
        self.free = _free_on(text, self.reader)
        self._headers: dict[str, Binding] = {}
        self._sentences: dict[int, list[tuple[int, int]]] = {}

    def match(self, scope: Scope, block: Block, start: int, end: int, *, denial: bool = False) -> tuple[ScopeMatch, Binding]:
        """How what governs a place compares with the plans asked, and what governs it."""
        found = self.binding(block, start, end, denial=denial)
        if not scope.names:
            return ScopeMatch.MATCH, found
        if not found:
            found = self._above(scope, block)
        if found and self.free & set(found.names):
            found = replace(found, names=(*found.names, "free"))
        return (compare(scope, found) if found else ScopeMatch.UNBOUND), found

    def binding(self, block: Block, start: int, end: int, *, denial: bool = False) -> Binding:
        """What governs a place: the nearest that names a plan."""
        if block.kind is BlockKind.ROW:
            found = self._in_row(block, start, end, denial=denial)
        else:
            found = self._in_prose(block, start, end, denial=denial)
        return (
            found
            or self._by_headers((block.lead_in,), "the lead-in", lead_in=True)
            or self._by_headers(block.heading_path[::-1], "the heading")
        )

    def _in_prose(self, block: Block, start: int, end: int, *, denial: bool) -> Binding:
        spans = self._spans(block)
        index = next((index for index, span in enumerate(spans) if span[0] <= start < span[1]), -1)
        if index < 0:
            return Binding()
        begin, stop = spans[index]
        goes_on = _GOES_ON.match(self.text.text, begin) is not None
        return self.in_sentence(begin, stop, start, end, denial=denial) or self._carried_over(spans[:index], goes_on=goes_on)

    def _carried_over(self, spans: Sequence[tuple[int, int]], *, goes_on: bool = False) -> Binding:
        """What the nearest of the sentences before that names a plan sets for those after it.

        `goes_on`: the sentence speaks on about the plan of the one before, which may then have a value of its own.
        """
        for start, end in reversed(spans):
            found = self._carried(start, end, with_values=goes_on)
            if found or self.reader.plans(View(self.text.text[start:end]).cased):
                return found
        return Binding()

    def _carried(self, start: int, end: int, *, with_values: bool = False) -> Binding:
        return replace(carry(self.reader, self.text.text[start:end], with_values=with_values), by="the sentence before", start=-1, end=-1)

    def in_sentence(self, begin: int, stop: int, start: int, end: int, *, denial: bool = False) -> Binding:
        """What governs a place by the sentence `text[begin:stop]` that it stands in; places in the result are of the page."""
        begin, stop = max(begin, start - REACH), min(stop, end + REACH)
        found = bind(self.reader, self.text.text[begin:stop], start - begin, min(end, stop) - begin, denial=denial)
        return found if found.start < 0 else replace(found, start=found.start + begin, end=found.end + begin)

    def _in_row(self, block: Block, start: int, end: int, *, denial: bool) -> Binding:
        cell = next((cell for cell in block.cells if cell.start <= start and end <= cell.end), None)
        if cell is None:
            return Binding()
        return (
            self.in_sentence(cell.start, cell.end, start, end, denial=denial)
            or self._by_headers(cell.column_headers[::-1], "the column")
            or self._by_headers(cell.row_headers[::-1], "the row")
            or self._by_labels(block, cell)
        )

    def _by_labels(self, block: Block, value: Cell) -> Binding:
        """A cell under a header such as `Plan` names the row's plan, and so does a first cell that is nothing but one."""
        for index, cell in enumerate(block.cells):
            if cell == value:
                continue
            content = self.text.text[cell.start : cell.end]
            if any(is_plan_word(header) for header in cell.column_headers):
                named = self._header(content)
                if named or _NAME_IN_CELL.fullmatch(content):
                    return named or Binding((canonical(content),), (content,), by="the row")
            if index == 0 and (found := self._by_headers((content,), "the row")):
                return found
        return Binding()

    def _by_headers(self, headers: Sequence[str], by: str, *, lead_in: bool = False) -> Binding:
        for header in headers:
            for part in reversed(header.split(" › ")) if lead_in else (header,):
                if found := self._header(part):
                    return replace(found, by=by)
        return Binding()

    def _header(self, header: str) -> Binding:
        known = self._headers.get(header)
        if known is None:
            view = View(header)
            plans = speaks_for(view.text, self.reader.header(header)) if header else []
            known = self._headers[header] = Binding(
                tuple(plan.name for plan in plans), (header,) if plans else (), upward=any(plan.upward for plan in plans)
            )
        return known

    def _above(self, scope: Scope, block: Block) -> Binding:
        """Weaker signs, that only confirm what is asked: the title, and blocks before this one under the same heading."""
        names = [plan.name for plan in self.reader.header(self.text.title)] + [
            plan.name for plan in self.reader.plans(View(self.text.title).cased)
        ]
        if scope.names_any(names):
            return Binding(tuple(names), (self.text.title,), by="the title")
        if told := next((name for name in scope.names if self._is_topic(name)), ""):
            return Binding((told,), (self.text.title,), by="the title")
        position = self.text.blocks.index(block)
        for before in reversed(self.text.blocks[max(0, position - _BLOCKS_BACK) : position]):
            if before.heading_path != block.heading_path or before.kind is BlockKind.ROW:
                break
            if found := self._carried_over(self._spans(before)):
                return found if compare(scope, found) is ScopeMatch.MATCH else Binding()
        return self._told_of_all(scope, block, position)

    def _told_of_all(self, scope: Scope, block: Block, position: int) -> Binding:
        """What is said once, above, of all that a heading holds: `This feature is available on the Pro plan`."""
        for told in reversed(self._notes):
            if told.position < position and told.region is block.region and told.above == block.heading_path[: len(told.above)]:
                return told.binding if compare(scope, told.binding) is ScopeMatch.MATCH else Binding()
        return Binding()

    @cached_property
    def _notes(self) -> list[_Note]:
        """The sentences that say who has all that the page or a section is about, in their order."""
        notes: list[_Note] = []
        for position, block in enumerate(self.text.blocks):
            if block.kind not in PROSE:
                continue
            for start, end in self._spans(block):
                if tells_of_all(self.text.text[start:end], block.heading_path):
                    binding = replace(self._carried(start, end), by="what is said above")
                    notes += [_Note(position, block.region, block.heading_path, binding)] if binding else []
        return notes

    def _is_topic(self, name: str) -> bool:
        """Whether the page's title or the end of its address bears a plan's name as a word: `Free project pausing`."""
        last = urlsplit(self.text.url).path.rstrip("/").rpartition("/")[2]
        said = f" {self.text.title.casefold()} . {re.sub(r'[-_.]', ' ', last.casefold())} "
        return re.search(rf"(?<!\w){re.escape(name)}(?! trial)(?!\w)", said) is not None

    def _spans(self, block: Block) -> list[tuple[int, int]]:
        spans = self._sentences.get(block.start)
        if spans is None:
            spans = self._sentences[block.start] = sentences(self.text, block)
        return spans


_GOES_ON = re.compile(r"\s*(?:(?:each|every|any) (?:additional|further|extra|other)|(?:additional|further|extra)|it|they)\b", re.IGNORECASE)
_BLOCKS_BACK = 3  # paragraphs before a value that may still introduce it
_OUTER = frozenset(("enterprise", "enterprise plus"))  # stands above every plan where a page says `and above`


def compare(asked: Scope, found: Binding) -> ScopeMatch:
    """Whether one of the asked plans is among those found."""
    is_named = asked.names_any(found.names)
    if any(name in found.excluded for name in asked.names) and not is_named:
        return ScopeMatch.OTHER
    if found.universal or is_named or (found.upward and any(name in _OUTER for name in asked.names)):
        return ScopeMatch.MATCH
    return ScopeMatch.OTHER if found.names else ScopeMatch.UNBOUND


def compare_names(asked: Iterable[str], found: Iterable[str]) -> bool:
    """Whether two lists of comparable names share one."""
    return not set(asked).isdisjoint(found)


def _free_on(text: PageText, reader: PlanReader) -> frozenset[str]:
    """Plans that the page says are the free one: `our free Developer plan`, `The Hobby plan is free`, a header `Hobby ($0)`."""
    names: set[str] = set()
    for block in text.blocks:
        content = text.block_text(block)
        if "free" not in content.casefold() and "0" not in content:
            continue
        cased = View(content).cased
        for plan in reader.plans(cased) or reader.header(cased):
            if plan.name.startswith("free "):
                names.add(plan.name.removeprefix("free "))
            if _FREE_BEFORE.search(cased, 0, plan.start) or _FREE_AFTER.match(cased, plan.end):
                names.add(plan.name)
        names.update(
            plan.name
            for cell in block.cells
            if _COSTS_NOTHING.search(content_of(text, cell))
            for plan in reader.header(content_of(text, cell))
        )
    return frozenset(names - UNPAID)


def content_of(text: PageText, cell: Cell) -> str:
    """The characters of a cell."""
    return text.text[cell.start : cell.end]


_FREE_BEFORE = re.compile(r"\b[Ff]ree\s+$")
_FREE_AFTER = re.compile(
    r"(?:\s+(?:plan|tier|edition))?\s+(?:is|comes)\s+(?:\w+\s+)?(?:free|no charge)\b(?!\s+(?:trial|to try))|\s*\((?:[Ff]ree|\$0)\b"
)
_COSTS_NOTHING = re.compile(r"\([Ff]ree\b|\$0(?![.\d])")


def _names_on(text: PageText) -> tuple[frozenset[str], frozenset[str]]:
    """Names that the page calls plans, in front of the word `plan` and under a header that says so; and products that only look so."""
    names: set[str] = set()
    for block in text.blocks:
        names.update(_beside_plans([cell.column_headers[-1] for cell in block.cells[1:] if cell.column_headers]))
        for cell in block.cells:
            if not cell.is_header and any(is_plan_word(header) for header in cell.column_headers):
                parts = re.split(r"\s*[/,&]\s*", text.text[cell.start : cell.end])
                names.update(canonical(part) for part in parts if _NAME_IN_CELL.fullmatch(part))
        if label := _LABEL_OF_SEVERAL.match(text.block_text(block)):
            parts = re.split(r"\s*[,/]\s*", label[1])
            names.update(_beside_plans(parts))
        if _PLAN_NEAR.search(content := text.block_text(block)):
            cased = View(content).cased
            names.update(canonical(cased[start:end]) for start, end in own_names(cased))
    products = frozenset(name for name in names if _is_product(name, text))
    return frozenset(names - products), products


def _is_product(name: str, text: PageText) -> bool:
    """Whether a name is the site's own, or stands in front of plans as a product's does: `Acme Cloud` of `Acme Cloud Plus`."""
    host = urlsplit(text.url).hostname or ""
    letters = re.sub(r"\W", "", name)
    if letters in host.split(".") or letters == host.replace(".", ""):
        return True
    if name in common_plans().known:
        return False
    followed = re.finditer(rf"(?<!\w){re.escape(name)}\s+((?-i:[A-Z])\w*)", text.text, re.IGNORECASE)
    return any(common_plans().sole(found[1]) for found in followed)


def _beside_plans(headers: Sequence[str]) -> Iterable[str]:
    """Column headers, or parts of a label, beside those that name plans are names of plans too: `Basic | Premier | Mission Critical`."""
    is_short = all(_NAME_IN_CELL.fullmatch(header) and not _NO_PLAN_HEADER.search(header) for header in headers)
    if len(headers) < 2 or not is_short or not any(common_plans().header(header) for header in headers):
        return ()
    return [canonical(header) for header in headers]


_NO_PLAN_HEADER = re.compile(
    r"\b(?:description|note|detail|comment|default|limit|example|value|unit|type|feature|maximum|minimum|adjustable|price)s?\b",
    re.IGNORECASE,
)
_NAME_IN_CELL = re.compile(r"[^\W\d_][\w+-]*(?: [\w+-]+){0,2}")
_LABEL_OF_SEVERAL = re.compile(
    r"([A-ZÀ-Þ][\w+ -]*(?:\s*[,/]\s*[A-ZÀ-Þ][\w+ -]*)+)\s?:\s"
)  # `Free Forever, Unlimited, Business: 100 requests`
_PLAN_NEAR = re.compile(
    r"(?:plan|tier|edition|package|forfait|offre|formule|édition|edición|tarif|paket)(?!\w)|プラン|エディション", re.IGNORECASE
)

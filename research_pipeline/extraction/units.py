"""A page cut into the units that can be quoted, each with the context a reader would take it in.

A unit is a sentence, a list item, a table row, a definition or a line of code. Its context are the words that stand around it and
say what it is about: headings, title, lead-in, the sentence before; a cell is read with its headers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from research_pipeline.extraction.identity import Identity
from research_pipeline.reading.segmenting import sentences
from research_pipeline.records import Block, BlockKind, Cell, Mention, PageText, Region
from research_pipeline.study import AnswerType
from research_pipeline.values import mentions
from research_pipeline.wording import PARTS, Term, likeness, plain, terms

MOST_LABELS, LONGEST_LABEL = 2, 48  # cells, characters
_NO_LABEL = re.compile(r"yes|no|none|unlimited|custom|not (?:available|applicable)|n/?a|[-–—✓✗]", re.IGNORECASE)
_TELLS = re.compile(r"\b(?:type|descriptions?|definitions?|notes?|details|required|default|examples?|formats?|values?)\b", re.IGNORECASE)
_SPLIT_ABOVE = 320  # characters; a longer item or definition is quoted by its sentences, and so is one with figures in several
_DIGIT = re.compile(r"\d")
_SAID_IN_WORDS = frozenset((AnswerType.BOOLEAN, AnswerType.TEXT))
_JOINERS = " \u00a0-\u2010\u2011_"
_CONTEXT_ONLY = frozenset({BlockKind.HEADING, BlockKind.TERM, BlockKind.SUMMARY, BlockKind.CAPTION})


@dataclass(frozen=True, slots=True)
class Unit:
    """A quotable span of the page, `page.text[start:end]`, and its context. `before` is the sentence before it in the same block."""

    start: int
    end: int
    text: str
    block: Block
    before: str = ""

    def cell_at(self, start: int, end: int) -> Cell | None:
        """The cell of a row that holds a span of the page."""
        return next((cell for cell in self.block.cells if cell.start <= start and end <= cell.end), None)

    def labels_of(self, cell: Cell) -> list[Cell]:
        """The cells that label another one of the row: the first, and the one behind it where that holds words alone."""
        labels = [other for other in self.block.cells[:MOST_LABELS] if other.end <= cell.start]
        if len(labels) < MOST_LABELS:
            return labels
        second, header = self.text[labels[1].start - self.start : labels[1].end - self.start], " ".join(labels[1].column_headers)
        is_label = 0 < len(second) <= LONGEST_LABEL and not _DIGIT.search(second) and not _NO_LABEL.fullmatch(second)
        return labels if is_label and header and not _TELLS.search(header) else labels[:1]


PER = Term("per", "per", -1, -1)  # stands before a word that only says against what something is counted
NOT = Term("not", "not", -1, -1)  # stands before a word that is denied
_PER = re.compile(r"(?:\b(?:per|pro|par|por)|/)\s?$", re.IGNORECASE)


_EXCEPTED = re.compile(
    r"\b(?:except(?:ing)?(?: for)?|excluding|other than|apart from|with the exception of"
    r"|außer|ausgenommen|sauf|excepté|excepto|salvo)\b[^.;:()]*"
    r"|\((?:no|without|excl\w*|ohne|sans|sin)\b[^()]*",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:no|not|non|never|without|nicht|kein\w*|pas|non)(?:\s+(?:any|an?|the))?[\s-]$", re.IGNORECASE)


def _modifier(text: str, before: Term | None, term: Term) -> Term | None:
    if _PER.search(text, max(0, term.start - 5), term.start):
        return PER
    if _NOT.search(text, max(0, term.start - 13), term.start):
        return NOT
    if before is None or term.start <= before.end:
        return None
    return None if text[before.end : term.start].strip(_JOINERS) else before


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text, findable: by stem and by concept, each with the different words right before it (None: nothing adjoins)."""

    terms: tuple[Term, ...]
    by_stem: Mapping[str, tuple[Term | None, ...]]
    by_concept: Mapping[str, tuple[Term | None, ...]]
    compounds: frozenset[str] = frozenset()  # two adjoining words written as one

    @classmethod
    def of(cls, text: str, language: str) -> Words:
        """Read a text."""
        found = terms(text, language)
        excepted = [place.span() for place in _EXCEPTED.finditer(text)]
        by_stem: dict[str, dict[str, Term | None]] = {}
        by_concept: dict[str, dict[str, Term | None]] = {}
        compounds: set[str] = set()
        for before, term in zip([None, *found], found, strict=False):
            modifier = NOT if any(start < term.start < end for start, end in excepted) else _modifier(text, before, term)
            name = modifier.stem if modifier else ""
            if modifier is not None and modifier is before:
                compounds.add(plain(text[modifier.start : modifier.end]) + term.stem)
            compounds.update(PARTS.get(term.stem, ()))
            by_stem.setdefault(term.stem, {})[name] = modifier
            by_concept.setdefault(term.concept, {})[name] = modifier
        return cls(
            tuple(found),
            {stem: tuple(modifiers.values()) for stem, modifiers in by_stem.items()},
            {concept: tuple(modifiers.values()) for concept, modifiers in by_concept.items()},
            frozenset(compounds),
        )

    def adjoin(self, one: Term, two: Term) -> bool:
        """Whether two words, or synonyms of theirs, stand next to each other in this order."""
        modifiers = (*self.by_stem.get(two.stem, ()), *self.by_concept.get(two.concept, ()))
        return any(modifier is not None and likeness(one, modifier) for modifier in modifiers)


_Asked = tuple[AnswerType, tuple[str, ...]]
_Group = tuple[int, AnswerType, tuple[str, ...]]
_Key = tuple[str, AnswerType, tuple[str, ...], tuple[str, ...]]


@dataclass(slots=True)
class PageUnits:
    """The units of a page, the words of its texts in one language and the values in its units; each is computed once."""

    page: PageText
    language: str
    units: tuple[Unit, ...]
    _words: dict[str, Words] = field(default_factory=dict[str, Words])
    _groups: dict[_Group, Words] = field(default_factory=dict["_Group", Words])
    _mentions: dict[_Key, list[Mention]] = field(default_factory=dict["_Key", "list[Mention]"])
    _bearers: dict[_Asked, dict[str, set[int]]] = field(default_factory=dict["_Asked", "dict[str, set[int]]"])
    _main: frozenset[str] = frozenset()
    _folded: str = ""

    @classmethod
    def of(cls, page: PageText, language: str) -> PageUnits:
        """Cut a page."""
        return cls(page, language, tuple(_units(page)))

    @property
    def address(self) -> str:
        """The words of the page's path."""
        return re.sub(r"[/_.]+", " . ", unquote(urlsplit(self.page.url).path))

    def words(self, text: str) -> Words:
        """The words of a text of this page."""
        if text not in self._words:
            self._words[text] = Words.of(text, self.language)
        return self._words[text]

    def is_page_wide(self, stem: str, unit: Unit, answer: AnswerType, choices: tuple[str, ...] = ()) -> bool:
        """Whether the page's main part bears a word that no other unit with a value of the type bears: it is said of the whole page."""
        if not self._folded:
            self._folded = plain(self.page.text)
        if stem not in self._folded:
            return False
        if not self._main:
            main = (self.page.block_text(block) for block in self.page.blocks if block.region is Region.MAIN)
            self._main = frozenset(term.stem for text in main for term in terms(text, self.language))
        return stem in self._main and self._borne(answer, choices).get(stem, {unit.start}) <= {unit.start}

    def _borne(self, answer: AnswerType, choices: tuple[str, ...]) -> Mapping[str, set[int]]:
        """Stem → where the units with a value of the type begin that bear it."""
        borne = self._bearers.get((answer, choices))
        if borne is None:
            borne = self._bearers[answer, choices] = {}
            for unit in self.units:
                if self.mentions(unit, answer, choices):
                    for stem in self.words(unit.text).by_stem:
                        borne.setdefault(stem, set()).add(unit.start)
        return borne

    def group_words(self, unit: Unit, answer: AnswerType, choices: tuple[str, ...] = ()) -> Words | None:
        """The words of all units with a value of a type in the list or table that a unit belongs to, None where it belongs to none.

        For yes or no and free text, which have no such values, those of all.
        """
        group = unit.block.group
        if group < 0:
            return None
        if (group, answer, choices) not in self._groups:
            told = [other for other in self.units if other.block.group == group and self._tells(other, answer, choices)]
            self._groups[group, answer, choices] = Words.of(" . ".join(other.text for other in told), self.language)
        return self._groups[group, answer, choices]

    def _tells(self, unit: Unit, answer: AnswerType, choices: tuple[str, ...]) -> bool:
        return answer in _SAID_IN_WORDS or bool(self.mentions(unit, answer, choices))

    def mentions(self, unit: Unit, answer: AnswerType, choices: tuple[str, ...] = ()) -> list[Mention]:
        """The values of a type in a unit; offsets are those of the unit's text. No value reaches over a cell's edge."""
        parts = [
            (cell.start - unit.start, cell.end - unit.start, (*cell.row_headers, *cell.column_headers)) for cell in unit.block.cells
        ] or [(0, len(unit.text), ())]
        return [
            replace(found, start=start + found.start, end=start + found.end)
            for start, end, headers in parts
            if start < end
            for found in self._mentions_in(unit.text[start:end], answer, choices, headers)
        ]

    def _mentions_in(self, text: str, answer: AnswerType, choices: tuple[str, ...], headers: tuple[str, ...]) -> list[Mention]:
        key = (text, answer, choices, headers)
        if key not in self._mentions:
            self._mentions[key] = mentions(text, answer, choices=choices, headers=headers)
        return self._mentions[key]


def page_units(page: PageText, language: str) -> PageUnits:
    """The units of a page, kept for the few pages in hand: each sub-question of a study reads the same ones."""
    return _page_units(Identity(page), language)


@lru_cache(maxsize=8)
def _page_units(page: Identity, language: str) -> PageUnits:
    return PageUnits.of(page.text, language)


def _units(page: PageText) -> Iterator[Unit]:
    for block in page.blocks:
        if block.kind in _CONTEXT_ONLY or block.end <= block.start:
            continue
        before = ""
        for start, end in _spans(page, block):
            text = page.text[start:end]
            if any(character.isalnum() for character in text):
                yield Unit(start, end, text, block, before)
                before = text


def _spans(page: PageText, block: Block) -> Sequence[tuple[int, int]]:
    if block.kind in (BlockKind.ROW, BlockKind.STRUCTURED):
        return [(block.start, block.end)]
    if block.kind is BlockKind.CODE:
        return _lines(page.text, block)
    if block.kind in (BlockKind.ITEM, BlockKind.DEFINITION) and block.end - block.start <= _SPLIT_ABOVE:
        parts = sentences(page, block)
        telling = sum(_DIGIT.search(page.text, start, end) is not None for start, end in parts)
        return parts if telling > 1 else [(block.start, block.end)]
    return sentences(page, block)


def _lines(text: str, block: Block) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    position = block.start
    for line in text[block.start : block.end].splitlines(keepends=True):
        stripped = line.strip()
        if stripped:
            start = position + line.index(stripped[0])
            spans.append((start, start + len(stripped)))
        position += len(line)
    return spans

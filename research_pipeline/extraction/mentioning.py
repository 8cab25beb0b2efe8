"""Where a claimed value stands in a quote as a typed mention, and the whole mention that its sentence or cell has there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace

from research_pipeline.extraction.extremes import Extreme, asked_extreme, end_of
from research_pipeline.extraction.placing import CELLED, Place, QuotePage, Unit
from research_pipeline.normalising import find_all, normalise
from research_pipeline.records import BlockKind, Mention
from research_pipeline.study import AnswerType, SubQuestion
from research_pipeline.values import mentions, parse, stands_in

_HEADER_UNIT = re.compile(r"\(([^()]{1,20})\)\s*\*?$|,\s*([^\W\d][\w /]{0,15})$|(?<!\w)in\s+([^\W\d]\w{0,15})$", re.IGNORECASE)
_BARE_NUMBER = re.compile(r"\d[\d.,\s'’]*")


class MentionFinder:
    """Finds values on one page; all places are of the page."""

    def __init__(self, page: QuotePage) -> None:
        self.page = page

    def claimed(self, value: str, place: Place, question: SubQuestion) -> Iterator[tuple[int, int]]:
        """Where the value stands in the quoted characters alone, block by block and cell by cell."""
        for block in place.blocks:
            parts = self.page.units(block) if block.kind in CELLED else (block,)
            for part in parts:
                begin, stop = max(part.start, place.start), min(part.end, place.end)
                if begin < stop:
                    yield from ((mention.start, mention.end) for mention in self._mentions(value, begin, stop, question))

    def whole(self, value: str, unit: Unit, start: int, end: int, question: SubQuestion) -> Mention | None:
        """The mention as it stands in its whole sentence or cell, in places of the page."""
        found = self._mentions(value, unit.start, unit.end, question)
        return next((mention for mention in found if mention.start < end and start < mention.end), None)

    def as_claimed(self, value: str, whole: Mention, unit: Unit, place: Place, question: SubQuestion) -> Mention:
        """The claim in its own extent, where that says something else than one mention does.

        Values listed together are one answer (`TLS 1.2 and TLS 1.3`); of a rate whose window the question gives, the number is.
        """
        if question.answer not in (AnswerType.VERSION, AnswerType.RATE, AnswerType.COUNT):
            return self._with_bound(value, whole, unit, place)
        literals = find_all(value, normalise(self._text(unit.start, unit.end)))
        for start, end in ((unit.start + start, unit.start + end) for start, end in literals):
            if question.answer is not AnswerType.COUNT and place.start <= start <= whole.start and whole.end < end <= place.end:
                listed = mentions(self._text(start, end), question.answer)
                upper = listed[-1].value.amount if listed else None
                return Mention(self._text(start, end), start, end, replace(whole.value, upper=upper))
            if (
                question.answer in (AnswerType.RATE, AnswerType.COUNT)
                and whole.start <= start
                and end <= whole.end
                and _BARE_NUMBER.fullmatch(value.strip())
            ):
                return Mention(self._text(start, end), start, end, whole.value)
        return self._with_bound(value, whole, unit, place)

    def _with_bound(self, value: str, whole: Mention, unit: Unit, place: Place) -> Mention:
        """With the words of its bound, where the claim says them too: `more than 10 users`."""
        text = self._text(unit.start, unit.end)
        spans = ((unit.start + start, unit.start + end) for start, end in find_all(value, normalise(text)))
        wider = next((span for span in spans if place.start <= span[0] < whole.start and span[1] == whole.end), None)
        return whole if wider is None else Mention(self._text(*wider), *wider, whole.value)

    def _mentions(self, value: str, begin: int, stop: int, question: SubQuestion) -> Iterator[Mention]:
        """The mentions of the value in a stretch of the page, in places of the page.

        Characters without a shape do not part words, and the raised mark of a note is no part of the word before it.
        """
        page = self.page.text.text
        notes = [span for block in self.page.blocks_at(begin, stop) for span in block.raised if not page[span[0] - 1 : span[0]].isdecimal()]
        kept = [
            place
            for place in range(begin, stop)
            if unicodedata.category(page[place]) != "Cf" and not any(start <= place < end for start, end in notes)
        ]
        visible = "".join(page[place] for place in kept)
        standing = stands_in(value, visible, question.answer, choices=question.choices) or _ends_of_ranges(value, visible, question)
        for mention in standing:
            start, end = kept[mention.start], kept[mention.end - 1] + 1
            yield Mention(self._text(start, end), start, end, mention.value)

    def with_header_unit(self, value: str, place: Place, question: SubQuestion) -> Iterator[tuple[Unit, Mention]]:
        """Bare numbers in cells whose header gives the unit (`Retention (days)`)."""
        for unit in self.page.units_in(place):
            if unit.cell is None or unit.start < place.start or unit.end > place.end:
                continue
            text = self._text(unit.start, unit.end)
            for header in (*unit.cell.column_headers[::-1], *unit.cell.row_headers[::-1]):
                unit_name = _unit_in(header, whole=unit.block.kind is BlockKind.STRUCTURED)
                if not unit_name or not re.fullmatch(r"[\d.,\s]+", text):
                    continue
                found = stands_in(value, f"{text.strip()} {unit_name}", question.answer)
                if found:
                    yield unit, Mention(text, unit.start, unit.end, found[0].value)
                    break

    def _text(self, start: int, end: int) -> str:
        return self.page.text.text[start:end]


def _ends_of_ranges(value: str, text: str, question: SubQuestion) -> list[Mention]:
    """Ranges whose asked end is the value: the longest of `between 6 hours and 90 days` is `90 days`."""
    extreme = asked_extreme(question.text)
    if extreme is None:
        return []
    found = ((mention, end_of(mention, extreme, question.answer)) for mention in mentions(text, question.answer, choices=question.choices))
    return [
        Mention(end, start, start + len(end), parse(end, question.answer))
        for mention, end in found
        if end and end == value.strip()
        for start in [mention.start + (mention.verbatim.rfind(end) if extreme is Extreme.MOST else mention.verbatim.find(end))]
    ]


def _unit_in(header: str, *, whole: bool) -> str:
    """The unit that a header gives: in brackets, behind a comma or `in`; of structured data the whole header. Empty where none."""
    named = _HEADER_UNIT.search(header.strip())
    if named is None:
        return header if whole else ""
    return next(group for group in named.groups() if group)

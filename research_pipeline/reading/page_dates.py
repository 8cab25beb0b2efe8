"""When a page was last changed, by strict rules: what machines are told, then what stands beside a word that says so.

A wrong date decides "the newer page wins", so unknown stays unknown: dates that differ, that could be read two ways or that lie in the
future count as unknown, and neither a copyright year nor a date of publication says when a page was changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta

from selectolax.lexbor import LexborHTMLParser, LexborNode

from research_pipeline.reading.date_labels import BETWEEN, LABEL
from research_pipeline.reading.dating import date_at, is_after, iso_date
from research_pipeline.reading.dom import collapsed, text_of, value
from research_pipeline.reading.structured import Value
from research_pipeline.records import Block, BlockKind, DateSource, PageDate

_META_NAMES = (
    "article:modified_time",
    "og:updated_time",
    "og:article:modified_time",
    "dcterms.modified",
    "dc.date.modified",
    "last-modified",
    "last_modified",
    "lastmod",
    "last-updated",
    "date.modified",
    "revised",
)
_PAGE_TYPE = re.compile(r"\w*(?:Page|WebSite|Article|Posting|Report|HowTo|Guide|CreativeWork)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MOST_ELEMENTS = 200  # that are looked at for a date
_LONGEST_NOTICE = 400  # characters; a labelled date stands in a short block, or at the very start of one
_KINDS = frozenset(
    (BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.DEFINITION, BlockKind.ROW, BlockKind.TERM, BlockKind.HEADING, BlockKind.CAPTION)
)


def page_date(
    tree: LexborHTMLParser,
    metas: Mapping[str, str],
    structured: Iterable[Value],
    blocks: Iterable[Block],
    block_text: Callable[[Block], str],
    *,
    today: date | None,
) -> PageDate | None:
    """The date of the page's last change; None where it does not say, or not beyond doubt.

    Args:
        metas: what its meta elements say.
        structured: the values of its structured data.
        blocks: of the page, with `block_text` to read them.
        today: later dates are refused; a day is allowed for time zones.
    """
    readings: tuple[tuple[DateSource, Callable[[], Iterator[tuple[str, str]]]], ...] = (
        (DateSource.STRUCTURED, lambda: _structured(structured)),
        (DateSource.META, lambda: _meta(metas)),
        (DateSource.MICRODATA, lambda: _microdata(tree)),
        (DateSource.TIME_ELEMENT, lambda: _time_elements(tree)),
        (DateSource.LABELLED_TEXT, lambda: _labelled(blocks, block_text)),
    )
    limit = today + timedelta(days=1) if today is not None else None
    for source, read in readings:
        found = list(read())
        if found:
            return _agreed(source, found, limit)
    return None


def _agreed(source: DateSource, found: list[tuple[str, str]], limit: date | None) -> PageDate | None:
    """One date, if all that were found are the same at the precision they share."""
    iso, verbatim = max(found, key=lambda pair: len(pair[0]))
    if not iso or any(not other or not iso.startswith(other) for other, _ in found):
        return None
    if limit is not None and is_after(iso, limit):
        return None
    return PageDate(iso, source, verbatim)


def _structured(values: Iterable[Value]) -> Iterator[tuple[str, str]]:
    for found in values:
        if found.path[-1] == "dateModified" and _PAGE_TYPE.fullmatch(found.type):
            yield iso_date(found.text), found.text


def _meta(metas: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    stated = next((metas[name] for name in _META_NAMES if name in metas), "")
    if stated:
        yield iso_date(stated), stated


def _microdata(tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    for node in tree.css("[itemprop~=dateModified]")[:_MOST_ELEMENTS]:
        attributes = node.attributes
        text = value(attributes, "datetime") or value(attributes, "content") or text_of(node)
        if text:
            yield iso_date(text), text


def _time_elements(tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    """`time` elements right behind a word that says what they date."""
    for node in tree.css("time")[:_MOST_ELEMENTS]:
        label = _last_label(_text_before(node))
        if label is not None:
            text = value(node.attributes, "datetime") or text_of(node)
            yield iso_date(text), collapsed(f"{label} {text_of(node)}")


def _text_before(node: LexborNode) -> str:
    """What stands before an element in the one around it; or, where nothing does, in what precedes that."""
    around = node.parent
    if around is None:
        return ""
    whole, own = around.text_lexbor(), node.text_lexbor()
    before = collapsed(whole.partition(own)[0] if own else whole)
    if before or around.prev is None:
        return before
    return collapsed(around.prev.text_lexbor() if around.prev.is_element_node else around.prev.text_content or "")


def _last_label(before: str) -> str | None:
    """The label that ends a text, with nothing between it and the end that a date could not stand behind."""
    for match in LABEL.finditer(before):
        between = BETWEEN.match(before, match.end())
        if between is not None and between.end() == len(before):
            return before[match.start() :]
    return None


def _labelled(blocks: Iterable[Block], block_text: Callable[[Block], str]) -> Iterator[tuple[str, str]]:
    label_alone = ""
    for block in blocks:
        text = block_text(block) if block.kind in _KINDS else ""
        if label_alone and block.kind is BlockKind.DEFINITION:
            dated = date_at(text)
            if dated is not None:
                yield dated.iso, f"{label_alone} {text[: dated.end]}"
        label_alone = text if block.kind is BlockKind.TERM and LABEL.fullmatch(text.rstrip(" :：")) else ""
        yield from _labelled_in(text)


def _labelled_in(text: str) -> Iterator[tuple[str, str]]:
    for line in text.split("\n") if _YEAR.search(text) else ():
        for match in LABEL.finditer(line[:_LONGEST_NOTICE]):
            if not _begins(line, match.start()):
                continue
            between = BETWEEN.match(line, match.end())
            begin = between.end() if between is not None else match.end()
            dated = date_at(line, begin)
            if dated is not None:
                yield dated.iso, line[match.start() : dated.end]


def _begins(line: str, start: int) -> bool:
    """Whether a label begins a line, or a part of it that is set apart."""
    before = line[:start].rstrip()
    return (
        not before
        or before[-1] in "|·•(/—–-.>*_:,;"
        or (len(line) <= 120 and before.casefold() in ("page", "this page was", "this document was"))
    )

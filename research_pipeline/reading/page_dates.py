"""When a page was last changed, by strict rules: what machines are told, then what stands beside a word that says so.

A wrong date decides "the newer page wins", so unknown stays unknown: dates that differ, that could be read two ways or that lie in the
future count as unknown, and neither a copyright year nor a date of publication says when a page was changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta

from selectolax.lexbor import LexborHTMLParser

from research_pipeline.reading.dating import first_date, is_after, iso_date, year_at
from research_pipeline.reading.dom import collapsed, text_of, value
from research_pipeline.reading.metadata import meta
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
_PAGE_TYPE = re.compile(
    r"(?:Web|FAQ|QA|About|Item|Collection|Contact|Profile|Medical\w*)?(?:Page|WebSite)|\w*(?:Article|Posting|Report|HowTo|Recipe|Guide|CreativeWork)"
)
_LABEL = r"""
(?:(?:this\s+)?(?:page|article|document|policy|guide|content)\s+(?:was\s+)?)?(?:last|most\s+recently)[\s-]+(?:updated|modified|revised|changed|edited|update|change|modification|edit|revision)
|(?:page\s+)?updated(?=\s*(?:on\b|at\b|:|\d|\w+\.?\s+\d))|date\s+(?:modified|updated|of\s+last\s+(?:update|change|revision))|(?:last\s+)?(?:update|revision|modification)\s+date
|zuletzt\s+(?:aktualisiert|geändert|bearbeitet)|letzte\s+(?:aktualisierung|änderung|bearbeitung)|aktualisiert(?=\s*(?:am|:))|geändert\s+am|stand(?=\s*:)
|dernière\s+(?:mise\s+à\s+jour|modification|révision)|mis(?:e)?\s+à\s+jour(?=\s*(?:le|:))|modifié(?:e)?\s+le
|última\s+(?:actualización|modificación|atualização|modificação|revisión|revisão|alteração)|actualizad[oa](?=\s*(?:el|:))|atualizad[oa](?=\s*(?:em|:))
|ultimo\s+aggiornamento|ultima\s+modifica|aggiornat[oa](?=\s*(?:il|:))
|laatst\s+(?:bijgewerkt|gewijzigd|aangepast)|laatste\s+(?:update|wijziging)|bijgewerkt(?=\s*(?:op|:))
|senast\s+(?:uppdaterad|ändrad)|sidst\s+(?:opdateret|ændret)|sist\s+(?:oppdatert|endret)|viimeksi\s+(?:päivitetty|muokattu)
|ostatnia\s+(?:aktualizacja|zmiana|modyfikacja)|zaktualizowano|naposledy\s+(?:aktualizováno|upraveno|změněno)|poslední\s+(?:aktualizace|úprava|změna)
|son\s+güncelleme(?:\s+tarihi)?|последнее\s+(?:обновление|изменение)|дата\s+(?:обновления|изменения)|обновлено
|最終更新(?:日時?)?|更新日時?|最后(?:更新|修改)(?:时间|日期|于)?|最近更新(?:时间|日期)?|更新(?:时间|日期|於|于)|最後(?:更新|修改)(?:時間|日期|於)?|更新(?:時間)
|마지막(?:으로)?\s*(?:업데이트|수정)(?:일|됨)?|최종\s*(?:수정|업데이트|갱신)일?|업데이트\s*날짜|수정일
"""
_LABEL_PATTERN = re.compile(rf"(?<![^\W_])(?:{''.join(_LABEL.split(chr(10)))})", re.IGNORECASE)
_BETWEEN = re.compile(
    r"\s*(?:(?:date|time|on|at|in|am|vom|le|du|el|em|il|op|den|d\.|dnia|dne|tarihi|by\s+[^\W\d]+(?:\s+[^\W\d]+)?\s+on)\b\.?)?\s*[:：,·|–—-]?\s*(?:(?:on|am|le|el|em|il|op|the|den)\s+)?"
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\s+)?[(\"“]?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_MOST_ELEMENTS = 200  # that are looked at for a date
_LONGEST_NOTICE = 400  # characters; a labelled date stands in a short block, or at the very start of one
_KINDS = frozenset(
    (BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.DEFINITION, BlockKind.ROW, BlockKind.TERM, BlockKind.HEADING, BlockKind.CAPTION)
)


def page_date(
    tree: LexborHTMLParser, structured: Iterable[Value], blocks: Iterable[Block], block_text: Callable[[Block], str], *, today: date | None
) -> PageDate | None:
    """The date of the page's last change; None where it does not say, or not beyond doubt.

    Args:
        structured: the values of its structured data.
        blocks: of the page, with `block_text` to read them.
        today: later dates are refused; a day is allowed for time zones.
    """
    readings: tuple[tuple[DateSource, Callable[[], Iterator[tuple[str, str]]]], ...] = (
        (DateSource.STRUCTURED, lambda: _structured(structured)),
        (DateSource.META, lambda: _meta(tree)),
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


def _meta(tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    for name in _META_NAMES:
        if content := meta(tree, name):
            yield iso_date(content), content
            return


def _microdata(tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    for node in tree.css("[itemprop~=dateModified]")[:_MOST_ELEMENTS]:
        attributes = node.attributes
        text = value(attributes, "datetime") or value(attributes, "content") or text_of(node)
        if text:
            yield iso_date(text), text


def _time_elements(tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    """`time` elements right behind a word that says what they date."""
    for node in tree.css("time")[:_MOST_ELEMENTS]:
        before = _text_before(node.parent.text_lexbor() if node.parent is not None else "", node.text_lexbor())
        label = _last_label(before)
        if label is None and node.prev is None and node.parent is not None and node.parent.prev is not None:
            label = _last_label(
                collapsed(node.parent.prev.text_lexbor() if node.parent.prev.is_element_node else node.parent.prev.text_content or "")
            )
        if label is not None:
            text = value(node.attributes, "datetime") or text_of(node)
            yield iso_date(text), collapsed(f"{label} {text_of(node)}")


def _text_before(whole: str, part: str) -> str:
    return collapsed(whole.partition(part)[0]) if part else collapsed(whole)


def _last_label(before: str) -> str | None:
    """The label that ends a text, with nothing between it and the end that a date could not stand behind."""
    for match in _LABEL_PATTERN.finditer(before):
        between = _BETWEEN.match(before, match.end())
        if between is not None and between.end() == len(before):
            return before[match.start() :]
    return None


def _labelled(blocks: Iterable[Block], block_text: Callable[[Block], str]) -> Iterator[tuple[str, str]]:
    label_alone = ""
    for block in blocks:
        text = block_text(block) if block.kind in _KINDS else ""
        if label_alone and block.kind is BlockKind.DEFINITION:
            dated = first_date(text)
            if dated is not None and dated.start == 0:
                yield dated.iso, f"{label_alone} {text[: dated.end]}"
        label_alone = text if block.kind is BlockKind.TERM and _LABEL_PATTERN.fullmatch(text.rstrip(" :：")) else ""
        yield from _labelled_in(text)


def _labelled_in(text: str) -> Iterator[tuple[str, str]]:
    for line in text.split("\n") if _YEAR.search(text) else ():
        for match in _LABEL_PATTERN.finditer(line[:_LONGEST_NOTICE]):
            if not _begins(line, match.start()):
                continue
            between = _BETWEEN.match(line, match.end())
            begin = between.end() if between is not None else match.end()
            dated = first_date(line, begin) or year_at(line, begin)
            if dated is not None and dated.start == begin:
                yield dated.iso, line[match.start() : dated.end]


def _begins(line: str, start: int) -> bool:
    """Whether a label begins a line, or a part of it that is set apart."""
    before = line[:start].rstrip()
    return (
        not before
        or before[-1] in "|·•(/—–-.>*_:,;"
        or (len(line) <= 120 and before.casefold() in ("page", "this page was", "this document was"))
    )

"""Sentences of a block, as exact spans.

Rules of its own rather than a trained splitter: the spans must be slices of the page, in any script, and dots of product names,
versions, decimals and abbreviations of several languages must not end them.
"""

from __future__ import annotations

import re
from itertools import pairwise

from research_pipeline.records import Block, BlockKind, PageText

_WHOLE = frozenset(
    (BlockKind.ROW, BlockKind.CODE, BlockKind.TERM, BlockKind.HEADING, BlockKind.SUMMARY, BlockKind.CAPTION, BlockKind.CONTROL)
)

_ABBREVIATIONS = """
e.g eg i.e ie etc al cf vs v viz approx ca c no nos nr fig figs eq sec secs ch chap vol pp p art arts par para inc ltd llc llp corp co bros
dept est mr mrs ms dr prof sr jr st rev hon gen col sgt capt messrs ph.d phd b.a m.a jan feb mar apr jun jul aug sep sept oct nov dec mon
tue tues wed thu thur thurs fri sat sun min max avg temp ext tel incl excl resp ver rel ed eds u.s u.k u.n e.u a.m p.m a.k.a aka w.r.t hrs
bzw z.b d.h u.a usw ggf evtl inkl zzgl vgl abs bspw mio mrd std sog geb str gmbh s.a s.a.s s.r.l s.p.a a/s
mme mlle ex env p.ex éd tél av ej p.ej pág págs núm avda ud uds sra bijv enz dwz t.a.v np tzn tj ul
"""
_NEVER_LAST = """
e.g eg i.e ie cf vs viz approx ca nr nos fig figs eq mr mrs ms dr prof messrs mme mlle z.b d.h bzw vgl bspw p.ex p.ej bijv a.k.a aka incl
excl inkl zzgl sec secs pp chap vol ver np tzn tj
"""
_FIRST_WORDS = """
the a an this that these those it its they we you he she i in on at by for from to if when while after before however there all each every
no not as and but or so such your our please note see use once until unless since with without
der die das ein eine wir sie es wenn nach bei im am le la les un une il elle nous vous dans pour si el los las en para het een de per
"""
_ABBREVIATED = frozenset(_ABBREVIATIONS.split())
_NEVER_ENDS = frozenset(_NEVER_LAST.split())
_BEGINS = frozenset(_FIRST_WORDS.split())

_CLOSERS = "\"'”’»›)\\]）」』】"
_OPENERS = "\"'“‘«‹„([¿¡（「『【"
_WIDE_END = re.compile(rf"[。！？｡]+[{_CLOSERS}]*")
_END = re.compile(rf"(?P<mark>[.!?…؟۔।]+)[{_CLOSERS}]*(?:\[\d{{1,3}}\]|(?<=[^\W\d][.!?])\d{{1,2}})?(?=\s)")
_NEXT = re.compile(rf"\s+(?P<first>[{_OPENERS}]*(?P<word>\w*))")
_LONGEST_TOKEN = 40  # characters; what stands before a full stop and is longer is no abbreviation
_TOKEN = re.compile(r"[^\s(\[“\"'/]+$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+")
_BULLET = re.compile(r"(?:[-*•·–—▪◦‣]|\(?\d{1,2}[.)])\s")
_LISTED = re.compile(r"[^:\n]{1,60}(?::\s|\s[–—=-]\s)")


def sentences(text: PageText, block: Block) -> list[tuple[int, int]]:
    """The units of a block that can be quoted on their own, as spans of the page text in order.

    Prose is split into sentences, and at line breaks between lines that each say something of their own. Rows, code, terms, headings and
    labels are one unit. A structured value that is prose gives the sentences of the value.
    """
    if block.kind in _WHOLE:
        return [(block.start, block.end)]
    start = block.cells[-1].start if block.kind is BlockKind.STRUCTURED and block.cells else block.start
    spans = split_sentences(text.text[start : block.end])
    if start != block.start and len(spans) == 1:
        return [(block.start, block.end)]
    return [(start + begin, start + end) for begin, end in spans]


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences of a text, without the white space between them."""
    ends = {match.end() for match in _WIDE_END.finditer(text)}
    ends.update(match.end() for match in _END.finditer(text) if _ends_here(text, match))
    if "\n" in text:
        ends.update(_line_ends(text))
    spans: list[tuple[int, int]] = []
    begin = 0
    for end in (*sorted(ends), len(text)):
        piece = text[begin:end]
        if stripped := piece.strip():
            begin += piece.index(stripped)
            spans.append((begin, begin + len(stripped)))
        begin = end
    return spans


def _ends_here(text: str, match: re.Match[str]) -> bool:
    following = _NEXT.match(text, match.end())
    word = following["word"] if following else ""
    if word[:1].islower():
        return False
    if match["mark"] != ".":
        return True
    found = _TOKEN.search(text[max(0, match.start() - _LONGEST_TOKEN) : match.start()])
    token = found.group().casefold() if found else ""
    if token in _NEVER_ENDS:
        return False
    if token in _ABBREVIATED or _INITIALS.fullmatch(f"{token}."):
        return len(token) > 1 and word[:1].isupper() and word.casefold() in _BEGINS  # "Acme Inc. The plan" against "Acme Inc. Enterprise"
    before = text[max(0, match.start() - len(token) - 2) : match.start() - len(token)].rstrip(" ")
    return not (token.isdecimal() and len(token) <= 2 and before[-1:] in ("", ".", "!", "?", ":", "\n"))  # "1. First" numbers what follows


def _line_ends(text: str) -> set[int]:
    """Line breaks between lines of their own: before a bullet, or between lines that all have a name and what is said of it."""
    lines = text.split("\n")
    are_listed = all(_LISTED.match(line.strip()) and not line.strip()[:1].islower() for line in lines if line.strip())
    ends: set[int] = set()
    position = 0
    for line, following in pairwise(lines):
        position += len(line) + 1
        if are_listed or _BULLET.match(following.strip()):
            ends.add(position)
    return ends

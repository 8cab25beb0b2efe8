"""Sentences of a block, as exact spans."""

from __future__ import annotations

import re

from research_pipeline.records import Block, BlockKind, PageText

_WHOLE = frozenset((BlockKind.ROW, BlockKind.CODE, BlockKind.TERM, BlockKind.HEADING, BlockKind.SUMMARY, BlockKind.CAPTION))
_CLOSERS = "\"'”’»›)\\]）」』】"
_WIDE_END = re.compile(rf"[。！？｡]+[{_CLOSERS}]*")
_END = re.compile(rf"[.!?…؟۔।]+[{_CLOSERS}]*(?=\s)")
_OPENERS = "\"'“‘«‹„([¿¡（「『【"
_LAST_TOKEN = re.compile(r"[^\s(\[“\"']+$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+")
_ABBREVIATIONS = frozenset(
    "e.g eg i.e ie etc al cf vs v viz approx ca c no nos nr fig figs eq sec secs ch chap vol pp p art arts par para inc ltd llc llp corp co bros dept est "
    "mr mrs ms dr prof sr jr st rev hon gen col sgt capt messrs mme mlle sra ph.d phd b.a m.a jan feb mar apr jun jul aug sep sept oct nov dec mon tue "
    "wed thu fri sat sun min max avg temp ext tel incl excl resp ver rel ed eds u.s u.k u.n a.m p.m a.k.a aka w.r.t "
    "bzw z.b d.h u.a usw ggf evtl inkl zzgl vgl abs nr bspw mio mrd std sog geb str gmbh "
    "ex env p.ex art n° max éd tél "
    "ej p.ej pág págs núm av avda ud uds art bijv enz dwz nl t.a.v".split()
)
_NEVER_LAST = frozenset(
    "e.g eg i.e ie cf vs viz approx ca nr nos fig figs eq mr mrs ms dr prof messrs mme mlle z.b d.h bzw vgl bspw p.ex p.ej bijv a.k.a aka incl excl inkl zzgl "
    "ex sec secs pp chap vol ver".split()
)


def sentences(text: PageText, block: Block) -> list[tuple[int, int]]:
    """The units of a block that can be quoted on their own, as spans of the page text in order.

    Prose is split into sentences and at line breaks that separate lines of their own; rows, code, terms, headings and other
    labels are one unit. Of a structured value that is prose, the sentences of the value.
    """
    if block.kind in _WHOLE:
        return [(block.start, block.end)]
    start = block.start
    if block.kind is BlockKind.STRUCTURED and block.cells:
        spans = split_sentences(text.text[block.cells[-1].start : block.end])
        if len(spans) == 1:
            return [(block.start, block.end)]
        start = block.cells[-1].start
    else:
        spans = split_sentences(text.block_text(block))
    return [(start + begin, start + end) for begin, end in spans]


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences in a text, without the white space between them. Dots of abbreviations, versions and decimals do not end one."""
    ends = sorted({*_wide_ends(text), *_narrow_ends(text), *_line_ends(text)})
    spans: list[tuple[int, int]] = []
    begin = 0
    for end in (*ends, len(text)):
        piece = text[begin:end]
        if piece.strip():
            spans.append((begin + len(piece) - len(piece.lstrip()), begin + len(piece.rstrip())))
        begin = end
    return spans


def _wide_ends(text: str) -> list[int]:
    return [match.end() for match in _WIDE_END.finditer(text)]


def _narrow_ends(text: str) -> list[int]:
    return [match.end() for match in _END.finditer(text) if _ends_here(text, match)]


def _ends_here(text: str, match: re.Match[str]) -> bool:
    following = text[match.end() :].lstrip()[:2].lstrip(_OPENERS)[:1]
    if following.islower():
        return False
    if match.group()[0] != "." or match.group().startswith(".."):
        return True
    token = _LAST_TOKEN.search(text, 0, match.start())
    word = token.group().casefold() if token else ""
    if word in _NEVER_LAST:
        return False
    if word in _ABBREVIATIONS or _INITIALS.fullmatch(word + "."):
        return _may_end_after_abbreviation(word, text[match.end() :])
    return not (word.isdecimal() and len(word) <= 2 and match.start() == len(word))  # "1. First" numbers an item


_STARTERS = frozenset(
    "the a an this that these those it its they we you he she i in on at by for from to if when while after before however there all each every no not "
    "as and but or so such your our please note see use der die das ein eine wir sie es le la les un une il elle nous vous el los las".split()
)


def _may_end_after_abbreviation(word: str, rest: str) -> bool:
    """`Acme Inc. The plan …` ends, `Acme Inc. Enterprise` does not: decided by whether a common first word follows."""
    if len(word) == 1 and word.isalpha():
        return False
    found = re.match(r"\s+[^\w]*(\w+)", rest)
    return bool(found and found.group(1)[:1].isupper() and found.group(1).casefold() in _STARTERS)


def _line_ends(text: str) -> list[int]:
    """Line breaks between lines that stand on their own: the line before has ended or names something, and the next begins anew."""
    ends: list[int] = []
    for match in re.finditer("\n", text):
        before, after = text[: match.start()].rstrip(), text[match.end() :].lstrip()
        if before[-1:] in (":", ";") or (after[:1] in "-•*–—·" and after[1:2] == " ") or _is_labelled_line(after):
            ends.append(match.end())
    return ends


def _is_labelled_line(text: str) -> bool:
    return re.match(r"[^\W\d_][^:\n.]{0,40}:\s", text) is not None and text[:1].isupper()

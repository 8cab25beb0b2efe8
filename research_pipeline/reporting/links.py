"""Links that open a page at a quote: URL fragments with a text directive.

`URL#[id]:~:text=[prefix-,]start[,end][,-suffix]`, as browsers read it (WICG "URL Fragment Text Directives"): whole words, ignoring
case and accents, the first match in document order; each of the four stands within one run of text, which ends where a block, a
table cell or a line of it ends. So a link is made by trying directives, the shortest first, on the page's own text, until the first
match is the quote and nothing else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from research_pipeline.records import Block, BlockKind, PageText

# A quote up to this long stands in the link as it is; of a longer one, its first and last words do.
_WHOLE_WORDS, _WHOLE_CHARACTERS = 12, 120
_EDGE_WORDS = (5, 9, 16)
_CONTEXT_WORDS = (2, 5, 10)

# Where a new word surely begins, for a browser too: after white space, and after the punctuation of scripts without spaces.
_WORD_STARTS = re.compile(r"(?:^|(?<=\s)|(?<=[。、，！？：；）」』】]))(?=\S)")
_IGNORED = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff\u0300-\u036f]")
_QUOTE_MARKS = str.maketrans("‘’‚‛“”„‟", "''''\"\"\"\"")


@dataclass(frozen=True, slots=True)
class _Run:
    """Text that a directive's part may stand in: `page.text[start:end]`, and where its folded form begins in the folded page."""

    start: int
    end: int
    folded_at: int


@dataclass(frozen=True, slots=True)
class _Directive:
    start: str
    end: str = ""
    prefix: str = ""
    suffix: str = ""

    def encoded(self) -> str:
        parts = (
            f"{_encode(self.prefix)}-" if self.prefix else "",
            _encode(self.start),
            _encode(self.end),
            f"-{_encode(self.suffix)}" if self.suffix else "",
        )
        return ",".join(part for part in parts if part)

    def pattern(self) -> re.Pattern[str]:
        """What a browser looks for. More lenient than a browser where it must guess, so that a first match here is one there."""
        before = rf"(?<!\w){_literal(self.prefix)}\s*" if self.prefix else ""
        through = rf".*?{_literal(self.end)}" if self.end else ""
        after = rf"(?=\s*{_literal(self.suffix)})" if self.suffix else ""
        return re.compile(f"{before}(?P<quote>{_literal(self.start)}{through}){after}", re.DOTALL)


def live_link(url: str, text: PageText, *, start: int, end: int, anchor: str = "") -> str:
    """The URL that opens the page at `text.text[start:end]`.

    Args:
        anchor: id of the nearest element above, for browsers that know no text directives; a fragment of the URL's own comes first.

    A page of a document opens by its number. What no reader sees, such as structured data, gets the plain URL.
    """
    base, _, fragment = url.partition("#")
    fragment = fragment.partition(":~:")[0]
    plain = f"{base}#{fragment}" if fragment else base
    block = _block_at(text, start)
    if block is None or block.kind is BlockKind.STRUCTURED:
        return plain
    if block.page_number is not None:
        return f"{base}#page={block.page_number}"
    directive = _directive(text, start, end)
    return f"{base}#{fragment or quote(anchor)}:~:text={directive.encoded()}" if directive else plain


def _directive(text: PageText, start: int, end: int) -> _Directive | None:
    """The shortest directive whose first match is the quote; else one that opens all of its lines; else the most exact one."""
    page = _folded_page(text)
    lines = [run for run in page.runs if run.start < end and start < run.end]
    quoted = _pieces(text.text, [(max(run.start, start), min(run.end, end)) for run in lines])
    if not quoted:
        return None
    tried: list[_Directive] = []
    for pieces in (quoted, _pieces(text.text, [(run.start, run.end) for run in lines])):
        wanted = (page.place(text.text, pieces[0][0]), page.place(text.text, pieces[-1][1]))
        for directive in _candidates(text.text, page.runs, pieces):
            found = directive.pattern().search(page.text)
            if found and found.span("quote") == wanted:
                return directive
            tried.append(directive)
    return tried[0]


def _candidates(text: str, runs: Sequence[_Run], pieces: Sequence[tuple[int, int]]) -> Iterator[_Directive]:
    bare = list(_bare(text, pieces))
    yield from bare
    before, after = _contexts(text, runs, pieces)
    for directive in bare:
        yield from (_Directive(directive.start, directive.end, suffix=suffix) for suffix in after)
        yield from (_Directive(directive.start, directive.end, prefix=prefix) for prefix in before)
    for prefix, suffix in zip(before, after, strict=False):
        yield _Directive(bare[-1].start, bare[-1].end, prefix, suffix)


def _bare(text: str, pieces: Sequence[tuple[int, int]]) -> Iterator[_Directive]:
    """Without context: the quote itself if it is one short run, else its first and last words."""
    (start, until), (since, end) = pieces[0], pieces[-1]
    whole = text[start:until]
    words = len(_word_starts(whole))
    if len(pieces) == 1 and (words < 2 or (words <= _WHOLE_WORDS and len(whole) <= _WHOLE_CHARACTERS)):
        yield _Directive(whole)
        return
    for count in _EDGE_WORDS:
        head, tail = _first_words(whole, count), _last_words(text[since:end], count)
        if len(pieces) == 1 and len(head) + len(tail) >= len(whole):
            yield _Directive(whole)
            return
        yield _Directive(head, tail)


def _contexts(text: str, runs: Sequence[_Run], pieces: Sequence[tuple[int, int]]) -> tuple[list[str], list[str]]:
    """Words before and after, more and more of them: of the same run, or of the next one where the quote fills its own."""
    start, end = pieces[0][0], pieces[-1][1]
    earlier = [text[run.start : min(run.end, start)].strip() for run in runs if run.start < start]
    later = [text[max(run.start, end) : run.end].strip() for run in runs if run.end > end]
    before = next((words for words in reversed(earlier) if words), "")
    after = next((words for words in later if words), "")
    prefixes = dict.fromkeys(_last_words(before, count) for count in _CONTEXT_WORDS)
    suffixes = dict.fromkeys(_first_words(after, count) for count in _CONTEXT_WORDS)
    return [prefix for prefix in prefixes if prefix], [suffix for suffix in suffixes if suffix]


# ── the page as a browser searches it ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _FoldedPage:
    """The folded runs, one a line."""

    text: str
    runs: tuple[_Run, ...]

    def place(self, text: str, offset: int) -> int:
        """Where an offset of the page text stands in the folded text."""
        run = next(run for run in self.runs if run.start <= offset <= run.end)
        return run.folded_at + len(_fold(text[run.start : offset]))


@lru_cache(maxsize=4)
def _folded_page(text: PageText) -> _FoldedPage:
    runs: list[_Run] = []
    folded: list[str] = []
    size = 0
    for start, end in _runs(text):
        runs.append(_Run(start, end, size))
        folded.append(_fold(text.text[start:end]))
        size += len(folded[-1]) + 1
    return _FoldedPage("\n".join(folded), tuple(runs))


def _runs(text: PageText) -> Iterator[tuple[int, int]]:
    for block in text.blocks:
        if block.kind is BlockKind.STRUCTURED:
            continue
        for start, end in [(cell.start, cell.end) for cell in block.cells] or [(block.start, block.end)]:
            for line in re.finditer(r"[^\n]+", text.text[start:end]):
                yield start + line.start(), start + line.end()


def _fold(text: str) -> str:
    """As a browser compares: without case, accents, soft hyphens and kinds of quotation mark; one space for many."""
    plain = _IGNORED.sub("", unicodedata.normalize("NFKD", text.translate(_QUOTE_MARKS))).casefold()
    return re.sub(r"\s+", " ", plain)


def _literal(text: str) -> str:
    """A pattern for a part of a directive. Between ASCII letters or digits no browser sees the border of a word."""
    folded = _fold(text)
    begin = "(?<![a-z0-9])" if re.match("[a-z0-9]", folded) else ""
    end = "(?![a-z0-9])" if re.search("[a-z0-9]$", folded) else ""
    return f"{begin}{re.escape(folded)}{end}"


# ── small parts ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _encode(text: str) -> str:
    # `-` separates prefix and suffix from what they frame, and `quote` leaves it as it is.
    return quote(text, safe="").replace("-", "%2D")


def _block_at(text: PageText, start: int) -> Block | None:
    return next((block for block in text.blocks if block.start <= start < block.end), None)


def _pieces(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans without white space at their ends, where they hold a word."""
    pieces: list[tuple[int, int]] = []
    for start, end in spans:
        inside = text[start:end]
        if re.search(r"\w", inside):
            pieces.append((end - len(inside.lstrip()), start + len(inside.rstrip())))
    return pieces


def _word_starts(text: str) -> list[int]:
    return [found.start() for found in _WORD_STARTS.finditer(text)]


def _first_words(text: str, count: int) -> str:
    starts = _word_starts(text)
    return text[: starts[count]].rstrip() if count < len(starts) else text


def _last_words(text: str, count: int) -> str:
    starts = _word_starts(text)
    return text[starts[-count] :].strip() if count < len(starts) else text

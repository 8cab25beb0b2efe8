"""Archived pages for reading offline: our own rendering of a page's blocks, with each cited quote marked at its exact place.

Nothing of the page but its text is used: no scripts, styles, images or addresses. Marks may overlap or nest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from markupsafe import Markup, escape

from research_pipeline.records import Block, BlockKind, Page, PageText, Region
from research_pipeline.reporting.building import ReportInput
from research_pipeline.reporting.citing import archive_path
from research_pipeline.reporting.html import environment
from research_pipeline.reporting.report import Citation, Report
from research_pipeline.reporting.words import Words, words_for


@dataclass(frozen=True, slots=True)
class Mark:
    """A quote to mark: `text[start:end]`, under the id that links name."""

    id: str
    start: int
    end: int


def marked(text: PageText, *, start: int, end: int, marks: Sequence[Mark]) -> Markup:
    """`text.text[start:end]` as HTML. Where marks overlap, each piece stands in one `mark` for each; the first piece bears the id."""
    inside = sorted((mark for mark in marks if mark.start < end and mark.end > start), key=lambda mark: (mark.start, -mark.end, mark.id))
    cuts = sorted({start, end, *(min(max(cut, start), end) for mark in inside for cut in (mark.start, mark.end))})
    return Markup("").join(
        _piece(text.text[left:right], left, [m for m in inside if m.start <= left and right <= m.end]) for left, right in pairwise(cuts)
    )


def _piece(characters: str, start: int, covering: Sequence[Mark]) -> Markup:
    piece = escape(characters)
    for mark in reversed(covering):
        piece = Markup('<mark id="{}">{}</mark>').format(mark.id, piece) if mark.start == start else Markup("<mark>{}</mark>").format(piece)
    return piece


def marked_page(text: PageText, *, body_hash: str, pages: Sequence[Page], marks: Sequence[Mark], words: Words) -> str:
    """The archived page as one HTML document.

    Args:
        body_hash: names the archived body that the text was read from.
        pages: the fetched pages that this body belongs to; more than one where several addresses served the same bytes.
        marks: the quotes to mark; each lies in `text.text`.
    """
    parts = groupby(text.blocks, key=lambda block: (block.region, block.kind is BlockKind.STRUCTURED))
    sections = [_section(text, list(blocks), marks, words) for _, blocks in parts]
    template = environment().get_template("archived.html.j2")
    return template.render(text=text, body_hash=body_hash, pages=pages, marks=marks, sections=sections, w=words)


def archived_pages(report: Report, given: ReportInput) -> dict[str, str]:
    """Path relative to the report → HTML, for every page that the report cites."""
    words = words_for(report.language)
    places = {item.id: Mark(item.id, item.start, item.end) for finding in given.findings for item in finding.evidence}
    cited: dict[str, list[Citation]] = {}
    for finding in report.findings:
        for item in finding.evidence:
            cited.setdefault(item.body_hash, []).append(item)
    return {archive_path(body): _page(body, items, places, given, words) for body, items in sorted(cited.items())}


def _page(body_hash: str, items: Sequence[Citation], places: Mapping[str, Mark], given: ReportInput, words: Words) -> str:
    ids = {item.page_id for item in items}
    pages = sorted((page for page in given.pages if page.id in ids), key=lambda page: page.id)
    marks = sorted({item.id: places[item.id] for item in items}.values(), key=lambda mark: (mark.start, mark.end, mark.id))
    return marked_page(given.texts[items[0].page_id], body_hash=body_hash, pages=pages, marks=marks, words=words)


@dataclass(frozen=True, slots=True)
class _Section:
    """Blocks of one region that follow each other. Without a label it is main text; folded away unless cited."""

    label: str
    blocks: list[Markup]
    cited: bool


def _section(text: PageText, blocks: Sequence[Block], marks: Sequence[Mark], words: Words) -> _Section:
    cited = any(mark.start < blocks[-1].end and mark.end > blocks[0].start for mark in marks)
    return _Section(_label(blocks[0], words), list(_shown(text, blocks, marks, words)), cited)


def _label(block: Block, words: Words) -> str:
    if block.kind is BlockKind.STRUCTURED:
        return words("structured_data")
    return "" if block.region is Region.MAIN else words(f"region.{block.region}")


# ── blocks ────────────────────────────────────────────────────────────────────────────────────────────────────────────

_WRAPPERS = {
    BlockKind.ROW: Markup("<table>\n{}\n</table>"),
    BlockKind.ITEM: Markup("<ul>\n{}\n</ul>"),
    BlockKind.TERM: Markup("<dl>\n{}\n</dl>"),
    BlockKind.DEFINITION: Markup("<dl>\n{}\n</dl>"),
}
_ELEMENTS = {
    BlockKind.ITEM: Markup("<li>{}</li>"),
    BlockKind.TERM: Markup("<dt>{}</dt>"),
    BlockKind.DEFINITION: Markup("<dd>{}</dd>"),
    BlockKind.ROW: Markup("<tr><td>{}</td></tr>"),
    BlockKind.CODE: Markup("<pre>{}</pre>"),
    BlockKind.STRUCTURED: Markup("<pre>{}</pre>"),
}
_HEADER_CELL, _CELL = Markup("<th>{}</th>"), Markup("<td>{}</td>")
_PLAIN = Markup("{}")
_PARAGRAPH = Markup("<p>{}</p>")


def _shown(text: PageText, blocks: Sequence[Block], marks: Sequence[Mark], words: Words) -> Iterator[Markup]:
    """Blocks with what wraps them, under the numbers of their pages where there are pages."""
    for number, page in groupby(blocks, key=lambda block: block.page_number):
        if number is not None:
            yield Markup('<p class="label">{}</p>').format(words("page_break", number=number))
        for (wrapper, _), group in groupby(page, key=lambda block: (_WRAPPERS.get(block.kind, _PLAIN), block.group)):
            yield wrapper.format(Markup("\n").join(_block(text, block, marks) for block in group))


def _block(text: PageText, block: Block, marks: Sequence[Mark]) -> Markup:
    if block.kind is BlockKind.ROW and block.cells:
        return _row(text, block, marks)
    inner = marked(text, start=block.start, end=block.end, marks=marks)
    if block.kind is BlockKind.HEADING:
        return Markup("<h{0}>{1}</h{0}>").format(min(max(block.level, 1) + 1, 6), inner)
    if block.kind is BlockKind.ITEM and block.level > 1:
        return Markup('<li class="depth-{}">{}</li>').format(min(block.level, 5), inner)
    return _ELEMENTS.get(block.kind, _PARAGRAPH).format(inner)


def _row(text: PageText, block: Block, marks: Sequence[Mark]) -> Markup:
    """Cells of a row; what stands between them in the text is a separator of ours. A mark that begins there begins with the next cell."""
    cells = Markup("")
    pending = [mark for mark in marks if block.start <= mark.start < block.end]
    for cell in block.cells:
        begun = [mark for mark in pending if mark.start < cell.end or cell.start == cell.end]
        moved = [Mark(m.id, max(m.start, cell.start), m.end) if m in begun else m for m in marks]
        pending = [mark for mark in pending if mark.start >= cell.end]
        cells += (_HEADER_CELL if cell.is_header else _CELL).format(marked(text, start=cell.start, end=cell.end, marks=moved))
    return Markup("<tr>{}</tr>").format(cells)

"""PDF to HTML that keeps page numbers: `<section data-page-number="N">` per page, its lines joined to paragraphs.

Raises `BrokenPdf` where nothing can be read; one page that cannot be read stands as an empty section.
"""

from __future__ import annotations

import io
import logging
import struct
import zlib
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdf import PageObject

MAX_PAGES = 1000
_SIGNATURE = b"%PDF-"
# Damaged files make pypdf stumble in its own code as well; these are what its parsers can run into.
_DAMAGE = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RuntimeError,
    AssertionError,
    OSError,
    struct.error,
    zlib.error,
)
# A line that ends well short of the longest ends its paragraph: a heading, a table row, the last line of a text.
_FULL_LINE = 0.7

logging.getLogger("pypdf").setLevel(logging.ERROR)  # it warns of every oddity it repairs


class BrokenPdf(Exception):
    """No text can be read from it: its text is the reason."""


def is_pdf(head: bytes) -> bool:
    """Whether a body is a PDF, by its signature, which may stand anywhere in the first kilobyte."""
    return _SIGNATURE in head[:1024] and not head.lstrip().startswith(b"<")


def pdf_to_html(body: bytes) -> str:
    """The text of a PDF as HTML, at most its first `MAX_PAGES` pages.

    Raises:
        BrokenPdf: damaged beyond reading, encrypted, or without any text, such as a scan.
    """
    # A third of a second, of which a run without PDFs needs nothing.
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    damage = (PyPdfError, DependencyError, *_DAMAGE)
    try:
        reader = PdfReader(io.BytesIO(body))
        title = (reader.metadata.title if reader.metadata else None) or ""
        pages = [_text_of(page, damage) for page in reader.pages[:MAX_PAGES]]
    except damage as error:
        raise BrokenPdf(f"the PDF cannot be read ({error})") from error
    if not any(page.strip() for page in pages):
        raise BrokenPdf("the PDF holds no text")
    sections = "\n".join(_section(number, text) for number, text in enumerate(pages, 1))
    return f"<!doctype html><title>{escape(str(title))}</title>\n<main>\n{sections}\n</main>\n"


def _text_of(page: PageObject, damage: tuple[type[Exception], ...]) -> str:
    try:
        return page.extract_text()
    except damage:
        return ""  # the other pages may still be read


def _section(number: int, text: str) -> str:
    paragraphs = "\n".join(f"<p>{escape(paragraph, quote=False)}</p>" for paragraph in _paragraphs(text))
    return f'<section data-page-number="{number}">\n{paragraphs}\n</section>'


def _paragraphs(text: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines()]
    full = _FULL_LINE * max(map(len, lines), default=0)
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line:
            paragraphs[-1].append(line)
        if len(line) < full and paragraphs[-1]:
            paragraphs.append([])
    return ["\n".join(paragraph) for paragraph in paragraphs if paragraph]

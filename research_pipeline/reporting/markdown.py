"""Report → Markdown. Every value is escaped unless it was made as Markdown here, so that no text of a page becomes markup."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined

from research_pipeline.reporting.report import Report
from research_pipeline.reporting.view import View, in_code, is_web_address

# What may open, close or link anything in CommonMark, GitHub's dialect or its formulas and emoji, wherever it stands or (^) at a beginning.
_ACTIVE = re.compile(
    r"""
      [\\`*_{}\[\]<>\#!|~$^&@=]
    | ^ [-+:]
    | : (?=[^\s\d]) | (?<!\d) : (?=\S)  # a time of day stays as it is
    | (?<=\bwww) \.
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LIST_NUMBER = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
# White space that Markdown would trim, fold or read as structure; a single space between words is left alone.
_SPACE = re.compile(r"^ +| +$| {2,}|[^\S ]")
_URL_SAFE = ":/?#[]@!$&'*+,;=%~-._"


class Markup(str):
    """Text that is Markdown already."""

    __slots__ = ()


def escape(value: object) -> Markup:
    """Text as Markdown that renders to exactly that text, in one line, wherever in a line it is put."""
    if isinstance(value, Markup):
        return value
    marked = _LIST_NUMBER.sub(r"\1\\\2", _ACTIVE.sub(_backslashed, str(value)))
    return Markup(_SPACE.sub(lambda found: "".join(f"&#{ord(character)};" for character in found[0]), marked))


def _backslashed(found: re.Match[str]) -> str:
    return f"\\{found[0]}"


def link(label: str, url: str) -> Markup:
    """A link to a page; the label alone where its URL is not one that a reader should follow."""
    return inner_link(label, url) if is_web_address(url) else escape(label)


def inner_link(label: str, url: str) -> Markup:
    """A link whose URL was made here, such as a relative one."""
    # Parentheses and white space would end a destination, and `&` may begin a character reference.
    return Markup(f"[{escape(label)}]({quote(url, safe=_URL_SAFE).replace('&', '&amp;')})")


def prose(sentence: str) -> Markup:
    """A sentence of ours, with what stands in backticks as code."""
    return Markup("".join(f"`{piece}`" if code else _ACTIVE.sub(_backslashed, piece) for piece, code in in_code(sentence)))


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("research_pipeline.reporting"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 (the output is Markdown: `finalize` escapes it)
        finalize=escape,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def to_markdown(report: Report) -> str:
    """The report as CommonMark with tables; links to archived pages are relative to it."""
    view = View(report)
    return (
        _environment()
        .get_template("report.md.j2")
        .render(report=report, view=view, w=view.words, link=link, inner_link=inner_link, prose=prose)
    )

"""Report → one HTML file that needs no scripts, no network and no other file to be read."""

from __future__ import annotations

from functools import lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from research_pipeline.normalising import find_all, normalise
from research_pipeline.reporting.report import Citation, Report
from research_pipeline.reporting.view import View, in_code, is_web_address, minute


def href(url: str) -> str:
    """A page's URL that may stand in a link; `#` for any other."""
    return url if is_web_address(url) else "#"


def quoted(item: Citation) -> Markup:
    """The quote with its value, or the cue of a yes or no, marked; the text is the quote's own, character for character."""
    places = find_all(item.cue or item.value, normalise(item.quote))
    if not places:
        return escape(item.quote)
    start, end = places[0]
    return Markup("{}<mark>{}</mark>{}").format(item.quote[:start], item.quote[start:end], item.quote[end:])


def prose(sentence: str) -> Markup:
    """A sentence of ours, with what stands in backticks as code."""
    return Markup("").join(Markup("<code>{}</code>").format(piece) if code else escape(piece) for piece, code in in_code(sentence))


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates of this package, escaping by default, refusing names that are not there."""
    made = Environment(
        loader=PackageLoader("research_pipeline.reporting"),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["href"] = href
    made.filters["minute"] = minute
    made.filters["prose"] = prose
    made.filters["quoted"] = quoted
    return made


def to_html(report: Report) -> str:
    """The report as a self-contained document; links to archived pages are relative to it."""
    view = View(report)
    return environment().get_template("report.html.j2").render(report=report, view=view, w=view.words)

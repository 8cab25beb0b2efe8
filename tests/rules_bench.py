"""Asks a question of pages written for the tests: extraction, gate and resolution, as a cycle runs them."""

from __future__ import annotations

from functools import lru_cache

from research_pipeline.extraction import rules
from research_pipeline.extraction.gate import Gate
from research_pipeline.reading import read_html
from research_pipeline.records import Page, PageStatus
from research_pipeline.resolution import resolve
from research_pipeline.study import Authority, Source, SubQuestion

SOURCE = Source(
    id="acme-docs", domain="docs.acme.example", start_url="https://docs.acme.example/", authority=Authority.OFFICIAL, answers=("acme.*",)
)


def question(text, answer, **fields):
    return SubQuestion(id="acme.asked", vendor="acme", text=text, answer=answer, **fields)


@lru_cache(maxsize=64)
def read(body, path="/page"):
    heading = body.partition("<h1>")[2].partition("</h1>")[0]
    html = f"<html lang=en><head><title>{heading} | Acme Docs</title></head><body><main>{body}</main></body></html>"
    return read_html(html, url=f"https://docs.acme.example{path}")


def table(header, *rows):
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row.split(" | ")) + "</tr>" for row in rows)
    return (
        "<table><thead><tr>" + "".join(f"<th>{cell}</th>" for cell in header.split(" | ")) + f"</tr></thead><tbody>{cells}</tbody></table>"
    )


def found(asked, *bodies):
    """The evidence of all pages and the pages themselves."""
    evidence, pages = [], []
    for number, body in enumerate(bodies):
        text = read(body, f"/page-{number}")
        page = Page(
            id=f"pg_{number}", study="s", cycle="c", source_id=SOURCE.id, url=text.url, final_url=text.url, canonical_url=text.url,
            status=PageStatus.USABLE, body_hash=str(number),
        )  # fmt: skip
        gate = Gate(page, text, SOURCE)
        evidence += [gate.examine(candidate, asked, extractor="rules") for candidate in rules.extract(text, [asked])]
        pages.append(page)
    return evidence, pages


def finding(text, answer, *bodies, **fields):
    """What a cycle concludes from these pages."""
    asked = question(text, answer, **fields)
    evidence, pages = found(asked, *bodies)
    return resolve(asked, evidence, pages=pages, candidates_known=True, stop_reason=None)

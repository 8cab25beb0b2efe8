"""How fast pages are read, in how much memory; and whether very large and very deep ones are read whole.

    python benchmarks/reading.py FOLDER [--pages 200]

FOLDER holds HTML files, at any depth: a site, or a corpus of sites. Pages per second are of the reading alone, from a body to blocks with
offsets, in processor time. A table of 5 MB and 20,000 nested elements are made up here; they are read whole where every row and the
innermost text are there.
"""

from __future__ import annotations

import argparse
import resource
import time
from datetime import date
from itertools import cycle, islice
from pathlib import Path

from research_pipeline.reading import decode, read_html
from research_pipeline.records import PageText

_TODAY = date(2026, 11, 30)
_NESTED = 20_000
_TABLE_BYTES = 5_000_000


def main() -> None:
    """Read the folder's pages, then the two that are made up."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="a folder with HTML files")
    parser.add_argument("--pages", type=int, default=200, help="how many pages are read (default: 200); few files are read again")
    wanted = parser.parse_args()
    files = sorted(wanted.folder.rglob("*.html"))
    if not files:
        parser.error(f"{wanted.folder} holds no HTML file")
    bodies = [decode(file.read_bytes(), content_type="text/html") for file in islice(cycle(files), wanted.pages)]
    memory = _peak_megabytes()
    seconds = sum(_read(body)[1] for body in bodies)
    size = sum(map(len, bodies)) / 1_000_000
    _say(
        f"{len(bodies)} pages, {size:.1f} million characters: {seconds:.1f} s, {len(bodies) / seconds:.0f} pages per second, "
        f"peak {_peak_megabytes():.0f} MB ({memory:.0f} MB before, with all bodies)"
    )
    _say(_table())
    _say(_nested())


def _read(body: str) -> tuple[PageText, float]:
    began = time.process_time()
    return read_html(body, url="https://docs.acme.example/page", today=_TODAY), time.process_time() - began


def _table() -> str:
    rows = _TABLE_BYTES // 60
    body = "".join(f"<tr><td>limit-{number}</td><td>{number} requests per minute</td></tr>" for number in range(rows))
    page, seconds = _read(f"<html><body><main><table><tr><th>name</th><th>value</th></tr>{body}</table></main></body></html>")
    said = set(page.text.split())
    lost = sum(f"limit-{number}" not in said for number in range(rows))
    return f"a table of {len(body) / 1_000_000:.1f} MB, {rows} rows: {seconds:.1f} s, peak {_peak_megabytes():.0f} MB, {lost} rows lost"


def _nested() -> str:
    page, seconds = _read(
        "<html><body><main>" + "<div>" * _NESTED + "Kept for 30 days." + "</div>" * _NESTED + "<p>End.</p></main></body></html>"
    )
    whole = "Kept for 30 days." in page.text and "End." in page.text
    return f"{_NESTED} nested elements: {seconds:.1f} s, {'all text is there' if whole else 'TEXT IS LOST'}"


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _say(line: str) -> None:
    print(line)  # noqa: T201 - a program that prints its figures


if __name__ == "__main__":
    main()

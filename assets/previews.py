"""Tables that a person sees in an asset's page: records as a pandas frame, rendered as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import dagster as dg
import pandas as pd

Shown = str | int | float | dg.MetadataValue
"""What an asset's page can show under a name."""

_ROWS = 20
_CHARACTERS = 140


def preview(rows: Iterable[Mapping[str, object]], columns: Sequence[str]) -> dg.MarkdownMetadataValue:
    """The first rows as a table, long texts cut, with a line that says how many there are."""
    frame = pd.DataFrame(list(rows), columns=list(columns))
    if frame.empty:
        return dg.MetadataValue.md("*none*")
    shown = frame.head(_ROWS).map(_cell)
    more = f"\n\n*{len(frame) - _ROWS} more*" if len(frame) > _ROWS else ""
    return dg.MetadataValue.md(shown.to_markdown(index=False, disable_numparse=True) + more)


def _cell(value: object) -> str:
    """Page text is data: nothing in it may end a cell or start Markdown of its own."""
    text = " ".join(("" if value is None else str(value)).split())
    text = text if len(text) <= _CHARACTERS else text[: _CHARACTERS - 1] + "…"
    return "".join(f"\\{character}" if character in r"\`*_{}[]()#+!|<>~" else character for character in text)

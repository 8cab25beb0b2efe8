"""What a person sees in an asset's page: tables of records, and texts of a size that a page can hold."""

# dagster types its metadata with a PathLike that has no parameter
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

import dagster as dg

Shown = str | int | float | dg.MetadataValue
"""What an asset's page can show under a name."""

_ROWS = 20
_CHARACTERS = 140
_REPORT_CHARACTERS = 60_000  # each materialisation is kept for ever, and a browser lays the whole of it out


def preview(rows: Iterable[Mapping[str, object]], columns: Sequence[str]) -> dg.TableMetadataValue:
    """The first rows as a table, long texts cut; a last row says how many are left out."""
    listed = list(rows)
    shown = [dg.TableRecord({name: _cell(row.get(name)) for name in columns}) for row in islice(listed, _ROWS)]
    if len(listed) > _ROWS:
        shown.append(dg.TableRecord(dict.fromkeys(columns, "") | {columns[0]: f"… {len(listed) - _ROWS} more"}))
    schema = dg.TableSchema([dg.TableColumn(name, _type_of(listed, name)) for name in columns])
    return dg.MetadataValue.table(shown, schema)


def document(markdown: str, *, whole: str) -> dg.MarkdownMetadataValue:
    """A document; a very long one is cut at the end of a line, with where `whole` of it lies."""
    if len(markdown) <= _REPORT_CHARACTERS:
        return dg.MetadataValue.md(markdown)
    kept = markdown[:_REPORT_CHARACTERS].rpartition("\n")[0]
    return dg.MetadataValue.md(f"{kept}\n\n*The rest is in* `{whole}`")


def _cell(value: object) -> str | int | float | bool:
    if isinstance(value, (int, float)):
        return value
    text = " ".join(("" if value is None else str(value)).split())
    return text if len(text) <= _CHARACTERS else text[: _CHARACTERS - 1] + "…"


def _type_of(rows: Sequence[Mapping[str, object]], name: str) -> str:
    return "int" if rows and all(isinstance(row.get(name), int) for row in rows) else "string"

"""What commands print: tables for a person, JSON for a program. Text of pages is printed as it is, never as markup."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from datetime import date, datetime
from enum import Enum
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from rich.console import Console
from rich.table import Table
from rich.text import Text

STATUS_STYLES = {"agreed": "green", "conflict": "yellow", "unresolved": "magenta", "gap": "dim"}


def out() -> Console:
    """The console of stdout."""
    return Console(soft_wrap=not sys.stdout.isatty(), highlight=False)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "") -> Table:
    """A plain table; statuses are coloured where the terminal can."""
    made = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for number, column in enumerate(columns):
        made.add_column(column, no_wrap=number == 0, overflow="fold")  # what is listed is never cut; a person copies it
    for row in rows:
        made.add_row(*(Text(text := str(cell), style=STATUS_STYLES.get(text.split(" ")[0], "")) for cell in row))
    return made


def print_json(value: object) -> None:
    """Any of our records as JSON on stdout."""
    sys.stdout.write(json.dumps(value, default=_plain, indent=2, ensure_ascii=False) + "\n")


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return dict(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # any mapping will do
    return str(value)


class ProgressLines(logging.Handler):
    """The product's own log as lines on stderr, so that a long run shows what it is at."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._console = Console(stderr=True, highlight=False)

    def emit(self, record: logging.LogRecord) -> None:
        """Print one record."""
        style = "yellow" if record.levelno >= logging.WARNING else "dim"
        self._console.print(Text(f"· {record.getMessage()}", style=style))


def show_progress() -> None:
    """Print the product's log to stderr from here on; libraries keep quiet, for ours says what a person needs."""
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logger = logging.getLogger("research")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.handlers = [ProgressLines()]


def file_link(path: Path) -> str:
    """A path as an address that terminals and browsers open."""
    return path.resolve().as_uri()

"""Arguments and options that several commands share, each described once."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Annotated

import typer

from research_pipeline.errors import InputError

StudyName = Annotated[str, typer.Argument(metavar="STUDY", help="Name of a study in the studies folder, or the path of its file.")]
HomeFolder = Annotated[
    Path | None,
    typer.Option("--home", metavar="DIR", help="Where everything is kept [default: RESEARCH_HOME, or ./data]."),
]
Mounts = Annotated[
    list[str] | None,
    typer.Option("--mount", metavar="ORIGIN=DIR", help="Read an https origin from a folder instead of the network; may be repeated."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Put JSON on stdout and nothing else.")]
By = Annotated[str, typer.Option("--by", metavar="NAME", help="Your name; it is kept with the decision.")]

AsOf = Annotated[
    str | None,
    typer.Option("--as-of", metavar="DATE", help="What was known then: a day (to its end, UTC) or a time such as 2026-11-30T18:00+01:00."),
]


def moment_of(text: str) -> datetime:
    """A moment with its zone. A day counts to its end; without a zone, times are in UTC.

    Raises:
        InputError: it is neither a day nor a time.
    """
    try:
        if len(text) == len("2026-11-30"):
            return datetime.combine(date.fromisoformat(text), time.max, tzinfo=UTC)
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"--as-of {text!r} is no date: {error}.", remedy="Write 2026-11-30, or 2026-11-30T18:00+01:00.") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def mounts_of(given: list[str] | None) -> dict[str, Path]:
    """Origins and folders from `ORIGIN=DIR` texts.

    Raises:
        InputError: one has another form, or its folder is not there.
    """
    found: dict[str, Path] = {}
    for text in given or ():
        origin, separator, folder = text.partition("=")
        if not separator or not origin.startswith("https://"):
            raise InputError(f"--mount {text!r} is not ORIGIN=DIR.", remedy="Write one such as https://docs.acme.example=./site.")
        if not Path(folder).is_dir():
            raise InputError(f"--mount {text!r}: {folder!r} is no folder.", remedy="Name a folder that holds the site.")
        found[origin.rstrip("/")] = Path(folder).resolve()
    return found

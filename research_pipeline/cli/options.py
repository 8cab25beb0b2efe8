"""Arguments and options that several commands share, each described once."""

from __future__ import annotations

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

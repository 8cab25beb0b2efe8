"""Commands around a deployment: ui, serve-scraper, doctor."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from research_pipeline.cli import showing
from research_pipeline.cli.options import AsJson, HomeFolder, Mounts, mounts_of

Host = Annotated[str, typer.Option("--host", help="Address to listen on.")]
Hosts = Annotated[
    list[str] | None,
    typer.Option("--allow", metavar="HOST", help="A host that may be read; may be repeated. None: any public host."),
]
Tokens = Annotated[
    list[str] | None,
    typer.Option("--token", metavar="TOKEN", help="An API token to accept; may be repeated. None: no token is asked for."),
]
Faults = Annotated[
    list[str] | None,
    typer.Option("--fault", metavar="FAULT", help="Go wrong on purpose: NAME, NAME@PATTERN, NAME:N or NAME@PATTERN:N; may be repeated."),
]


def _list_faults(wanted: bool) -> None:
    if not wanted:
        return
    from resources.embedded.faults import FAULTS

    rows = [(name, kind.says) for name, kind in sorted(FAULTS.items())]
    showing.out().print(showing.table(("fault", "what goes wrong"), rows))
    raise typer.Exit


ListFaults = Annotated[bool, typer.Option("--list-faults", callback=_list_faults, is_eager=True, help="List the faults there are.")]


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(ui)
    app.command("serve-scraper")(serve_scraper)
    app.command()(doctor)


def ui(
    home: HomeFolder = None,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port to listen on.")] = 3000,
) -> None:
    """Open the Dagster UI on a home, with the studies of the studies folder."""
    from resources.dagster_home import serve_ui
    from resources.home import Home
    from resources.studies import studies_folder

    showing.out().print(f"Dagster UI on http://{host}:{port} (it takes some seconds to start; Ctrl-C ends it).")
    sys.stdout.flush()  # what is buffered would be lost
    serve_ui(Home.resolve(home), studies_folder(), host=host, port=port)


def serve_scraper(
    mount: Mounts = None,
    allow: Hosts = None,
    token: Tokens = None,
    token_limit: Annotated[int, typer.Option("--token-limit", min=0, help="Tokens that the account may use.")] = 1_000_000,
    fault: Faults = None,
    list_faults: ListFaults = False,
    book: Annotated[Path | None, typer.Option("--book", metavar="FILE", help="Write a line per request and reply to this file.")] = None,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = 8787,
) -> None:
    """Put the embedded scraper on a port, speaking MrScraper's protocol; with faults, to rehearse what a service may do.

    PATTERN is a regular expression searched in the URL that a call asks about; N limits a fault to the first N calls that it meets.
    """
    from resources.embedded import EngineSettings, Fault, serve

    del list_faults  # answered before anything else
    settings = EngineSettings(
        mounts=mounts_of(mount),
        allowed_hosts=frozenset(allow) if allow else None,
        tokens=frozenset(token) if token else None,
        token_limit=token_limit,
        faults=tuple(map(Fault.parse, fault or ())),
        book=book,
    )
    serve(settings, host=host, port=port, announce=typer.echo)


def doctor(home: HomeFolder = None, as_json: AsJson = False) -> None:
    """Say what is configured and reachable, and what to do about the rest."""
    from research_pipeline.health import examine
    from resources.home import Home

    checks = examine(Home.resolve(home))
    if as_json:
        showing.print_json(checks)
    else:
        rows = [(("ok" if item.ok else "!"), item.name, item.detail, item.remedy) for item in checks]
        showing.out().print(showing.table(("", "what", "found", "what to do"), rows))
    raise typer.Exit(0 if all(item.ok for item in checks) else 1)

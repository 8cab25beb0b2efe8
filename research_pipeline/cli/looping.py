"""Commands of the reflective loop: the same operations that agents have, for a person; and the server that offers them to agents."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Annotated, Any

import typer

from research_pipeline.cli import showing
from research_pipeline.cli.options import AsJson, HomeFolder
from research_pipeline.cli.running import research

if TYPE_CHECKING:
    from research_pipeline.looping import Loops

Study = Annotated[str, typer.Argument(metavar="STUDY", help="Name of a study in the studies folder.")]
SubQuestion = Annotated[str, typer.Argument(metavar="ID", help="A sub-question id.")]
Only = Annotated[list[str] | None, typer.Option("--sub-question", metavar="ID", help="Only this one; may be repeated.")]
Offset = Annotated[int, typer.Option("--offset", min=0, help="Where the list goes on.")]

loop = typer.Typer(help="Drive a study step by step, as an agent does.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(loop, name="loop")
    app.command()(mcp)


@loop.command()
def init(study: Study, home: HomeFolder = None, as_json: AsJson = False) -> None:
    """Begin a study's loop, or go on with the cycle that is under way."""
    _ask(home, lambda loops: loops.init(study), as_json=as_json)


@loop.command()
def status(study: Study, offset: Offset = 0, home: HomeFolder = None, as_json: AsJson = False) -> None:
    """Show where each sub-question stands."""
    _ask(home, lambda loops: loops.status(study, offset=offset), as_json=as_json)


@loop.command(name="next")
def next_step(study: Study, home: HomeFolder = None, as_json: AsJson = False) -> None:
    """Weigh what this round has read, and say what comes next, by which rule."""
    _ask(home, lambda loops: loops.next(study), as_json=as_json)


@loop.command()
def run_channel(
    study: Study,
    channel: Annotated[str, typer.Option("--channel", help="`site`, or a channel that a source of the plan names.")] = "site",
    query: Annotated[str, typer.Option("--query", help="What to ask it for; absent: the plan's own query.")] = "",
    only: Only = None,
    offset: Offset = 0,
    home: HomeFolder = None,
    as_json: AsJson = False,
) -> None:
    """Look for pages that may answer."""
    _ask(
        home,
        lambda loops: loops.run_channel(study, channel=channel, query=query, sub_question_ids=only or (), offset=offset),
        as_json=as_json,
    )


@loop.command()
def fetch(
    study: Study,
    url: Annotated[str, typer.Option("--url", help="This page; absent: those that the round aims at.")] = "",
    only: Only = None,
    offset: Offset = 0,
    home: HomeFolder = None,
    as_json: AsJson = False,
) -> None:
    """Read pages, or show the text of one that was read."""
    _ask(home, lambda loops: loops.fetch(study, url=url, sub_question_ids=only or (), offset=offset), as_json=as_json)


@loop.command()
def update(
    study: Study,
    sub_question: SubQuestion,
    url: Annotated[str, typer.Option("--url", help="The page that is quoted.")],
    quote: Annotated[str, typer.Option("--quote", help="Its own words.")],
    value: Annotated[str, typer.Option("--value", help="The answer as it stands in the quote.")],
    home: HomeFolder = None,
    as_json: AsJson = False,
) -> None:
    """Bring evidence; it counts if the gate verifies it."""
    _ask(home, lambda loops: loops.update(study, sub_question_id=sub_question, url=url, quote=quote, value=value), as_json=as_json)


@loop.command()
def gaps(study: Study, offset: Offset = 0, home: HomeFolder = None, as_json: AsJson = False) -> None:
    """List what has no answer."""
    _ask(home, lambda loops: loops.gaps(study, offset=offset), as_json=as_json)


@loop.command()
def add_gap(
    study: Study,
    sub_question: SubQuestion,
    text: Annotated[str, typer.Option("--text", help="The question.")],
    answer: Annotated[str, typer.Option("--answer", help="Type of the answer: duration, money, boolean, …")],
    must_mention: Annotated[list[str] | None, typer.Option("--must-mention", help="A scope word; may be repeated.")] = None,
    home: HomeFolder = None,
    as_json: AsJson = False,
) -> None:
    """Ask something that the plan does not, within its scope."""
    _ask(
        home,
        lambda loops: loops.add_gap(study, sub_question_id=sub_question, text=text, answer=answer, must_mention=must_mention or ()),
        as_json=as_json,
    )


@loop.command()
def close(study: Study, sub_question: SubQuestion, home: HomeFolder = None, as_json: AsJson = False) -> None:
    """Close a gap as answered, where verified evidence settles it."""
    _ask(home, lambda loops: loops.end_gap(study, sub_question_id=sub_question), as_json=as_json)


@loop.command()
def report(study: Study, offset: Offset = 0, home: HomeFolder = None, as_json: AsJson = False) -> None:
    """Write the report, where no sub-question takes a further round."""
    _ask(home, lambda loops: loops.report(study, offset=offset), as_json=as_json)


@loop.command()
def events(study: Study, offset: Offset = 0, home: HomeFolder = None, as_json: AsJson = False) -> None:
    """List what happened in the loop."""
    _ask(home, lambda loops: loops.events(study, offset=offset), as_json=as_json)


def mcp(
    http: Annotated[bool, typer.Option("--http", help="Serve streamable HTTP at /mcp instead of stdio.")] = False,
    host: Annotated[str, typer.Option("--host", help="An address of this machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535)] = 8765,
    home: HomeFolder = None,
) -> None:
    """Serve the loop to agents over the Model Context Protocol."""
    from research_pipeline.mcp_server import serve_http, serve_stdio

    opening = ThreadPoolExecutor(1).submit(_opened, home)
    try:
        asyncio.run(serve_http(opening.result, host=host, port=port) if http else serve_stdio(opening.result))
    finally:
        opening.result().close()


def _opened(home: HomeFolder) -> Loops:
    from research_pipeline.looping import Loops

    return Loops(research(home), actor="agent")


def _ask(home: HomeFolder, operation: Callable[[Loops], dict[str, Any]], *, as_json: bool) -> None:
    from research_pipeline.looping import Loops

    loops = Loops(research(home), actor="command line", patience=None)
    try:
        reply = operation(loops)
    finally:
        loops.close()
    if as_json:
        showing.print_json(reply)
    else:
        _show(reply)
    raise typer.Exit(1 if "refused" in reply else 0)


def _show(reply: dict[str, Any]) -> None:
    console = showing.out()
    if "refused" in reply:
        typer.echo(f"research: {reply['refused']} {reply.get('remedy', '')}".rstrip(), err=True)
    if did := reply.get("did"):
        console.print(did, markup=False)
    if page := reply.get("page"):
        console.print("\n".join(str(value) for value in page.values()), markup=False)
    if failed := reply.get("failed"):
        console.print(failed, markup=False)
    work: dict[str, Any] = reply.get("last_work") or {}
    if read := work.get("read"):
        rows_read = [(row["url"], row["status"], row["reason"]) for row in read]
        console.print(showing.table(("read", "status", "reason"), rows_read))
    if rows := reply.get("items"):
        columns = list(rows[0])
        console.print(showing.table(columns, [[row.get(column, "") for column in columns] for row in rows]))
    decision = reply.get("decision")
    if decision:
        left = ", ".join(f"{amount:g} {name.replace('_', ' ')}" for name, amount in reply["budget_left"].items())
        console.print(f"next: {decision['next_action']} ({decision['rule']}); left: {left}", markup=False)
        for item in decision["next_urls"]:
            console.print(f"  {item['sub_question_id']}: {item['url']}", markup=False)
    if reply.get("next_offset") is not None:
        console.print(f"{reply['total']} in all; --offset {reply['next_offset']} shows more")

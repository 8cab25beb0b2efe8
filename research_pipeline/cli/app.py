"""The application: its commands, and how an error becomes a paragraph and an exit code."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Annotated

import typer

from research_pipeline.cli import deployment, drafting, evaluating, looping, reading, running
from research_pipeline.errors import ResearchError
from resources.collecting import keep_all

DEBUG = "--debug"
_INTERRUPTS = ("KeyboardInterrupt", "DagsterExecutionInterruptedError")  # by name: Dagster is imported by the commands that run it

app = typer.Typer(
    name="research",
    help="Ask the same question about many vendors; every answer stands in a quote on an archived page.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.callback()
def options(debug: Annotated[bool, typer.Option(DEBUG, help="Show the traceback of an error; may stand anywhere.")] = False) -> None:
    """Options of every command."""
    del debug  # read in `main`, before anything can go wrong


running.add_to(app)
reading.add_to(app)
evaluating.add_to(app)
deployment.add_to(app)
drafting.add_to(app)
looping.add_to(app)


def main() -> None:
    """Run the command of `sys.argv`.

    Exit codes: 0 report written, 2 bad input, 3 waits for approval, 4 the service refused the token or is exhausted, 1 anything else.
    """
    debug = DEBUG in sys.argv[1:]
    if debug:
        sys.argv[1:] = [argument for argument in sys.argv[1:] if argument != DEBUG]
    else:
        sys.excepthook = _one_paragraph
    try:
        typer.main.get_command(app)()  # calling the app itself would put a hook of its own in place of ours
    except ResearchError as error:
        if debug:
            raise
        typer.echo(f"research: {error}", err=True)
        raise SystemExit(error.exit_code) from None
    finally:
        keep_all()


def _one_paragraph(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    del trace
    if kind.__name__ in _INTERRUPTS:
        typer.echo("research: Interrupted. Nothing is lost: the same command goes on where it stopped.", err=True)
        return
    fault = f"This is a fault of the program, not of your input; {DEBUG} shows where it is."
    typer.echo(f"research: {kind.__name__}: {error}\n{fault}", err=True)

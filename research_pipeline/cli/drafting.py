"""The command that drafts a study."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from research_pipeline.cli import showing
from research_pipeline.cli.options import HomeFolder
from research_pipeline.errors import InputError
from research_pipeline.study import Limits, ModelPrice


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(draft)


def draft(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know.")],
    model: Annotated[str, typer.Option("--model", metavar="PROVIDER:NAME", help="Which model drafts.")],
    vendor: Annotated[list[str] | None, typer.Option("--vendor", metavar="NAME", help="A vendor; repeat it for each.")] = None,
    domain: Annotated[list[str] | None, typer.Option("--domain", metavar="HOST", help="A host that may be read; repeat it.")] = None,
    name: Annotated[str, typer.Option("--name", help="Of the study.")] = "drafted",
    price: Annotated[str, typer.Option("--price", metavar="IN,OUT", help="USD per million tokens, where no list has it.")] = "",
    max_cost: Annotated[float, typer.Option("--max-cost", metavar="USD", help="Most that drafting may cost.")] = 0.5,
    home: HomeFolder = None,
) -> None:
    """Let a model draft a study file from a question, for you to edit and approve. The check that follows is that of any study."""
    from research_pipeline.drafts import Brief
    from research_pipeline.plan_drafting import draft_study
    from resources.home import Home
    from resources.models.resource import ModelResource
    from resources.studies import studies_folder

    path = Path(os.fspath(studies_folder())) / f"{name}.yaml"
    brief = Brief(name, question, tuple(vendor or ()), tuple(domain or ()), model, price_of(price))
    limits = Limits(max_model_cost_usd=max_cost)
    made = draft_study(brief, Home.resolve(home), path, limits=limits, resource=ModelResource.from_environment())
    console = showing.out()
    for problem in made.problems:
        console.print(f"problem: {problem}", markup=False)
    console.print(f"{path}: {len(made.problems) or 'no'} problem(s). Read and edit it; then `research check {name}`.", markup=False)


def price_of(given: str) -> ModelPrice | None:
    """A price from `IN,OUT`; None where nothing is given.

    Raises:
        InputError: it is no pair of amounts.
    """
    if not given:
        return None
    try:
        first, second = (float(part) for part in given.split(","))
        return ModelPrice(input=first, output=second)
    except ValueError as error:
        raise InputError(f"--price {given!r} is no pair of amounts.", remedy="Write one such as 0.25,2.") from error

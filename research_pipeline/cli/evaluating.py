"""The command that measures: evaluate."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from research_pipeline.cli import showing
from research_pipeline.cli.drafting import price_of
from research_pipeline.cli.options import AsJson

if TYPE_CHECKING:
    from research_pipeline.evaluating import Compared
    from research_pipeline.scoring import Answered, Evaluation, Tally
    from resources.corpus import CorpusFolder

# Heading and width of each column behind the name.
_COLUMNS = (
    *(
        ("asked", 6),
        ("right", 6),
        ("open", 5),
        ("missed", 7),
        ("wrong", 6),
        ("precision", 10),
        ("recall", 7),
        ("gaps", 7),
        ("conflicts", 10),
    ),
    *(("tokens", 7), ("per right", 10), ("pages", 6), ("per right", 10)),
)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(evaluate)


def evaluate(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A folder of labelled sites; docs/evaluate.md tells how to make one.")],
    home: Annotated[
        Path | None, typer.Option("--home", metavar="DIR", help="Where the runs are kept [default: a folder that is removed afterwards].")
    ] = None,
    extractor: Annotated[str, typer.Option("--extractor", metavar="NAMES", help="rules, mrscraper, model; several by comma.")] = "rules",
    model: Annotated[str, typer.Option("--model", metavar="PROVIDER:NAME", help="For the extractor `model`.")] = "",
    price: Annotated[str, typer.Option("--price", metavar="IN,OUT", help="USD per million tokens, where no list has it.")] = "",
    as_json: AsJson = False,
) -> None:
    """Run a corpus of labelled questions, and say how many answers are right, what they cost, and what went wrong."""
    from research_pipeline.evaluating import measure
    from resources.corpus import CorpusFolder
    from resources.home import Home

    folder = CorpusFolder(corpus)
    showing.show_progress()
    with tempfile.TemporaryDirectory(prefix="research-evaluate-") as scratch:
        place = Home.resolve(home or Path(scratch))
        stated = price_of(price)
        asked = {"model": model, **({"model_price": stated.model_dump()} if stated else {})} if model else {}
        compared = [measure(folder, place, extractor=name, more=asked if name == "model" else None) for name in extractor.split(",")]
    if as_json:
        evaluations = [one.evaluation for one in compared]
        found = {"corpus": folder.folder, "evaluations": evaluations, "doubtful_labels": list(folder.doubts())}
        showing.print_json(found if len(compared) == 1 else {**found, "compared": compared})
        return
    for one in compared:
        _print(one.evaluation, folder)
    if len(compared) > 1:
        rows = [_side(one) for one in compared]
        showing.out().print(showing.table(("extractor", "right", "precision", "recall", "unverified", "USD", "seconds"), rows))


def _side(one: Compared) -> tuple[str, ...]:
    total = one.evaluation.total
    shares = (_share(total.precision), _share(total.recall), _share(one.unverified))
    return (one.evaluation.extractor, f"{total.right}/{total.questions}", *shares, f"{one.usd:.4f}", f"{one.seconds:.0f}")


def _print(evaluation: Evaluation, folder: CorpusFolder) -> None:
    lines = [*_table("vendor", evaluation.vendors), "", *_table("kind", evaluation.kinds), "", *_table("", {"all": evaluation.total}), ""]
    absent = evaluation.total.absent_quotes
    lines.append(f"{evaluation.total.quotes} quotes printed, {absent or 'none'} of them absent from the page that it cites.")
    for item in evaluation.not_right:
        lines += ["", *_explained(item)]
    if doubtful := list(folder.doubts()):
        lines += ["", "Labels to look at again:", *(f"  {doubt}" for doubt in doubtful)]
    typer.echo("\n".join(lines))


def _table(title: str, groups: Mapping[str, Tally]) -> Iterator[str]:
    width = max(map(len, (title, *groups)))
    yield title.ljust(width) + "".join(name.rjust(size) for name, size in _COLUMNS)
    for name, tally in groups.items():
        yield name.ljust(width) + "".join(cell.rjust(size) for cell, (_, size) in zip(_cells(tally), _COLUMNS, strict=True))


def _cells(tally: Tally) -> tuple[str, ...]:
    return (
        *map(str, (tally.questions, tally.right, tally.open, tally.missed, tally.wrong)),
        *(_share(tally.precision), _share(tally.recall), f"{tally.gaps_right}/{tally.gaps}", f"{tally.conflicts_right}/{tally.conflicts}"),
        *(str(tally.tokens), _share(tally.tokens_per_right_answer), str(tally.pages), _share(tally.pages_per_right_answer)),
    )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _explained(item: Answered) -> Iterator[str]:
    label = item.label
    yield f"{item.judgement.outcome.value}: {label.key}: {label.question}"
    yield f"  {item.judgement.reason}"
    yield f"  reported: {item.status}{f', {item.answer}' if item.answer else ''}"
    for quote in item.quotes:
        yield f"    {quote.value}: “{quote.quote}”{'' if quote.present else ' (ABSENT FROM THE PAGE)'}"
        yield f"      {quote.url}"
    sides = [f"{side.values[0]} ({side.page})" for side in label.conflict_values]
    yield f"  expected: {label.expected_status.value}, line {label.line}: {' | '.join(sides or label.expected_values[:4]) or 'no answer'}"
    if label.answer_page_paths and not sides:
        yield f"    on {', '.join(label.answer_page_paths)}"

"""Commands that only look: studies, check, status, report, trace, sql, schema."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from research_pipeline.cli import showing
from research_pipeline.cli.options import AsJson, AsOf, HomeFolder, StudyName, moment_of
from research_pipeline.cli.running import research
from research_pipeline.reporting.html import to_html
from research_pipeline.reporting.markdown import to_markdown
from research_pipeline.reporting.report import Report, to_json
from research_pipeline.study import Study


class ReportFormat(StrEnum):
    """How a report is printed."""

    MD = "md"
    HTML = "html"
    JSON = "json"


class TableFormat(StrEnum):
    """How the rows of a query are printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


class Schema(StrEnum):
    """Which JSON Schema is printed."""

    ALL = "all"
    STUDY = "study"
    REPORT = "report"


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    for command in (studies, check, status, report, trace, sql, schema):
        app.command()(command)


def studies(as_json: AsJson = False) -> None:
    """List the studies of the studies folder; a broken one is named with its problems."""
    from resources.studies import BrokenStudy, load_studies, studies_folder

    found = load_studies()
    if as_json:
        showing.print_json(
            [{"name": item.name, "path": item.path, "error": str(item.error) if isinstance(item, BrokenStudy) else None} for item in found]
        )
        return
    rows = [
        (item.name, "broken", str(item.error).splitlines()[0])
        if isinstance(item, BrokenStudy)
        else (item.name, f"{len(item.study.sub_questions)} sub-questions", item.study.question)
        for item in found
    ]
    if not rows:
        showing.out().print(f"No study in {studies_folder()}. A study is one YAML file; `research schema study` says what it may hold.")
        return
    showing.out().print(showing.table(("study", "size", "question"), rows))


def check(study: StudyName) -> None:
    """Check a study file: every problem at once, with its place and remedy. Nothing is fetched."""
    from resources.studies import find_study

    found = find_study(study)
    showing.out().print(f"{found.name}: {len(found.study.sub_questions)} sub-questions, {len(found.study.sources)} sources, no problem.")


def status(study: StudyName, home: HomeFolder = None, as_json: AsJson = False) -> None:
    """Show where each sub-question stands, what was spent, and which rule stopped it."""
    standing = research(home).status(study)
    if as_json:
        showing.print_json(standing)
        return
    console = showing.out()
    if standing.cycle is None:
        console.print(f"{standing.study} never ran; `research run {study}` begins its first cycle.")
        return
    cycle = standing.cycle
    ended = f", {cycle.stop_reason}" if cycle.stop_reason else ""
    driver = f"; driven by {standing.driven_by}" if standing.driven_by else ""
    console.print(f"{standing.study}, cycle {cycle.cycle}: {cycle.state.value}{ended}{driver}")
    spent = standing.spent
    counted = ("tokens", "pages", "discover_calls", "steps", "seconds")
    parts = [f"{spent[name]:g} of {spent['max_' + name]:g} {name.replace('_', ' ')}" for name in counted]
    console.print(f"spent: {', '.join(parts)}")
    for warning in standing.warnings:
        console.print(f"warning: {warning}")
    rows = [
        (s.sub_question_id, s.state, s.round, s.status or "–", s.answer or "–", str(s.failed), s.rule or "–")
        for s in standing.sub_questions
    ]
    console.print()
    console.print(showing.table(("sub-question", "state", "round", "status", "answer", "failed", "rule"), rows))


def report(
    study: StudyName,
    form: Annotated[ReportFormat, typer.Option("--format", help="How it is printed.")] = ReportFormat.MD,
    as_of: AsOf = None,
    home: HomeFolder = None,
) -> None:
    """Print the newest report of a study, or the one that was the newest at a moment."""
    made = research(home).report(study, as_of=moment_of(as_of) if as_of else None)
    text = {ReportFormat.MD: to_markdown, ReportFormat.HTML: to_html, ReportFormat.JSON: to_json}[form](made)
    sys.stdout.write(text)


def trace(
    evidence_id: Annotated[str, typer.Argument(metavar="EVIDENCE_ID", help="As reports print it: `ev_…`, or an unmistakable beginning.")],
    home: HomeFolder = None,
    as_json: AsJson = False,
) -> None:
    """Follow an item of evidence back to its page, the call that brought it, the plan, and who approved that."""
    chain = research(home).trace(evidence_id)
    if as_json:
        showing.print_json(chain)
        return
    for number, (link, facts) in enumerate(chain.links()):
        showing.out().print(showing.table((link, ""), facts, title="" if number else f"Runs: {', '.join(chain.run_ids)}"))


def sql(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="SQL that reads; `SHOW TABLES` lists what there is.")],
    form: Annotated[TableFormat, typer.Option("--format", help="How the rows are printed.")] = TableFormat.TABLE,
    home: HomeFolder = None,
) -> None:
    """Query the evidence tables."""
    frame = research(home).sql(query)
    if form is TableFormat.CSV:
        sys.stdout.write(frame.to_csv(index=False))
    elif form is TableFormat.JSON:
        sys.stdout.write(frame.to_json(orient="records", date_format="iso", force_ascii=False) + "\n")
    else:
        showing.out().print(showing.table([str(column) for column in frame.columns], frame.astype(str).itertuples(index=False)))


def schema(which: Annotated[Schema, typer.Argument(help="Which one.")] = Schema.ALL) -> None:
    """Print the JSON Schemas of study and report; editors complete study files from them."""
    models = {Schema.STUDY: Study, Schema.REPORT: Report}
    if which is Schema.ALL:
        showing.print_json({name.value: model.model_json_schema() for name, model in models.items()})
    else:
        showing.print_json(models[which].model_json_schema())

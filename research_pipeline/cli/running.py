"""Commands that move a study: run, plan, approve, stop, rerun."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from research_pipeline.cli import showing
from research_pipeline.cli.options import AsJson, By, HomeFolder, Mounts, StudyName, mounts_of
from research_pipeline.errors import InputError

if TYPE_CHECKING:
    from research_pipeline.driving import Finished
    from research_pipeline.service import Research


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    for command in (run, plan, approve, stop, rerun):
        app.command()(command)


def research(home: HomeFolder) -> Research:
    """The service on a home. Imported when needed: Dagster takes a second, which `check` and `--help` need not."""
    from research_pipeline.service import Research
    from resources.collecting import keep_all
    from resources.home import Home

    keep_all()
    return Research(Home.resolve(home))


def run(
    study: StudyName,
    home: HomeFolder = None,
    mount: Mounts = None,
    new: Annotated[bool, typer.Option("--new", help="Begin a new cycle even though the last one is unfinished.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run one cycle of a study to its report; an unfinished one goes on."""
    showing.show_progress()
    finished = research(home).run(study, mounts=mounts_of(mount), new=new)
    _print_finished(finished, study=study, as_json=as_json)
    raise typer.Exit(finished.exit_code)


def rerun(
    study: StudyName,
    vendor: Annotated[str, typer.Option("--vendor", metavar="V", help="Only the sub-questions of this vendor.")] = "",
    sub_question: Annotated[str, typer.Option("--sub-question", metavar="ID", help="Only this sub-question.")] = "",
    failed: Annotated[bool, typer.Option("--failed", help="Repeat the calls that failed, and nothing else.")] = False,
    read_on: Annotated[bool, typer.Option("--read-on", help="Grant one round more than the limits do.")] = False,
    home: HomeFolder = None,
    mount: Mounts = None,
    as_json: AsJson = False,
) -> None:
    """Do part of the current cycle again: by default from what is archived, unpaid."""
    from research_pipeline.service import Selection

    if failed and read_on:
        raise InputError("--failed and --read-on exclude each other.", remedy="Repeat what failed first, then read on.")
    showing.show_progress()
    mode = "failed" if failed else "read_on" if read_on else "recompute"
    finished = research(home).rerun(study, Selection(vendor, sub_question), mode=mode, mounts=mounts_of(mount))
    _print_finished(finished, study=study, as_json=as_json)
    raise typer.Exit(finished.exit_code)


def plan(study: StudyName, home: HomeFolder = None, as_json: AsJson = False) -> None:
    """Show what a study asks where, what a cycle may cost, and whether it is approved."""
    proposal = research(home).plan(study)
    if as_json:
        showing.print_json(proposal)
        return
    made, expected, approval = proposal.plan, proposal.forecast, proposal.approval
    console = showing.out()
    console.print(f"{made.question}\nplan {made.plan_id}\n")
    console.print(showing.table(("sub-question", "answer", "question"), [(q.id, q.answer.value, q.text) for q in made.sub_questions]))
    sources = [(s.id, s.authority.value, s.place, ", ".join(s.answers)) for s in made.sources]
    console.print("\n", showing.table(("source", "authority", "where", "answers"), sources))
    for channel, hosts in made.channel_hosts.items():
        console.print(f"{channel} finds pages on {', '.join(hosts)}, which may then be read.", markup=False)
    console.print(
        f"\nForecast: {expected.tokens_likely} tokens if one round answers everything, at most {expected.tokens_at_most} "
        f"({expected.pages_at_most} pages, {expected.discover_calls - expected.searches} maps, {expected.searches} searches)."
    )
    if proposal.since:
        approved = proposal.since.approval
        console.print(f"\nChanged since plan {approved.plan_id}, which {approved.approved_by} approved:")
        for line in proposal.since.lines:
            console.print(f"  {line}", markup=False)
    if approval is None:
        needed = "a person must approve it" if made.approval == "required" else "it is approved when it runs"
        console.print(f"Approval: {made.approval}; {needed}.")
    else:
        verb = "approved" if approval.approved else "refused"
        console.print(f"Approval: {verb} by {approval.approved_by} at {approval.approved_at:%Y-%m-%d %H:%M} UTC. {approval.note}")


def approve(
    study: StudyName,
    by: By,
    note: Annotated[str, typer.Option("--note", help="What a reader of the audit should know.")] = "",
    rounds: Annotated[int, typer.Option("--rounds", min=0, help="Rounds granted beyond the study's limit.")] = 0,
    refuse: Annotated[bool, typer.Option("--refuse", help="Refuse the plan instead; nothing of it will run.")] = False,
    home: HomeFolder = None,
) -> None:
    """Approve the plan of a study as its file stands; bound to the plan's hash."""
    approval = research(home).approve(study, by=by, note=note, rounds=rounds, refuse=refuse)
    verb = "approved" if approval.approved else "refused"
    showing.out().print(f"Plan {approval.plan_id} of {approval.study} {verb} by {approval.approved_by}.")
    if approval.approved:
        showing.out().print(f"`research run {study}` goes on.")


def stop(study: StudyName, by: By, home: HomeFolder = None) -> None:
    """Stop the cycle that is under way; its report is still written."""
    cycle = research(home).stop(study, by=by)
    showing.out().print(f"Cycle {cycle.cycle} makes no further paid call; `research run {study}` writes its report.")


def _print_finished(finished: Finished, *, study: str, as_json: bool) -> None:
    from research_pipeline.reporting.report import to_json

    report = finished.report
    if as_json:
        typer.echo(to_json(report), nl=False)
        return
    console = showing.out()
    rows = [
        (f.sub_question_id, f.status.value + (f" ({f.gap_kind.value})" if f.gap_kind else ""), f.answer or "–", f.note)
        for f in report.findings
    ]
    console.print(showing.table(("sub-question", "status", "answer", "note"), rows, title=report.question))
    spend = report.spend
    stopped = f", by rule {report.stop_reason}" if report.stop_reason else ""
    counted = f"{spend.tokens} tokens, {spend.pages} pages, {spend.discover_calls} maps and searches, {spend.seconds:.1f} s"
    console.print(f"\n{report.state}{stopped}. {counted}.")
    if failed := [page for page in report.pages_read if page.status.value == "failed"]:
        console.print(f"{len(failed)} page(s) failed; `research rerun {study} --failed` repeats only those.")
    console.print(f"Report: {showing.file_link(finished.folder / 'report.html')}")
    console.print(f"Dagster UI: `research ui`, then open the asset {report.study} / report.")

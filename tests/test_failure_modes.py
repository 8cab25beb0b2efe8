"""`docs/failure-modes.md`, row by row: each fault on a real port, met by a real run, with the outcome that the page promises."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from research_pipeline.service import Research
from resources.embedded import EngineSettings, Fault
from resources.embedded.faults import FAULTS
from resources.home import Home
from tests.served_scraper import served
from tests.small_site import ORIGIN

PAGE = Path(__file__).parents[1].joinpath("docs", "failure-modes.md").read_text("utf-8")
TOKEN = "atk_0123456789abcdef"
ANSWER = "<p>Audit logs are kept for 90 days on the Business plan.</p>"
FILLER = "<p>Audit logs list who did what, and when, in the order in which it was done.</p>" * 12
FOREIGN_TEXTS = {
    "misread-shift-jis": "監査ログは監査人のために保管されます。管理者は設定画面で確認できます。",
    "misread-gbk": "审计日志会保存供审计人员查阅。管理员可以在设置页面中查看。",
    "misread-windows-1252": "Prüfprotokolle führen für größere Arbeitsbereiche über Änderungen Buch.",
}
QUICK = {
    "BACKOFF_SECONDS": "0",
    "THROTTLE_SECONDS": "0.5",
    "LONGEST_WAIT_SECONDS": "0.5",
    "PAGE_TIMEOUT_SECONDS": "1",
    "GRACE_SECONDS": "5",
    "MAX_CONCURRENCY": "8",
}


@dataclass(frozen=True)
class Row:
    """A row of the tables, with a place of its own on the site."""

    fault: Fault
    page: str
    error: str
    calls: int
    tokens: int
    finding: str
    stop: str
    exit: int

    @property
    def name(self):
        return self.fault.name if self.fault.first is None else f"{self.fault.name}-{self.fault.first}"

    @property
    def key(self):
        return f"acme.{self.name}"

    @property
    def start(self):
        return f"{ORIGIN}/s/{self.name}/"

    @property
    def path(self):
        return "prüfprotokolle/audit-logs" if self.name == "raw-unicode-urls" else "audit-logs"

    @property
    def placed(self):
        """The fault where only this row's call meets it: the answer's page, or the map that leads to it."""
        of_the_map = self.name.startswith("patterns") or self.name == "raw-unicode-urls"
        return Fault(self.fault.name, f"/s/{self.name}/{'$' if of_the_map else 'audit-logs'}", self.fault.first)


def rows():
    cells = [[cell.strip() for cell in line.strip("| ").split("|")] for line in PAGE.splitlines() if line.count("|") == 11]
    found = [row for row in cells if row[2].startswith("`")]
    return [Row(Fault.parse(row[2].strip("`")), *row[3:5], int(row[5]), int(row[6]), *row[7:9], int(row[9])) for row in found]


ROWS = rows()
STOPPING = [row for row in ROWS if row.stop != "–"]
THROTTLED = [row for row in ROWS if row.error == "Throttled"]
OTHERS = [row for row in ROWS if row not in STOPPING and row not in THROTTLED]


def test_the_page_names_every_switch_and_no_other():
    named = re.findall(r"^\|[^`]*?(?:`[A-Z_a-z=]+`[^`]*?)*`([a-z0-9-]+)(?::\d+)?` \|", PAGE, re.MULTILINE)

    assert set(FAULTS) <= {*named, *(row.fault.name for row in ROWS)}
    known = PAGE.partition("## The 22")[2].partition("## What")[0]
    assert {int(number) for number in re.findall(r"^\| (\d+) \|", known, re.MULTILINE)} == set(range(1, 23))


@pytest.fixture
def run(place, monkeypatch):
    """A study with one source and one sub-question per row, run against a service with the rows' faults."""
    site = place / "site"

    def execute(chosen, faults, *, limits=None, **settings):
        for row in chosen:
            write_pages(site / "s" / row.name, row)
        place.joinpath("acme.yaml").write_text(yaml.safe_dump(study(chosen, limits or {})))
        wanted = EngineSettings(mounts={ORIGIN: site}, tokens=frozenset({TOKEN}), faults=tuple(faults), **settings)
        with served(wanted) as address:
            for name, value in {**QUICK, "API_TOKEN": TOKEN, "BASE_URL": address, "PLATFORM_URL": address}.items():
                monkeypatch.setenv(f"MRSCRAPER_{name}", value)
            research = Research(Home(place / "home"))
            return research, research.run("acme.yaml")

    return execute


def write_pages(folder, row):
    folder.joinpath(row.path).parent.mkdir(parents=True)
    write_page(folder / "index.html", "Acme", f"<p><a href='{row.path}'>Audit logs</a></p>")
    texts = [ANSWER, f"<p>{FOREIGN_TEXTS.get(row.name, '')}</p>"]
    texts = [FILLER, *texts] if row.name in ("cut-unsaid", "cut-and-said") else [*texts, FILLER[:400]]
    write_page(folder / f"{row.path}.html", "Audit logs", "".join(texts))


def write_page(file, title, body):
    head = f"<html lang='en'><head><meta charset='utf-8'><title>{title}</title></head>"
    file.write_text(f"{head}<body><main><h1>{title}</h1>{body}</main></body></html>")


def study(chosen, limits):
    return {
        "question": "How long does Acme keep audit logs?",
        "engine": "mrscraper",
        "sub_questions": [
            {"id": row.key, "vendor": "acme", "text": "How long does Acme keep audit logs on the Business plan?", "answer": "duration"}
            for row in chosen
        ],
        "sources": [
            {
                "id": row.name,
                "domain": "docs.acme.example",
                "start_url": row.start,
                "authority": "official",
                "answers": [row.key],
                "include_patterns": [f".*/s/{row.name}/.*"],
            }
            for row in chosen
        ],
        "approved_domains": ["docs.acme.example"],
        "limits": {
            "max_rounds": 1,
            "pages_per_round": 1,
            "max_steps": 500,
            "max_discover_calls": 100,
            "max_pages": 200,
            "max_tokens": 5000,
            "max_failures_in_a_row": 100,
            "max_sources": 100,
            **limits,
        },
    }


def outcomes(research, finished, chosen):
    """What became of the rows, in the words of the page."""
    attempts = research.sql(
        "SELECT sub_question_id, error_class, coalesce(tokens_spent, tokens_reserved) AS tokens FROM latest_calls WHERE tool = 'html'"
    )
    return [outcome(finished, row, attempts[attempts["sub_question_id"] == row.key]) for row in chosen]


def outcome(finished, row, attempts):
    report = finished.report
    pages = [page.status.value for page in report.pages_read if page.source_id == row.name and page.status != "not_fetched"]
    finding = next(item for item in report.findings if item.sub_question_id == row.key)
    errors = sorted(set(attempts["error_class"].dropna()))
    return Row(
        row.fault,
        pages[0] if pages else "not asked",
        errors[0] if errors else "–",
        len(attempts),
        int(attempts["tokens"].sum()),
        finding.gap_kind.value if finding.gap_kind else "answered",
        report.stop_reason or "–",
        finished.exit_code,
    )


def differences(found, promised):
    return "\n".join(f"{one}\n    is not {other}" for one, other in zip(found, promised, strict=True) if one != other)


def test_pages_that_go_wrong_leave_the_others_alone(run):
    research, finished = run(OTHERS, [row.placed for row in OTHERS])

    assert differences(outcomes(research, finished, OTHERS), OTHERS) == ""


def test_throttling_is_waited_for(run):
    research, finished = run(THROTTLED, [row.placed for row in THROTTLED])

    assert differences(outcomes(research, finished, THROTTLED), THROTTLED) == ""


@pytest.mark.parametrize("row", STOPPING, ids=lambda row: row.name)
def test_what_stops_the_cycle_is_named_and_reported(run, row):
    everywhere = row.name.startswith("token-") and "cap" not in row.name
    research, finished = run([row], [row.fault if everywhere else row.placed])

    assert outcomes(research, finished, [row]) == [row]
    assert finished.folder.joinpath("report.html").is_file()

"""The study of the crash test: a site of a few pages, and questions that end in every way a run without faults can end."""

from __future__ import annotations

from pathlib import Path

import yaml

STUDY = "acme"
DOCS, BLOG = "https://docs.acme.example", "https://blog.acme.example"

# Every page takes its time, so that a run is often killed while a call is under way.
_DELAY_SECONDS = 0.03

_PAGES = {
    "docs": {
        "index": "<h1>Acme documentation</h1><p>Start with the <a href='/audit-logs'>audit logs</a>.</p>",
        "audit-logs": "<h1>Audit logs</h1><p>Audit logs are kept for 90 days on the Business plan.</p>",
        "limits": "<h1>API rate limits</h1><p>Each workspace may send 120 requests per minute to the API.</p>",
        "backups": "<h1>Backups</h1><p>Backups are made every night. Deleted backups are kept for 14 days.</p>",
        "uptime": "<h1>Uptime</h1><p>We publish the uptime of each month.</p>",
        "uptime-history": "<h1>Uptime history</h1><p>The history of our uptime goes back three years.</p>",
    },
    "blog": {
        "index": "<h1>Acme blog</h1><p>News of <a href='/audit-logs-explained'>audit logs</a>.</p>",
        "audit-logs-explained": "<h1>Audit logs, explained</h1><p>Audit logs are kept for 30 days on the Business plan.</p>",
        "uptime-news": "<h1>Uptime news</h1><p>Our uptime was never better.</p>",
    },
}

_QUESTIONS = [
    ("acme.audit", "How long does Acme keep audit logs on the Business plan?", "duration"),
    ("acme.rate", "How many API requests per minute does Acme allow?", "rate"),
    ("acme.backups", "How long are deleted backups kept by Acme?", "duration"),
    ("acme.uptime", "What uptime percentage does Acme guarantee?", "percent"),
]


def write_site(folder: Path) -> dict[str, Path]:
    """The pages as folders to be mounted, by origin."""
    mounts = {}
    for site, origin in (("docs", DOCS), ("blog", BLOG)):
        root = folder / site
        root.mkdir(parents=True)
        for name, body in _PAGES[site].items():
            page = f"<html lang='en'><head><title>{name}</title></head><body><main>{body}</main></body></html>"
            root.joinpath(f"{name}.html").write_text(page)
        urls = "".join(f"<url><loc>{origin}/{name}</loc></url>" for name in _PAGES[site] if name != "index")
        root.joinpath("sitemap.xml").write_text(f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>")
        slow = {f"/{name}": {"delay": _DELAY_SECONDS} for name in _PAGES[site]}
        root.joinpath("responses.yaml").write_text(yaml.safe_dump(slow))
        mounts[origin] = root
    return mounts


def write_study(folder: Path, *, max_tokens: int) -> Path:
    """The study file; the service reads the pages."""
    sources = [
        {"id": name, "domain": origin.removeprefix("https://"), "start_url": f"{origin}/", "authority": authority, "answers": ["acme.*"]}
        for name, origin, authority in (("docs", DOCS, "official"), ("blog", BLOG, "secondary"))
    ]
    study = {
        "question": "What does Acme promise?",
        "engine": "mrscraper",
        "sub_questions": [{"id": key, "vendor": "acme", "text": text, "answer": kind} for key, text, kind in _QUESTIONS],
        "sources": sources,
        "limits": {"max_tokens": max_tokens, "max_steps": 200, "max_pages": 40, "max_discover_calls": 20, "pages_per_round": 1},
    }
    path = folder / f"{STUDY}.yaml"
    path.write_text(yaml.safe_dump(study))
    return path

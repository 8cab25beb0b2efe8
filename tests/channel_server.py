"""A channel's service on a port of this machine, with small replies written for tests; and a study with a source that asks it."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qsl
from xml.sax.saxutils import escape

import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from tests.polling import eventually
from tests.small_site import STUDY

ARXIV = "https://arxiv.org"
PAPERS = [
    ("2611.00001v1", "How long audit logs are kept", "2026-11-02", "We measure the retention of audit logs on the Business plan of Acme."),
    ("2505.00002v2", "Soil bacteria in winter", "2025-05-04", "Nothing about software."),
]
PAGE = (
    "<html lang='en'><head><title>How long audit logs are kept</title><meta property='article:modified_time' content='2026-11-02'></head>"
    "<body><main><h1>How long audit logs are kept</h1>"
    "<p>On the Business plan, Acme keeps audit logs for 90 days.</p></main></body></html>"
)
STUDIES = {
    **STUDY,
    "sub_questions": STUDY["sub_questions"][:1],
    "sources": [{"id": "papers", "channel": "arxiv", "query": "audit logs retention", "authority": "secondary", "answers": ["acme.*"]}],
    "approved_domains": ["arxiv.org"],
    "mounts": {ARXIV: "papers"},
}


def atom(papers=PAPERS):
    """A feed as arXiv writes it."""
    entries = "".join(
        f"<entry><id>http://arxiv.org/abs/{name}</id><published>{day}T10:00:00Z</published><title>{escape(title)}</title>"
        f"<summary>{escape(said)}</summary><link href='http://arxiv.org/abs/{name}' rel='alternate' type='text/html'/>"
        f"<link title='pdf' href='http://arxiv.org/pdf/{name}' rel='related' type='application/pdf'/></entry>"
        for name, title, day, said in papers
    )
    return f"<?xml version='1.0' encoding='UTF-8'?><feed xmlns='http://www.w3.org/2005/Atom'><title>Query</title>{entries}</feed>"


def papers_json(papers=PAPERS):
    """A reply as Semantic Scholar writes it."""
    listed = [
        {
            "paperId": name,
            "title": title,
            "url": f"https://www.semanticscholar.org/paper/{name}",
            "publicationDate": day,
            "year": int(day[:4]),
            "abstract": said,
        }
        for name, title, day, said in papers
    ]
    return json.dumps({"total": len(listed), "offset": 0, "data": listed})


@dataclass
class Said:
    """What the service says: status, body, headers."""

    body: str | bytes = field(default_factory=atom)
    status: int = 200
    content_type: str = "application/atom+xml; charset=UTF-8"
    headers: dict[str, str] = field(default_factory=dict)


class Service:
    """The server's side: what it was asked, and what it says to it; `says` may wait, since each request has its thread."""

    def __init__(self, says):
        self.says = says
        self.asked: list[dict[str, str]] = []
        self.headers: list[dict[str, str]] = []

    def answer(self, request):
        self.asked.append(dict(parse_qsl(request.url.query)))
        self.headers.append(dict(request.headers))
        said = self.says(self.asked[-1])
        return Response(said.body, said.status, {**said.headers, "content-type": said.content_type})


@contextmanager
def service(says=lambda _asked: Said()):
    """A service that is there for as long as the block, at `.url`."""
    made = Service(says)
    app = Starlette(routes=[Route("/query", made.answer)])
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=1))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        eventually(lambda: server.started, what="the service listens")
        made.url = f"http://127.0.0.1:{listener.getsockname()[1]}/query"
        try:
            yield made
        finally:
            server.should_exit = True
            thread.join(timeout=10)


def write_papers(place):
    """The first paper's page, to be mounted as arXiv's site."""
    folder = place / "papers" / "abs"
    folder.mkdir(parents=True)
    folder.joinpath(f"{PAPERS[0][0]}.html").write_text(PAGE)
    folder.joinpath(f"{PAPERS[1][0]}.html").write_text(
        "<html><body><main><h1>Soil</h1><p>Bacteria sleep in winter.</p></main></body></html>"
    )


def set_reach(monkeypatch, served, *, channel="arxiv"):
    """The settings of a deployment that reaches a channel there, and does not wait."""
    settings = {"ADDRESSES": f"{channel}={served.url}", "BACKOFF_SECONDS": "0", "THROTTLE_SECONDS": "0", "LONGEST_WAIT_SECONDS": "0"}
    for name, value in settings.items():
        monkeypatch.setenv(f"RESEARCH_CHANNEL_{name}", value)

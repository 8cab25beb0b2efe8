"""A vendor's site of four pages and a study of it: three questions, two of which it answers."""

import yaml

ORIGIN = "https://docs.acme.example"

PAGES = {
    "index.html": "<h1>Acme documentation</h1><p>Start here. <a href='/audit-logs'>Audit logs</a> <a href='/limits'>API limits</a></p>",
    "audit-logs.html": (
        "<h1>Audit logs</h1><p>Audit logs are kept for 90 days on the Business plan.</p>"
        "<p>Audit logs are not included in the Free plan.</p>"
    ),
    "limits.html": "<h1>API rate limits</h1><p>Each workspace may send 120 requests per minute to the API.</p>",
    "moved.html": "<h1>Moved</h1><p>Backups moved elsewhere.</p>",
}
STUDY = {
    "question": "What does Acme promise?",
    "sub_questions": [
        {"id": "acme.audit", "vendor": "acme", "text": "How long does Acme keep audit logs on the Business plan?", "answer": "duration"},
        {"id": "acme.rate", "vendor": "acme", "text": "How many API requests per minute does Acme allow?", "answer": "rate"},
        {"id": "acme.uptime", "vendor": "acme", "text": "What uptime percentage does Acme guarantee?", "answer": "percent"},
    ],
    "sources": [
        {"id": "acme-docs", "domain": "docs.acme.example", "start_url": f"{ORIGIN}/", "authority": "official", "answers": ["acme.*"]}
    ],
    "approved_domains": ["docs.acme.example"],
    "mounts": {ORIGIN: "site"},
}


def write_site(folder):
    """The pages below a folder, with their sitemap."""
    folder.mkdir()
    for name, body in PAGES.items():
        title = name.removesuffix(".html")
        folder.joinpath(name).write_text(f"<html lang='en'><head><title>{title}</title></head><body><main>{body}</main></body></html>")
    urls = "".join(f"<url><loc>{ORIGIN}/{name.removesuffix('.html')}</loc></url>" for name in PAGES if name != "index.html")
    folder.joinpath("sitemap.xml").write_text(f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>")


def write_study(place, **changes):
    path = place / "acme.yaml"
    path.write_text(yaml.safe_dump({**STUDY, **changes}))
    return str(path)


def rehearse(place, rules):
    place.joinpath("site", "responses.yaml").write_text(yaml.safe_dump(rules))

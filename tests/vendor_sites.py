"""Two vendors' sites and a study of both that a person has to approve; read by the scraping service as a process of its own."""

import yaml

VENDORS = {"acme": ("Acme", 90, 120), "bolt": ("Bolt", 30, 60)}


def origin_of(vendor):
    return f"https://docs.{vendor}.example"


def write_sites(folder):
    """A folder per vendor; origin → folder."""
    for vendor, (name, days, rate) in VENDORS.items():
        pages = {
            "index": f"<h1>{name} documentation</h1><p>Start here: <a href='/audit-logs'>audit logs</a>, <a href='/limits'>limits</a>.</p>",
            "audit-logs": f"<h1>Audit logs</h1><p>{name} keeps audit logs for {days} days on the Business plan.</p>",
            "limits": f"<h1>API rate limits</h1><p>Each workspace may send {rate} requests per minute to the API.</p>",
        }
        site = folder / vendor
        site.mkdir(parents=True)
        for page, body in pages.items():
            head = f"<html lang='en'><head><title>{name}: {page}</title></head>"
            site.joinpath(f"{page}.html").write_text(f"{head}<body><main>{body}</main></body></html>")
        urls = "".join(f"<url><loc>{origin_of(vendor)}/{page}</loc></url>" for page in pages if page != "index")
        site.joinpath("sitemap.xml").write_text(f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>")
    return {origin_of(vendor): folder / vendor for vendor in VENDORS}


def write_study(folder):
    """`vendors.yaml` in a folder of studies: two questions for each vendor, each answered by one page."""
    questions = [
        {"id": f"{vendor}.{topic}", "vendor": vendor, "text": text.format(name), "answer": answer}
        for vendor, (name, _, _) in VENDORS.items()
        for topic, text, answer in (
            ("audit-logs", "How long does {} keep audit logs on the Business plan?", "duration"),
            ("rate-limit", "How many API requests per minute does {} allow?", "rate"),
        )
    ]
    sources = [
        {
            "id": f"{vendor}-docs",
            "domain": f"docs.{vendor}.example",
            "start_url": f"{origin_of(vendor)}/",
            "authority": "official",
            "answers": [f"{vendor}.*"],
        }
        for vendor in VENDORS
    ]
    study = {
        "question": "What do Acme and Bolt promise?",
        "owners": "team:research",
        "approval": "required",
        "engine": "mrscraper",
        "limits": {"max_rounds": 1, "pages_per_round": 1},
        "sub_questions": questions,
        "sources": sources,
    }
    folder.mkdir(parents=True)
    folder.joinpath("vendors.yaml").write_text(yaml.safe_dump(study, sort_keys=False))

"""The demo's sites hang together: their links lead somewhere, and what the study and the expectations name is there."""

from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
import yaml
from selectolax.lexbor import LexborHTMLParser

from resources.embedded.mounting import MountedFolder
from resources.embedded.rehearsing import RESPONSES_FILE, read_rules
from resources.embedded.sitemaps import read_sitemap
from resources.studies import load_study

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "demo"
STUDY = ROOT / "studies" / "demo.yaml"
ORIGINS = {folder.name: origin for origin, folder in load_study(STUDY).mounts.items()}
LEADS_NOWHERE_ON_PURPOSE = {"https://docs.larkhold.example/guide/mobile"}

pages = pytest.mark.parametrize("page", sorted(DEMO.rglob("*.html")), ids=lambda page: str(page.relative_to(DEMO)))
sites = pytest.mark.parametrize("site", sorted(ORIGINS))


def test_each_site_is_mounted_once():
    folders = {path.name for path in DEMO.iterdir() if path.is_dir()}

    assert folders == set(ORIGINS)


def test_every_sub_question_has_an_expected_outcome():
    expected = yaml.safe_load((DEMO / "expected.yaml").read_text("utf-8"))

    assert list(expected) == list(load_study(STUDY).plan().questions)
    assert {entry["status"] for entry in expected.values()} == {"agreed", "conflict", "unresolved", "gap"}


@pages
def test_links_of_a_page_lead_to_a_page(page: Path):
    site = page.relative_to(DEMO).parts[0]
    folder, base = MountedFolder(DEMO / site), f"{ORIGINS[site]}/{page.relative_to(DEMO / site).with_suffix('')}"
    tree = LexborHTMLParser(page.read_text("utf-8"))
    addresses = [urljoin(base, node.attributes["href"]) for node in tree.css("[href]")]

    assert addresses
    assert [url for url in addresses if not url.startswith(ORIGINS[site]) or not folder.exists(url)] == []


@sites
def test_a_sitemap_lists_every_page_and_no_other(site: str):
    folder = MountedFolder(DEMO / site)
    listed = read_sitemap((DEMO / site / "sitemap.xml").read_bytes()).pages
    unlisted = {"404", "not-here"}
    there = {
        f"{ORIGINS[site]}/{page.relative_to(DEMO / site).with_suffix('')}"
        for page in (DEMO / site).rglob("*.html")
        if page.stem not in unlisted
    }
    found = {url if urlsplit(url).path != "/" else f"{url}index" for url in listed if folder.find(urlsplit(url).path)}

    assert found == there
    assert {url for url in listed if not folder.exists(url)} <= LEADS_NOWHERE_ON_PURPOSE


def test_the_rehearsed_misbehaviour_is_readable():
    rehearsed = {site: read_rules(DEMO / site) for site in ORIGINS if (DEMO / site / RESPONSES_FILE).exists()}

    assert rehearsed["larkhold"]["/api/request-quotas"].fail_first == 3
    assert rehearsed["quillbox"]["/uptime"].redirect == "https://status.quillbox.example/history"
    assert rehearsed["quillbox"]["/legal/uptime-guarantee"].status == 200


def test_the_redirect_leaves_the_approved_domains():
    target = read_rules(DEMO / "quillbox")["/uptime"].redirect

    assert load_study(STUDY).plan().approved.refusal(target or "")

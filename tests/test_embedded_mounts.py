"""A folder served as a site: what its paths name, what its `responses.yaml` may say, and that nothing outside is ever read."""

import os
import string
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from research_pipeline.errors import ConfigurationError
from resources.embedded.mounting import MountedFolder

ORIGIN = "https://docs.acme.example"


@pytest.fixture
def site(tmp_path):
    """A folder with a secret beside it, and links to the secret inside it."""
    (tmp_path / "secret.html").write_text("secret")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "index.html").write_text("secret")
    root = tmp_path / "site"
    (root / "guide").mkdir(parents=True)
    (root / "both").mkdir()
    (root / "index.html").write_text("home")
    (root / "guide" / "index.html").write_text("guide")
    (root / "plans.html").write_text("plans")
    (root / "both.html").write_text("beside")
    (root / "both" / "index.html").write_text("inside")
    (root / "größe.html").write_text("größe")
    (root / "plain").write_text("plain")
    (root / "link.html").symlink_to(tmp_path / "secret.html")
    (root / "linked").symlink_to(tmp_path / "outside")
    (root / "loop.html").symlink_to(root / "loop.html")
    (root / "alias.html").symlink_to(root / "plans.html")
    return root


async def say(folder, path, *, max_bytes=1000):
    answer = await folder.answer(ORIGIN + path, max_bytes=max_bytes)
    return answer.status, answer.body.decode()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/", "home"),
        ("", "home"),
        ("/index.html", "home"),
        ("/guide", "guide"),
        ("/guide/", "guide"),
        ("//guide//", "guide"),
        ("/./guide/.", "guide"),
        ("/plans", "plans"),
        ("/plans/", "plans"),
        ("/plans.html?plan=pro", "plans"),
        ("/plain", "plain"),
        ("/both", "inside"),
        ("/gr%C3%B6%C3%9Fe", "größe"),
        ("/größe.html", "größe"),
        ("/alias.html", "plans"),
    ],
)
async def test_a_path_is_the_file_then_its_index_then_the_file_with_a_suffix(site, path, body):
    assert await say(MountedFolder(site), path) == (200, body)


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.html", "/guide/../plans.html", "/%2e%2e/secret.html", "/..%2fsecret.html", "/guide/../../secret", "/..\\secret.html",
        "/%2e%2e%2fsecret.html", "/link.html", "/link", "/linked", "/linked/", "/linked/index.html", "/loop", "/plans.html%00",
        "/" + "x" * 5000, "/responses.yaml", "/./responses.yaml", "/responses", "/nothing",
    ],
)  # fmt: skip
async def test_what_is_outside_or_absent_answers_404(site, path):
    (site / "responses.yaml").write_text("{}")

    assert await say(MountedFolder(site), path) == (404, "")


async def test_a_folder_brings_its_own_page_for_what_is_absent(site):
    (site / "404.html").write_text("lost")

    assert await say(MountedFolder(site), "/nothing") == (404, "lost")


_PIECES = st.sampled_from(
    ["..", ".", "/", "\\", "%2e", "%2F", "%5c", "%00", "guide", "secret.html", "outside", "linked", "link.html", "%", "~", "\0"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=120, deadline=None)
@given(path=st.lists(_PIECES | st.text(string.printable, max_size=3), max_size=12).map("".join))
def test_no_path_ever_leads_out_of_the_folder(site, path):
    folder = MountedFolder(site)

    for spelling in (path, "/" + path, quote(path), "/" + quote(quote(path))):
        file = folder.find(spelling)
        assert file is None or file.resolve().is_relative_to(site.resolve())


def rehearse(site, text):
    (site / "responses.yaml").write_text(text)
    return MountedFolder(site)


async def test_rules_bring_status_headers_body_and_redirects(site):
    folder = rehearse(
        site,
        """
        /gone: {status: 410, body: "<h1>Gone</h1>"}
        /moved: {redirect: /guide/, status: 301}
        /away: {redirect: "https://elsewhere.example/"}
        /dated/: {file: plans.html, headers: {Last-Modified: "Wed, 04 Mar 2026 08:00:00 GMT"}}
        /plans: {headers: {Content-Language: de}}
        /guide: {status: 500}
        """,
    )

    assert await say(folder, "/gone") == (410, "<h1>Gone</h1>")
    moved, away, dated, plans, guide = [
        await folder.answer(ORIGIN + path, max_bytes=99) for path in ("/moved", "/away", "/dated", "/plans", "/guide")
    ]
    assert (moved.status, moved.headers["location"]) == (301, "/guide/")
    assert (away.status, away.headers["location"]) == (302, "https://elsewhere.example/")
    assert (dated.body, dated.headers["last-modified"]) == (b"plans", "Wed, 04 Mar 2026 08:00:00 GMT")
    assert (plans.status, plans.body, plans.headers["content-language"]) == (200, b"plans", "de")
    assert (guide.status, guide.body) == (500, b"guide")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("/x: {statuss: 404}", "/x.statuss: Extra inputs"),
        ("/x: {status: 99}", "/x.status: "),
        ("/x: {redirect: /y, status: 200}", "/x: `redirect` goes with a status from 300"),
        ("/x: {redirect: /y, body: z}", "/x: `redirect` and `body` exclude each other"),
        ("/x: {fail_status: 500}", "/x: `fail_status` goes with `fail_first`"),
        ("/x: {fail_first: -1}\n/y: {delay: soon}", "/x.fail_first: Input should be greater than or equal to 0; /y.delay: "),
        ("/x: {file: nothing.html}", "/x.file: 'nothing.html' is not in the folder"),
        ("/x: {file: ../secret.html}", "/x.file: '../secret.html' is not in the folder"),
        ("/x: {headers: {'A b': c}}", "/x.headers.A b"),
        ("x: {status: 404}", "'x' is no URL path"),
        ("[1, 2]", "must map URL paths to rules"),
        ("{", "no readable YAML"),
    ],
)
def test_a_wrong_rule_is_refused_with_the_file_and_the_field(site, text, named):
    with pytest.raises(ConfigurationError) as caught:
        rehearse(site, text)

    assert f"{site}{os.sep}responses.yaml: " in caught.value.message
    assert named in caught.value.message


async def test_a_body_above_the_cap_is_cut_and_said_to_be(site):
    answer = await MountedFolder(site).answer(f"{ORIGIN}/guide", max_bytes=3)

    assert (answer.body, answer.truncated) == (b"gui", True)

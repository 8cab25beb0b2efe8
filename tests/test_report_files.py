from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from resources.home import Home
from resources.report_files import report_folder, write_report

STUDY, OLD, NEW = "logs", "20261130T164500Z-ab12", "20261207T060000Z-0000"


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path / "home")


def files(text, **more):
    return {"report.md": text.encode(), "report.html": f"<p>{text}".encode(), "report.json": b"{}", **more}


def test_a_report_lies_in_the_folder_of_its_cycle_with_latest_beside(home):
    folder = write_report(home, STUDY, cycle=OLD, revision=1, files=files("first", **{"archive/pg_1.html": b"page"}))
    assert folder == home.path / "reports" / STUDY / OLD
    assert (folder / "report.md").read_text() == "first"
    assert (report_folder(home, STUDY) / "archive" / "pg_1.html").read_bytes() == b"page"


def test_earlier_revisions_stay_as_they_were(home):
    for revision, text in enumerate(["first", "second", "third"], 1):
        folder = write_report(home, STUDY, cycle=OLD, revision=revision, files=files(text))
    assert (folder / "report.md").read_text() == "third"
    assert (folder / "report.r1.md").read_text() == "first"
    assert (folder / "report.r2.html").read_text() == "<p>second"


def test_a_revision_that_comes_late_is_kept_but_is_not_the_newest(home):
    write_report(home, STUDY, cycle=OLD, revision=10, files=files("tenth"))
    folder = write_report(home, STUDY, cycle=OLD, revision=9, files=files("ninth"))
    assert (folder / "report.md").read_text() == "tenth"
    assert (folder / "report.r9.md").read_text() == "ninth"


def test_latest_is_the_newest_cycle_also_when_an_older_one_is_written_again(home):
    write_report(home, STUDY, cycle=NEW, revision=1, files=files("new"))
    write_report(home, STUDY, cycle=OLD, revision=2, files=files("old"))
    assert (report_folder(home, STUDY) / "report.md").read_text() == "new"
    assert (report_folder(home, STUDY)).readlink() == Path(NEW)


def test_where_links_cannot_be_made_latest_is_a_copy(home, monkeypatch):
    def refuse(*_args, **_keywords):
        raise OSError("this file system has no links")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    write_report(home, STUDY, cycle=OLD, revision=1, files=files("old"))
    write_report(home, STUDY, cycle=NEW, revision=1, files=files("new", **{"archive/pg_1.html": b"page"}))
    assert (report_folder(home, STUDY) / "report.html").read_text() == "<p>new"
    assert (report_folder(home, STUDY) / "archive" / "pg_1.html").read_bytes() == b"page"


@pytest.mark.parametrize("name", ["../report.md", "/etc/report.md", "archive/../../x", ""])
def test_no_file_leaves_the_folder(home, name):
    with pytest.raises(ValueError, match="does not stay"):
        write_report(home, STUDY, cycle=OLD, revision=1, files={name: b"x"})
    assert list(home.reports.iterdir()) == []


def test_a_reader_never_sees_half_a_report(home):
    texts = {letter * 200_000 for letter in "abcd"}
    place = write_report(home, STUDY, cycle=OLD, revision=1, files=files("a" * 200_000)) / "report.md"
    seen, done = set(), threading.Event()

    def read():
        while not done.is_set():
            seen.add(place.read_text())

    reader = threading.Thread(target=read)
    reader.start()
    with ThreadPoolExecutor(4) as pool:
        writing = enumerate(sorted(texts) * 3, 2)
        list(pool.map(lambda item: write_report(home, STUDY, cycle=OLD, revision=item[0], files=files(item[1])), writing))
    done.set()
    reader.join()
    assert seen <= texts
    assert place.read_text() == "d" * 200_000
    assert [path.name for path in place.parent.iterdir() if path.name.startswith(".")] == []

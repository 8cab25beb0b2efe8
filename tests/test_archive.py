from __future__ import annotations

import gzip
import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from research_pipeline.errors import StorageInvalid
from resources.archive import PageArchive


@pytest.fixture
def archive(tmp_path: Path) -> PageArchive:
    return PageArchive(tmp_path / "pages")


@settings(max_examples=25)
@given(body=st.binary(max_size=2000))
def test_what_is_read_back_is_what_was_stored(tmp_path_factory, body):
    archive = PageArchive(tmp_path_factory.getbasetemp() / "property")
    name = archive.put(body)
    assert name == hashlib.sha256(body).hexdigest()
    assert archive.get(name) == body


def test_the_same_body_is_stored_once(archive):
    place = archive.path(archive.put(b"a page"))
    written = place.stat()
    archive.put(b"a page")
    assert place.stat().st_mtime_ns == written.st_mtime_ns
    assert place.stat().st_ino == written.st_ino


def test_the_same_body_makes_the_same_file_anywhere(tmp_path):
    one, other = PageArchive(tmp_path / "one"), PageArchive(tmp_path / "other")
    name = one.put(b"page " * 500)
    assert other.put(b"page " * 500) == name
    assert one.path(name).read_bytes() == other.path(name).read_bytes()


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda packed: packed[: len(packed) // 2], id="cut short"),
        pytest.param(lambda packed: b"\x00" * len(packed), id="zeroed"),
        pytest.param(lambda packed: packed[:12] + bytes([packed[12] ^ 0xFF]) + packed[13:], id="a byte flipped"),
        pytest.param(lambda _: gzip.compress(b"another page"), id="another page in its place"),
        pytest.param(lambda _: b"", id="emptied"),
    ],
)
def test_a_damaged_copy_is_never_handed_out_and_is_replaced_when_the_page_comes_again(archive, damage):
    body = b"what the vendor said " * 40
    name = archive.put(body)
    place = archive.path(name)
    place.write_bytes(damage(place.read_bytes()))
    with pytest.raises(StorageInvalid, match=r"backup"):
        archive.get(name)
    archive.put(body)
    assert archive.get(name) == body


def test_a_body_that_was_never_stored_is_named_as_missing(archive):
    with pytest.raises(StorageInvalid, match="is missing"):
        archive.get("0" * 64)


@pytest.mark.parametrize("name", ["", "abc", "../" * 20 + "etc/passwd", "A" * 64, "0" * 64 + "\n"])
def test_only_a_hash_names_a_place(archive, name):
    with pytest.raises(ValueError, match="no SHA-256"):
        archive.path(name)


def test_many_threads_storing_the_same_bodies_leave_only_whole_files(archive):
    bodies = [f"page {number} ".encode() * 50 for number in range(5)] * 8
    with ThreadPoolExecutor(8) as pool:
        names = set(pool.map(archive.put, bodies))
    assert {archive.get(name) for name in names} == set(bodies)
    assert sorted(path.name for path in archive.folder.rglob("*") if path.is_file()) == sorted(f"{name}.gz" for name in names)

"""Reports on disk: whole files only, every revision kept, `latest` beside the cycles.

reports/STUDY/CYCLE/report.html       newest revision
reports/STUDY/CYCLE/report.r1.html    first revision, and so on: what somebody has linked to stays as it was
reports/STUDY/CYCLE/pages/…           what the reports link to
reports/STUDY/latest                  → the newest cycle that has a report
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from resources.atomic_write import sync_folder, write_whole
from resources.file_lock import FileLock
from resources.home import Home
from resources.waiting import Wait

LATEST = "latest"
_REPORT = re.compile(r"report\.\w+")
_REVISION = re.compile(r"report\.r(\d+)\.\w+")
_PATIENCE_SECONDS = 60.0


def report_folder(home: Home, study: str, *, cycle: str = LATEST) -> Path:
    """Where the reports of a cycle lie."""
    return home.reports / study / cycle


def write_report(home: Home, study: str, *, cycle: str, revision: int, files: Mapping[str, bytes]) -> Path:
    """Write the files of a report and return its folder.

    Args:
        revision: counts the reports of the cycle, from 1. An older one that comes late is kept, but does not become the newest.
        files: by path in the folder: `report.md`, `report.html`, `report.json`, and what they link to, such as `pages/….html`.

    Raises:
        StorageBusy: another process has been writing reports of the study for a minute.
        ValueError: a path leads out of the folder.
    """
    folder = report_folder(home, study, cycle=cycle)
    places = {name: folder / _inside(name) for name in files}
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.parent / ".lock").taken(Wait(str(folder.parent), patience=_PATIENCE_SECONDS)):
        # What is linked to comes first: a report never points to a page that is not there yet.
        for name in sorted(files, key=_is_report):
            write_whole(_kept(places[name], revision) if _is_report(name) else places[name], files[name])
        if revision >= _newest_revision(folder):
            for name in filter(_is_report, files):
                write_whole(places[name], files[name])
        _point_to_newest(folder.parent)
    return folder


def _is_report(name: str) -> bool:
    return _REPORT.fullmatch(name) is not None


def _kept(place: Path, revision: int) -> Path:
    return place.with_name(f"{place.stem}.r{revision}{place.suffix}")


def _newest_revision(folder: Path) -> int:
    return max(int(found[1]) for path in folder.iterdir() if (found := _REVISION.fullmatch(path.name)))


def _inside(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"{name!r} does not stay in the folder of its report")
    return path


def _point_to_newest(study_folder: Path) -> None:
    # Ids of cycles sort by time. By what is there, not by who writes: a report of an older cycle may be written again.
    newest = max(path.parent for path in study_folder.glob("*/report.*") if path.parent.name != LATEST)
    latest = study_folder / LATEST
    if latest.is_dir() and not latest.is_symlink():
        _copy(newest, latest)
        return
    aside = study_folder / f".{LATEST}-{secrets.token_hex(4)}"
    try:
        aside.symlink_to(newest.name, target_is_directory=True)
    except OSError:  # file systems without links; there `latest` is a folder of copies
        _copy(newest, latest)
        return
    aside.replace(latest)
    sync_folder(study_folder)


def _copy(newest: Path, latest: Path) -> None:
    for path in sorted(newest.rglob("*"), key=lambda path: _is_report(path.name)):
        if path.is_file():
            write_whole(latest / path.relative_to(newest), path.read_bytes())

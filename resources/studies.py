"""Studies on disk: one YAML file each in a folder; whatever such a file names is relative to it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import yaml

from research_pipeline.checking import read_study
from research_pipeline.errors import InputError, Problem, StudyInvalid, UnknownName
from research_pipeline.planning import SourcePlan, plan_of
from research_pipeline.study import Study
from resources.channels import known_channels

STUDIES_VARIABLE = "RESEARCH_STUDIES"


@dataclass(frozen=True, slots=True)
class StudyFile:
    """A study that has been checked, with where it was read and its mounts as folders."""

    name: str
    path: Path
    study: Study
    mounts: Mapping[str, Path]

    def plan(self) -> SourcePlan:
        """What the study asks, as it stands."""
        return plan_of(self.study, name=self.name, channels=known_channels())

    def with_mounts(self, more: Mapping[str, Path]) -> StudyFile:
        """The same study with further origins read from disk."""
        return replace(self, mounts={**self.mounts, **more})


@dataclass(frozen=True, slots=True)
class BrokenStudy:
    """A file that is no valid study; it must not take the others down."""

    name: str
    path: Path
    error: InputError


def studies_folder() -> Path:
    """Where studies are read from: RESEARCH_STUDIES, or `./studies`."""
    return Path(os.environ.get(STUDIES_VARIABLE, "studies"))


def load_study(path: Path) -> StudyFile:
    """A study from its file, its mounts resolved against the file.

    Raises:
        UnknownName: there is no such file.
        StudyInvalid: with every problem that the file has.
    """
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError as error:
        raise UnknownName(f"There is no study file {path}.", remedy="`research studies` lists those there are.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise StudyInvalid(f"study {path.stem!r}", [Problem("(file)", f"it cannot be read: {error}.", "Save it as UTF-8 text.")]) from error
    folder = path.resolve().parent
    study = read_study(
        text,
        name=path.stem,
        domain_list=lambda name: _domain_list(folder / name),
        is_folder=lambda target: (folder / target).is_dir(),
        channels=known_channels(),
    )
    return StudyFile(path.stem, path.resolve(), study, {origin: folder / target for origin, target in study.mounts.items()})


def _domain_list(path: Path) -> Sequence[str]:
    try:
        data: object = yaml.safe_load(path.read_text("utf-8"))
    except yaml.YAMLError as error:
        raise ValueError(f"it is not YAML ({error})") from error
    if not isinstance(data, list):
        raise ValueError("it is no list")
    return [str(item) for item in cast("list[object]", data)]


def find_study(name: str, *, folder: Path | None = None) -> StudyFile:
    """A study by its name in the studies folder, or by the path of its file.

    Raises:
        UnknownName: neither exists.
        StudyInvalid: with every problem that the file has.
    """
    if name.endswith((".yaml", ".yml")) or "/" in name or os.sep in name:
        return load_study(Path(name))
    folder = folder or studies_folder()
    if (path := folder / f"{name}.yaml").is_file():
        return load_study(path)
    there = ", ".join(sorted(file.stem for file in folder.glob("*.yaml"))) or "none"
    raise UnknownName(f"There is no study {name!r} in {folder} (there: {there}).", remedy="Give a name from there, or the path of a file.")


def load_studies(folder: Path | None = None) -> list[StudyFile | BrokenStudy]:
    """Every study of a folder, by name; a broken one is reported in its place."""
    found: list[StudyFile | BrokenStudy] = []
    for path in sorted((folder or studies_folder()).glob("*.yaml")):
        try:
            found.append(load_study(path))
        except InputError as error:
            found.append(BrokenStudy(path.stem, path, error))
    return found

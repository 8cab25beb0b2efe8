"""What makes an asset understandable from its page alone: group, words, kinds, owners, tags, where its rows are and where its code is."""

# dagster types its metadata with a PathLike that has no parameter
# pyright: reportUnknownMemberType=false
from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, TypedDict

import dagster as dg
from dagster_shared.utils.warnings import BetaWarning

from resources.studies import StudyFile

CODE_URL_VARIABLE = "RESEARCH_CODE_URL"
"""Where the code of this deployment is read, such as https://git.example/team/research/blob/main; absent: the files on disk."""

_ROOT = Path(__file__).parents[1]


class Description(TypedDict):
    """Arguments that every asset of a study has in common."""

    key: dg.AssetKey
    group_name: str
    description: str
    kinds: set[str]
    owners: list[str]
    tags: dict[str, str]
    metadata: dict[str, Any]


def key_of(study: str, asset: str) -> dg.AssetKey:
    """The key of a study's asset."""
    return dg.AssetKey([study, asset])


def described(
    file: StudyFile, name: str, description: str, *, kinds: Collection[str], work: Callable[..., object], table: str
) -> Description:
    """How an asset of a study presents itself.

    Args:
        work: the function that does the work; its source is what the page links to.
        table: the evidence table that it writes.
    """
    study = file.study
    rows = f"""research sql "FROM latest_{table} WHERE study = '{file.name}'" """.strip()
    return Description(
        key=key_of(file.name, name),
        group_name=file.name,
        description=description,
        kinds=set(kinds),
        owners=list(study.owners),
        tags={"study": file.name, "engine": study.engine, "extractor": study.extractor, "approval": study.approval},
        metadata={
            "dagster/table_name": f"evidence.{table}",
            "dagster/code_references": _code_references(work, file),
            "question of the study": study.question,
            "study file": dg.MetadataValue.path(file.path),
            "its rows": dg.MetadataValue.md(f"`{rows}`"),
        },
    )


def _code_references(work: Callable[..., object], file: StudyFile) -> dg.CodeReferencesMetadataValue:
    path, line = Path(inspect.getfile(work)), inspect.getsourcelines(work)[1]
    inside, base = path.relative_to(_ROOT).as_posix(), os.environ.get(CODE_URL_VARIABLE, "").rstrip("/")
    label = f"{work.__name__} in {inside}"
    with warnings.catch_warnings():
        # Code references are a beta in this Dagster; this is the one place that makes them.
        warnings.simplefilter("ignore", BetaWarning)
        study = dg.LocalFileCodeReference(file_path=str(file.path.resolve()), line_number=1, label=f"the study file {file.path.name}")
        if base:
            return dg.CodeReferencesMetadataValue(code_references=[dg.UrlCodeReference(url=f"{base}/{inside}#L{line}", label=label), study])
        code = dg.LocalFileCodeReference(file_path=str(path), line_number=line, label=label)
        return dg.CodeReferencesMetadataValue(code_references=[code, study])

"""The text of a study file as a study, or every problem that it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import yaml

from research_pipeline.channels import BUILT_IN, Channel
from research_pipeline.checking.draft import validate
from research_pipeline.checking.rules import check
from research_pipeline.errors import Problem, StudyInvalid
from research_pipeline.study import STUDY_NAME, Study

_NO_MAPPING = Problem("(file)", "it holds no mapping.", "Start with `question:`, `sub_questions:` and `sources:`.")


def _no_list(name: str) -> Sequence[str]:
    raise FileNotFoundError(name)


def read_study(
    text: str,
    *,
    name: str,
    domain_list: Callable[[str], Sequence[str]] = _no_list,
    is_folder: Callable[[str], bool] = bool,
    channels: Mapping[str, Channel] = BUILT_IN,
) -> Study:
    """A study from the text of its file.

    Args:
        text: YAML.
        name: the file's stem, which is the study's name.
        is_folder: whether a mount's target is there; any target that is named, where nobody can look.
        channels: those that a source may name.
        domain_list: gives the host names of a list that `approved_domains` names (it ends in .yaml); raises OSError or ValueError.

    Raises:
        StudyInvalid: with every problem that the file has.
    """
    problems = [] if STUDY_NAME.fullmatch(name) else [_bad_name(name)]
    data = _load(text, name)
    listed = data.get("approved_domains")
    if isinstance(listed, str) and listed.endswith((".yaml", ".yml")):
        try:
            data["approved_domains"] = list(domain_list(listed))
        except (OSError, ValueError) as error:
            data["approved_domains"] = None
            remedy = "Name a YAML file, relative to the study, that holds a list of host names."
            problems.append(Problem("approved_domains", f"the list {listed!r} cannot be read: {error}.", remedy))
    draft = validate(data)
    problems += draft.problems
    problems += check(draft, channels)
    problems += [_missing(origin, target) for origin, target in draft.study.mounts.items() if not is_folder(target)]
    if problems:
        raise StudyInvalid(f"study {name!r}", problems)
    return draft.study


def _missing(origin: str, folder: str) -> Problem:
    return Problem(f"mounts.{origin}", f"{folder} is no folder.", "Give a folder that holds the site, relative to the study file.")


def _bad_name(name: str) -> Problem:
    return Problem("(file name)", f"{name!r} cannot name a study.", f"Rename the file: its stem must match {STUDY_NAME.pattern}.")


class _UniqueKeys(yaml.SafeLoader):
    """YAML lets a later key silently replace an earlier one; a study must not lose a line like that."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[object] = set()
        for key_node, _ in node.value:
            key = cast("object", self.construct_object(key_node, deep=True))  # pyright: ignore[reportUnknownMemberType]  # untyped in PyYAML
            if isinstance(key, str) and key in seen:
                raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} stands twice", key_node.start_mark)
            seen.add(key if isinstance(key, str) else repr(key))
        return super().construct_mapping(node, deep)


def _load(text: str, name: str) -> dict[str, Any]:
    try:
        data: object = yaml.load(text, _UniqueKeys)  # noqa: S506  # a SafeLoader
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}, column {mark.column + 1}" if mark else "(file)"
        what = getattr(error, "problem", None) or str(error)
        raise StudyInvalid(f"study {name!r}", [Problem(where, f"this is not YAML: {what}.", "Mend the line.")]) from error
    if not isinstance(data, dict):
        raise StudyInvalid(f"study {name!r}", [_NO_MAPPING])
    return {str(key): value for key, value in cast("dict[object, Any]", data).items()}

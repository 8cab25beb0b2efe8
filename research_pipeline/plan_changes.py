"""What a plan asks otherwise than another did, line by line, for whoever is to approve it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from research_pipeline.planning import SourcePlan

_LONGEST = 120


def plan_changes(old: SourcePlan, new: SourcePlan) -> tuple[str, ...]:
    """One line for each field that differs: `limits.max_pages: 15 → 30`, `sub-question acme.audit: added`. Empty where nothing does."""
    before, after = old.model_dump(mode="json"), new.model_dump(mode="json")
    return tuple(
        line
        for field in {**after, **before}
        if field not in ("study", "plan_id")
        for line in _changes(field, before.get(field), after.get(field))
    )


def _changes(field: str, old: Any, new: Any) -> Iterator[str]:
    if old == new:
        return
    if field in _LISTED:
        yield from _listed(_LISTED[field], _by_id(old), _by_id(new))
    elif isinstance(old, dict) and isinstance(new, dict):
        yield from _fields(field, cast("dict[str, Any]", old), cast("dict[str, Any]", new))
    else:
        yield f"{field}: {_shown(old)} → {_shown(new)}"


_LISTED = {"sub_questions": "sub-question", "sources": "source"}


def _listed(what: str, old: Mapping[str, dict[str, Any]], new: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    yield from (f"{what} {name}: added" for name in new if name not in old)
    yield from (f"{what} {name}: dropped" for name in old if name not in new)
    for name in new:
        if name in old:
            yield from _fields(f"{what} {name}", old[name], new[name])
    if set(old) == set(new) and list(old) != list(new):
        yield f"{what}s: in another order"


def _fields(path: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for name in {**new, **old}:
        if old.get(name) != new.get(name):
            yield f"{path}.{name}: {_shown(old.get(name))} → {_shown(new.get(name))}"


def _by_id(items: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {item["id"]: item for item in items}


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"

"""`responses.yaml` of a mounted folder: how the site misbehaves, so that a demonstration or a test can rehearse it.

The file maps URL paths to rules and is never served itself:

    /moved:   {redirect: /docs/, status: 301}             # 302 where no status is given; an absolute address may leave the site
    /gone:    {status: 410, body: "<h1>Gone</h1>"}        # the site's own answer; `file: other.html` takes the body from the folder
    /slow:    {delay: 2.5}                                # seconds before the site answers
    /flaky:   {fail_first: 1, fail_status: 503}           # the first n *calls* for this path fail with the service's own status, uncharged
    /dated:   {headers: {Last-Modified: "Wed, 04 Mar 2026 08:00:00 GMT"}}

A rule without `status`, `redirect`, `body` or `file` answers with what the folder holds at that path. `headers` go with the site's
answer, and with the service's while `fail_first` lasts (for `Retry-After`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from research_pipeline.errors import ConfigurationError

RESPONSES_FILE = "responses.yaml"
_REMEDY = "Correct the file, or take it out of the folder."
HeaderName = Annotated[str, Field(pattern=r"^[A-Za-z0-9-]+$")]
HeaderValue = Annotated[str, Field(pattern=r"^[\x20-\x7e]*$")]


class ResponseRule(BaseModel):
    """How one path of a mounted folder answers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    status: int | None = Field(default=None, ge=200, le=599)
    headers: dict[HeaderName, HeaderValue] = {}
    redirect: str | None = Field(default=None, min_length=1)
    delay: float = Field(default=0.0, ge=0, le=600)
    fail_first: int = Field(default=0, ge=0)
    fail_status: int = Field(default=503, ge=400, le=599)
    body: str | None = None
    file: str | None = Field(default=None, min_length=1)

    @model_validator(mode="after")
    def _fields_go_together(self) -> ResponseRule:
        answers = [name for name in ("redirect", "body", "file") if getattr(self, name) is not None]
        if len(answers) > 1:
            raise ValueError(f"`{answers[0]}` and `{answers[1]}` exclude each other")
        if self.redirect is not None and self.status is not None and not 300 <= self.status <= 399:
            raise ValueError(f"`redirect` goes with a status from 300 to 399, not {self.status}")
        if "fail_status" in self.model_fields_set and not self.fail_first:
            raise ValueError("`fail_status` goes with `fail_first`")
        return self

    @property
    def answers_itself(self) -> bool:
        """Whether the rule brings a response, rather than decorating that of the folder."""
        return self.status is not None or self.redirect is not None or self.body is not None or self.file is not None


_RULES = TypeAdapter(dict[str, ResponseRule])


def read_rules(folder: Path) -> Mapping[str, ResponseRule]:
    """The rules of a folder by URL path; empty where it has none.

    Raises:
        ConfigurationError: names the file and every field that is wrong.
    """
    path = folder / RESPONSES_FILE
    if not path.is_file():
        return {}
    try:
        rules = _RULES.validate_python(_mapping(path))
    except ValidationError as error:
        wrong = "; ".join(f"{_place(item['loc'])}: {item['msg'].removeprefix('Value error, ')}" for item in error.errors(include_url=False))
        raise ConfigurationError(f"{path}: {wrong}.", remedy=_REMEDY) from error
    for key in rules:
        if not key.startswith("/"):
            raise ConfigurationError(f"{path}: {key!r} is no URL path; it starts with a slash.", remedy=_REMEDY)
    return rules


def _mapping(path: Path) -> dict[object, Any]:
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: no readable YAML: {error}", remedy=_REMEDY) from error
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise ConfigurationError(f"{path}: must map URL paths to rules.", remedy=_REMEDY)
    return cast("dict[object, Any]", data)


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location)

"""The channel `semantic-scholar`: papers of all fields, found by the Academic Graph API of Semantic Scholar, which speaks JSON.

The names of parameters and fields are those of its published API reference. It answers without a key, less often the more it is asked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from research_pipeline.channels.contract import Query, Result
from research_pipeline.errors import ReplyMalformed

_FIELDS = "title,url,abstract,publicationDate,year"


class SemanticScholar:
    """Pages of papers."""

    name = "semantic-scholar"
    hosts = ("www.semanticscholar.org",)
    address = "https://api.semanticscholar.org/graph/v1/paper/search"
    apart = 1.0
    key_header = "x-api-key"
    key_variable = "SEMANTIC_SCHOLAR_API_KEY"

    def parameters(self, query: Query) -> Mapping[str, str]:
        """The words as they are; a hyphen would find nothing there."""
        since = query.since.isoformat() if query.since else ""
        return {
            "query": query.text.replace("-", " "),
            "publicationDateOrYear": f"{since}:{query.until.isoformat()}",
            "fields": _FIELDS,
            "offset": str(query.offset),
            "limit": str(query.limit),
        }

    def read(self, content: bytes, content_type: str) -> Sequence[Result]:
        """An item per paper.

        Raises:
            ReplyMalformed: it is no JSON object with a list of papers.
        """
        if content_type and "json" not in content_type:
            raise ReplyMalformed(f"Semantic Scholar sent {content_type} where JSON was to come.")
        try:
            reply: object = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise ReplyMalformed(f"Semantic Scholar's reply is no whole JSON: {str(error) or 'nested too deep'}.") from error
        said = _object(reply)
        listed: object = said.get("data", [] if said.get("total") == 0 else None)
        if not isinstance(listed, list):
            raise ReplyMalformed(f"Semantic Scholar's reply holds no list of papers: {str(said.get('error') or said.get('message'))[:200]}")
        return [self._result(_object(item)) for item in cast("list[object]", listed)]

    def _result(self, paper: Mapping[str, Any]) -> Result:
        dated, year = _text(paper, "publicationDate"), paper.get("year")
        published = dated or (f"{year:04d}" if isinstance(year, int) and 1000 <= year <= 9999 else "")
        return Result(_text(paper, "title"), _text(paper, "url"), self.name, published, _text(paper, "abstract"))


def _object(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""

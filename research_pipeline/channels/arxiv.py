"""The channel `arxiv`: abstracts on arXiv, found by its public API, which speaks Atom.

The form of queries and replies, and the three seconds between calls, are those of arXiv's API user manual and terms of use.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import ParseError, XMLParser

from research_pipeline.channels.contract import Query, Result
from research_pipeline.errors import ReplyMalformed, RequestRefused

_ATOM = "{http://www.w3.org/2005/Atom}"
_FEED, _ENTRY, _LINK = f"{_ATOM}feed", f"{_ATOM}entry", f"{_ATOM}link"
_ERRORS = "/api/errors"  # in the id of the one entry of a reply that is an error
_FIRST_DAY = "19910101"  # before the first paper
_TERM = re.compile(r'(?:\b(ti|au|abs|co|jr|cat|rn):)?(?:"([^"]+)"|([^\s"]+))')
_OPERATORS = frozenset({"and", "or", "andnot"})
_LETTERS = re.compile(r"[^\w.\-]+")


class Arxiv:
    """Abstract pages of preprints."""

    name = "arxiv"
    hosts = ("arxiv.org",)
    address = "https://export.arxiv.org/api/query"
    apart = 3.0
    key_header = ""
    key_variable = ""

    def parameters(self, query: Query) -> Mapping[str, str]:
        """All of the words, phrases in double quotes, a word behind one of arXiv's own field names such as `ti:` in that field."""
        since = f"{query.since:%Y%m%d}" if query.since else _FIRST_DAY
        dates = f"submittedDate:[{since}0000 TO {query.until:%Y%m%d}2359]"
        return {
            "search_query": " AND ".join([*_terms(query.text), dates]),
            "start": str(query.offset),
            "max_results": str(query.limit),
            "sortBy": "relevance",
            "sortOrder": "descending",
        }

    def read(self, content: bytes, content_type: str) -> Sequence[Result]:
        """An entry per paper.

        Raises:
            ReplyMalformed: it is no whole Atom feed. RequestRefused: arXiv did not understand the query.
        """
        if content_type and "xml" not in content_type:
            raise ReplyMalformed(f"arXiv sent {content_type} where an Atom feed was to come.")
        entries = _entries(content)
        for entry in entries:
            if _ERRORS in entry.get("id", ""):
                raise RequestRefused(f"arXiv refused the query: {' '.join(entry.get('summary', '').split())[:200]}", cost=0)
        return [self._result(entry) for entry in entries]

    def _result(self, entry: Mapping[str, str]) -> Result:
        # The feed names its pages with http; they are served with https alone.
        url = (entry.get("link") or entry.get("id", "")).strip().replace("http://", "https://", 1)
        return Result(entry.get("title", ""), url, self.name, entry.get("published", "").strip()[:10], entry.get("summary", ""))


def _terms(text: str) -> list[str]:
    """Words and phrases alone: nothing in a query can open a bracket, or take back the range of dates."""
    terms: list[str] = []
    for field, phrase, word in _TERM.findall(text):
        words = _LETTERS.sub(" ", phrase or word).split()
        if words and not (len(words) == 1 and words[0].casefold() in _OPERATORS):
            said = " ".join(words)
            terms.append(f'{field or "all"}:"{said}"' if len(words) > 1 else f"{field or 'all'}:{said}")
    return terms


def _entries(content: bytes) -> list[dict[str, str]]:
    """The entries of a feed: the text of each field by its name, and `link` for the page."""
    feed = _Feed()
    parser = XMLParser(target=feed)  # noqa: S314  # the target refuses document types, and with them entities
    try:
        parser.feed(content)
        parser.close()
    except ReplyMalformed:
        raise
    except (ParseError, LookupError, ValueError) as error:  # the last two: an encoding that Python does not know
        raise ReplyMalformed(f"arXiv's reply is no whole XML: {error}.") from error
    return feed.entries


class _Feed:
    """Receives the parser's events."""

    def __init__(self) -> None:
        self.entries: list[dict[str, str]] = []
        self._path: list[str] = []

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:  # noqa: ARG002  # the parser's signature
        raise ReplyMalformed("arXiv's reply declares a document type, which no feed does.")

    def start(self, tag: str, attrib: dict[str, str]) -> None:
        self._path.append(tag)
        if self._path == [tag] and tag != _FEED:
            raise ReplyMalformed(f"arXiv sent {tag.rpartition('}')[2]!r} where an Atom feed was to come.")
        if self._path == [_FEED, _ENTRY]:
            self.entries.append({})
        elif self._path == [_FEED, _ENTRY, _LINK] and attrib.get("rel", "alternate") == "alternate":
            self.entries[-1]["link"] = attrib.get("href", "")

    def data(self, data: str) -> None:
        if len(self._path) > 2 and self._path[1] == _ENTRY and self._path[2] != _LINK:
            entry, name = self.entries[-1], self._path[2].removeprefix(_ATOM)
            entry[name] = entry.get(name, "") + data

    def end(self, tag: str) -> None:  # noqa: ARG002  # the parser's signature
        self._path.pop()

    def close(self) -> None:
        """The parser asks for a result; it is in the entries already."""

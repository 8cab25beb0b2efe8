"""Structured data of a page (JSON-LD): each value with its path, in a form that a person can read and a quote can be taken from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from selectolax.lexbor import LexborHTMLParser

from research_pipeline.reading.canvas import UNSEEN, Canvas
from research_pipeline.reading.dom import collapsed
from research_pipeline.reading.nesting import bounded
from research_pipeline.reading.walking import walk
from research_pipeline.records import Block, BlockKind, Cell, Region

_MOST_VALUES = 2_000  # of a page; more is data, not description
_DEEPEST = 40
_WRAPPING = re.compile(
    r"\A\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/|\]\]>)\s*\Z"
)
_ADDRESS = re.compile(r"(?:https?:)?//\S+|data:\S+|#\S*|mailto:\S+")
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>|&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]+);")
_NAMING = ("name", "headline", "title")
_UNITS = ("priceCurrency", "currency", "unitText", "unitCode", "billingIncrement", "billingDuration")


@dataclass(frozen=True, slots=True)
class Value:
    """One scalar of the data.

    `path` are its keys and list positions from the outside in, the last one its own key; `type` the type of the object it belongs to;
    `names` what the objects around it are called; `units` the values beside it that say what it is measured in.
    """

    path: tuple[str, ...]
    text: str
    type: str = ""
    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()


def values(tree: LexborHTMLParser) -> list[Value]:
    """Every value of the page's JSON-LD that says something, in order. Scripts that are not JSON are passed over."""
    found: list[Value] = []
    for script in tree.css('script[type^="application/ld+json" i]'):
        source = _WRAPPING.sub("", script.text_lexbor())
        try:
            data = json.loads(source, strict=False, parse_float=str, parse_int=str, parse_constant=str)
        except (ValueError, RecursionError):  # broken, or nested to break its reader
            continue
        for item in _scalars(data):
            if len(found) == _MOST_VALUES:
                return found
            found.append(item)
    return found


def blocks(found: Iterable[Value], canvas: Canvas) -> list[Block]:
    """A block for each value: its keys and the value, joined like the cells of a row, written at the end of the page text."""
    return [block for item in found if (block := _block(item, canvas)) is not None]


def _block(item: Value, canvas: Canvas) -> Block | None:
    keys = [key for key in item.path if not key.isdecimal()]
    spans: list[tuple[int, int]] = []
    for text in (*keys, item.text):
        canvas.begin_cell()
        canvas.write(text)
        spans.append(canvas.end_cell()[:2])
    written = canvas.finish()
    if written is None:
        return None
    start = written.start
    headers = tuple(Cell(start + begin, start + end, is_header=True) for begin, end in spans[:-1])
    begin, end = spans[-1]
    cell = Cell(start + begin, start + end, item.units, tuple(keys))
    return Block(BlockKind.STRUCTURED, Region.MAIN, start, start + len(written.text), item.names, cells=(*headers, cell))


@dataclass(frozen=True, slots=True)
class _Node:
    data: Any
    path: tuple[str, ...] = ()
    type: str = ""
    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()


def _scalars(data: Any) -> Iterator[Value]:
    """Depth first, in the order of the source, without recursion."""
    stack = [_Node(data)]
    while stack:
        node = stack.pop()
        inner: Any = node.data
        if isinstance(inner, dict):
            stack.extend(reversed(_members(cast("dict[str, Any]", inner), node)))
        elif isinstance(inner, list):
            stack.extend(reversed(_items(cast("list[Any]", inner), node)))
        elif node.path and (text := _text(inner)):
            yield Value(node.path, text, node.type, node.names, node.units)


def _items(data: list[Any], node: _Node) -> list[_Node]:
    if len(node.path) >= _DEEPEST:
        return []
    return [_Node(item, (*node.path, str(number)), node.type, node.names, node.units) for number, item in enumerate(data)]


def _members(data: dict[str, Any], node: _Node) -> list[_Node]:
    if len(node.path) >= _DEEPEST:
        return []
    kind_name = _type_name(data.get("@type"))
    own_name = next((collapsed(data[key]) for key in _NAMING if isinstance(data.get(key), str)), "")
    label = " ".join(part for part in (kind_name, own_name) if part)
    names = (*node.names, label) if label else node.names
    units = tuple(str(data[key]) for key in _UNITS if isinstance(data.get(key), str))
    return [
        _Node(item, (*node.path, key), kind_name, names, () if key in _UNITS else units)
        for key, item in data.items()
        if key == "@graph" or not key.startswith("@")
    ]


def _type_name(stated: Any) -> str:
    if isinstance(stated, list):
        return next((str(part) for part in cast("list[Any]", stated)), "")
    return stated.rpartition("/")[2] if isinstance(stated, str) else ""


def _text(data: Any) -> str:
    """A scalar as text; empty where it is an address or says nothing."""
    if isinstance(data, bool):
        return "true" if data else "false"
    if not isinstance(data, str) or _ADDRESS.fullmatch(data.strip()):
        return ""
    text = data
    if _MARKUP.search(text):
        body = LexborHTMLParser(bounded(text)).body
        text = walk(body, base="", title="")[0].canvas.text() if body is not None else ""
    return collapsed(text) if text.strip(UNSEEN) else ""

"""HTML to Markdown (CommonMark with tables): headings, lists, quotes, tables, links and code; every visible character stays.

Emphasis is left out: its marks have corner cases in which they would stay in the text. What would read as a mark is escaped.
The walk is iterative, so that no depth of nesting stops it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby

from selectolax.lexbor import LexborHTMLParser, LexborNode

from research_pipeline.reading.dom import BLOCK_TAGS, UNSEEN_TAGS, is_concealed, is_decoration
from research_pipeline.reading.tabs import Panels
from resources.embedded.tables import Grid, grid_of

_CODE = frozenset({"code", "kbd", "samp", "tt"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_SPACE = re.compile(r"[ \t\r\n\f]+")
_MARK = re.compile(r"[\\`*_\[\]<>|~]|&(?=[#\w])")
_LAST_HASHES = re.compile(r"#+$")
_START_OF_BLOCK = re.compile(r"^(#{1,6}(?=\s|$)|[-+](?=\s|$)|[-=]+\s*$)|^(\d{1,9})(?=[.)](?:\s|$))", re.MULTILINE)
_SPACE_RUN = re.compile(" {2,}")
_UNSAFE_IN_TARGET = re.compile(r"[<>\s\\|]")
_BREAK = "\n"  # in collected text, where white space of the page is a blank


def html_to_markdown(html: str) -> str:
    """The page as Markdown, without what its reader cannot get to see."""
    body = LexborHTMLParser(html).body
    return "\n\n".join(_blocks(body, Panels(body))) + "\n" if body is not None else "\n"


def _blocks(root: LexborNode, panels: Panels, *, in_table: bool = False) -> list[str]:
    writer = _Writer(panels, in_table)
    waiting = [(root, True)]
    while waiting:
        node, entering = waiting.pop()
        if not entering:
            writer.leave(node)
        elif writer.enter(node):
            waiting.append((node, False))
            waiting.extend((child, True) for child in reversed(list(node.iter(include_text=True))) if _is_seen(child, panels))
    writer.flush()
    return writer.blocks


def _is_seen(node: LexborNode, panels: Panels) -> bool:
    if node.is_text_node:
        return True
    tag, attributes = node.tag or "", node.attributes
    if tag in UNSEEN_TAGS or is_decoration(tag, attributes):
        return False
    return not is_concealed(tag, attributes) or panels.is_panel(node, node.id or "")


@dataclass(slots=True)
class _Container:
    """A quote or list item around blocks: what stands before its first line, and before each further one."""

    first: str
    rest: str


@dataclass(slots=True)
class _Writer:
    """Collects inline text until a block ends, then sets it down with the marks of where it stands."""

    panels: Panels
    in_table: bool
    blocks: list[str] = field(default_factory=list[str])
    _inline: list[str] = field(default_factory=list[str])
    _links: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    _counters: list[int | None] = field(default_factory=list["int | None"])
    _containers: list[_Container] = field(default_factory=list[_Container])
    _heading: int = 0

    def enter(self, node: LexborNode) -> bool:
        """Take a node up; whether its children are to follow."""
        tag = node.tag or ""
        if tag not in BLOCK_TAGS:
            return self._enter_inline(node, tag)
        self.flush()
        if tag == "pre":
            self._place(_code_span(node.text_lexbor(), in_table=True) if self.in_table else _fenced(node.text_lexbor()))
        elif tag == "hr":
            self._place("" if self.in_table else "---")
        elif tag == "table" and not self.in_table:
            self._table(grid_of(node))
        else:
            self._enter_block(node, tag)
            return True
        return False

    def leave(self, node: LexborNode) -> None:
        """End a node whose children have been taken up."""
        tag = node.tag or ""
        if tag == "a":
            self._end_link(node)
        if tag not in BLOCK_TAGS:
            return
        self.flush()
        if tag in ("ul", "ol"):
            self._counters.pop()
        elif tag in ("li", "blockquote"):
            self._containers.pop()
        elif tag in _HEADINGS:
            self._heading = 0

    def flush(self) -> None:
        """Set down what was collected; an empty line between two breaks parts two blocks."""
        lines = [_SPACE_RUN.sub(" ", line).strip() for line in "".join(self._inline).split(_BREAK)]
        self._inline.clear()
        self._links.clear()
        if self._heading or self.in_table:
            text = " ".join(filter(None, lines))
            self._place(text if self.in_table or not text else f"{'#' * self._heading} {_LAST_HASHES.sub(_escaped, text)}")
            return
        for filled, group in groupby(lines, key=bool):
            if filled:
                self._place(_START_OF_BLOCK.sub(lambda found: f"\\{found[1]}" if found[1] else f"{found[2]}\\", "\\\n".join(group)))

    def _enter_inline(self, node: LexborNode, tag: str) -> bool:
        if node.is_text_node:
            self._inline.append(_MARK.sub(_escaped, _SPACE.sub(" ", node.text_content or "")))
        elif tag == "br":
            self._inline.append(_BREAK)
        elif tag == "img":
            self._inline.append(_MARK.sub(_escaped, _SPACE.sub(" ", node.attributes.get("alt") or "")))
        elif tag in _CODE:
            self._inline.append(_code_span(node.text_lexbor(), in_table=self.in_table))
        else:
            if tag == "a":
                self._links.append((len(self.blocks), len(self._inline)))
            return True
        return False

    def _end_link(self, node: LexborNode) -> None:
        if not self._links:
            return  # a block inside the link has been set down already: its text stays, without the address
        blocks, start = self._links.pop()
        text = "".join(self._inline[start:]).replace(_BREAK, " ")
        target = (node.attributes.get("href") or "").strip()
        if blocks == len(self.blocks) and text.strip() and target:
            self._inline[start:] = [f"[{text}](<{_UNSAFE_IN_TARGET.sub(_percent, target)}>)"]

    def _enter_block(self, node: LexborNode, tag: str) -> None:
        if tag in ("ul", "ol"):
            start = node.attributes.get("start") or ""
            self._counters.append((int(start) if re.fullmatch(r"\d{1,6}", start) else 1) if tag == "ol" else None)
        elif tag == "li":
            marker = self._marker()
            self._containers.append(_Container(marker, " " * len(marker)))
        elif tag == "blockquote":
            self._containers.append(_Container("> ", "> "))
        elif tag in _HEADINGS:
            self._heading = _HEADINGS[tag]

    def _marker(self) -> str:
        number = self._counters[-1] if self._counters else None
        if number is None:
            return "- "
        self._counters[-1] = number + 1
        return f"{number}. "

    def _table(self, grid: Grid) -> None:
        if grid.caption is not None:
            self._place(self._cell(grid.caption))
        if not grid.rows:
            return
        rows = [[self._cell(cell) for cell in row] for row in grid.rows]
        head, body = (rows[0], rows[1:]) if grid.has_header else ([""] * len(rows[0]), rows)
        self._place("\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *body)))

    def _cell(self, cell: LexborNode | None) -> str:
        return " ".join(_blocks(cell, self.panels, in_table=True)) if cell is not None else ""

    def _place(self, block: str) -> None:
        if not block:
            return
        if self.in_table:
            self.blocks.append(block)
            return
        lines: list[str] = []
        for line in block.split("\n"):
            lines.append(("".join(container.first for container in self._containers) + line).rstrip(" "))
            for container in self._containers:
                container.first = container.rest
        self.blocks.append("\n".join(lines))


def _fenced(text: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}\n{text.strip(chr(10))}\n{fence}" if text.strip() else ""


def _code_span(text: str, *, in_table: bool) -> str:
    text = _SPACE.sub(" ", text)
    if not text.strip():
        return text
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{padding}{text.replace('|', chr(92) + '|') if in_table else text}{padding}{fence}"


def _escaped(found: re.Match[str]) -> str:
    return f"\\{found[0]}"


def _percent(found: re.Match[str]) -> str:
    return f"%{ord(found[0]):02X}"

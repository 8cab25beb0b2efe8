"""Which tables only arrange the page."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from research_pipeline.reading.dom import Attributes, value

_ARRANGED = "table table, td main, td article, td section, td nav, td h1, td h2"


class LayoutTables:
    """Finds the tables whose cells hold other tables, or parts of a page.

    What is in the cells of such a table is read as if the table were not there. A table with header cells or a caption holds data,
    whatever its cells contain, unless a table is within them.
    """

    def __init__(self, body: LexborNode) -> None:
        self._around_tables: set[int] = set()
        self._around_parts: set[int] = set()
        seen: dict[bool, set[int]] = {True: set(), False: set()}
        for node in body.css(_ARRANGED):
            is_table = node.tag == "table"
            found = _table_around(node, seen[is_table])
            if found is not None:
                (self._around_tables if is_table else self._around_parts).add(found.mem_id)

    def holds(self, table: LexborNode, attributes: Attributes) -> bool:
        """Whether a table is one of them."""
        if table.mem_id in self._around_tables or value(attributes, "role") in ("presentation", "none"):
            return True
        has_parts = table.mem_id in self._around_parts
        is_code = not has_parts and table.css_first("td pre") is not None and len(table.css("tr")) == 1
        return (has_parts or is_code) and table.css_first("th, caption") is None


def _table_around(node: LexborNode, seen: set[int]) -> LexborNode | None:
    """The nearest table around a node; None where an earlier search has passed this way."""
    around = node.parent
    while around is not None and around.tag != "table":
        if around.mem_id in seen:
            return None
        seen.add(around.mem_id)
        around = around.parent
    return around

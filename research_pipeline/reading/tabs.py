"""Which label opens which part of a page: tabs, accordions and other parts that a control shows."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from research_pipeline.reading.dom import text_of, value

_CONTROLS = "[aria-controls], [role=tab], [data-toggle=tab], [data-toggle=collapse], [data-bs-toggle=tab], [data-bs-toggle=collapse]"
_MOST_CONTROLS = 500  # of a kind that are looked at on one page
_LONGEST_LABEL = 120  # characters; longer ones are texts that happen to control something


class Panels:
    """The labelled panels of a page. A panel is part of the page although it is hidden: its reader can open it."""

    def __init__(self, body: LexborNode) -> None:
        self._by_id: dict[str, str] = {}
        self._by_node: dict[int, str] = {}
        self._controlled: set[str] = set()
        self._looks = 0
        self._read_controls(body)
        self._read_panels(body)
        self._read_tab_lists(body)
        self._read_radio_tabs(body)

    def has(self, node: LexborNode) -> bool:
        """Whether an element is a panel by its role or place."""
        return bool(self._by_node) and node.mem_id in self._by_node

    def label(self, node: LexborNode, element_id: str) -> str:
        """The label of the panel that an element is; empty where it is none, has none, or is the page that a button shows and hides."""
        label = self._by_node.get(node.mem_id, "") or self._by_id.get(element_id, "")
        if not label:
            return ""
        self._looks += 1
        return label if self._looks <= _MOST_CONTROLS and node.css_first("h1, main, [role=main]") is None else ""

    def is_panel(self, node: LexborNode, element_id: str) -> bool:
        """Whether a control of the page shows this element."""
        return self.has(node) or (bool(element_id) and element_id in self._controlled)

    def _read_controls(self, body: LexborNode) -> None:
        for control in body.css(_CONTROLS)[:_MOST_CONTROLS]:
            attributes = control.attributes
            targets = value(attributes, "aria-controls") or value(attributes, "data-bs-target") or value(attributes, "data-target")
            if not targets and value(attributes, "href").startswith("#"):
                targets = value(attributes, "href")
            label = _short(text_of(control))
            for target in targets.replace("#", " ").split():
                self._controlled.add(target)
                if label:
                    self._by_id.setdefault(target, label)

    def _read_panels(self, body: LexborNode) -> None:
        labels: dict[str, str] | None = None
        for panel in body.css("[role=tabpanel]")[:_MOST_CONTROLS]:
            self._by_node[panel.mem_id] = ""
            by = value(panel.attributes, "aria-labelledby")
            if not by:
                self._by_node[panel.mem_id] = _short(value(panel.attributes, "aria-label"))
                continue
            if labels is None:
                labels = {
                    node.id or "": _short(text_of(node)) for node in body.css("[role=tab], button[id], label[id], a[id]")[:_MOST_CONTROLS]
                }
            self._by_node[panel.mem_id] = labels.get(by, "")

    def _read_tab_lists(self, body: LexborNode) -> None:
        """Tabs and panels without ids belong together by their order."""
        for tab_list in body.css("[role=tablist]")[:_MOST_CONTROLS]:
            tabs = tab_list.css("[role=tab]")
            panels = tab_list.parent.css("[role=tabpanel]") if tab_list.parent is not None else []
            if len(tabs) == len(panels):
                for tab, panel in zip(tabs, panels, strict=True):
                    if not self._by_node.get(panel.mem_id) and (panel.id or "") not in self._by_id:
                        self._by_node[panel.mem_id] = _short(text_of(tab))

    def _read_radio_tabs(self, body: LexborNode) -> None:
        """Tabs without scripts: a radio button, its label, and the panel that follows; or all labels first, then all panels."""
        for label in body.css("input[type=radio] + label"):
            panel = _next_element(label)
            if panel is not None and panel.tag == "div":
                self._by_node[panel.mem_id] = _short(text_of(label))
        for first in body.css("div > label:first-child"):
            labels_parent = first.parent
            panels_parent = _next_element(labels_parent) if labels_parent is not None else None
            if labels_parent is None or panels_parent is None or not value(first.attributes, "for"):
                continue
            labels, panels = list(labels_parent.iter()), list(panels_parent.iter())
            if len(labels) == len(panels) and all(node.tag == "label" for node in labels):
                self._by_node.update({panel.mem_id: _short(text_of(label)) for label, panel in zip(labels, panels, strict=True)})


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else ""


def _next_element(node: LexborNode) -> LexborNode | None:
    following = node.next
    while following is not None and not following.is_element_node:
        following = following.next
    return following

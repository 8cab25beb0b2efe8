"""Prompts: files with a version each, filled in here. What a page says is quoted data between borders that it cannot forge."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template

_SEPARATOR = "\n---\n"
_MARK_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file: `instructions` stand before everything else, `task` is filled in for each call.

    `version` is raised with every change of the file; it is part of what a call is known by.
    """

    name: str
    version: int
    instructions: str
    task: str

    @property
    def label(self) -> str:
        """`extraction 1`: how a prompt is named to people."""
        return f"{self.name} {self.version}"

    def fill(self, **values: str) -> str:
        """The task with its `$names` filled in, once: what a value holds is never filled in again.

        Raises:
            KeyError: a name has no value.
        """
        return Template(self.task).substitute(values)


@cache
def load_prompt(name: str) -> Prompt:
    """The prompt of a file `NAME.md` here: a line `version: N`, the instructions, the task, each set apart by a line of `---`."""
    head, instructions, task = files(__name__).joinpath(f"{name}.md").read_text("utf-8").split(_SEPARATOR)
    return Prompt(name, int(head.removeprefix("version:")), instructions.strip(), task.strip())


def quoted(text: str, what: str) -> str:
    """A text of others between borders. Their mark is a hash of the text, which a text cannot contain on purpose; one that does by
    chance gets another mark."""
    turn = 0
    while (mark := _mark(text, turn)) in text:
        turn += 1
    return f"[begin {what} {mark}]\n{text}\n[end {what} {mark}]"


def _mark(text: str, turn: int) -> str:
    return hashlib.sha256(f"{turn}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:_MARK_DIGITS]

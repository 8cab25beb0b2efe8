"""How often Python looks for garbage in cycles, for processes that begin by loading some million objects and keep them to their end."""

from __future__ import annotations

import gc

_NEW_OBJECTS = 50_000
_YOUNG_COLLECTIONS = 20


def collect_rarely() -> None:
    """Look for garbage after so many new objects rather than after every 700.

    Dagster, SQLAlchemy and pydantic load as objects that stay; looking through them over and over took a third of the processor time
    of a run. What is not part of a cycle is let go of at once, as ever.
    """
    gc.set_threshold(_NEW_OBJECTS, _YOUNG_COLLECTIONS, _YOUNG_COLLECTIONS)


def keep_all() -> None:
    """Take what is there now for what stays: no search goes through it again, nor does the one at the end of the process."""
    gc.freeze()

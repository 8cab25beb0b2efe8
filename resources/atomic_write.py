"""Files that a reader sees whole or not at all, and that survive a power cut once the call has returned."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Replace the file by `data` in one step; makes its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.parent / f".new-{secrets.token_hex(8)}"
    try:
        with aside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable: a rename is only as lasting as the folder that lists it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

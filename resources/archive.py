"""Bodies of pages, kept for ever under the hash of their content.

A body is stored once, whoever fetched it and however often; what is read back is proven to be what was stored.
"""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path

from research_pipeline.errors import StorageInvalid
from research_pipeline.ids import body_hash
from resources.atomic_write import write_whole

_LEVEL = 6
_SHA256 = re.compile(r"[0-9a-f]{64}")


class PageArchive:
    """A folder of `ab/abcdef….gz`; safe for any number of threads and processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, body: bytes) -> str:
        """Store a body and return its SHA-256 in hex. It is on the disk when the call returns.

        A copy that was damaged since is replaced.
        """
        name = body_hash(body)
        if not self._holds(name):
            write_whole(self.path(name), gzip.compress(body, _LEVEL, mtime=0))
        return name

    def get(self, name: str) -> bytes:
        """The body that was stored under a hash.

        Raises:
            StorageInvalid: there is none, or it is no longer what was stored.
        """
        path = self.path(name)
        try:
            body = gzip.decompress(path.read_bytes())
        except FileNotFoundError as error:
            raise _invalid(path, "is missing") from error
        except (OSError, EOFError, zlib.error) as error:
            raise _invalid(path, f"cannot be read ({error})") from error
        if body_hash(body) != name:
            raise _invalid(path, "is not what its name says")
        return body

    def path(self, name: str) -> Path:
        """Where a body lies or would lie."""
        if not _SHA256.fullmatch(name):
            raise ValueError(f"{name!r} is no SHA-256 in hex")
        return self.folder / name[:2] / f"{name}.gz"

    def _holds(self, name: str) -> bool:
        try:
            self.get(name)
        except StorageInvalid:
            return False
        return True


def _invalid(path: Path, what: str) -> StorageInvalid:
    return StorageInvalid(
        f"The archived page {path} {what}.",
        remedy="Put the file back from a backup of the pages folder; until then nothing that quotes this page can be proven.",
    )

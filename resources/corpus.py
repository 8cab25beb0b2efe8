"""A corpus on disk: `hosts.json`, `questions.jsonl`, and each vendor's site in `VENDOR/site`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import yaml

from research_pipeline.errors import CorpusInvalid, Problem, UnknownName
from research_pipeline.scoring import Corpus, doubts, read_corpus, study_of, visible_text
from research_pipeline.scoring.labels import HOSTS, QUESTIONS
from resources.atomic_write import write_whole


class CorpusFolder:
    """A corpus that has been checked.

    Raises:
        UnknownName: there is no such folder.
        CorpusInvalid: with every problem of its files.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise UnknownName(f"There is no folder {str(folder)!r}.", remedy="docs/evaluate.md tells how to make a corpus.")
        self.folder = folder.resolve()
        self.corpus: Corpus = read_corpus(self._text(HOSTS), self._text(QUESTIONS))
        if missing := [vendor for vendor in self.corpus.vendors if not self.site(vendor).is_dir()]:
            raise CorpusInvalid(
                [Problem(vendor, f"there is no folder {vendor}/site.", "Put the pages of the site there.") for vendor in missing]
            )
        self.page_text = lru_cache(maxsize=512)(self._page_text)

    def _text(self, name: str) -> str:
        try:
            return self.folder.joinpath(name).read_text("utf-8")
        except FileNotFoundError as error:
            raise CorpusInvalid([Problem(name, "there is no such file.", "docs/evaluate.md tells what it holds.")]) from error
        except (OSError, UnicodeDecodeError) as error:
            raise CorpusInvalid([Problem(name, f"it cannot be read: {error}.", "Save it as UTF-8 text.")]) from error

    def site(self, vendor: str) -> Path:
        """The folder that is read as a vendor's site."""
        return self.folder / vendor / "site"

    def doubts(self) -> Iterator[Problem]:
        """What looks wrong with labels when their pages are looked up; no reason not to go on."""
        for label in self.corpus.labels:
            origin = self.corpus.origins[label.vendor]
            yield from doubts(label, lambda path, origin=origin, vendor=label.vendor: self.page_text(vendor, origin.rstrip("/") + path))

    def write_study(self, vendor: str, folder: Path, *, extractor: str = "rules", more: Mapping[str, Any] | None = None) -> Path:
        """The vendor's study as a file, for `research run` and the Dagster UI; gives its path. `more` are further fields of it."""
        path = folder / f"{study_name(vendor)}.yaml"
        made = {**study_of(self.corpus, vendor, site=str(self.site(vendor)), extractor=extractor), **(more or {})}
        text: str = yaml.safe_dump(made, sort_keys=False, allow_unicode=True)  # pyright: ignore[reportUnknownMemberType]  # untyped in PyYAML
        write_whole(path, text.encode())
        return path

    def _page_text(self, vendor: str, url: str) -> str:
        parts = urlsplit(url)
        if parts.netloc != urlsplit(self.corpus.origins[vendor]).netloc:
            return ""
        path, site = unquote(parts.path).lstrip("/"), self.site(vendor)
        for file in (site / path, site / path / "index.html", site / f"{path.rstrip('/')}.html"):
            if file.is_file() and file.resolve().is_relative_to(site.resolve()):
                return visible_text(file.read_text("utf-8", "replace"))
        return ""


def study_name(vendor: str) -> str:
    """A vendor slug as the name of a study, which has no dashes and begins with a letter."""
    plain = vendor.replace("-", "_")
    return plain if plain[0].isalpha() else f"v_{plain}"

"""Tokens per right answer: this pipeline against the published sequential recipe, on the same labelled sites and the same engine.

    python benchmarks/sequential_recipe.py CORPUS

The recipe takes one question after the other: it maps each source, ranks the addresses by how many of the question's words of four or
more letters their paths hold, and reads the first four of them. It is given the benefit of every doubt: no page and no map is paid twice,
and it answers right wherever one of its pages carries the answer, of a conflict all of them. What it costs as published, where each
question pays for itself, is printed beside.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from research_pipeline.evaluating import evaluate
from research_pipeline.ids import host_of
from research_pipeline.scoring import Expected, Label
from research_pipeline.study import Limits
from resources.calls import CallContext
from resources.client import ScraperClient
from resources.corpus import CorpusFolder
from resources.home import Home
from resources.mrscraper import MrScraperResource
from resources.stores import open_stores

_MOST_READ = 4  # pages of a source for a question
_WORD = re.compile(r"[^\W\d_]{4,}")
_ROOM = Limits(max_pages=10_000, max_tokens=100_000, max_steps=20_000, max_discover_calls=1_000, max_seconds=36_000)


@dataclass(frozen=True, slots=True)
class Spent:
    """What questions cost, and how many of them were answered right. `each` is without anything that an earlier question had paid."""

    right: int = 0
    once: int = 0
    each: int = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.right + other.right, self.once + other.once, self.each + other.each)


def main() -> None:
    """Run both on the corpus that the arguments name."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("corpus", type=Path, help="a folder of labelled sites, as docs/evaluate.md describes it")
    folder = CorpusFolder(parser.parse_args().corpus)
    with tempfile.TemporaryDirectory() as scratch:
        recipe = asyncio.run(_recipe(folder, Home(Path(scratch) / "recipe")))
        ours = evaluate(folder, Home(Path(scratch) / "ours")).total
    right = ours.right - ours.gaps_right
    _say(f"ours:   {right} right, {ours.tokens} tokens, {ours.tokens / right:.2f} per right answer")
    _say(f"recipe: {recipe.right} right, {recipe.once} tokens, {recipe.once / recipe.right:.2f} per right answer")
    _say(f"recipe as published: {recipe.each} tokens, {recipe.each / recipe.right:.2f} per right answer")
    share = [ours.tokens / right / (tokens / recipe.right) for tokens in (recipe.once, recipe.each)]
    _say(f"ours is {share[0]:.2f} times the recipe at its best, {share[1]:.2f} times the recipe as published")


async def _recipe(folder: CorpusFolder, home: Home) -> Spent:
    stores, spent = open_stores(home), Spent()
    for vendor in folder.corpus.vendors:
        origin = folder.corpus.origins[vendor].rstrip("/")
        context = CallContext(vendor, f"recipe-{vendor}", "", _ROOM)
        connection = MrScraperResource().client(
            engine="embedded",
            ledger=stores.ledger,
            archive=stores.archive,
            throttle=stores.throttle,
            mounts={origin: folder.site(vendor)},
            allowed_hosts=frozenset((host_of(origin),)),
        )
        async with connection as client:
            await client.open_cycle(context)
            for label in folder.corpus.of(vendor):
                spent += await _asked(client, context, label, origin=origin)
        spent += Spent(once=stores.ledger.spent(context.cycle).tokens)
    return spent


async def _asked(client: ScraperClient, context: CallContext, label: Label, *, origin: str) -> Spent:
    mapped = await client.map_site(origin + label.start_path, context)
    words = {word.casefold() for word in _WORD.findall(label.question)}
    ranked = sorted(mapped.urls, key=lambda url: -_words_in(url, words))
    pages = [await client.read_page(url, context) for url in ranked[:_MOST_READ]]
    read = {_name(urlsplit(page.final_url).path) for page in pages}
    return Spent(right=int(_could_answer(label, read)), each=mapped.tokens + sum(page.tokens for page in pages))


def _words_in(url: str, words: set[str]) -> int:
    path = unquote(urlsplit(url).path).casefold()
    return sum(word in path for word in words)


def _could_answer(label: Label, read: set[str]) -> bool:
    by_status: Mapping[Expected, bool] = {
        Expected.GAP: False,  # nothing to be paid for
        Expected.AGREED: any(_name(path) in read for path in label.answer_page_paths),
        Expected.CONFLICT: all(_name(side.page) in read for side in label.conflict_values),
    }
    return by_status[label.expected_status]


def _name(path: str) -> str:
    return path.rstrip("/").removesuffix("/index.html").removesuffix(".html")


def _say(line: str) -> None:
    print(line)  # noqa: T201 - a program that prints its figures


if __name__ == "__main__":
    main()

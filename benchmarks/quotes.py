"""What it takes to verify quotes on a long page: many at once, against the published check that normalises the page for each quote.

    python benchmarks/quotes.py [--quotes 100000] [--megabytes 1]

The published check is two lines: collapse the white space of page and quote, compare in lower case with `in`. Ours folds the page once,
looks each quote up at token boundaries and gives its place. The published one is measured on a few quotes and extrapolated. Half of the
quotes stand on the page, half do not: a word of them is changed. Seconds are of processor time, and of one processor.
"""

from __future__ import annotations

import argparse
import random
import time
from itertools import accumulate

from research_pipeline.normalising import find_all, normalise

_FEW = 40  # quotes that the published check is measured on
_VOCABULARY = 20_000  # words of the page, used as often as words of a language are: the n-th most frequent one 1/n times as often


def main() -> None:
    """Measure both, and print how they compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quotes", type=int, default=100_000, help="how many quotes are verified (default: 100000)")
    parser.add_argument("--megabytes", type=float, default=1.0, help="length of the page in millions of characters (default: 1)")
    wanted = parser.parse_args()
    page = _page(int(wanted.megabytes * 1_000_000))
    quotes = _quotes(page, wanted.quotes)
    began = time.process_time()
    folded = normalise(page)
    found = sum(bool(find_all(quote, folded)) for quote in quotes)
    ours = time.process_time() - began
    began = time.process_time()
    for quote in quotes[:_FEW]:
        _published(quote, page)
    published = (time.process_time() - began) / _FEW * wanted.quotes
    print(  # noqa: T201 - a program that prints its figures
        f"{wanted.quotes} quotes on a page of {len(page)} characters: {ours:.1f} s, {found} of them stand there\n"
        f"the published check would take {published:.0f} s (from {_FEW} quotes): {published / ours:.0f} times as long"
    )


def _published(quote: str, page: str) -> bool:
    return " ".join(quote.split()).lower() in " ".join(page.split()).lower()


def _page(length: int) -> str:
    dice = random.Random(1)  # noqa: S311 - the same page each time
    words = ["".join(dice.choices("abcdefghijklmnoprstuvyzéü", k=dice.randint(2, 10))) for _ in range(_VOCABULARY)]
    weights = list(accumulate(1 / (rank + 1) for rank in range(_VOCABULARY)))
    sentences: list[str] = []
    characters = 0
    while characters < length:
        sentence = " ".join(dice.choices(words, cum_weights=weights, k=dice.randint(6, 24))).capitalize() + "."
        sentences.append(sentence)
        characters += len(sentence) + 1
    return "\n".join(sentences)


def _quotes(page: str, count: int) -> list[str]:
    dice = random.Random(2)  # noqa: S311 - the same quotes each time
    sentences = page.split("\n")
    quotes: list[str] = []
    for number in range(count):
        words = dice.choice(sentences).split(" ")
        if number % 2:
            words[dice.randrange(len(words))] = f"never{number}"
        quotes.append(" ".join(words))
    return quotes


if __name__ == "__main__":
    main()

"""How long the evaluation of a corpus takes, in how much memory, and what came out of it.

python benchmarks/evaluation.py CORPUS
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

from research_pipeline.evaluating import evaluate
from resources.corpus import CorpusFolder
from resources.home import Home


def main() -> None:
    """Evaluate the corpus that the arguments name on a fresh home."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("corpus", type=Path, help="a folder of labelled sites, as docs/evaluate.md describes it")
    folder = CorpusFolder(parser.parse_args().corpus)
    began, worked = time.perf_counter(), time.process_time()
    with tempfile.TemporaryDirectory() as scratch:
        total = evaluate(folder, Home(Path(scratch))).total
    seconds, processor = time.perf_counter() - began, time.process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(  # noqa: T201 - a program that prints its figures
        f"{len(folder.corpus.vendors)} vendors, {total.questions} questions: {seconds:.0f} s, {processor:.0f} s of processor time, "
        f"peak {peak:.0f} MB\nprecision {total.precision}, recall {total.recall}, gaps {total.gaps_right}/{total.gaps}, "
        f"conflicts {total.conflicts_right}/{total.conflicts}, {total.absent_quotes} absent quotes, "
        f"{total.tokens_per_right_answer} tokens and {total.pages_per_right_answer} pages per right answer"
    )


if __name__ == "__main__":
    main()

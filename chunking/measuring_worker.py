"""A process that measures configs for `measuring_all`: work comes on standard input, numbers go to standard output."""

from __future__ import annotations

import pickle
import sys

from chunking.errors import ChunkscopeError, StrategyError
from chunking.markdown import parse
from chunking.measuring import Tally
from chunking.runs import run


def main() -> None:
    """Read the work, once; write each config's numbers as soon as they are known, or the error that ends it."""
    results = sys.stdout.buffer
    sys.stdout = sys.stderr  # what a library prints is no result
    texts, share, gold, whole = pickle.load(sys.stdin.buffer)
    documents = [parse(text, name) for name, text in texts]
    for number, config in share:
        tally = Tally(config)
        try:
            for document in documents:
                tally.add(run(document, config), gold, whole)
        except ChunkscopeError as error:
            pickle.dump(StrategyError(str(error)), results)
            return
        pickle.dump((number, tally.numbers()), results)
        results.flush()


if __name__ == "__main__":
    main()

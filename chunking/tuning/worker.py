"""A process that works for `processes.py`: what to do comes on standard input, results go to standard output."""

from __future__ import annotations

import pickle
import sys

from chunking.errors import ChunkscopeError, StrategyError
from chunking.runtime.faults import fault_words
from chunking.runtime.gc_pause import this_program_is_ours


def main() -> None:
    """Read a generator function and its arguments; write what it yields as it comes, or the error that ends it."""
    results = sys.stdout.buffer
    this_program_is_ours()
    sys.stdout = sys.stderr  # what a library prints is no result
    function, arguments = pickle.load(sys.stdin.buffer)
    try:
        for result in function(*arguments):
            pickle.dump(result, results)
            results.flush()
    except BaseException as error:
        said = str(error) if isinstance(error, ChunkscopeError) else fault_words(error)
        pickle.dump(StrategyError(said), results)
    else:
        pickle.dump(None, results)
    results.flush()


if __name__ == "__main__":
    main()

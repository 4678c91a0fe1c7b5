"""The worker process of `processes.py`: reads a task from standard input, writes results to
standard output."""

from __future__ import annotations

import pickle
import sys

from chunking.errors import ChunkscopeError, StrategyError
from chunking.runtime.faults import fault_message
from chunking.runtime.gc_pause import this_program_is_ours
from chunking.runtime.parent import end_with_pipe


def main() -> None:
    """Read a generator function and its arguments; write what it yields as it comes, or the error
    that ends it."""
    results = sys.stdout.buffer
    this_program_is_ours()
    sys.stdout = sys.stderr  # so that what a library prints does not mix with the results
    function, arguments = pickle.load(sys.stdin.buffer)
    end_with_pipe(sys.stdin.fileno())
    try:
        for result in function(*arguments):
            pickle.dump(result, results)
            results.flush()
    except BaseException as error:
        message = str(error) if isinstance(error, ChunkscopeError) else fault_message(error)
        pickle.dump(StrategyError(message), results)
    else:
        pickle.dump(None, results)
    results.flush()


if __name__ == "__main__":
    main()

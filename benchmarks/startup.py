"""What starting costs: milliseconds of CPU time of fresh Pythons that import or say their help.

What `from chunking import run` needs of others, numpy and pydantic, is measured in the same run:
the rest is ours.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys

STARTS = {
    "nothing (a bare Python)": ("-c", "pass"),
    "import chunking": ("-c", "import chunking"),
    "import numpy and pydantic": ("-c", "import numpy, pydantic.main"),
    "from chunking import run": ("-c", "from chunking import run"),
    "chunkscope --help": ("-m", "chunking", "--help"),
}


def report(*, quick: bool) -> None:
    """Print a row for each start: median milliseconds of CPU time, all threads together."""
    rounds = 2 if quick else 11
    costs: dict[str, list[float]] = {name: [] for name in STARTS}
    # One of each a round, so that a slow minute is everybody's.
    for _ in range(rounds):
        for name, arguments in STARTS.items():
            costs[name].append(_cpu_seconds(arguments))
    print("\nStarting, milliseconds of CPU time")
    for name, seconds in costs.items():
        print(f"{name:45}{statistics.median(seconds) * 1000:>10.0f}")


def _cpu_seconds(arguments: tuple[str, ...]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

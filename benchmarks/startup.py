"""What starting costs: milliseconds of fresh Pythons that import or say their help.

    python -m benchmarks.startup

The first run loads the rest (numpy, pydantic, tiktoken, markdown-it-py, a tokenizer's table); what
of it is others' is measured beside it.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time

_FIRST_RUN = (
    "from chunking import Config, parse, run\n"
    "from chunking.strategies.heading_window import HeadingWindow\n"
    "run(parse('# Title\\n\\nText.\\n'), Config(HeadingWindow()))\n"
)
STARTS = {
    "nothing (a bare Python)": ("-c", "pass"),
    "import chunking": ("-c", "import chunking"),
    "from chunking import run": ("-c", "from chunking import run"),
    "import numpy and pydantic": ("-c", "import numpy, pydantic.main"),
    "a first run, imports included": ("-c", _FIRST_RUN),
    "chunkscope --help": ("-m", "chunking", "--help"),
}


def report(*, quick: bool) -> None:
    """Print a row for each start: median milliseconds on the clock, and of CPU time, all threads
    together."""
    rounds = 2 if quick else 11
    costs: dict[str, list[tuple[float, float]]] = {name: [] for name in STARTS}
    # One of each a round, so that a slow minute is everybody's.
    for _ in range(rounds):
        for name, arguments in STARTS.items():
            costs[name].append(_seconds(arguments))
    print(f"\n{'Starting, milliseconds':45}{'clock':>10}{'CPU':>10}")
    for name, seconds in costs.items():
        clock, cpu = (statistics.median(each) * 1000 for each in zip(*seconds, strict=True))
        print(f"{name:45}{clock:>10.0f}{cpu:>10.0f}")


def _seconds(arguments: tuple[str, ...]) -> tuple[float, float]:
    """Seconds on the clock and of CPU time of one fresh Python."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    clock, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    report(quick=False)

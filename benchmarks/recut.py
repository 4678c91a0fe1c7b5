"""What a threshold move costs when everything is remembered: milliseconds of CPU time to cut
again."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence

from benchmarks.texts import text_of
from chunking import Config, Document, parse, run
from chunking.core.strategy import Strategy
from chunking.strategies.block_packing import BlockPacking
from chunking.strategies.every_heading import EveryHeading
from chunking.strategies.fixed import Fixed
from chunking.strategies.heading_window import HeadingWindow
from chunking.strategies.hierarchical import Hierarchical
from chunking.strategies.recursive import Recursive
from chunking.strategies.section_rules import SectionRules

_MOVES, _STEP = 10, 10


def moves() -> dict[str, Callable[[int], Strategy]]:
    """For each strategy, its settings after so many tokens or characters of a drag."""
    return {
        "heading-window": lambda by: HeadingWindow(min_tokens=200 + by),
        "heading-window, maxTokens": lambda by: HeadingWindow(max_tokens=700 + by),
        "hierarchical": lambda by: Hierarchical(hard_cap=900 + by),
        "block-packing": lambda by: BlockPacking(max_tokens=500 + by),
        "section-rules": lambda by: SectionRules(split_above=950 + by),
        "fixed, characters": lambda by: Fixed(chunk_size=1000 + by),
        "fixed, tokens": lambda by: Fixed(chunk_size=500 + by, chunk_overlap=50, unit="tokens"),
        "recursive": lambda by: Recursive(chunk_size=1000 + by),
        "every-heading (nothing to move)": lambda _: EveryHeading(),
    }


def report(corpus: str | None, *, quick: bool) -> None:
    """Print a table: rows are strategies, columns are sizes, cells are milliseconds for each move
    (median): to values that are new, and to the same ones again."""
    sizes = {"50 KB": 50_000, "200 KB": 200_000} if quick else {"50 KB": 50_000, "1 MB": 1_000_000, "10 MB": 10_000_000}
    documents = [parse(text_of(size, corpus)) for size in sizes.values()]
    print("\nRe-cut after a threshold move, milliseconds of CPU time (cl100k_base, index remembered)")
    print("first number: to a value not seen before; second: to one that was")
    print(f"{'':35}" + "".join(f"{size:>16}" for size in sizes))
    for name, drag in moves().items():
        cells = []
        for document in documents:
            values = [_STEP * number for number in range(_MOVES + 1)]
            new, seen = (cut_times(document, [drag(value) for value in values]) for _ in range(2))
            cells.append(f"{statistics.median(new) * 1000:.1f} / {statistics.median(seen) * 1000:.1f}")
        print(f"{name:35}" + "".join(f"{cell:>16}" for cell in cells))


def cut_times(document: Document, strategies: Sequence[Strategy]) -> list[float]:
    """Seconds of CPU time of each cut, one after the other, without the first."""
    times = []
    for strategy in strategies:
        gc.collect()
        start = time.process_time()
        run(document, Config(strategy, "cl100k_base"))
        times.append(time.process_time() - start)
    return times[1:]

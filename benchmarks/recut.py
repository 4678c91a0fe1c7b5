"""What a threshold move costs when everything is remembered: milliseconds of CPU time to cut
again."""

from __future__ import annotations

from itertools import cycle

from benchmarks.texts import cpu_seconds, text_of
from chunking import Config, parse, run
from chunking.core.strategy import Strategy
from chunking.strategies.block_packing import BlockPacking
from chunking.strategies.every_heading import EveryHeading
from chunking.strategies.fixed import Fixed
from chunking.strategies.heading_window import HeadingWindow
from chunking.strategies.hierarchical import Hierarchical
from chunking.strategies.recursive import Recursive
from chunking.strategies.section_rules import SectionRules


def moves() -> dict[str, list[Strategy]]:
    """For each strategy the settings that a drag goes through."""
    return {
        "heading-window": [HeadingWindow(min_tokens=at) for at in range(200, 300, 10)],
        "hierarchical": [Hierarchical(hard_cap=at) for at in range(900, 1000, 10)],
        "block-packing": [BlockPacking(max_tokens=at) for at in range(500, 600, 10)],
        "section-rules": [SectionRules(split_above=at) for at in range(950, 1050, 10)],
        "fixed, characters": [Fixed(chunk_size=at) for at in range(1000, 1100, 10)],
        "fixed, tokens": [Fixed(chunk_size=at, chunk_overlap=50, unit="tokens") for at in range(500, 600, 10)],
        "recursive": [Recursive(chunk_size=at) for at in range(1000, 1100, 10)],
        "every-heading (nothing to move)": [EveryHeading()],
    }


def report(corpus: str | None, *, quick: bool) -> None:
    """Print a table: rows are strategies, columns are sizes, cells are milliseconds for each move
    (median)."""
    sizes = {"50 KB": 50_000, "200 KB": 200_000} if quick else {"50 KB": 50_000, "1 MB": 1_000_000, "10 MB": 10_000_000}
    documents = [parse(text_of(size, corpus)) for size in sizes.values()]
    print("\nRe-cut after a threshold move, milliseconds of CPU time (cl100k_base, index remembered)")
    print(f"{'':45}" + "".join(f"{size:>10}" for size in sizes))
    for name, drag in moves().items():
        cells = []
        for document in documents:
            for strategy in drag:
                run(document, Config(strategy, "cl100k_base"))
            steps = cycle(drag)
            cost = cpu_seconds(
                lambda document=document, steps=steps: run(document, Config(next(steps), "cl100k_base")),  # type: ignore[misc]
                len(drag),
            )
            cells.append(cost * 1000)
        print(f"{name:45}" + "".join(f"{cell:>10.1f}" for cell in cells))

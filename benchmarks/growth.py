"""Whether twice the text takes about twice the time: `python -m benchmarks.growth`.

Each text of shapes.py is parsed and cut at one size and at twice that size, in CPU time. A ratio of
3 or more ends it with exit code 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.shapes import SHAPES
from benchmarks.texts import cpu_seconds
from chunking import Config, parse, run, strategies
from chunking.core.strategy import Strategy
from chunking.strategies.fixed import Fixed

TOO_MUCH = 3.0
COUNTERS = ("cl100k_base", "o200k_base", "minilm", "words", "chars-4")
_SMALLEST, _LARGEST = 25_000, 400_000
_LONG_ENOUGH = 0.3
"""Seconds from which on a ratio is not noise; sizes are doubled until a run takes as long."""


class Growth(NamedTuple):
    """One shape, cut by one strategy."""

    shape: str
    strategy: str
    counter: str
    size: int
    seconds: float
    twice: float
    """Seconds for twice the size."""

    @property
    def ratio(self) -> float:
        return self.twice / self.seconds


def growths(shapes: list[str], names: list[str], counters: list[str], *, quick: bool) -> Iterator[Growth]:
    """Each shape with each strategy and counter."""
    for shape in shapes:
        for name in names:
            for counter in counters:
                yield _growth(shape, name, counter, quick=quick)


def _growth(shape: str, name: str, counter: str, *, quick: bool) -> Growth:
    config, size = Config(_strategy(name), counter), _SMALLEST
    rounds = 1 if quick else 3
    seconds = _seconds(shape, size, config, rounds)
    while not quick and seconds < _LONG_ENOUGH and size < _LARGEST:
        size *= 2
        seconds = _seconds(shape, size, config, rounds)
    return Growth(shape, name, counter, size, seconds, _seconds(shape, 2 * size, config, rounds))


def _strategy(name: str) -> Strategy:
    if name == "fixed-tokens":
        return Fixed(unit="tokens", chunk_size=500, chunk_overlap=50)
    return strategies.get(name)()


def _seconds(shape: str, size: int, config: Config, rounds: int) -> float:
    text = SHAPES[shape](size)
    numbers = iter(range(rounds + 1))

    def work() -> None:
        # A text of its own each time: what is remembered of another is no help.
        run(parse(f"{next(numbers)}\n\n{text}"), config)

    return cpu_seconds(work, rounds)


def main() -> int:
    """Print each ratio, the worst of them last; 1 when one is too much."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one small size, one round, one counter")
    names = [*strategies.names(), "fixed-tokens"]
    parser.add_argument("--strategy", choices=names, action="append")
    parser.add_argument("--shape", choices=[*SHAPES], action="append")
    parser.add_argument("--counter", action="append", help=f"left out: {', '.join(COUNTERS)}")
    chosen = parser.parse_args()
    counters = chosen.counter or [*COUNTERS[: 1 if chosen.quick else None]]
    measured = []
    for growth in growths(chosen.shape or [*SHAPES], chosen.strategy or names, counters, quick=chosen.quick):
        measured.append(growth)
        print(_line(growth), flush=True)
    # A few milliseconds are noise, whatever their ratio.
    sure = [each for each in measured if each.twice >= _LONG_ENOUGH] or measured
    worst = max(sure, key=lambda each: each.ratio)
    print(f"worst: {_line(worst)}")
    return int(worst.ratio >= TOO_MUCH and worst.twice >= _LONG_ENOUGH)


def _line(growth: Growth) -> str:
    where = f"{growth.shape:22} {growth.strategy:16} {growth.counter:12} {growth.size:>8,}"
    return f"{where} {growth.seconds:7.3f} s {growth.twice:7.3f} s  x {growth.ratio:.2f}"


if __name__ == "__main__":
    sys.exit(main())

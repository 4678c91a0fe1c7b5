"""Whether twice the text takes about twice the time: `python -m benchmarks.growth`.

Each text of shapes.py is parsed, indexed by each counter and cut by each strategy, at one size and
at twice that size, in CPU time. Cutting is timed alone: what a counter takes for the whole text
would hide it. What seems to grow faster is measured again, at four times the size too. A ratio of 3
or more ends it with exit code 1.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median
from typing import NamedTuple

from benchmarks.shapes import SHAPES
from chunking import Config, health, parse, run, strategies
from chunking.config import Value
from chunking.tokens import counter, token_index

TOO_MUCH = 3.0
COUNTERS = ("cl100k_base", "o200k_base", "minilm", "words", "chars-4")
LIMITS = (0, 48, 8)
"""Tokens, or characters for what counts them; 0 for the settings by default."""
_SMALLEST, _LARGEST = 8_000, 256_000
_LONG_ENOUGH = 0.05
"""Seconds from which on a ratio is not noise; sizes are doubled until a run takes as long."""
_ROUNDS = 3
_TOKENS = "-tokens"

Times = Callable[[int], float]
"""CPU seconds of some work on a text of a size."""


class Growth(NamedTuple):
    """One shape, and what was done with it."""

    shape: str
    what: str
    """`parse`, `index`, a strategy or `health`."""
    counter: str
    limit: int
    size: int
    seconds: tuple[float, ...]
    """At the size, at twice the size, and at four times where that was measured."""

    @property
    def ratio(self) -> float:
        """The last ratio; 0 where all is too short to tell."""
        return self.seconds[-1] / self.seconds[-2] if self.seconds[-1] >= _LONG_ENOUGH else 0.0


def growths(
    shapes: Sequence[str], names: Sequence[str], counters: Sequence[str], limits: Sequence[int], *, quick: bool
) -> Iterator[Growth]:
    """Each shape: parsed, indexed by each counter, cut by each strategy with each counter and
    limit; and the checks of a run, whose chunks begin anywhere."""
    for shape in shapes:
        yield _growth(shape, "parse", "", 0, partial(_parsing, shape), quick=quick)
        for by in counters:
            yield _growth(shape, "index", by, 0, partial(_indexing, shape, by), quick=quick)
            for config, name, limit in configs(names, by, limits):
                yield _growth(shape, name, by, limit, partial(_cutting, shape, config), quick=quick)
        yield _growth(shape, "health", COUNTERS[0], 0, partial(_checking, shape), quick=quick)


def configs(names: Sequence[str], by: str, limits: Sequence[int]) -> Iterator[tuple[Config, str, int]]:
    """Every config of these, with its name and its limit; one without settings for limits once."""
    for name in names:
        for limit in limits:
            settings = small_settings(name, limit)
            if settings or not limit:
                yield Config.of(name.removesuffix(_TOKENS), settings, by), name, limit


def measured_names() -> list[str]:
    """Strategies that ask no model, those that count characters by default in tokens too."""
    asking = ("semantic", "contextual")
    return [*(name for name in strategies.names() if name not in asking), f"fixed{_TOKENS}", f"recursive{_TOKENS}"]


def small_settings(name: str, limit: int) -> dict[str, Value]:
    """Settings for a limit; the defaults where it is 0."""
    in_tokens: dict[str, Value] = {"unit": "tokens"} if name.endswith(_TOKENS) else {}
    if not limit:
        return in_tokens
    low = limit // 4
    sizes: dict[str, Value] = {"chunkSize": limit, "chunkOverlap": limit // 10}
    known: dict[str, dict[str, Value]] = {
        "fixed": sizes,
        "recursive": sizes,
        "block-packing": {"maxTokens": limit},
        "heading-window": {"maxTokens": limit, "minTokens": low, "minTokensDeeper": low},
        "hierarchical": {"hardCap": limit, "target": limit // 2},
        "section-rules": {"splitAbove": limit, "minTokens": low, "targetLow": 2 * low, "targetHigh": limit},
    }
    return known.get(name.removesuffix(_TOKENS), {}) | in_tokens


def _growth(shape: str, what: str, by: str, limit: int, times: Times, *, quick: bool) -> Growth:
    """Timed from a small size on, until it takes long enough; again where the ratio is high."""
    size, once = _SMALLEST, times(_SMALLEST)
    while not quick and once < _LONG_ENOUGH and size < _LARGEST:
        size *= 2
        once = times(size)
    seconds = (once, times(2 * size))
    found = Growth(shape, what, by, limit, size, seconds)
    if quick or found.ratio < 0.8 * TOO_MUCH:
        return found
    again = tuple(median(times(size * factor) for _ in range(_ROUNDS)) for factor in (1, 2, 4))
    return found._replace(seconds=again)


def _cpu(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def _parsing(shape: str, size: int) -> float:
    text = _text(shape, size)
    return _cpu(lambda: parse(text))


def _indexing(shape: str, by: str, size: int) -> float:
    text, count = _text(shape, size), counter(by)
    count("loaded before")
    return _cpu(lambda: token_index(text, count))


def _cutting(shape: str, config: Config, size: int) -> float:
    document = parse(_text(shape, size))
    token_index(document.text, counter(config.counter))
    return _cpu(lambda: run(document, config))


def _checking(shape: str, size: int) -> float:
    made = run(parse(_text(shape, size)), Config.of("recursive", {}, COUNTERS[0]))
    return _cpu(lambda: health(made))


def _text(shape: str, size: int) -> str:
    """A text of its own each time: what is remembered of another is no help."""
    return f"{SHAPES[shape](size)}\n\n{time.monotonic_ns()}\n"


def main() -> int:
    """Print each ratio, the worst of them last; 1 when one is too much."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one small size, one round, one counter")
    parser.add_argument("--strategy", choices=measured_names(), action="append")
    parser.add_argument("--shape", choices=[*SHAPES], action="append")
    parser.add_argument("--counter", action="append", help=f"left out: {', '.join(COUNTERS)}")
    parser.add_argument("--limit", type=int, action="append", help=f"left out: {', '.join(map(str, LIMITS))}")
    chosen = parser.parse_args()
    few = 1 if chosen.quick else None
    measured = []
    for growth in growths(
        chosen.shape or [*SHAPES],
        chosen.strategy or measured_names(),
        chosen.counter or COUNTERS[:few],
        chosen.limit if chosen.limit is not None else LIMITS[:few],
        quick=chosen.quick,
    ):
        measured.append(growth)
        print(_line(growth), flush=True)
    worst = max(measured, key=lambda each: each.ratio)
    print(f"worst of {len(measured)}: {_line(worst)}")
    return int(worst.ratio >= TOO_MUCH and not chosen.quick)


def _line(growth: Growth) -> str:
    where = f"{growth.shape:22} {growth.what:16} {growth.counter:12} {growth.limit or '':>3} {growth.size:>8,}"
    return f"{where} {' '.join(f'{each:7.3f}' for each in growth.seconds)} s  x {growth.ratio:.2f}"


if __name__ == "__main__":
    sys.exit(main())

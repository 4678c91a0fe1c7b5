"""What a sweep and an explanation cost: `python -m benchmarks.searching`, in seconds of CPU time.

A sweep has 20 x 20 cells on 1 MB. A boundary is explained at several places of 1 MB, by the command
line's limit of work and by that of a click in the app.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from benchmarks.texts import text_of
from chunking import Config, Document, parse, run
from chunking.explanation import CLICK_WORK
from chunking.explanation.explanation import explain
from chunking.tuning.sweeps import axis_of, sweep

_CELLS, _QUICK_CELLS = 20, 3
_PLACES = (0.02, 0.5, 0.98)
"""Of what is explained, as shares of the text."""
_SWEPT = {
    "heading-window": ("minTokens=100:290:10", "maxTokens=700:1080:20"),
    "hierarchical": ("target=300:490:10", "hardCap=800:1180:20"),
    "block-packing": ("maxTokens=300:680:20", "overlapPercentage=0:19:1"),
    "section-rules": ("splitAbove=800:1180:20", "minTokens=50:145:5"),
    "fixed": ("chunkSize=800:1180:20", "chunkOverlap=0:190:10"),
    "recursive": ("chunkSize=800:1180:20", "chunkOverlap=0:190:10"),
}


def report(corpus: str | None, *, quick: bool) -> None:
    """Print both tables."""
    document = parse(text_of(50_000 if quick else 1_000_000, corpus))
    cells = _QUICK_CELLS if quick else _CELLS
    print(f"\nA sweep of {cells} x {cells} on {len(document.text):,} characters, seconds of CPU time")
    for name in _SWEPT:
        print(f"{name:20}{swept(document, name, cells):>10.2f}", flush=True)
    shares = "".join(f"{share:>16.0%}" for share in _PLACES)
    print(f"\nExplaining a boundary of {len(document.text):,} characters, seconds of CPU time, at\n{'':20}{shares}")
    print("first number: by the command line; second: by a click in the app")
    for name in _SWEPT:
        print(f"{name:20}" + "".join(f"{explained(document, name, share):>16}" for share in _PLACES), flush=True)


def swept(document: Document, name: str, cells: int) -> float:
    """Seconds of a sweep over the strategy's two settings."""
    config = Config.of(name, {}, "cl100k_base")
    axes = tuple(axis_of(config, text) for text in _SWEPT[name])
    axes = tuple(type(axis)(axis.setting, axis.values[:cells]) for axis in axes)
    run(document, config)
    return _cpu(lambda: [*sweep([document], config, axes)])


def explained(document: Document, name: str, share: float) -> str:
    """Seconds of both explanations of the boundary nearest to a place."""
    config, offset = Config.of(name, {}, "cl100k_base"), round(share * len(document.text))
    run(document, config)
    whole = _cpu(lambda: explain(document, config, offset=offset))
    click = _cpu(lambda: explain(document, config, offset=offset, most_work=CLICK_WORK))
    return f"{whole:.2f} / {click:.2f}"


def _cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.searching", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small text and few cells: proves that it runs")
    parser.add_argument("--corpus", help="a folder of Markdown to measure on; sample_docs when left out")
    chosen = parser.parse_args()
    report(chosen.corpus, quick=chosen.quick)


if __name__ == "__main__":
    main()

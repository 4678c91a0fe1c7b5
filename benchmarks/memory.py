"""Whether memory stays flat: `python -m benchmarks.memory [--quick]`.

Two parts, each in a process of its own with a small CHUNKSCOPE_MEMORY_MB: runs over documents and
settings that change, through the app's caches; and sessions of a real server that open a page,
drag a threshold and go. Prints what the process held (RSS) after a tenth of each and at the end. A
ratio over 1.05 ends it with exit code 1.
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.protocol import Session, serving
from benchmarks.texts import text_of
from chunking import Config
from pages.ui.choices.samples import Source
from pages.ui.layout import caches

FLAT = 1.05
_LIMIT_MB = "40"
_STRATEGIES = (
    "heading-window",
    "hierarchical",
    "every-heading",
    "recursive",
    "fixed",
    "section-rules",
    "block-packing",
)


def resident(process: int | str = "self") -> float:
    """Megabytes that a process holds."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def flat(what: str, times: int, step: Callable[[int], object], held: Callable[[], float]) -> bool:
    """Whether as many steps leave memory flat after the first tenth of them."""
    early = 0.0
    for number in range(times):
        step(number)
        if number + 1 == times // 10:
            early = held()
    late = held()
    print(
        f"{times:,} {what}: {early:.0f} MB after a tenth, {late:.0f} MB at the end, ratio {late / early:.3f}",
        flush=True,
    )
    return late / early <= FLAT


def runs(times: int, size: int) -> bool:
    """Documents and settings that change, through the caches of the app's pages."""
    text = text_of(size, None)

    def step(number: int) -> None:
        # Every third document is large enough to be frozen (caches.py).
        repeated = text * 8 if number % 9 < 3 else text
        source = Source(f"{number // 3}.md", "", f"# Document {number // 3}\n\n{repeated}")
        config = Config.of(_STRATEGIES[number % len(_STRATEGIES)], {})
        document = caches.document(source)
        run = caches.run(document, config)
        caches.cut_live(document, config)
        caches.health_of(run)
        if not (run.metrics.chunk_count and run.fingerprint):
            raise SystemExit(f"{source.name}: no chunks")

    def held() -> float:
        gc.collect()
        return resident()

    return flat(f"runs over texts of {size:,} characters and of eight times that", times, step, held)


def sessions(times: int, size: int) -> bool:
    """Sessions that open Inspect, paste a text of their own, drag and go."""
    text = text_of(size, None)
    with serving(variables={"CHUNKSCOPE_MEMORY_MB": _LIMIT_MB}) as (server, port):

        def step(number: int) -> None:
            with Session(port, f"strategy={_STRATEGIES[number % len(_STRATEGIES)]}") as session:
                session.run()
                session.paste(f"# Session {number}\n\n{text}")
                session.drag({}, 3)

        return flat(f"sessions that paste {size:,} characters", times, step, lambda: resident(server.pid))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few and small: proves only that it runs")
    parser.add_argument("--part", choices=("runs", "sessions"))
    chosen = parser.parse_args()
    if chosen.part == "runs":
        good = runs(30, 5_000) if chosen.quick else runs(1_000, 30_000)
        return int(not good and not chosen.quick)
    if chosen.part == "sessions":
        good = sessions(10, 5_000) if chosen.quick else sessions(200, 30_000)
        return int(not good and not chosen.quick)
    environment = os.environ | {"CHUNKSCOPE_MEMORY_MB": _LIMIT_MB}
    quick = ["--quick"] if chosen.quick else []
    parts = [[sys.executable, "-m", "benchmarks.memory", "--part", part, *quick] for part in ("runs", "sessions")]
    return max([subprocess.run(part, env=environment, check=False).returncode for part in parts])


if __name__ == "__main__":
    raise SystemExit(main())

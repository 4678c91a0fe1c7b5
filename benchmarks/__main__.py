"""Run the benchmarks that need no browser, one after the other. `python -m benchmarks.live_drag`
needs Chromium.

With `--gate` it ends with exit code 1 where passes of a whole run are 15 % worse than recorded.json
says; with `--quick`, which CI runs, at 1.5 times. `--record` writes that file anew.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from benchmarks import evaluating, passes, recut, searching, startup
from benchmarks.profile import SIZES, measured_names


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small texts and few rounds: proves that they run")
    parser.add_argument("--gate", action="store_true", help="fail where a whole run is 15 %% worse than was recorded")
    parser.add_argument("--record", action="store_true", help="record what whole runs take")
    parser.add_argument("--passes", action="store_true", help="only what whole runs take")
    parser.add_argument("--strategy", choices=measured_names(), action="append", help="of whole runs; left out: all")
    parser.add_argument("--size", choices=SIZES, action="append", help="of whole runs; left out: 50 KB, 1 MB and 10 MB")
    parser.add_argument("--corpus", help="a folder of Markdown to measure on; sample_docs when left out")
    chosen = parser.parse_args()
    figures = (
        passes.report_quickly()
        if chosen.quick
        else passes.report(chosen.corpus, chosen.strategy or (), chosen.size or ())
    )
    if not chosen.passes:
        startup.report(quick=chosen.quick)
        recut.report(chosen.corpus, quick=chosen.quick)
        # What the other parts leave behind would take its garbage collector longer.
        in_a_process_of_its_own(searching.__name__, chosen.corpus, quick=chosen.quick)
        evaluating.report(chosen.corpus, quick=chosen.quick)
    if chosen.record:
        passes.record(figures)
    limit = passes.WORSE_QUICKLY if chosen.quick else passes.WORSE
    found = passes.worse(figures, limit) if chosen.quick or chosen.gate else []
    for line in found:
        print(f"worse: {line}")
    return int(bool(found))


def in_a_process_of_its_own(module: str, corpus: str | None, *, quick: bool) -> None:
    """Run a benchmark that prints what it finds."""
    options = [*(["--quick"] if quick else []), *(["--corpus", corpus] if corpus else [])]
    subprocess.run([sys.executable, "-m", module, *options], check=True)


if __name__ == "__main__":
    raise SystemExit(main())

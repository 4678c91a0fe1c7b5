"""Run the benchmarks that need no browser, one after the other. `python -m benchmarks.live_drag`
needs Chromium."""

from __future__ import annotations

import argparse

from benchmarks import evaluating, passes, recut, startup


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small texts and few rounds: proves that they run")
    parser.add_argument("--corpus", help="a folder of Markdown to measure on; sample_docs when left out")
    chosen = parser.parse_args()
    startup.report(quick=chosen.quick)
    passes.report(chosen.corpus, quick=chosen.quick)
    recut.report(chosen.corpus, quick=chosen.quick)
    evaluating.report(chosen.corpus, quick=chosen.quick)


if __name__ == "__main__":
    main()

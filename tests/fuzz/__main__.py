"""A long run: `python -m tests.fuzz --minutes 60 --seed 1`.

Goes through the targets again and again, each time with other examples, until the time is over or
it is interrupted (Ctrl C). Prints how many examples each had, and for every failure the smallest
example that was found, with the command that makes it again. Exits with 1 where there was a
failure.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # as pytest's pythonpath has it

from fuzz.running import Round, play
from fuzz.targets import TARGETS


def main() -> int:
    parser = ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long to go on")
    parser.add_argument("--seed", type=int, default=0, help="other seeds, other examples")
    parser.add_argument("--examples", type=int, default=100, help="examples of a target in one round")
    parser.add_argument("--target", choices=sorted(TARGETS), action="append", help="only this one; may be repeated")
    parser.add_argument("--rounds", type=int, default=0, help="stop after as many rounds, whatever the time")
    options = parser.parse_args()
    names, end = options.target or list(TARGETS), time.monotonic() + 60 * options.minutes
    done, failed = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    number = 0
    with suppress(KeyboardInterrupt):
        while time.monotonic() < end and (not options.rounds or number < options.rounds):
            for name in names:
                result = play(Round(name, options.seed + number, options.examples))
                done[name] += result.examples
                if result.failure:
                    failed[name] += 1
                    print(f"FAILED {name}\n{result.failure}\nagain: {result.command}\n", flush=True)
                if time.monotonic() >= end:
                    break
            number += 1
    for name in names:
        print(f"{name:20} {done[name]:9,} examples  {failed[name]} rounds with a failure")
    return 1 if any(failed.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())

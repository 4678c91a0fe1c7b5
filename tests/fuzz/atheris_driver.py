"""A target led by the coverage of our Python: `pip install atheris`, then

    python tests/fuzz/atheris_driver.py TARGET -max_total_time=600

Options after the target are libFuzzer's. A failure's input is written beside, `crash-…`; give its
path after the target to do it again. Inputs that are too short for an example count as runs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris
from hypothesis import given, settings

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

with atheris.instrument_imports(include=["chunking", "pages"]):
    from fuzz.running import Round, play
    from fuzz.targets import TARGETS

    play(Round(sys.argv[1], seed=0, examples=5))  # imports what is imported on call


def main() -> None:
    target = TARGETS[sys.argv.pop(1)]

    @settings(database=None, deadline=None)
    @given(target.values)
    def one(value: object) -> None:
        target.check(value)

    atheris.Setup(sys.argv, one.hypothesis.fuzz_one_input)  # type: ignore[attr-defined]
    atheris.Fuzz()


if __name__ == "__main__":
    main()

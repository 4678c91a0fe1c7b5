"""How `python -m benchmarks.corpus_run` sets a run beside the bare tokenizer."""

from __future__ import annotations

from benchmarks.corpus_run import Passes, beside_passes


def test_each_run_is_divided_by_the_mean_of_a_pass_before_it_and_one_after_it() -> None:
    done = []
    passes = iter([2.0, 4.0, 4.0, 6.0, 2.0])

    def bare_pass() -> float:
        done.append("pass")
        return next(passes)

    def to_file() -> float:
        done.append("file")
        return 6.0

    def to_folder() -> float:
        done.append("folder")
        return 8.0

    seen = beside_passes([to_file, to_folder], bare_pass, rounds=2)

    assert done == ["pass", "file", "pass", "folder", "pass", "file", "pass", "folder", "pass"]
    assert seen == [
        [Passes(2.0, 6.0, 4.0), Passes(4.0, 6.0, 6.0)],
        [Passes(4.0, 8.0, 4.0), Passes(6.0, 8.0, 2.0)],
    ]
    assert [each.ratio for runs in seen for each in runs] == [2.0, 1.2, 2.0, 2.0]

"""The gate of `python -m benchmarks`: what whole runs take, against what was recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import passes
from benchmarks.profile import measured_names


@pytest.fixture(name="recorded")
def _recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "recorded.json"
    file.write_text('{"fixed": {"1 MB, cold": 1.2}}', "utf-8")
    monkeypatch.setattr(passes, "RECORDED", file)
    return file


@pytest.mark.usefixtures("recorded")
def test_a_figure_over_the_recorded_one_by_more_than_15_percent_is_a_line() -> None:
    assert passes.worse({"fixed": {"1 MB, cold": 1.37}}, passes.WORSE) == []
    assert passes.worse({"fixed": {"1 MB, cold": 1.39}}, passes.WORSE) == [
        "fixed, 1 MB, cold: 1.39 passes, recorded 1.20, at most 1.15 times that"
    ]


@pytest.mark.usefixtures("recorded")
def test_a_figure_that_was_not_recorded_is_not_judged() -> None:
    assert passes.worse({"fixed": {"10 MB, cold": 9.0}, "new": {"1 MB, cold": 9.0}}, passes.WORSE) == []


def test_recording_keeps_the_figures_of_other_sizes(recorded: Path) -> None:
    passes.record({"fixed": {"200 KB, quick": 0.888}})

    assert json.loads(recorded.read_text("utf-8")) == {"fixed": {"1 MB, cold": 1.2, "200 KB, quick": 0.89}}


def test_every_strategy_without_a_model_has_a_quick_figure() -> None:
    recorded = json.loads(passes.RECORDED.read_text("utf-8"))

    assert [name for name in measured_names() if "200 KB, quick" not in recorded.get(name, {})] == []

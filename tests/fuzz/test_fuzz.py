"""A short run of every target of the fuzzing, and every seed that was kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fuzz.running import Round, play
from fuzz.targets import TARGETS

SEEDS = sorted((Path(__file__).parent / "seeds").glob("*.json"))
EXAMPLES = 15


@pytest.mark.parametrize("name", TARGETS)
def test_a_few_examples_of_every_target_hold(name: str) -> None:
    result = play(Round(name, seed=1, examples=EXAMPLES))

    assert not result.failure, f"{result.failure}\nagain: {result.command}"
    assert result.examples > 0


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.stem)
def test_what_failed_once_or_is_at_an_edge_holds(path: Path) -> None:
    seed = json.loads(path.read_text(encoding="utf-8"))

    TARGETS[seed["target"]].check(seed["value"])


def test_every_target_has_a_seed() -> None:
    assert {json.loads(path.read_text(encoding="utf-8"))["target"] for path in SEEDS} == set(TARGETS)

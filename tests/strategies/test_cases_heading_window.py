"""The numbered examples of heading-window.md and the decisions on them, case by case."""

from __future__ import annotations

from typing import Any

import pytest
from spec_cases import spec_cases

from chunking import Chunk, Tools, counter, parse
from chunking.strategies.heading_window import HeadingWindow

RULES = {
    "h1_rule": "second-h2",
    "same_or_shallower": "minimum-reached",
    "deeper": "deeper-minimum-reached",
    "max": "maximum-reached",
    "end": "end",
}


def _cases() -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in spec_cases("heading-window")]


@pytest.mark.parametrize("case", _cases())
def test_the_case_holds(case: dict[str, Any]) -> None:
    document = parse(case["input"]["markdown"], case["input"]["filename"])
    strategy = HeadingWindow(**case["params"], short_tail="keep")

    chunks = [part for part in strategy.split(document, Tools(counter("words-1.3"))) if isinstance(part, Chunk)]

    wanted = case["expected"]["recommended"]["chunks"]
    assert len(chunks) == case["expected"]["recommended"]["chunk_count"]
    for chunk, expected in zip(chunks, wanted, strict=True):
        assert chunk.metadata["chunk_index"] == expected["index"]
        assert chunk.start_line == expected["start_line"]
        assert chunk.end_line == expected["end_line"]
        assert chunk.body_tokens == expected["body_tokens"]
        assert chunk.ended_by.rule == RULES[expected["sealed_by"]]
        assert chunk.context.splitlines() == expected["prefix"]

"""The conformance cases of the specs (tests/cases): what each strategy must make of a document."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from chunking import Chunk

FOLDER = Path(__file__).parent / "cases"


def spec_cases(name: str) -> list[dict[str, Any]]:
    """All cases of a file, such as `hierarchical`; each has `id`, `input`, `params` and
    `expected`."""
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return found


def assert_size_and_overlap_cases(kind: str, cut: Callable[[str, int, int], Sequence[Chunk]]) -> None:
    """Compare the chunks' texts with the cases of one splitter; `cut` is given text, size and
    overlap."""
    cases = [case for case in spec_cases("semantic-contextual") if case.get("kind") == kind]
    assert cases
    for case in cases:
        params = case["params"]
        texts = [chunk.text for chunk in cut(case["input"]["text"], params["chunk_size"], params["chunk_overlap"])]
        assert texts == case["expected"]["recommended"], case["id"]

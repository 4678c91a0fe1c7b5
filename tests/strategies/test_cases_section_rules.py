"""The conformance cases of section-rules."""

from __future__ import annotations

from typing import Any

import pytest
from spec_cases import spec_cases

from chunking import Config, parse, run
from chunking.strategies.section_rules import SectionRules

CASES: list[dict[str, Any]] = spec_cases("section-rules")


def strategy_of(params: dict[str, Any]) -> SectionRules:
    """`max_tokens` of a case is splitAbove (DECISIONS sr-6)."""
    low, high = params["target"]
    return SectionRules(
        split_above=params["max_tokens"],
        min_tokens=params["min_tokens"],
        overlap_tokens=params["overlap_tokens"],
        target_low=low,
        target_high=high,
    )


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_case_gives_the_chunks_it_expects(case: dict[str, Any]) -> None:
    given, params = case["input"], case["params"]
    document = parse(given["markdown"], name=f"{given['module']}/{given['chapter']}.md")

    result = run(document, Config(strategy_of(params), params["encoding"]))

    expected = case["expected"]["recommended"]
    found = [
        {
            "chunk_index": chunk.metadata["chunk_index"],
            "section_heading": chunk.metadata["section_heading"],
            "content_tokens": chunk.body_tokens,
            "start_line": chunk.start_line,
            "end_line": chunk.end_line,
            "undersized": chunk.flag("undersized") is not None,
            "oversized": chunk.flag("unsplittable") is not None,
            "text": chunk.text.split(),
            "overlap_text": document[chunk.overlap].split() if chunk.overlap else [],
        }
        for chunk in result.chunks
    ]
    assert found == [
        {**chunk, "text": chunk["text"].split(), "overlap_text": chunk["overlap_text"].split()}
        for chunk in expected["chunks"]
    ]
    excluded = [skip for skip in result.skips if skip.because.rule == "excluded"]
    titles = [document.section_at(skip.body.start).title for skip in excluded]
    assert titles == [title for title, _, _ in expected["excluded"]]
    assert [document.line_of(skip.body.start) for skip in excluded] == [first for _, first, _ in expected["excluded"]]

"""The conformance cases of block-packing: hand-written facts about blocks and chunks."""

from __future__ import annotations

from typing import TypedDict, cast

import pytest
from spec_cases import spec_cases

from chunking import Config, parse, run
from chunking.document.sentences import sentence_spans
from chunking.runs import Run
from chunking.strategies.block_packing import BlockPacking
from chunking.strategies.block_packing.units import typed_blocks

PROSE = {"paragraph", "html", "footnote", "rule"}
THEIR_KINDS = {"quote": "blockquote"}


class Case(TypedDict):
    id: str
    input: dict[str, str]
    params: dict[str, int]
    expected: dict[str, dict[str, object]]


CASES = cast("list[Case]", spec_cases("block-packing"))

each_case = pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])


def strategy_of(case: Case) -> BlockPacking:
    params = case["params"]
    return BlockPacking(max_tokens=params["maxTokens"], overlap_percentage=params["overlapPercentage"])


def cut(case: Case, counter: str = "") -> Run:
    document = parse(case["input"].get("markdown") or "", name="doc.md")
    return run(document, Config(strategy_of(case), counter))


@each_case
def test_the_blocks_are_those_of_the_case(case: Case) -> None:
    if not case["input"].get("markdown"):
        pytest.skip("this case has no document")
    document = parse(case["input"].get("markdown") or "", name="doc.md")
    reading = document.without_unclosed_fence or document
    blocks = list(typed_blocks(reading))

    found = [
        {
            "type": THEIR_KINDS.get(unit.kind, unit.kind),
            "text": document.text[unit.start : unit.end].strip(),
            "sectionPath": list(unit.path),
            "canSplit": unit.kind in PROSE,
            "start_line": document.line_of(unit.start),
            "end_line": document.line_of(unit.end - 1),
        }
        for unit in blocks
    ]
    expected = case["expected"]["recommended_blocks"]
    assert isinstance(expected, list)
    assert found == [{**block, "text": block["text"].strip()} for block in expected]


@each_case
def test_the_facts_of_the_case_hold(case: Case) -> None:
    facts = case["expected"]["recommended_facts"]
    result = cut(case)
    chunks = result.chunks
    blocks = list(typed_blocks(result.document.without_unclosed_fence or result.document))
    held: dict[str, object] = {
        "block_types": [THEIR_KINDS.get(unit.kind, unit.kind) for unit in blocks],
        "block_paths": [list(unit.path) for unit in blocks],
        "can_split": [unit.kind in PROSE for unit in blocks],
        "chunk_count": len(chunks),
        "chunk_texts": [chunk.text for chunk in chunks],
        "chunk_paths": [list(chunk.breadcrumb[1:]) for chunk in chunks],
        "overlap_tokens": [chunk.metadata["overlap_tokens"] for chunk in chunks],
        "oversized": [at for at, chunk in enumerate(chunks) if chunk.flag("unsplittable")],
        "warnings": ["unclosed_fence" for warning in result.warnings if "unclosed fence" in warning],
    }
    for fact, expected in facts.items():
        if fact == "must_contain":
            assert all(any(part in chunk.text for chunk in chunks) for part in _strings(expected))
        elif fact == "tokens_char4":
            assert [chunk.tokens for chunk in cut(case, counter="chars-4").chunks] == expected
        elif fact == "sentences":
            text = case["input"].get("sentence_text") or case["input"]["markdown"]
            assert [text[span.start : span.end].strip() for span in sentence_spans(text)] == expected
        elif fact == "adaptive":
            code = parse("```\nx\n```\n")
            assert isinstance(expected, list)
            assert [[base, BlockPacking(max_tokens=base, adaptive=True).maximum_for(code)] for base, _ in expected] == (
                expected
            )
        else:
            assert held[fact] == expected, fact


def _strings(expected: object) -> list[str]:
    assert isinstance(expected, list)
    return [str(part) for part in expected]

"""The conformance cases of hierarchical packing, with the mock counters that their README
describes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from spec_cases import spec_cases

from chunking.core.chunk import Chunk
from chunking.document.parser import parse
from chunking.models.access import Tools
from chunking.strategies.hierarchical import Hierarchical

CASES = spec_cases("hierarchical")


class CaseCounter:
    """One of the cases' own counters: `mock`, `words` or `chars4` (a quarter of the bytes)."""

    approximate = True
    special_tokens = 0

    def __init__(self, name: str) -> None:
        self.name = f"case-{name}"
        self.table_hash = f"sha256:case-{name}"
        self._count = {"mock": _mock, "words": lambda text: len(text.split()), "chars4": _quarter_of_bytes}[name]

    def __call__(self, text: str) -> int:
        return self._count(text)


def _quarter_of_bytes(text: str) -> int:
    return -(-len(text.encode()) // 4)


def _mock(text: str) -> int:
    placeholders = re.findall(r"\{(\d+) tokens\}", text)
    return sum(map(int, placeholders)) if placeholders else _quarter_of_bytes(text)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_case_gives_the_chunks_it_expects(case: dict[str, Any]) -> None:
    params = case["params"]
    strategy = Hierarchical(target=params["target"], hard_cap=params["hard_cap"], embed_breadcrumb=False)
    document = parse(case["input"]["markdown"], case["input"]["filename"])

    parts = list(strategy.split(document, Tools(CaseCounter(params["tokenizer"]))))

    chunks = [part for part in parts if isinstance(part, Chunk)]
    expected = case["expected"]["recommended"]
    found = [(list(c.breadcrumb), c.tokens, c.start_line, c.end_line) for c in chunks]
    assert found == [(e["breadcrumb"], e["token_count"], e["start_line"], e["end_line"]) for e in expected]
    assert [c.text.split() for c in chunks] == [e["markdown"].split() for e in expected]

"""Which boundaries tear a table, code or a list."""

from __future__ import annotations

from itertools import pairwise

import pytest

from chunking import Boundary, Chunk, Config, Document, Run, Span, parse, run, strategies
from chunking.analysis.cut_blocks import cuts_inside
from chunking.core import TornBoundary

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"
CODE = "```\none\ntwo\n```\n"
LIST = "- one\n- two\n- three\n"


def cut(text: str, *at: str) -> tuple[Document, list[TornBoundary]]:
    """The text cut before each of these words."""
    document = parse(text, "a.md")
    edges = [0, *(text.index(words) for words in at), len(text)]
    chunks = [
        Chunk(document, Span(start, end), Boundary("size", "full"), ("a.md",), 1, 1) for start, end in pairwise(edges)
    ]
    made = Run(document, Config(strategies.get("every-heading")()), tuple(chunks))
    return document, list(made.torn_boundaries)


@pytest.mark.parametrize(
    ("block", "inside", "kind"), [(TABLE, "| 3", "table"), (CODE, "two", "code"), (LIST, "- three", "list")]
)
def test_a_boundary_inside_a_table_code_or_a_list_tears_it(block: str, inside: str, kind: str) -> None:
    text = f"before\n\n{block}\nafter\n"
    document, torn = cut(text, inside)

    assert [(each.offset, each.chunk, each.kind) for each in torn] == [(text.index(inside), 0, kind)]
    assert document[torn[0].span].strip() == block.strip()


def test_a_boundary_before_or_behind_tears_nothing() -> None:
    _, torn = cut(f"before\n\n{TABLE}\nafter\n\n{LIST}\nmore\n", "| a", "after", "- one", "more")

    assert torn == []


def test_a_table_within_a_list_is_a_table() -> None:
    _, torn = cut("- one\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n  | 3 | 4 |\n\n- two\n", "  | 3", "- two")

    assert [each.kind for each in torn] == ["table", "list"]


def test_what_health_finds_cut_is_torn() -> None:
    text = f"# A\n\n{TABLE * 8}\n{CODE * 8}\n{LIST * 8}\n" * 3
    made = run(parse(text, "a.md"), Config.of("fixed", {"chunkSize": 90, "chunkOverlap": 0}))
    torn = [(each.offset, each.kind) for each in made.torn_boundaries]

    assert {(each.offset, each.kind) for each in cuts_inside(made)} == {each for each in torn if each[1] != "list"}
    assert torn == sorted(torn)
    assert {kind for _, kind in torn} == {"table", "code", "list"}

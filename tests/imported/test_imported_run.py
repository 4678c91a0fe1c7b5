"""Another tool's chunks are a run like any other: they tile the document, say what they are, and
have no reasons that nobody knows."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking import Config, Document, Run, parse, run, strategies
from chunking.analysis.invariants import broken_promises
from chunking.core.records import json_line, records
from chunking.errors import ConfigError, GoldError
from chunking.explanation.explanation import explain
from chunking.imported.aligning import Claim
from chunking.imported.rows import Row, read_rows
from chunking.imported.sources import FileChunks, file_chunks
from chunking.imported.strategy import MadeElsewhere

KETTLE = parse(
    "# Kettle\n\nFill it with water. Then wait for it to boil.\n\n## Steam\n\n- rises\n- falls\n", name="docs/kettle.md"
)


def config_of(*rows: Mapping[str, object]) -> Config:
    found = read_rows("\n".join(map(json.dumps, rows)).encode(), "theirs.jsonl")
    return Config(MadeElsewhere.of(FileChunks("theirs.jsonl", found)))


def cut(*texts: str, of: Document = KETTLE) -> Run:
    return run(of, config_of(*({"text": text} for text in texts)))


def test_a_boundary_is_labelled_by_what_stands_there_and_its_reason_is_not_known() -> None:
    made = cut("# Kettle", "Fill it with", "water.", "Then wait for it to bo", "il.", "## Steam", "- rises", "- falls")

    assert [chunk.ended_by.rule for chunk in made.chunks] == [
        "between-blocks",
        "between-words",
        "between-sentences",
        "within-word",
        "before-heading",
        "between-blocks",
        "between-lines",
        "end",
    ]
    assert all("not known" in chunk.ended_by.detail for chunk in made.chunks[:-1])
    assert made.warnings == ()


def test_white_space_between_chunks_is_a_hole_and_what_none_has_is_lost() -> None:
    made = cut("Fill it with water.", "- rises")

    assert [(part.body.start, part.body.end, type(part).__name__) for part in made.parts] == [
        (0, 10, "Skip"),
        (10, 30, "Chunk"),
        (30, 67, "Skip"),
        (67, 75, "Chunk"),
        (75, 83, "Skip"),
    ]
    assert [skip.because.rule for skip in made.skips] == ["lost", "lost", "lost"]
    assert [chunk.text for chunk in made.chunks] == ["Fill it with water.", "- rises"]
    assert made.warnings == ("theirs.jsonl: 2 chunks: 2 verbatim; 50 characters in no chunk",)


def test_an_overlap_and_a_text_put_before_a_chunk_are_told_from_its_own() -> None:
    made = cut(
        "Kettle: # Kettle\n\nFill it with water.", "water. Then wait for it to boil.", "## Steam\n\n- rises\n- falls"
    )

    assert [(chunk.context, made.document[chunk.overlap] if chunk.overlap else "") for chunk in made.chunks] == [
        ("Kettle: ", ""),
        ("", "water."),
        ("", ""),
    ]
    assert [chunk.text for chunk in made.chunks][:2] == [
        "Kettle: # Kettle\n\nFill it with water.",
        "water. Then wait for it to boil.",
    ]


def test_an_altered_chunk_is_flagged_and_one_within_another_is_counted() -> None:
    made = cut("Fill it   with water. Then wait for it to boil.", "with water.")

    assert [flag.rule for flag in made.chunks[0].flags] == ["altered"]
    assert made.warnings[-1] == "1 chunk lies wholly within other chunks and cannot be shown beside them"


@pytest.mark.parametrize("name", ["hierarchical", "fixed", "block-packing"])
def test_our_own_lines_come_back_as_the_same_chunks(name: str) -> None:
    ours = run(KETTLE, Config.of(name, {}, "words"))
    lines = "\n".join(json_line(each) for each in records(ours.parts, KETTLE))

    theirs = run(KETTLE, Config(MadeElsewhere.of(FileChunks("ours", read_rows(lines.encode(), "ours"))), "words"))

    assert [(chunk.body.end, chunk.text, chunk.tokens) for chunk in theirs.chunks] == [
        (chunk.body.end, chunk.text, chunk.tokens) for chunk in ours.chunks
    ]


@given(
    text=st.text(alphabet="ab \n#|é🫖-", min_size=1, max_size=80),
    edges=st.lists(st.tuples(st.integers(0, 80), st.integers(1, 30), st.booleans()), min_size=1, max_size=8),
)
def test_whatever_chunks_there_are_the_parts_tile_the_document_and_count_what_they_have(
    text: str, edges: list[tuple[int, int, bool]]
) -> None:
    document = parse(text, name="n.md")
    rows = [
        Row("line 1", "", f"{'C: ' * added}{text[start : start + length]}", Claim(text[start : start + length]))
        for start, length, added in edges
    ]

    _, problems = broken_promises(document, Config(MadeElsewhere.of(FileChunks("theirs", tuple(rows))), "words"))

    assert [problem for problem in problems if "between the CR and the LF" not in problem] == []


def test_chunks_are_a_documents_by_its_name_or_by_their_text() -> None:
    fill = {"page_content": "Fill it with water.", "metadata": {"source": "/data/kettle.md"}}
    other = {"page_content": "Coffee.", "metadata": {"source": "coffee.md"}}
    renamed = {"page_content": "Fill it with water.", "metadata": {"source": "a1b2c3"}}

    assert len(run(KETTLE, config_of(fill, other)).chunks) == 1
    assert len(run(KETTLE, config_of(renamed)).chunks) == 1
    with pytest.raises(
        GoldError, match=r"^theirs.jsonl: has no chunks of docs/kettle.md; those that it has are of coffee.md$"
    ):
        run(KETTLE, config_of(other))


def test_no_yaml_and_no_list_of_strategies_has_them() -> None:
    config = config_of({"text": "Fill it with water."})

    with pytest.raises(ConfigError, match="chunks made elsewhere have no YAML"):
        config.to_yaml()
    for _ in range(2):  # once as the command line has it, then as the app does
        with pytest.raises(ConfigError, match="imported"):
            Config.from_yaml("strategy: imported\n")
        strategies.offer(MadeElsewhere)
    assert "imported" not in strategies.names()
    assert pickle.loads(pickle.dumps(config)) == config == config_of({"text": "Fill it with water."})


def test_explaining_says_that_the_reason_is_not_known() -> None:
    lines = list(explain(KETTLE, config_of({"text": "Fill it with water."}, {"text": "Then wait"}), line=3).lines())

    assert any("why it was cut here is not known (between-sentences)" in line for line in lines)


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(GoldError, match=r"nowhere.jsonl: cannot be read \(No such file or directory\)$"):
        file_chunks(tmp_path / "nowhere.jsonl")

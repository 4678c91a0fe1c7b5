"""What an edit does to the chunks of a document: by id, by text, and what is left to embed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import chunkscope

from chunking import Config, parse, run
from chunking.analysis.edits import EditStability, edit_stability

TEXT = "# A\n\none\n\n# B\n\ntwo\n\n# C\n\nthree\n"
EVERY = Config.of("every-heading", {})


def between(before: str, after: str) -> EditStability:
    return edit_stability(*(run(parse(text, name="a.md"), EVERY) for text in (before, after)))


def test_without_an_edit_every_chunk_keeps_its_id() -> None:
    found = between(TEXT, TEXT)

    assert (found.kept, found.moved, found.to_embed, found.tokens_to_embed) == (3, 0, 0, 0)
    assert found.kept_share == 1


def test_a_chunk_that_is_edited_is_to_be_embedded_and_no_other_one() -> None:
    after = TEXT.replace("two", "two and a half")
    found = between(TEXT, after)
    edited = run(parse(after, name="a.md"), EVERY).chunks[1]

    assert (found.chunks_before, found.chunks_after, found.kept) == (3, 3, 2)
    assert (found.moved, found.to_embed, found.tokens_to_embed) == (0, 1, edited.tokens)


def test_of_equal_texts_only_as_many_have_a_vector_as_were_there() -> None:
    twice = "# A\n\none\n\n# A\n\none\n"
    found = between("# A\n\none\n", twice)

    assert found.kept + found.moved == 1
    assert found.to_embed == 1


def test_an_empty_document_keeps_all_it_has() -> None:
    assert between(TEXT, "").kept_share == 1


def test_the_command_says_it_for_each_config(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old.md", tmp_path / "new.md"
    old.write_text(TEXT)
    new.write_text(TEXT.replace("two", "2"))
    found = json.loads(chunkscope(capfd, "stability", str(old), str(new), "every-heading", "fixed", "--json").out)

    assert [(each["config"], each["kept"], each["to_embed"]) for each in found] == [
        ("every-heading", 2, 1),
        ("fixed", 0, 1),
    ]
    every = chunkscope(capfd, "stability", str(old), str(new))
    assert every.code == 0
    named = {line.split()[0] for line in every.out.splitlines()[1:]}
    assert named >= {"block-packing", "every-heading", "section-rules"}
    assert chunkscope(capfd, "stability", str(old), str(tmp_path / "none.md")).code == 2

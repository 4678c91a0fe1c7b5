"""What a phone's sheet is told of the selected chunk."""

from __future__ import annotations

from chunking import Config, parse, run, strategies
from pages.ui.inspect.sheet import said_of

TEXT = "# Kettle\n\nIt glows.\n\n## Water\n\nIt boils.\n\n## " + "Very " * 20 + "long\n\nIt steams.\n"


def test_a_chunk_is_said_with_its_number_its_size_and_its_heading_where_that_is_short() -> None:
    cut = run(parse(TEXT, "kettle.md"), Config(strategies.get("every-heading")()))
    said = [said_of(cut, chunk, number) for number, chunk in enumerate(cut.chunks, 1)]

    assert said[1] == f"Chunk 2 of 3, {cut.chunks[1].tokens} tokens. Water"
    assert said[2] == f"Chunk 3 of 3, {cut.chunks[2].tokens} tokens"

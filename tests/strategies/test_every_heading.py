"""One chunk for each heading: the baseline that hierarchical packing is compared with."""

from __future__ import annotations

from chunking.config.config import Config
from chunking.document.parser import parse
from chunking.runs import Run, run
from chunking.strategies.every_heading import EveryHeading


def chunk(text: str) -> Run:
    return run(parse(text, name="kettle.md"), Config(EveryHeading(), "words-1.3"))


def test_every_heading_starts_a_chunk_however_small() -> None:
    result = chunk("# Kettle\n\n## Fill\n\nwater\n\n## Boil\n\nsteam\n")

    assert [c.text for c in result.chunks] == ["# Kettle", "## Fill\n\nwater", "## Boil\n\nsteam"]
    assert [c.ended_by.rule for c in result.chunks] == ["heading", "heading", "end"]
    assert result.chunks[0].ended_by.detail == "the next heading begins on line 3"


def test_breadcrumbs_follow_the_outline() -> None:
    result = chunk("# Kettle\n\n### Lid\n\nopen\n\n## Boil\n\nsteam\n")

    assert [c.breadcrumb for c in result.chunks] == [
        ("kettle.md", "Kettle"),
        ("kettle.md", "Kettle", "Lid"),
        ("kettle.md", "Kettle", "Boil"),
    ]


def test_text_before_the_first_heading_is_its_own_chunk() -> None:
    result = chunk("Mind the lid.\n\n# Kettle\n\nwater\n")

    assert [(c.text, c.breadcrumb) for c in result.chunks] == [
        ("Mind the lid.", ("kettle.md",)),
        ("# Kettle\n\nwater", ("kettle.md", "Kettle")),
    ]


def test_blank_lines_before_the_first_heading_and_front_matter_are_skips() -> None:
    result = chunk("---\ntitle: Kettle\n---\n\n# Kettle\n")
    blank = chunk("\n\n# Kettle\n")

    assert [s.because.rule for s in result.skips] == ["front-matter"]
    assert [s.because.rule for s in blank.skips] == ["blank"]
    assert [c.text for c in result.chunks] == [c.text for c in blank.chunks] == ["# Kettle"]


def test_chunks_are_numbered_and_know_their_anchor() -> None:
    result = chunk("intro\n\n# Fill it {#fill}\n\nwater\n\n# Boil\n\nsteam\n")

    assert [(c.metadata["chunk_index"], c.metadata["anchor"]) for c in result.chunks] == [
        (0, ""),
        (1, "fill"),
        (2, "boil"),
    ]


def test_blank_space_around_a_section_is_a_hole() -> None:
    result = chunk("# Kettle\n\nwater\n\n\n# Boil\n")

    first = result.chunks[0]
    assert first.text == "# Kettle\n\nwater"
    assert [(h.body.start, h.body.end, h.because.rule) for h in first.holes] == [(15, 18, "blank")]


def test_a_hash_inside_a_fence_starts_nothing() -> None:
    assert len(chunk("# Kettle\n\n```sh\n# fill\n```\n").chunks) == 1


def test_an_empty_document_gives_nothing_and_a_blank_one_a_skip() -> None:
    assert chunk("").parts == ()
    blank = chunk(" \n\t\n")
    assert blank.chunks == ()
    assert [skip.because.rule for skip in blank.skips] == ["blank"]

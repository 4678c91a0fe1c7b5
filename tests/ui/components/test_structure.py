"""The outline on the scale of its tokens, and the cuts on the same scale."""

from __future__ import annotations

from chunking import Config, parse, run, strategies
from pages.ui.components.reading_views.structure import Box, cuts, outline

TEXT = "water\n\n# One\n\nsteam and ice\n\n### Deep\n\nfog\n\n# Two\n\nrain\n"


def test_sections_have_their_place_in_tokens_and_their_depth_in_the_outline() -> None:
    assert outline(parse(TEXT, "kettle.md"), "words").boxes == (
        Box(title="kettle.md", level=0, start=0, line=1, first=0, last=12),
        Box(title="One", level=1, start=7, line=3, first=1, last=9),
        Box(title="Deep", level=2, start=29, line=7, first=6, last=9),
        Box(title="Two", level=1, start=44, line=11, first=9, last=12),
    )


def test_the_outline_is_counted_once_for_each_counter() -> None:
    document = parse(TEXT, "kettle.md")

    assert outline(document, "words") is outline(document, "words")
    assert outline(document, "words").name != outline(document, "chars-4").name


def test_cuts_stand_on_the_same_scale_and_skips_are_in_no_chunk() -> None:
    document = parse("---\na: b\n---\n\n# One\n\nx\n\n# Two\n\ny\n", "kettle.md")

    found = cuts(run(document, Config(strategies.get("every-heading")())), "words")

    assert (found.start.tolist(), found.at.tolist(), found.chunk.tolist()) == ([0, 14, 24], [0, 4, 7], [-1, 0, 1])


def test_a_document_without_headings_is_one_box() -> None:
    assert outline(parse("water\n", "kettle.md"), "words").boxes == (Box("kettle.md", 0, 0, 1, 0, 1),)

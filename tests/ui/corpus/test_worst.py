"""Where a click on a document of Corpus leads."""

from __future__ import annotations

from chunking import Config, Run, parse, run
from chunking.core.metrics import over_with_context
from pages.ui.corpus.worst import worst_place

WORDS = "Water is heated until it boils and the steam is led away. "
NESTED = f"# Kettle\n\n{WORDS * 3}\n## A heading of some length, above what follows\n\n{WORDS * 8}"
TABLE = "| name | value |\n| --- | --- |\n" + "| one | two |\n" * 40


def cut(text: str, maximum: int) -> Run:
    settings = {"minTokens": 20, "minTokensDeeper": 20, "maxTokens": maximum}
    return run(parse(text, name="a.md"), Config.of("heading-window", settings))


def over_with_context_only() -> Run:
    """Its largest body is another chunk's."""
    return next(
        found
        for maximum in range(60, 140)
        if over_with_context(found := cut(NESTED, maximum))
        and not found.metrics.over_maximum
        and not found.torn_boundaries
        and found.chunks[over_with_context(found)[0]].body.start != 0
    )


def test_a_chunk_over_the_limit_with_its_context_alone_is_a_worst_place() -> None:
    found = over_with_context_only()
    meant = {found.chunks[number].body.start for number in over_with_context(found)}

    assert worst_place(found) in meant
    assert worst_place(found, of="over") in meant


def test_what_the_filter_shows_comes_before_a_torn_boundary() -> None:
    found = cut(f"---\nmodule: Kitchen\n---\n\n# Kettle\n\n{WORDS}\n\n{TABLE}\n# End\n\nShort.\n", 100)
    torn = found.torn_boundaries[0].offset - 1

    assert worst_place(found) == torn
    assert worst_place(found, of="left_out") == found.document.text.index("# End")  # front matter is not left out
    assert worst_place(found, of="repeats") == torn

"""The chunks as cards."""

from __future__ import annotations

from chunking import Boundary, Chunk, Config, Document, Run, Span, parse, run, strategies
from pages.ui.components.reading_views.cards import cards, scale, window


def test_a_card_says_what_a_chunk_holds_and_why_it_ends() -> None:
    text = "# One\n\nwater\n\n# Two\n\nsteam\n"
    cut = run(parse(text, "kettle.md"), Config(strategies.get("block-packing")()))

    second = cards(cut, range(1, 2))[0]

    assert (second.number, second.start, second.crumb, second.lines) == (1, 14, ("Two",), (7, 7))
    assert second.beginning == "# Two\n\nsteam"
    assert (second.rule, second.flags) == ("end", ())


def sized(document: Document, *sizes: int) -> Run:
    chunks = [
        Chunk(document, Span(index, index + 1), Boundary("size", "full"), (document.base_name,), size, size)
        for index, size in enumerate(sizes)
    ]
    return Run(document, Config(strategies.get("hierarchical")()), tuple(chunks))


def test_bars_are_measured_against_the_hard_limit_or_the_largest_chunk() -> None:
    document = parse("abc", "kettle.md")
    limits = strategies.get("hierarchical")().limits()
    assert limits.maximum == 1024

    small, large = scale(sized(document, 5, 300)), scale(sized(document, 5, 3_000))

    assert (small.full, small.maximum) == (1024, 1024)
    assert (large.full, large.maximum) == (3_000, 1024)
    assert cards(sized(document, 5, 3_000), range(2))[1].verdict == "over 1,024"


def test_only_a_window_of_cards_is_made() -> None:
    assert window(0, 1, 4_500) == range(60)
    assert window(4_490, 1, 4_500) == range(4_440, 4_500)
    assert window(300, 112, 4_500) == range(300, 412)
    assert window(300, 4_500, 4_500) == range(300, 540)
    assert window(99_999, 60, 20) == range(20)
    assert window(0, 60, 0) == range(0)


def test_a_card_shows_a_beginning_and_never_half_a_character() -> None:
    document = parse("\n\n🫖" + "x" * 900, "kettle.md")
    whole = Chunk(document, Span(0, 903), Boundary("end", "the document ends"), ("kettle.md",), 9, 9)
    cut = Run(document, Config(strategies.get("fixed")()), (whole,))

    beginning = cards(cut, range(1))[0].beginning

    assert beginning == "🫖" + "x" * 417 + "…"

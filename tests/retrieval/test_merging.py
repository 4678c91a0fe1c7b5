"""Auto-merging: a section is given back where enough of its chunks are hit."""

from __future__ import annotations

import pytest

from chunking import Document, Span, parse
from chunking.errors import GoldError
from chunking.gold.questions import Question
from chunking.retrieval.evaluation import evaluate
from chunking.retrieval.merging import AutoMerge
from chunking.retrieval.passages import Passage
from chunking.retrieval.returned import Retrieved

TEXT = "# Tea\nBoil. Pour. Wait.\n## Pot\nWarm. Rinse.\n# Milk\nNone.\n"
TEA = parse(TEXT, name="tea.md")


def passage(quote: str, document: Document = TEA) -> Passage:
    start = document.text.index(quote)
    return Passage(document.name, quote, len(quote), (Span(start, start + len(quote)),))


CHUNKS = [passage(quote) for quote in ("Boil.", "Pour.", "Wait.", "Warm.", "Rinse.", "None.")]
POT = Span(TEXT.index("## Pot"), TEXT.index("# Milk"))
ALL_OF_TEA = Span(0, TEXT.index("# Milk"))


def given(share: float, *hits: int) -> list[tuple[Span, ...]]:
    return [each.given for each in AutoMerge(CHUNKS, [TEA], share)(hits)]


def test_a_section_is_given_back_where_half_of_its_chunks_are_hit() -> None:
    assert given(0.5, 3) == [(POT,)]
    assert given(0.6, 3) == [CHUNKS[3].spans]
    assert given(0.6, 4, 3) == [(POT,), (POT,)]


def test_what_a_merged_section_gives_back_counts_as_hit_in_the_section_around_it() -> None:
    # Warm brings all of Pot: with Boil, three of the five chunks of Tea.
    assert given(0.5, 3, 0) == [(ALL_OF_TEA,), (ALL_OF_TEA,)]
    assert given(0.5, 0, 1) == [CHUNKS[0].spans, CHUNKS[1].spans]


def test_a_section_of_one_chunk_and_the_whole_document_are_not_given_back() -> None:
    assert given(0.1, 5) == [CHUNKS[5].spans]
    assert given(0.5, 0, 1, 2, 3, 4, 5)[5] == CHUNKS[5].spans


def test_a_merged_section_costs_its_text_once_and_answers_what_no_hit_had() -> None:
    lengths = {"tea.md": len}
    taken = Retrieved(CHUNKS, lengths, AutoMerge(CHUNKS, [TEA], 0.5))
    assert [taken.add(5), taken.add(3), taken.add(4)] == [5, 5 + len(POT), 5 + len(POT)]

    class Order:
        def embed_questions(self, questions: object) -> None:
            """Nothing is to be embedded."""

        def ranking(self, question: str) -> list[int]:  # noqa: ARG002
            return [3, 0, 4]

    start = TEXT.index("Rinse.")
    asked = [Question("?", "tea.md", (Span(start, start + 6),))]
    plain = evaluate(CHUNKS, asked, [TEA], Order(), top=1)  # type: ignore[arg-type]
    merged = evaluate(CHUNKS, asked, [TEA], Order(), top=1, give_back=AutoMerge(CHUNKS, [TEA], 0.5))  # type: ignore[arg-type]
    assert (plain.values["recall"], merged.values["recall"]) == ((0.0,), (1.0,))
    assert merged.values["precision"][0] == pytest.approx(6 / len(POT))
    assert (plain.returned, merged.returned) == (False, True)


@pytest.mark.parametrize("share", [0.0, -0.5, 1.1])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(GoldError, match="is not a share of a section's chunks"):
        AutoMerge(CHUNKS, [TEA], share)

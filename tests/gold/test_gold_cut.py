"""Which marked spans are whole, and where the others are cut."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from chunking import Config, Document, Question, Run, Span, load, parse, run, strategies
from chunking.gold.coverage import AnswerCut, coverages
from chunking.retrieval.ir_metrics import Corpus
from chunking.retrieval.passages import passages_of

TEXT = "# Kettle\n\nFill it with cold water.\n\nBoil it.\n\n# Pot\n\nWarm it first. Then add the leaves and wait.\n"
TEA = parse(TEXT, name="tea.md")
SAMPLES = sorted((Path(__file__).parents[2] / "sample_docs").glob("*.md"))


def of(quote: str) -> Span:
    start = TEXT.index(quote)
    return Span(start, start + len(quote))


def by(strategy: str, **settings: str | int) -> Run:
    return run(TEA, Config.of(strategy, settings))


def test_a_span_inside_one_chunk_is_whole() -> None:
    (coverage,) = coverages(by("every-heading"), [of("Fill it with cold water.\n\nBoil it.")])

    assert coverage.whole
    assert coverage.cuts == ()


def test_a_span_across_a_boundary_is_cut_there_with_its_reason() -> None:
    (coverage,) = coverages(by("every-heading"), [of("Boil it.\n\n# Pot")])

    assert not coverage.whole
    assert [(cut.line, cut.offset, cut.reason.rule, cut.left_out) for cut in coverage.cuts] == [
        (7, 46, "heading", False)
    ]


def test_white_space_that_is_left_out_cuts_nothing() -> None:
    marked = of("Warm it first. Then add the leaves and wait.")

    assert coverages(by("hierarchical"), [Span(marked.start - 2, marked.end + 1)])[0].whole


def test_a_heading_that_only_the_context_says_is_left_out() -> None:
    run_ = by("block-packing")

    (coverage,) = coverages(run_, [of("# Pot\n\nWarm it")])

    assert not coverage.whole
    assert [(cut.line, TEXT[cut.span.start : cut.span.end].strip(), cut.left_out) for cut in coverage.cuts] == [
        (7, "# Pot", True)
    ]
    assert coverage.cuts[0].reason.rule == "in-context"


def test_a_boundary_inside_leaves_a_span_whole_where_the_overlap_repeats_it() -> None:
    settings: dict[str, str | int] = {"unit": "characters", "chunk_size": 40, "separator": ""}
    cut, repeated = by("fixed", chunk_overlap=0, **settings), by("fixed", chunk_overlap=20, **settings)
    across = Span(36, 44)

    assert coverages(cut, [across])[0].cuts[0].offset == 40
    assert coverages(repeated, [across])[0].whole


def test_spans_keep_their_order() -> None:
    asked = [of("Boil it."), of("Fill it")]

    assert [coverage.span for coverage in coverages(by("every-heading"), asked)] == asked


@pytest.mark.parametrize("strategy", [name for name in strategies.names() if name not in ("semantic", "contextual")])
@pytest.mark.parametrize("path", SAMPLES[::3], ids=lambda path: path.stem)
def test_whole_is_what_evaluate_calls_whole(strategy: str, path: Path) -> None:
    document = load(path)
    assert isinstance(document, Document)
    made, draw = run(document, Config(strategies.get(strategy)())), random.Random(7)
    starts = [draw.randrange(len(document.text) - 400) for _ in range(60)]
    spans = [Span(start, start + draw.randrange(1, 400)) for start in starts]
    corpus = Corpus(passages_of(made), [document])

    cut = [coverage.span for coverage in coverages(made, spans) if not coverage.whole]

    assert cut == [span for span in spans if corpus.cut_answers(Question("?", document.name, (span,)))]
    assert all(coverage.whole or isinstance(coverage.cuts[0], AnswerCut) for coverage in coverages(made, spans))

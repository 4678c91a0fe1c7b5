"""The numbers of a corpus."""

from __future__ import annotations

from chunking import Config, parse, run
from chunking.analysis import DocumentFigures, document_figures, packed, together
from chunking.analysis.metric_table import within_text
from pages.ui.corpus import numbers


def test_while_no_document_is_cut_the_strip_says_no_number() -> None:
    assert {figure.now for figure in numbers.strip(together([]), None)} == {"…"}


def test_once_one_document_is_cut_the_strip_has_its_numbers() -> None:
    figures = document_figures(run(parse("# Kettle\n\nwater\n", name="a.md"), Config.of("every-heading", {})))

    assert numbers.strip(together([figures]), None)[0].now == "1"


def test_chunks_over_the_limit_with_their_context_alone_are_said_as_inspect_says_them() -> None:
    text = "# A heading of some length\n\n" + "".join(f"## Part {part}\n\n{'word ' * 26}\n\n" for part in range(4))
    made = run(parse(text), Config.of("heading-window", {"minTokens": 20, "minTokensDeeper": 20, "maxTokens": 36}))
    (figures,) = packed([document_figures(made)]).unpacked()
    total = together([figures, figures])

    assert made.metrics.over_maximum == 0 < made.metrics.over_with_context == figures.over_with_context
    alone = together([figures])
    strip = {figure.title: figure.now for figure in numbers.strip(alone, None)}
    assert strip["Within limits"] == within_text(made.metrics)
    more = f"{2 * figures.over_with_context:,} more with context"
    assert f"0 over the maximum ({more})" in numbers.summary(total, 2)


def test_what_settings_leave_out_is_not_called_worse_and_what_is_lost_is() -> None:
    was = together([DocumentFigures(chunk_count=1)])
    verdicts = [
        next(each for each in numbers.strip(together([now]), was) if each.title == "Characters left out").verdict
        for now in (DocumentFigures(left_out=9, short_tail=9), DocumentFigures(left_out=9, lost=1))
    ]

    assert verdicts == ["", "worse"]

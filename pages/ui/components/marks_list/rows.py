"""The marks as rows and the configs as columns: whole or cut, and where. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chunking import Annotations, Document, Run
from chunking.gold import Coverage, coverage_sentence, coverages
from pages.ui.choices.marking import Marked, marked_of

LONGEST_QUOTE = 160
"""Characters of a mark's text that a row shows."""


@dataclass(frozen=True, slots=True)
class Column:
    """One config, and its coverage of every mark."""

    title: str
    name: str
    """Its full name, such as the strategy's title."""
    coverages: tuple[Coverage, ...]
    run: Run


@dataclass(frozen=True, slots=True)
class MarkCell:
    """Whether one config keeps one mark whole."""

    whole: bool
    rule: str
    """The rule of the first cut, or of what is left out."""
    said: str
    """The coverage in one sentence."""


@dataclass(frozen=True, slots=True)
class MarkRow:
    """One mark."""

    mark: Marked
    quote: str
    line: int
    cells: tuple[MarkCell, ...]


def column(title: str, name: str, run: Run, annotations: Annotations) -> Column:
    """A run's coverage of every mark, under a title."""
    return Column(title, name, coverages(run, [mark.span for mark in marked_of(annotations)]), run)


def rows(annotations: Annotations, document: Document, columns: Sequence[Column]) -> list[MarkRow]:
    """One row for each mark, in the order of `marked_of`."""
    return [
        MarkRow(
            mark, quote(document, mark), document.line_of(mark.span.start), tuple(_cell(each, at) for each in columns)
        )
        for at, mark in enumerate(marked_of(annotations))
    ]


def quote(document: Document, mark: Marked, longest: int = LONGEST_QUOTE) -> str:
    """The marked text on one line, its beginning where it is long."""
    text = " ".join(document.text[mark.span.start : min(mark.span.end, mark.span.start + 4 * longest)].split())
    return text if len(text) <= longest and len(mark.span) <= 4 * longest else f"{text[: longest - 1]}…"


def _cell(of: Column, at: int) -> MarkCell:
    coverage = of.coverages[at]
    return MarkCell(
        coverage.whole, coverage.cuts[0].reason.rule if coverage.cuts else "", coverage_sentence(coverage, of.run)
    )


def tally(of: Column) -> str:
    """How many marks this config cuts, in a few words."""
    cut, count = sum(not coverage.whole for coverage in of.coverages), len(of.coverages)
    return f"{cut} of {count} cut" if cut else "none cut"

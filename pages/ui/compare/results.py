"""The results of a comparison, drawn: ribbon, sources side by side, metrics, boundaries, sizes,
what to embed again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from chunking import ChunkscopeError, Config, Document
from chunking.analysis import lines
from chunking.errors import ModelError
from chunking.text import counted
from pages.ui import state
from pages.ui.choices.comparing import HIGHEST_PRICE, LETTERS
from pages.ui.choices.resolve import counter_label
from pages.ui.compare import markup as compare_markup
from pages.ui.components.ribbon import ribbon
from pages.ui.components.ribbon.ticks import RibbonRow
from pages.ui.components.source_view import source_view
from pages.ui.layout import caches, markup, page_frame, within_limits
from pages.ui.layout.figures import readable
from pages.ui.marks import actions
from pages.ui.marks.source_marks import source_marks
from pages.ui.side_by_side import caches as side_by_side_caches
from pages.ui.side_by_side.model_prompts import WAITS
from pages.ui.side_by_side.numbers import MeasuredRow, Versus


@dataclass(frozen=True, slots=True)
class ShownCut:
    """One row after cutting: the run in numbers, or why there is none."""

    letter: str
    config: Config
    measured: MeasuredRow | None
    problem: str = ""

    @property
    def name(self) -> str:
        return f"{self.letter} {self.config.strategy.title}"


def cut(document: Document, number: int, config: Config, counter: str) -> ShownCut:
    """Cut one row; what fails is said in its panel, and the others are compared without it."""
    try:
        run = caches.run(document, config)
    except ModelError:
        return ShownCut(LETTERS[number], config, None, WAITS)
    except ChunkscopeError as error:
        return ShownCut(LETTERS[number], config, None, str(error))
    return ShownCut(LETTERS[number], config, side_by_side_caches.measured(run, counter))


@dataclass(frozen=True, slots=True)
class Compared:
    """The rows that could be cut, and each later one against the first."""

    rows: tuple[tuple[ShownCut, MeasuredRow], ...]
    against: tuple[Versus, ...]

    @property
    def letters(self) -> list[str]:
        return [row.letter for row, _ in self.rows]


def compared(cuts: Sequence[ShownCut]) -> Compared:
    rows = tuple((each, each.measured) for each in cuts if each.measured is not None)
    first = rows[0][1] if rows else None
    return Compared(rows, tuple(side_by_side_caches.versus(first, each) for _, each in rows[1:]) if first else ())


def draw_ribbon(of: Compared, document: Document) -> None:
    """One axis, one row for each config."""
    if not of.rows:
        return
    (first, measured), others = of.rows[0], of.rows[1:]
    ticks = side_by_side_caches.first_ticks(measured)
    cuts = sum(chunk.body.end < len(document.text) for chunk in measured.run.chunks)
    counts = counted(cuts, "boundary", "boundaries")
    rows = [RibbonRow(first.letter, first.config.strategy.title, counts, ticks)]
    rows += [
        RibbonRow(
            row.letter,
            row.config.strategy.title,
            compare_markup.changes_words(each),
            side_by_side_caches.changed_ticks(each),
        )
        for (row, _), each in zip(others, of.against, strict=True)
    ]
    ribbon(rows, document, key="compare-ribbon", selected=state.selected(), on_go=state.select)


@within_limits.part
def draw_source(row: ShownCut, first: ShownCut) -> None:
    """The document as this row cuts it, scrolling with the others; the first row's boundaries are
    ghosts in it."""
    if row.measured is None:
        page_frame.problem(row.problem)
        return
    baseline = first.measured.run if first.measured and first is not row else None
    source_view(
        row.measured.drawn,
        baseline=baseline,
        selected=state.selected(),
        key=f"compare-source-{row.letter}",
        height="var(--cs-compare-source)",
        on_select=state.select,
        together="compare",
        letter=row.letter,
        marks=source_marks(row.measured.run, state.annotations(row.measured.run.document)),
        on_mark=partial(actions.mark, row.measured.run),
        went=state.went(),
    )
    if row.measured.run.warnings:
        st.html(markup.warnings(row.measured.run.warnings))


def draw_metrics(of: Compared, counter: str) -> None:
    """Every metric before and after."""
    st.html(markup.heading("Metrics", beside=f"tokenizer {counter_label(counter)}; differences from {of.letters[0]}"))
    st.html(compare_markup.metrics_table(of.letters, lines([measured.metrics for _, measured in of.rows])))


def draw_again(of: Compared) -> None:
    """What a store that holds the first row's chunks must embed again, and what that costs."""
    st.html(markup.heading("Re-embedding cost", beside=f"if your store holds {of.letters[0]}'s chunks"))
    price = state.comparing().price
    st.html(compare_markup.again_table(of.letters, of.against, price))
    st.number_input(
        "Price per million tokens",
        min_value=0.0,
        max_value=HIGHEST_PRICE,
        step=0.01,
        key=state.own("compare-price", price),
        help="In any currency; what embedding these tokens again costs is then in the table.",
        on_change=_take_price,
        width=220,
    )


def _take_price() -> None:
    price, now = state.moved("compare-price"), state.comparing()
    if isinstance(price, int | float):
        state.compare(replace(now, price=float(price)))


def draw_sizes(of: Compared, counter: str) -> None:
    """The sizes over each other."""
    from pages.ui.compare import charts  # plotly takes longer to import than all the rest: the sources come first

    st.html(markup.heading("Sizes", beside="chunks by tokens, including context and overlap"))
    names = [row.name for row, _ in of.rows]
    figure = charts.sizes_figure(names, [measured.sizes for _, measured in of.rows], counter_label(counter))
    st.plotly_chart(readable(figure), key="compare-sizes", config={"displayModeBar": False})

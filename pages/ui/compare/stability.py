"""Compare's view of an edit: the document in an earlier version, and how many chunks of each config
keep their id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from chunking import ChunkscopeError
from pages.ui import state
from pages.ui.choices.samples import Source
from pages.ui.compare import markup as compare_markup
from pages.ui.compare.markup import EditLine
from pages.ui.compare.results import Compared
from pages.ui.layout import caches, markup, page_frame, within_limits
from pages.ui.side_by_side import caches as side_by_side_caches
from pages.ui.side_by_side.numbers import MeasuredRow

_NONE = ""


@within_limits.part
def draw_stability(of: Compared, counter: str) -> None:
    """What the edit from an earlier version to the document that is shown does to the chunks."""
    st.html(markup.heading("Edit stability", beside="chunks that an edit leaves as they are"))
    now = state.source()
    if now is None:
        return
    others = versions_of(now, state.sources())
    titles = titles_of(others)
    wanted = state.comparing().version
    st.selectbox(
        "Earlier version of this document",
        [_NONE, *titles],
        key=state.own("compare-version", wanted if wanted in titles else _NONE),
        format_func=lambda key: titles.get(key, "None"),
        help="A text as it was before it was edited. It is cut under this document's name.",
        on_change=_take_version,
    )
    earlier = next((each for each in others if each.key == wanted), None)
    if earlier is None:
        missing = "The version that the link names is not open here. " if wanted and wanted != now.key else ""
        page_frame.note(f"{missing}Choose the text as it was before an edit, or add it at the top.")
        return
    lines = [_line(row.letter, measured, replace(earlier, name=now.name), counter) for row, measured in of.rows]
    st.html(compare_markup.stability_table(lines, state.comparing().price))


def versions_of(now: Source, sources: Sequence[Source]) -> list[Source]:
    """The texts that may be another version of this one: those of its name first, samples last."""
    base = now.name.rpartition("/")[2]
    others = [each for each in sources if each.key != now.key]
    return sorted(others, key=lambda each: (each.name.rpartition("/")[2] != base, each.sample))


def titles_of(sources: Sequence[Source]) -> dict[str, str]:
    """What each is called by its key; of one title, also how long and which each is."""
    often = Counter(each.title for each in sources)
    return {
        each.key: each.title
        if often[each.title] == 1
        else f"{each.title}, {len(each.text):,} characters, sha256 {each.hash[:6]}…"
        for each in sources
    }


def _line(letter: str, after: MeasuredRow, earlier: Source, counter: str) -> EditLine:
    try:
        run = caches.run(caches.document(earlier), after.run.config)
    except ChunkscopeError as error:
        return EditLine(letter, None, str(error))
    return EditLine(letter, side_by_side_caches.stability(side_by_side_caches.measured(run, counter), after))


def _take_version() -> None:
    key = state.moved("compare-version")
    if isinstance(key, str):
        state.compare(replace(state.comparing(), version=key))

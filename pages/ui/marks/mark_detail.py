"""The chosen mark: what each config does to it, and the smallest change of a setting that keeps it
whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from chunking import Annotations, Config, Document
from chunking.errors import ChunkscopeError
from chunking.explanation import Fix, Fixes
from chunking.gold import coverage_sentence
from pages.ui import state
from pages.ui.choices.marking import Marked, marked_of, spans
from pages.ui.components.marks_list.rows import Column
from pages.ui.layout import drawbacks, markup, page_frame
from pages.ui.layout.change_messages import SEPARATOR, action, outcome
from pages.ui.marks import caches
from pages.ui.marks.messages import marks_words, search_words

_SHOWN = 2_000
"""Characters of a mark that are repeated beside it."""
_MOST_FIXES = 4


@dataclass(frozen=True, slots=True)
class Fixable:
    """A config whose settings can be changed from here."""

    column: Column
    apply: Callable[[Config], None]


def chosen_mark(
    document: Document, annotations: Annotations, columns: Sequence[Column], fixable: Sequence[Fixable]
) -> Callable[[], None]:
    """Draw what each config does to the mark that was chosen in the list; nothing where none is.

    Returns the function that searches for changes and draws them below. It is slow: call it when
    the rest of the page is there.
    """
    marks, chosen = marked_of(annotations), state.marking().chosen
    if chosen is None or chosen not in marks:
        return nothing
    at = marks.index(chosen)
    st.html(markup.heading("Selected mark", beside="an answer" if chosen.kind == "answer" else "must stay whole"))
    text = document[chosen.span]
    page_frame.exact(text[:_SHOWN] + ("…" if len(text) > _SHOWN else ""))
    st.html(markup.facts([(each.title, coverage_sentence(each.coverages[at], each.run)) for each in columns]))
    cutting = [(each, st.container(gap="xsmall")) for each in fixable if not each.column.coverages[at].whole]

    def look() -> None:
        for each, place in cutting:
            with place:
                st.html(markup.heading("Smallest change that keeps it whole", beside=each.column.name))
                fixes(document, each, chosen, annotations)

    return look


def nothing() -> None:
    """What `chosen_mark` returns when there is nothing to search for."""


def fixes(document: Document, of: Fixable, chosen: Marked, annotations: Annotations) -> None:
    """Search for changes of one config that keep a mark whole, and draw them; in a long document
    once somebody asks for it."""
    if state.dragging():
        page_frame.note("Release to see what keeps this mark whole.")
        return
    if not (caches.searched_at_once(document) or state.marking().searching):
        page_frame.note("Cuts this document again many times; on a long one that takes a few seconds.")
        st.button("Search for a change", key=f"look-{of.column.title}", on_click=_search)
        return
    others = tuple(span for span in spans(marked_of(annotations)) if span != chosen.span)
    with st.spinner("Cutting again under other settings", show_time=True):
        try:
            found = caches.fixes_of(of.column.run, chosen.span, others)
        except ChunkscopeError as error:
            page_frame.problem(str(error))
            return
    _draw(found, of)


def _draw(found: Fixes, of: Fixable) -> None:
    if not found.found:
        page_frame.note(search_words(found, of.column.run.config))
        return
    against = [(fix, drawbacks.of_fix(fix, of.column.run, of_block=False)) for fix in found.found[:_MOST_FIXES]]
    for fix, drawback in sorted(against, key=lambda pair: pair[1].weight):
        name = f"{of.column.title}-{fix.setting}-{fix.after}"
        with st.container(gap="xsmall", key=f"fix-{name}"):
            st.button(
                action(fix),
                key=f"apply-{name}",
                on_click=_apply,
                args=(of, fix),
            )
            near = () if fix.nearest else ("a smaller change may also work",)
            words = SEPARATOR.join(filter(None, (outcome(fix), marks_words(fix), *near)))
            st.html(markup.consequences(words, drawback=drawback.words))


def _apply(of: Fixable, fix: Fix) -> None:
    of.apply(fix.config)
    state.mark_with(replace(state.marking(), searching=False))


def _search() -> None:
    state.mark_with(replace(state.marking(), searching=True))

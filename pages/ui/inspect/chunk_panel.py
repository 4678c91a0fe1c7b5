"""The chosen chunk: why it ends here, what its tokens are made of, what would be embedded."""

from __future__ import annotations

from bisect import bisect_right

import streamlit as st

from chunking import Chunk, Run, Skip, Span
from chunking.text import page_range
from chunking.tokens import counter, token_index
from pages.ui import state
from pages.ui.components.copy_text import copy_text
from pages.ui.inspect import anatomy
from pages.ui.inspect.keep_offers import keep_offers
from pages.ui.inspect.what_if import can_move, what_if, what_it_did
from pages.ui.layout import markup, model_messages, page_frame, setting_names, within_limits

SHOWN_CHARACTERS = 20_000
"""More than this of one chunk is not sent to the browser on each move."""


@within_limits.part
def chunk_panel(run: Run) -> None:
    """The part of the document at the chosen offset, or what to do to choose one."""
    what_it_did(run)
    part = part_at(run, state.shown_selected())
    if part is None:
        st.html(markup.heading("Selected chunk"))
        st.html(
            markup.empty(
                "No chunk selected",
                "Select a chunk in the source to see why it ends there, its text as embedded and its tokens.",
            )
        )
        if run.chunks:
            first = run.chunks[0].body.start
            st.button("Select the first chunk", key="select-first", on_click=state.select, args=(first,))
    elif isinstance(part, Skip):
        _skip(run, part)
    else:
        _chunk(run, part)


def part_at(run: Run, offset: int | None) -> Chunk | Skip | None:
    """The part whose body holds this offset; None when none does."""
    if offset is None or not 0 <= offset < len(run.document.text):
        return None
    at = bisect_right(run.parts, offset, key=lambda part: part.body.start) - 1
    return run.parts[at] if at >= 0 else None


def lines_fact(first: int, last: int) -> tuple[str, str]:
    """Which lines, as a name and its value."""
    return ("Line", f"{first:,}") if first == last else ("Lines", f"{first:,} to {last:,}")


def _skip(run: Run, skip: Skip) -> None:
    st.html(markup.heading("Left out"))
    first, last = run.document.line_of(skip.body.start), run.document.line_of(skip.body.end - 1)
    st.html(markup.facts([("Why", setting_names.reason(skip.because, run.config.strategy)), lines_fact(first, last)]))
    offers = st.container(gap="xsmall", key="keep-offers")
    _text(run.document[skip.body])
    with offers:  # last, since it is slow to find out
        keep_offers(run, skip)


def _chunk(run: Run, chunk: Chunk) -> None:
    number = _number(run, chunk)
    _heading_row(run, number)
    with st.container(gap="xsmall", key="chunk-why"):  # first: all else may be below the fold of a phone's sheet
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="chunk-why-heading"):
            st.html(markup.heading("Why it ends here"), width="stretch")
            st.button(
                "See its end",
                key="chunk-end",
                icon=":material/vertical_align_bottom:",
                type="tertiary",
                on_click=_show,
                args=(chunk.body.end,),
            )
        st.html(markup.reason(setting_names.reason(chunk.ended_by, run.config.strategy)))
    st.html(markup.breadcrumb(chunk.breadcrumb))
    approximate = "≈" if run.approximate else ""
    st.html(
        markup.facts(
            [
                ("Tokens", f"{approximate}{chunk.tokens:,}"),
                lines_fact(chunk.start_line, chunk.end_line),
                *((("Pages", page_range(chunk.pages)),) if chunk.pages else ()),
                *(("Note", setting_names.reason(flag, run.config.strategy)) for flag in chunk.flags),
            ]
        )
    )
    st.html(markup.anatomy(anatomy.pieces(run, chunk), run.config.counter))
    vanishing = st.container(gap="xsmall", key="what-if" if can_move(run, chunk) else "what-if-nothing")
    if chunk.returned:
        _returned(run, chunk.returned)
    elif run.config.strategy.describes:
        _description(chunk)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="chunk-text-heading"):
        st.html(markup.heading("Text as embedded"), width="stretch")
        copy_text(chunk.text, says="Copy the text as it is embedded", key="copy-chunk")
    _text(chunk.text)
    with vanishing:  # last, since it is slow to find out
        what_if(run, chunk)


def _number(run: Run, chunk: Chunk) -> int:
    """From 0, among the chunks."""
    return bisect_right(run.chunks, chunk.body.start, key=lambda other: other.body.start) - 1


def _heading_row(run: Run, number: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="chunk-heading"):
        st.html(markup.heading(f"Chunk {number + 1:,}", of=f"of {len(run.chunks):,}"), width="stretch")
        for step, icon, words in ((-1, "arrow_upward", "Previous chunk"), (1, "arrow_downward", "Next chunk")):
            there = 0 <= number + step < len(run.chunks)
            st.button(
                words,
                key=f"chunk{step:+d}",
                icon=f":material/{icon}:",
                help=words,
                disabled=not there,
                on_click=state.select,
                args=(run.chunks[number + step].body.start if there else None,),
            )


def _description(chunk: Chunk) -> None:
    """What was put before the chunk, as the text it is, and who wrote it."""
    words = chunk.metadata.get("context")
    st.html(markup.heading("Description", beside=model_messages.writer_words(chunk) if words else "none"))
    if words:
        st.text(str(words))
    else:
        page_frame.note("No model has described this chunk; see the Describer setting for the reason.")


def _returned(run: Run, span: Span) -> None:
    """What a hit gives back: its size, its lines, the way to its ends, and its text."""
    document = run.document
    tokens = token_index(document.text, counter(run.config.counter)).count(span.start, span.end)
    lines = f"lines {document.line_of(span.start):,} to {document.line_of(span.end - 1):,}"
    approximate = "≈" if run.approximate else ""
    st.html(markup.heading("Returned by a hit", beside=f"{approximate}{tokens:,} tokens, {lines}"))
    with st.container(horizontal=True, gap="small", key="returned-ends"):
        for name, icon, offset in (
            ("start", "vertical_align_top", span.start),
            ("end", "vertical_align_bottom", span.end - 1),
        ):
            st.button(
                f"Show its {name}",
                key=f"returned-{name}",
                icon=f":material/{icon}:",
                on_click=_show,
                args=(offset,),
            )
    _text(document[span])


def _show(offset: int) -> None:
    """A callback: on to a place in the source; the chunk stays selected."""
    state.show(offset)
    state.choose_view("source")


def _text(text: str) -> None:
    page_frame.exact(text[:SHOWN_CHARACTERS])
    if len(text) > SHOWN_CHARACTERS:
        page_frame.note(f"The first {SHOWN_CHARACTERS:,} of {len(text):,} characters; the export has them all.")

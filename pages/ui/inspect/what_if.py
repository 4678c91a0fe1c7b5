"""What would move a boundary, one click each: found by re-cutting, so a click does what its button
says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st

from chunking import Chunk, Config, Run
from chunking.core import Strategy
from chunking.explanation import Explanation, Fix, Fixes, NumberRange, OptionRange, Removal, Removals, range_sentence
from chunking.imported import Peer
from pages.ui import state
from pages.ui.layout import caches, markup, page_frame, setting_names, within_limits
from pages.ui.layout.change_messages import SEPARATOR, action, block_name, cut_block, kind_name, moves_to, outcome

FAR = 150_000
"""Characters before a boundary from which finding out takes so long that somebody has to ask for
it."""


@dataclass(frozen=True, slots=True)
class _Offer:
    """One button, and what comes of it."""

    change: Removal | Fix
    words: str


@within_limits.part
def what_if(run: Run, chunk: Chunk) -> None:
    """When the block that the boundary at the end of this chunk cuts would be whole, and when the
    boundary would go."""
    offset = chunk.body.end
    if offset >= len(run.document.text) or isinstance(run.config.strategy, Peer):
        return  # of another package's splitter no reason is known: nothing says what would move it
    if state.dragging():
        page_frame.note("Release to see what removes this boundary.")
        return
    if offset > FAR and state.asked_about() != offset:
        page_frame.note("This far into a long text it takes some seconds to find out.")
        st.button("How to remove this boundary?", key="ask-about", on_click=state.ask_about, args=(offset,))
        return
    _whole_block(run, offset)
    with _searching("gone", "Searching for settings that remove this boundary"):
        explained, ways = caches.explanation(run, offset), caches.removals(run, offset)
    st.html(markup.heading("How to remove this boundary"))
    _removals(run, explained, ways)
    _ranges(explained, run.config.strategy)


def _removals(run: Run, explained: Explanation, ways: Removals) -> None:
    if not explained.ranges:
        page_frame.note("No setting can move it: this strategy has none.")
    elif not ways.found:
        page_frame.note(
            "No single setting removes it."
            if ways.complete
            else "None of the values tried removes it; not all of them could be tried."
        )
    offers = [
        _Offer(
            change, SEPARATOR.join(filter(None, (outcome(change), moves_to(change, run.document, explained.offset))))
        )
        for change in ways.found
    ]
    _buttons(offers, "gone")


def _whole_block(run: Run, offset: int) -> None:
    """The settings that keep the block whole which the boundary cuts."""
    block = cut_block(run.document, offset)
    if block is None:
        return
    name = block_name(block, run.document)
    st.html(markup.heading(f"How to keep this {kind_name(block)} whole"))
    with _searching("whole", "Searching for a setting that keeps it whole"):
        fixes = caches.block_fixes(run, block.span.start, block.content_end)
    if fixes is None:
        page_frame.note(f"This boundary cuts the {name}, but one chunk has all of it: its overlap repeats the rest.")
        return
    page_frame.note(f"This boundary cuts the {name}. {_verdict(fixes)}".strip())
    _buttons([_Offer(fix, outcome(fix)) for fix in fixes.found], "whole")


@contextmanager
def _searching(key: str, words: str) -> Iterator[None]:
    """Say so after a moment, over what was found before and not above it: nothing on the page moves
    for it."""
    with st.container(key=f"searching-{key}"), st.spinner(words, show_time=False):
        yield


def _verdict(fixes: Fixes) -> str:
    if fixes.found:
        return ""
    if fixes.complete:
        return "No single setting keeps it whole."
    return "None of the values tried keeps it whole; not all of them could be tried."


def _buttons(offers: Sequence[_Offer], prefix: str) -> None:
    """One row for each change: the button, and what it comes to."""
    for offer in offers:
        change = offer.change
        with st.container(gap="xsmall", key=f"{prefix}-{_key(change)}"):
            st.button(
                setting_names.button_label(action(change), change.config.strategy),
                key=f"take-{prefix}-{_key(change)}",
                on_click=_take,
                args=(change.config,),
                help="Undo restores the current settings.",
            )
            st.html(
                markup.note(
                    SEPARATOR.join((offer.words, *(() if change.nearest else ("a smaller change may also work",))))
                )
            )


def _key(change: Removal | Fix) -> str:
    return f"{change.setting}-{change.after}"


def _take(config: Config) -> None:
    """A callback: take this config, and run the whole page again, with the parts that a drag leaves
    alone."""
    state.take(config)
    st.rerun()


def _ranges(explained: Explanation, strategy: Strategy) -> None:
    """How far each setting may go with the boundary still there, and the headings where the chunk
    went on."""
    if explained.ranges:
        going = [range_sentence(each) for each in explained.ranges if not _never_goes(each)]
        staying = [each.setting for each in explained.ranges if _never_goes(each)]
        more = [f"Stays at every value of {', '.join(staying)}."] if staying else []
        named = [setting_names.sentence(each, strategy) for each in (*going, *more)]
        st.html(markup.folded("Range in which this boundary stays", named))
    if explained.candidates:
        one = len(explained.candidates) == 1
        lines = [
            setting_names.sentence(
                f"Line {each.line}, {each.title or 'no title'}: {each.because} ({each.tokens} tokens so far).", strategy
            )
            for each in explained.candidates
        ]
        title = "1 heading" if one else f"{len(explained.candidates)} headings"
        st.html(markup.folded(f"{title} it passed over", lines))


def _never_goes(found: NumberRange | OptionRange) -> bool:
    """Whether no value of this setting takes the boundary away."""
    if isinstance(found, OptionRange):
        return all(other.stays for other in found.others)
    return found.exact and found.below.goes_at is None and found.above.goes_at is None

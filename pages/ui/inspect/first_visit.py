"""What a first visitor sees on Inspect: three steps until they are dismissed, a selected chunk."""

from __future__ import annotations

from itertools import takewhile

import streamlit as st

from chunking import Run, strategies
from chunking.config import setting_specs
from pages.ui import state
from pages.ui.components.first_steps import COOKIE, DISMISSED, first_steps
from pages.ui.layout import page_frame

_IN_SIGHT = 22
"""Lines of the source that are in sight in a document that was just opened, in a window of 1,280 x
800 pixels."""
_LINE = 80
"""Characters that a line of it holds."""


@st.fragment
def first_visit() -> None:
    """Draw the first steps, unless this browser or this session has put them away."""
    if state.steps_dismissed() or st.context.cookies.get(COOKIE) == DISMISSED:
        return
    threshold, moves = _first_to_drag(state.plan().strategy)
    with st.container(key="first-visit"):
        first_steps(
            page_frame.TAGLINE,
            threshold,
            moves=moves,
            own=bool(state.added_sources()),
            key="first-steps",
            on_dismiss=state.dismiss_steps,
        )


def _first_to_drag(name: str) -> tuple[str, bool]:
    """The title of the strategy's minimum or, without one, of its maximum, and that it moves cuts
    in most documents; without either that of its first threshold, "" where it has none."""
    strategy = strategies.get(name)
    thresholds = {spec.name: spec.title for spec in setting_specs(strategy) if spec.numeric}
    limits = strategy().limits()
    named = (thresholds[each] for each in (limits.minimum_setting, limits.maximum_setting) if each in thresholds)
    title = next(named, "")
    return title or next(iter(thresholds.values()), ""), bool(title)


def first_selected(run: Run) -> int | None:
    """Where the chunk begins that is selected in a document that was just opened: of those that end
    in sight from its beginning the first whose boundary a setting can move, else the first of
    all."""
    seen = _seen_to(run.document.text)
    early = takewhile(lambda chunk: chunk.body.end < seen, run.chunks)
    movable = (chunk for chunk in early if chunk.ended_by.settings)
    chosen = next(movable, run.chunks[0] if run.chunks else None)
    return chosen.body.start if chosen else None


def _seen_to(text: str) -> int:
    """The offset up to which a text is about in sight from its beginning."""
    lines, seen = 0, 0
    for line in text[: _IN_SIGHT * _LINE].splitlines(keepends=True):
        lines += 1 + len(line.rstrip()) // _LINE
        if lines > _IN_SIGHT:
            break
        seen += len(line)
    return seen

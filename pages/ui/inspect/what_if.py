"""What would move a boundary, one click each: found by re-cutting, so a click does what its button
says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import streamlit as st
from markupsafe import Markup
from pydantic.alias_generators import to_camel
from streamlit.delta_generator import DeltaGenerator

from chunking import Chunk, Run
from chunking.core import Strategy
from chunking.document import Block
from chunking.explanation import (
    Candidate,
    Explanation,
    Fix,
    Fixes,
    NumberRange,
    OptionRange,
    Removal,
    Removals,
    range_sentence,
)
from chunking.imported import Peer
from chunking.models import steps
from chunking.text import counted
from pages.ui import state
from pages.ui.choices.offers import NO_OFFERS, Fold, Offer, OfferList, Taken, WhatIf
from pages.ui.components.change_line import change_line
from pages.ui.inspect.undo import undo
from pages.ui.layout import caches, drawbacks, markup, page_frame, setting_names, within_limits
from pages.ui.layout.change_messages import (
    SEPARATOR,
    action,
    block_name,
    boundaries,
    cut_block,
    kind_name,
    moves_to,
    outcome,
    taken_words,
)
from pages.ui.layout.drawbacks import Drawback, Weight

FAR = 150_000
"""Characters before a boundary from which finding out may take so long that somebody has to ask for
it: in a text longer than `LONG`, or with a strategy that asks a model."""
LONG = 2_500_000
"""Characters."""


FAR_WORDS = "This far into a long text it takes some seconds to find out."
_FAR_AWAY = WhatIf((OfferList("far", "", FAR_WORDS, ()),), asks="How to remove this boundary?")
_COUNTED = frozenset({"code", "table", "list", "task-list"})
"""The kinds of blocks that "blocks cut in two" counts."""
_UNDO = "Undo restores the current settings."
_HEADING = "How to remove this boundary"


def can_move(run: Run, chunk: Chunk) -> bool:
    """Whether there is a boundary at the end of this chunk, and a reason for it. Of another
    package's splitter no reason is known: nothing says what would move it."""
    return chunk.body.end < len(run.document.text) and not isinstance(run.config.strategy, Peer)


@within_limits.part
def what_if(run: Run, chunk: Chunk) -> None:
    """When the block that the boundary at the end of this chunk cuts would be whole, and when the
    boundary would go. While a threshold is held, what was found before."""
    offset = chunk.body.end
    if state.dragging():
        draw(state.last_offered(), run, offset, held=True)
        return
    if not can_move(run, chunk):
        state.note_offered(NO_OFFERS)
        return
    if _takes_long(run, offset) and state.asked_about() != offset:
        draw(_FAR_AWAY, run, offset)
        state.note_offered(_FAR_AWAY)
        return
    block = cut_block(run.document, offset)
    whole = () if block is None else (_whole_block(run, block),)
    for each in whole:
        _draw_list(each, run, offset)
    with searching("gone", "Searching for settings that remove this boundary"):
        explained, ways = caches.explanation(run, offset), caches.removals(run, offset)
    changes = by_effect(ways.found, explained, run)
    folded = tuple(_folded(explained, run.config.strategy))
    found = _removals(run, explained, ways, changes)
    said = draw(WhatIf((found,), folded), run, offset)
    state.note_offered(WhatIf((*whole, found), folded))
    if any(change.chunks is None for change in changes):
        changes = [_count(run, change, explained, place) for change, place in zip(changes, said, strict=True)]
        state.note_offered(WhatIf((*whole, _removals(run, explained, ways, changes)), folded))


def _count(run: Run, change: Removal, explained: Explanation, place: DeltaGenerator) -> Removal:
    """Of a long document: the button is there, and how many chunks it makes follows when all of it
    was cut."""
    counted_change = caches.counted_removal(run, change)
    place.html(_consequences(_removal_offer(run, counted_change, explained)))
    return counted_change


def _takes_long(run: Run, offset: int) -> bool:
    return offset > FAR and (len(run.document.text) > LONG or bool(steps(run.config.strategy)))


def _removals(run: Run, explained: Explanation, ways: Removals, changes: Sequence[Removal]) -> OfferList:
    said = ""
    if not explained.ranges:
        said = "No setting can move it: this strategy has none."
    elif not ways.found:
        said = (
            "No single setting removes it."
            if ways.complete
            else "No value that was tried removes it, but not every value was tried."
        )
    offers = tuple(_removal_offer(run, change, explained) for change in changes)
    return OfferList("gone", _HEADING, said, offers)


def _removal_offer(run: Run, change: Removal, explained: Explanation) -> Offer:
    drawback = drawbacks.of_removal(change, run, explained.offset)
    moved = "" if drawback.weight > Weight.READ_LESS else moves_to(change, run.document, explained.offset)
    return offer_of("gone", change, drawback, outcome(change), moved)


def by_effect(found: Sequence[Removal], explained: Explanation, run: Run) -> list[Removal]:
    """What really removes it first, of that what costs nothing; where there is such a change, none
    that moves the boundary only by a line or two. Of changes of equal effect the switch of the rule
    that cuts there first, then what changes the fewest boundaries, whatever was on screen before.
    Of a long document none of this is known but the switch when the buttons are drawn: the others
    stay in the strategy's order, also once their numbers are there."""
    deciding = {f"{explained.of_base}{to_camel(setting)}" for setting in explained.reason.settings}
    weights = {change: drawbacks.of_removal(change, run, explained.offset).weight for change in found}
    removes = [change for change in found if change.chunks is not None and weights[change] < Weight.ONLY_MOVES]

    def helps(change: Removal) -> bool:
        return weights[change] < Weight.ONLY_MOVES or not drawbacks.moves_little(change, run, explained.offset)

    def place(change: Removal) -> tuple[Weight, bool, bool, int]:
        own_switch = isinstance(change.after, bool) and change.setting in deciding
        changed = change.boundaries_changed
        return weights[change], not own_switch, changed is None, changed or 0

    return sorted(filter(helps, found) if removes else found, key=place)


def _whole_block(run: Run, block: Block) -> OfferList:
    """The settings that keep the block whole which the boundary cuts."""
    name, heading = block_name(block, run.document), f"How to keep this {kind_name(block)} whole"
    with searching("whole", "Searching for a setting that keeps it whole"):
        fixes = caches.block_fixes(run, block.span.start, block.content_end)
    if fixes is None:
        return OfferList(
            "whole",
            heading,
            f"This boundary cuts the {name}, but one chunk has all of it: its overlap repeats the rest.",
            (),
        )
    said = f"This boundary cuts the {name}. {_verdict(fixes)}".strip()
    of_block = block.kind in _COUNTED
    against = [(fix, drawbacks.of_fix(fix, run, of_block=of_block)) for fix in fixes.found]
    against.sort(key=lambda pair: pair[1].weight)
    return OfferList("whole", heading, said, tuple(offer_of("whole", fix, each, outcome(fix)) for fix, each in against))


def offer_of(prefix: str, change: Removal | Fix, drawback: Drawback, *words: str) -> Offer:
    near = "" if change.nearest else "a smaller change may also work"
    return Offer(
        f"{prefix}-{change.setting}-{change.after}",
        action(change),
        SEPARATOR.join(filter(None, (*words, near))),
        change.config,
        drawback.words,
        costs=drawback.weight in (Weight.READ_LESS, Weight.COSTS, Weight.COSTS_AND_MOVES),
    )


def _consequences(offer: Offer) -> Markup:
    return markup.consequences(offer.words, drawback=offer.drawback)


@contextmanager
def searching(key: str, words: str) -> Iterator[None]:
    """Say so after a moment, over what was found before and not above it: nothing on the page moves
    for it."""
    with _searching_place(key), st.spinner(words, show_time=False):
        yield


def _searching_place(key: str) -> DeltaGenerator:
    """Also drawn where nothing is searched for: what comes after it keeps its place on the page."""
    return st.container(key=f"searching-{key}")


def _verdict(fixes: Fixes) -> str:
    if fixes.found:
        return ""
    if fixes.complete:
        return "No single setting keeps it whole."
    return "No value that was tried keeps it whole, but not every value was tried."


def draw(found: WhatIf, run: Run, offset: int, *, held: bool = False) -> list[DeltaGenerator]:
    """`offset` is the boundary that somebody may ask about or take away. What was found before a
    threshold was `held` cannot be clicked, and says so. Gives the places of what comes of each
    change."""
    places = [place for each in found.lists for place in _draw_list(each, run, offset, held=held)]
    if found.asks:
        st.button(found.asks, key="ask-about", on_click=state.ask_about, args=(offset,), disabled=held)
    for fold in found.folded:
        st.html(markup.folded(fold.title, fold.sentences, name=fold.name))
    return places


def _draw_list(found: OfferList, run: Run, offset: int, *, held: bool = False) -> list[DeltaGenerator]:
    """One row for each change: the button, and what it comes to."""
    if found.heading:
        if held:
            _searching_place(found.key)
        dashed = "dashed: a drawback" if any(offer.drawback for offer in found.offers) else ""
        st.html(markup.heading(found.heading, beside="as before the drag" if held else dashed))
    if found.said:
        page_frame.note(found.said)
    places = []
    for offer in found.offers:
        with st.container(gap="xsmall", key=offer.key):
            st.button(
                offer.label,
                key=f"take-{offer.key}",
                on_click=_take,
                args=(offer, run, offset),
                kwargs={"keeps": found.keeps},
                help=f"{offer.drawback}. {_UNDO}" if offer.drawback else _UNDO,
                disabled=held,
            )
            place = st.empty()
            place.html(_consequences(offer))
            places.append(place)
    return places


def what_it_did(run: Run) -> None:
    """What the offer that was taken last did to the boundary, with the way back; its place is
    always there."""
    taken = state.taken(run.document.text_hash, run.config)
    words = taken_words(taken, run) if taken else ""
    change_line(words, undoable=bool(taken and not taken.undone), key="change-line", on_undo=partial(undo, run))


def _take(offer: Offer, run: Run, offset: int, *, keeps: bool) -> None:
    """A callback: take its config, select what then holds the place of the boundary or of the text
    that it `keeps`, and run the whole page again, with the parts that a drag leaves alone."""
    follows = keeps or any(chunk.body.start == offset for chunk in run.chunks)
    place, before = offset if follows else offset - 1, state.selected()
    costs = offer.drawback if offer.costs else ""
    state.take(offer.config)
    state.select(place)
    state.note_taken(
        Taken(
            run.document.text_hash, offer.config, place, run.config, before, offset, boundaries(run), costs, keeps=keeps
        )
    )
    st.rerun()


def _folded(explained: Explanation, strategy: Strategy) -> Iterator[Fold]:
    """How far each setting may go with the boundary still there, and the headings where the chunk
    went on."""
    if explained.ranges:
        going = [range_sentence(each) for each in explained.ranges if not _never_goes(each)]
        staying = [each.setting for each in explained.ranges if _never_goes(each)]
        more = [f"These settings do not matter here: {', '.join(staying)}."] if staying else []
        named = (setting_names.sentence(each, strategy) for each in (*going, *more))
        yield Fold("range", "Range in which this boundary stays", tuple(named))
    if explained.candidates:
        one = len(explained.candidates) == 1
        lines = (setting_names.sentence(_passed_over(each), strategy) for each in explained.candidates)
        title = "1 heading" if one else f"{len(explained.candidates)} headings"
        yield Fold("passed-over", f"{title} it passed over", tuple(lines))


def _passed_over(heading: Candidate) -> str:
    """Why the chunk went on there, and what it held, once."""
    tokens = counted(heading.tokens, "token")
    held = "" if tokens.replace(",", "") in heading.because else f" ({tokens} so far)"
    return f"Line {heading.line:,}, {heading.title or 'no title'}: {heading.because}{held}."


def _never_goes(found: NumberRange | OptionRange) -> bool:
    """Whether no value of this setting takes the boundary away."""
    if isinstance(found, OptionRange):
        return all(other.stays for other in found.others)
    return found.exact and found.below.goes_at is None and found.above.goes_at is None

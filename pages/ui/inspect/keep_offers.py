"""What would put text into a chunk that is left out, one click each: found by re-cutting."""

from __future__ import annotations

from chunking import Run, Skip
from chunking.core import LEFT_OUT_BY_DESIGN
from chunking.explanation import cutting_strategy
from chunking.imported import Peer
from chunking.models import steps
from pages.ui import state
from pages.ui.choices.offers import NO_OFFERS, OfferList, WhatIf
from pages.ui.inspect.what_if import FAR, FAR_WORDS, draw, offer_of, searching
from pages.ui.layout import caches, drawbacks, setting_names, within_limits
from pages.ui.layout.change_messages import outcome

_MOST = 4
_HEADING = "How to keep this text"


@within_limits.part
def keep_offers(run: Run, skip: Skip) -> None:
    """The settings with which chunks have this text; nothing for what is no content. While a
    threshold is held, what was found before."""
    offset = skip.body.start
    if state.dragging():
        draw(state.last_offered(), run, offset, held=True)
        return
    offered = NO_OFFERS if skip.because.rule in LEFT_OUT_BY_DESIGN else _offered(run, skip)
    draw(offered, run, offset)
    state.note_offered(offered)


def _offered(run: Run, skip: Skip) -> WhatIf:
    if isinstance(run.config.strategy, Peer):
        said = "No setting is known to keep it: another package made these chunks."
        return WhatIf((OfferList("left-out", _HEADING, said, ()),))
    takes_long = skip.body.end > FAR or bool(steps(run.config.strategy))
    if takes_long and state.asked_about() != skip.body.start:
        return WhatIf((OfferList("left-out", _HEADING, FAR_WORDS, ()),), asks="How to keep this text?")
    return WhatIf((_found(run, skip),))


def _found(run: Run, skip: Skip) -> OfferList:
    """A choice decides about this text alone, a number about the whole document: choices first, and
    what costs something last."""
    with searching("left-out", "Searching for a setting that keeps it"):
        fixes = caches.kept_by(run, skip)
    against = [(fix, drawbacks.of_fix(fix, run, of_block=False)) for fix in fixes.found]
    against.sort(key=lambda pair: (pair[1].weight, not isinstance(pair[0].after, bool | str)))
    offers = tuple(offer_of("left-out", fix, drawback, outcome(fix)) for fix, drawback in against[:_MOST])
    if offers:
        said = ""
    elif fixes.complete:
        said = _no_setting(run, skip)
    else:
        said = "No value that was tried keeps it, but not every value was tried."
    return OfferList("left-out", _HEADING, said, offers, keeps=True)


def _no_setting(run: Run, skip: Skip) -> str:
    """That there is no change to click, and the list that decides, where one does."""
    strategy, of_base = cutting_strategy(run.config.strategy)
    lists = (name for name in skip.because.settings if isinstance(getattr(strategy, name, None), tuple))
    deciding = next(lists, None)
    if deciding is None:
        return "No single setting keeps it."
    return f"To keep it, take its entry off the list {setting_names.title(of_base + deciding, run.config.strategy)}."

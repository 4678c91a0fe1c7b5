"""What this session is offered: settings that move a boundary, and a config that is recommended."""

from __future__ import annotations

from chunking import Config
from pages.ui.choices.offers import NO_OFFERS, Replaced, Taken, WhatIf
from pages.ui.choices.placing import Wanted
from pages.ui.choices.recommending import Recommending
from pages.ui.state.inspect_choices import shown_selected
from pages.ui.state.session import this_session


def wanted_boundary(run: str) -> Wanted | None:
    """The boundary of this run that was dragged in the source, while settings are looked for; that
    ends where another run is shown, also when this one comes back."""
    session = this_session()
    if session.wanted_boundary and session.wanted_boundary.run != run and not session.dragging:
        session.wanted_boundary = None
    wanted = session.wanted_boundary
    return wanted if wanted and wanted.run == run else None


def want_boundary(wanted: Wanted | None) -> None:
    """Look for settings that put a boundary there; None to end that."""
    this_session().wanted_boundary = wanted


def last_offered() -> WhatIf:
    """What was last offered for the boundary at what is selected."""
    selected, offered = this_session().offered
    return offered if selected == shown_selected() else NO_OFFERS


def note_offered(offered: WhatIf) -> None:
    """Keep what is offered now, to be shown while a threshold is held."""
    this_session().offered = shown_selected(), offered


def note_taken(taken: Taken) -> None:
    """Keep what an offer that is taken changes, to be said beside what comes of it."""
    this_session().taken = taken


def taken(document: str, config: Config) -> Taken | None:
    """The offer that was taken last, while nothing else was chosen since. `document` is the hash of
    the text that is shown."""
    last = this_session().taken
    shown = (document, config, shown_selected())
    return last if last and (last.document, last.config, last.selected) == shown else None


def replaced(config: Config) -> Replaced | None:
    """The config that came in place of another as a whole, while it is the one that is shown."""
    last = this_session().replaced
    return last if last and last.config == config != last.was else None


def forget_replaced() -> None:
    """Say no more what it did."""
    this_session().replaced = None


def recommending() -> Recommending | None:
    """The recommendation that was last asked for."""
    return this_session().recommending


def ask_recommendation(asked: Recommending) -> None:
    this_session().recommending = asked


def dismiss_recommendation(text_hash: str) -> None:
    this_session().recommendations_dismissed.add(text_hash)


def recommendation_dismissed(text_hash: str) -> bool:
    return text_hash in this_session().recommendations_dismissed

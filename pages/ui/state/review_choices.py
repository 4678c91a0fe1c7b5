"""What this session asks of drafts, and where its review of them is."""

from __future__ import annotations

from pages.ui.choices.reviewing import Drafting, Reviewing
from pages.ui.state.session import this_session


def drafting() -> Drafting:
    """What "Draft questions" is asked for."""
    return this_session().drafting


def draft_with(what: Drafting) -> None:
    this_session().drafting = what


def reviewing() -> Reviewing:
    """Where the review is, and what can be undone."""
    return this_session().reviewing


def review_with(what: Reviewing) -> None:
    this_session().reviewing = what

"""The chunks that stand out in a view of a document, where not all of them do. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StandingOut:
    """Some chunks of a run, and what they have in common."""

    words: str
    """In a few words, in lower case: "over the maximum"."""
    chunks: tuple[int, ...]
    """Their numbers from 0, ascending."""

"""A boundary that somebody dragged in the source, while settings are looked for that put it there.
No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wanted:
    """Where a boundary of a run is wanted. Offsets are code points."""

    boundary: int
    """Where it is: a chunk begins there."""
    place: int
    run: str
    """The name of that run: with other settings, or another document, nobody waits any more."""

"""A recommendation that a session has asked for. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from chunking import Config


@dataclass(frozen=True, slots=True)
class Recommending:
    """What it is for: a text, and the config that was shown when it was asked for."""

    text_hash: str
    config: Config
    job: str = ""
    """The key of the search."""
    check: str = ""
    """The key of the check of what was found."""
    looked: int = 0
    """How often somebody has looked for what was found."""

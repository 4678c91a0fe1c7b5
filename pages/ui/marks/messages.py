"""Fixes in words. No Streamlit."""

from __future__ import annotations

from chunking import Config
from chunking.explanation import Fix, Fixes, cutting_strategy
from chunking.text import be, counted


def marks_words(fix: Fix) -> str:
    """What would become of the other marks, but those that it newly cuts: they are a drawback."""
    said = ["" if fix.newly_cut else "cuts no other mark"]
    said += [f"{len(fix.newly_whole):,} more whole" if fix.newly_whole else ""]
    return "; ".join(filter(None, said))


def search_words(found: Fixes, config: Config) -> str:
    """Why there is nothing to apply."""
    strategy, _ = cutting_strategy(config.strategy)
    if not type(strategy).model_fields:
        return f"{strategy.title} has no settings: nothing to change."
    tried = f"{counted(found.tried, 'cut')} {be(found.tried, past=True)} tried"
    if not found.complete:
        return f"None found in the time there is: {tried}, nearest values first. A larger change may still do it."
    return f"No single setting of {strategy.title} keeps it whole: {tried}, over every number, switch and choice."

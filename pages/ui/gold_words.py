"""Fixes in words. No Streamlit."""

from __future__ import annotations

from chunking import Config
from chunking.gold_fix import Fix, Fixes, cutting_strategy
from chunking.settings_search import SettingValue


def setting_words(fix: Fix) -> str:
    """What would be changed: `maxTokens 750 → 775`."""
    return f"{fix.setting} {value_words(fix.before)} → {value_words(fix.after)}"


def value_words(value: SettingValue) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def outcome_words(fix: Fix) -> str:
    """What else would come of it: chunks, and other marks."""
    chunks = f"{fix.chunks:,} chunk{'' if fix.chunks == 1 else 's'}"
    if fix.chunks != fix.chunks_before:
        chunks += f" instead of {fix.chunks_before:,}"
    cut, whole = len(fix.newly_cut), len(fix.newly_whole)
    cuts = f"cuts {cut:,} other mark{'' if cut == 1 else 's'} that {'is' if cut == 1 else 'are'} whole now"
    also = f"; keeps {whole:,} more whole" if whole else ""
    return f"{chunks}; {cuts if cut else 'cuts no other mark'}{also}."


def search_words(found: Fixes, config: Config) -> str:
    """Why there is nothing to apply."""
    strategy, _ = cutting_strategy(config.strategy)
    if not type(strategy).model_fields:
        return f"{strategy.title} has no settings: nothing to change."
    tried = f"{found.tried:,} cut{'' if found.tried == 1 else 's'} were tried"
    if not found.complete:
        return f"None found in the time there is: {tried}, nearest values first. A larger change may still do it."
    return f"No single setting of {strategy.title} keeps it whole: {tried}, over every number, switch and choice."

"""A link does not carry the text: what the app says about that to somebody who shares a link, and
to somebody who opens one. No Streamlit."""

from __future__ import annotations

from collections.abc import Iterable

from chunking.text import shown_text
from pages.ui.choices.samples import Source
from pages.ui.choices.text_in_link import LARGEST_PACKED

_SHOWN = 12
"""Digits of a hash that are enough to tell two texts apart."""


def link_note(source: Source | None, *, with_text: bool = False) -> str:
    """What a link to this text lacks. A sample is there in every Chunkscope; any other text stays
    where it is, unless it is in the link."""
    if source is None or source.sample:
        return ""
    if with_text:
        return f"The link contains the text of {source.name}: whoever has the link can read it."
    large = "" if source.in_link else f" It is too large to go into the link ({LARGEST_PACKED // 1000} KB compressed)."
    return (
        f"The link does not contain your text. Whoever opens it is asked for {source.name}, "
        f"adds it, and sees this view.{large}"
    )


def missing_name(wanted: str, name: str) -> str:
    """What to call a link's text that is not here: by `name`, or, where that is "", by its hash."""
    return shown_text(name, 80) if name else f"the text whose sha256 begins with {wanted[:_SHOWN]}"


def other_texts(added: Iterable[Source], wanted: str) -> tuple[str, ...]:
    """One line for each text that was added where a link asked for another one; none where the link
    asked for none."""
    if not wanted or wanted.startswith("sample:"):
        return ()
    of_link = f"the link's with {wanted[:_SHOWN]}"
    return tuple(
        f"{each.name} is not the text of the link: its sha256 begins with {each.hash[:_SHOWN]}, {of_link}"
        for each in added
        if each.hash != wanted
    )

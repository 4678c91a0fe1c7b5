"""The button that copies the link to a view, with the document's text in it where somebody wants
that."""

from __future__ import annotations

from pages.ui import state
from pages.ui.choices.shared_text import link_note
from pages.ui.components.copy_link import LinkText, copy_link


def link_button(*, of_document: bool) -> None:
    """Draw the button; a link to a page `of_document` may lack that document's text."""
    text = LinkText()
    if of_document:
        source = state.source()
        packed = source.in_link if source else ""
        wanted = bool(packed) and state.text_in_link()
        text = LinkText(
            link_note(source, with_text=wanted),
            f"adds {len(packed) / 1000:,.1f} KB" if packed else "",
            packed if wanted else "",
            "" if source else state.missing_source(),
        )
    copy_link(text, on_include=state.put_text_in_link, on_text=state.take_text_of_link)

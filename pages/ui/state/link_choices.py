"""Whether a copied link holds the document's text, and the text of a link that was opened."""

from __future__ import annotations

from chunking.document import upload_name
from chunking.errors import DocumentError
from chunking.text import shown_text
from pages.ui.choices.samples import Source
from pages.ui.choices.text_in_link import unpacked
from pages.ui.state.inspect_choices import add_sources, missing_name, missing_source, source
from pages.ui.state.session import this_session


def text_in_link() -> bool:
    """Whether copied links hold the chosen text."""
    chosen = source()
    return chosen is not None and this_session().text_in_link == chosen.key


def put_text_in_link(wanted: bool) -> None:
    """Have copied links hold the chosen text, or not."""
    chosen = source()
    this_session().text_in_link = chosen.key if wanted and chosen else ""


def take_text_of_link(written: str) -> None:
    """Add the missing text that the link held, or say in one line what is wrong with it. It is not
    kept on disk: nobody here chose it."""
    wanted = missing_source()
    if not wanted:
        return
    try:
        name = upload_name(missing_name() or "linked.md")
        text = unpacked(written, wanted)
    except DocumentError as error:
        add_sources([], [shown_text(str(error), 300)])
        return
    add_sources([Source(name, name, text, file_hash=wanted)], [], kept=False)

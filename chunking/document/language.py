"""Whether a document seems to be in a language other than English, worked out once."""

from __future__ import annotations

from chunking.runtime.text_memory import memory
from chunking.text.languages import seems_other_than_english


@memory.remembered(most=64, of=lambda text: (text,), key=lambda text: text)
def document_seems_other(text: str) -> bool:
    """`seems_other_than_english` of one document's text: every move of a threshold asks."""
    return seems_other_than_english([text])

"""What a model is asked about a chunk: a template with document and chunk put in, neither able to
leave its tags.

Source: semantic-contextual.md, ContextualChunker; DECISIONS sc-4.
"""

from __future__ import annotations

import re
from functools import cached_property

from chunking.core.chunk import Chunk
from chunking.document import Document

PLACEHOLDERS = ("{document}", "{chunk}")

DEFAULT_TEMPLATE = (
    "Document:\n<document>\n{document}\n</document>\n\n"
    "Chunk:\n<chunk>\n{chunk}\n</chunk>\n\n"
    "Give a short (1-2 sentence) description that situates this chunk within the overall document "
    "for search and retrieval purposes. Respond ONLY with the description, nothing else."
)
"""The spec's own words: what a replay with the same model must ask."""

_TAG = re.compile(r"<\s*+(?:/\s*+)?([A-Za-z][\w:.-]*)")
_PLACEHOLDER = re.compile(r"(\{document\}|\{chunk\})")


class Prompt:
    """The prompts for the chunks of one document."""

    def __init__(self, template: str, document: Document, max_document_chars: int) -> None:
        """The document is put in up to `max_document_chars` characters."""
        self._pieces = _PLACEHOLDER.split(template)
        self._document = document
        self._most = max_document_chars
        self._tags = _tags_of(template)

    def of(self, chunk: Chunk) -> str:
        """The prompt for one chunk, whose text is the one its strategy gave it."""
        put_in = {"{document}": self._document_text, "{chunk}": _escaped(chunk.text, self._tags)}
        return "".join(put_in.get(piece, piece) for piece in self._pieces)

    @cached_property
    def _document_text(self) -> str:
        return _escaped(self._document.text[: self._most], self._tags)


def missing_placeholders(template: str) -> list[str]:
    """Those of PLACEHOLDERS that the template does not have."""
    return [placeholder for placeholder in PLACEHOLDERS if placeholder not in template]


def _tags_of(template: str) -> re.Pattern[str] | None:
    """What finds the `<` of each tag that the template itself uses, opening or closing; None when
    it uses none."""
    names = sorted({re.escape(name) for name in _TAG.findall(template)})
    if not names:
        return None
    return re.compile(rf"<(?=\s*+(?:/\s*+)?(?:{'|'.join(names)})(?![\w:.-]))", re.IGNORECASE)


def _escaped(text: str, tags: re.Pattern[str] | None) -> str:
    """The text with `&lt;` for the `<` of the template's tags; all other markup is left as the
    model should see it."""
    return tags.sub("&lt;", text) if tags else text

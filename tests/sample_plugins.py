"""Strategies as another package would bring them, which ask models of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

import pytest

from chunking import strategies
from chunking.core.chunk import Boundary, Part
from chunking.core.context import SplitContext
from chunking.core.strategy import ModelRequest, Strategy, setting
from chunking.document import Document, Span
from chunking.models.prompts import DEFAULT_TEMPLATE, Prompt


def _paragraphs(document: Document) -> Iterator[Span]:
    start = 0
    for block in document.blocks:
        if block.span.end > start:
            yield Span(start, block.span.end)
            start = block.span.end
    if start < len(document.text):
        yield Span(start, len(document.text))


class Paragraphs(Strategy):
    """A chunk for each block, after every block was embedded by a server."""

    name: ClassVar[str] = "plugin-embeds"
    title: ClassVar[str] = "Embedding plug-in"
    summary: ClassVar[str] = "For tests."

    whose: str = setting("compatible", title="Whose model", help="The provider.")
    announces: bool = setting(True, title="Announces", help="Whether it says so.")

    def model_requests(self) -> tuple[ModelRequest, ...]:
        if not self.announces:
            return ()
        return (ModelRequest("embed", self.whose, "plugin", "whose", "Each block is sent and measured"),)

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        spans = list(_paragraphs(document))
        vectors = tools.embed([document[span] for span in spans], self.whose, "plugin")
        for span, vector in zip(spans, vectors, strict=True):
            reason = Boundary("end", f"its vector begins with {float(vector[0]):g}")
            yield tools.seal(document, span, reason, breadcrumb=(document.base_name,))


class Describing(Paragraphs):
    """The same, but a server describes every block, and the words are dropped."""

    name: ClassVar[str] = "plugin-describes"

    def model_requests(self) -> tuple[ModelRequest, ...]:
        return (ModelRequest("describe", self.whose, "plugin"),) if self.announces else ()

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        describer = tools.describer(self.whose, "plugin")
        prompt = Prompt(DEFAULT_TEMPLATE, document, 1000)
        for span in _paragraphs(document):
            made = tools.seal(document, span, Boundary("end", "one block"), breadcrumb=(document.base_name,))
            describer(describer.question(made, prompt))
            yield made


@contextmanager
def plugged_in(*made: type[Strategy]) -> Iterator[None]:
    """These strategies beside ours, as entry points would have them."""
    known = {**strategies._registry(), **{each.name: each for each in made}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strategies, "_registry", lambda: dict(sorted(known.items())))
        yield

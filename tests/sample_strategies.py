"""Two strategies with every kind of setting, for tests of configs: `ruler`, and `wrapper`, which
wraps another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, Literal

import pytest
from pydantic import model_validator

from chunking import strategies
from chunking.core.chunk import Boundary, Part
from chunking.core.context import SplitContext
from chunking.core.strategy import Strategy, setting
from chunking.document import Document
from chunking.errors import SettingError


class Ruler(Strategy):
    name: ClassVar[str] = "ruler"
    title: ClassVar[str] = "Ruler"
    summary: ClassVar[str] = "One chunk, whatever the text."
    default_counter: ClassVar[str] = "words-1.3"

    max_tokens: int = setting(512, title="Maximum", help="Higher makes longer chunks.", unit="tokens", ge=1, le=8192)
    min_tokens: int = setting(10, title="Minimum", help="Higher joins more.", unit="tokens", ge=0)
    threshold: float = setting(0.75, title="Threshold", help="Higher cuts more often.", ge=0, le=1)
    lookahead: bool = setting(False, title="Lookahead", help="Looks ahead.")
    tail: Literal["skip", "keep", "merge"] = setting("skip", title="Tail", help="What becomes of the tail.")
    separator: str = setting("\n\n", title="Separator", help="Where to cut.")
    labels: tuple[str, ...] = setting(("Module", "Chapter"), title="Labels", help="Words of the prefix.")
    note: str | None = setting(None, title="Note", help="Free text.")

    @model_validator(mode="after")
    def _minimum_below_maximum(self) -> Ruler:
        if self.min_tokens > self.max_tokens:
            raise SettingError("minTokens", f"{self.min_tokens} is more than maxTokens ({self.max_tokens}); lower it")
        return self

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        end = Boundary("end", "the document ends here")
        yield tools.seal(document, document.span, end, breadcrumb=(document.base_name,))


class Wrapper(Strategy):
    name: ClassVar[str] = "wrapper"
    title: ClassVar[str] = "Wrapper"
    summary: ClassVar[str] = "Another strategy's chunks."

    base: Strategy = setting(Ruler(), title="Base", help="The strategy that cuts.")
    prefix: str = setting("[Context] ", title="Prefix", help="Text before each chunk.")

    @property
    def default_counter(self) -> str:  # type: ignore[override]
        return self.base.default_counter

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        return self.base.split(document, tools)


@contextmanager
def registered() -> Iterator[None]:
    """Both in the registry, beside the real ones."""
    real = strategies._registry()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strategies, "_registry", lambda: {**real, "ruler": Ruler, "wrapper": Wrapper})
        yield


def ruler(settings: str) -> str:
    """A YAML for `ruler` with these lines under settings."""
    return "chunkscope: 1\nstrategy: ruler\nsettings:\n" + "".join(f"  {line}\n" for line in settings.split("\n"))

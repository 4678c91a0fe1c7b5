"""What a strategy hands back: chunks and skips, each with the reason it ends or stays out."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Literal

from chunking.document import Document, Span

SHARED_RULES: Mapping[str, str] = {
    "end": "the document ends here",
    "front-matter": "front matter is metadata, not content",
    "blank": "white space only",
    "excluded": "left out by the strategy's settings",
    "in-context": "the context in front of the chunk already has it",
    "unsplittable": "over the maximum, because it cannot or must not be cut",
    "undersized": "below the minimum, and nothing to join it with",
    "context-shortened": "the breadcrumb was shortened from the left to leave room for the body",
    "header-dropped": "the repeated table header was dropped to leave room for the body",
}
"""Rules that any strategy may use, with their meaning (docs/formats/json-lines.md).

A strategy adds its own in `Strategy.rules`.
"""


@dataclass(frozen=True, slots=True)
class Boundary:
    """Why a chunk ends here, why a part was left out, or what is odd about a chunk."""

    rule: str
    """Short and stable, such as "minimum-reached": metrics group by it."""
    detail: str
    """A sentence with the numbers, for the person asking why."""
    held: float | None = None
    """What the chunk held when the decision was made; in the unit of the settings named."""
    next: float | None = None
    """What would have been added."""
    limit: float | None = None
    """The value of the setting that decided."""
    settings: tuple[str, ...] = ()
    """The settings that decided, in snake_case."""


@dataclass(frozen=True, slots=True)
class Skip:
    """A part of the document, or a hole in a chunk's body, that is left out on purpose and always
    shown."""

    body: Span
    because: Boundary


END = Boundary("end", SHARED_RULES["end"])
FRONT_MATTER = Boundary("front-matter", SHARED_RULES["front-matter"])
BLANK = Boundary("blank", SHARED_RULES["blank"])
PASSED_OVER = Boundary("passed-over", "what is here makes no difference to the question that the cut is made for")
"""Of a part that only a cut for an explanation has (`SplitContext.passes_over`)."""


def front_matter(document: Document) -> Generator[Skip, None, int]:
    """Yield the front matter as a skip, and return where the content begins: what every `split`
    opens with.

        start = yield from front_matter(document)
    """
    start = document.content_start
    if start:
        yield Skip(Span(0, start), FRONT_MATTER)
    return start


def kept_spans(body: Span, holes: Iterable[Skip]) -> list[Span]:
    """The body less its holes, which are in order."""
    spans, start = [], body.start
    for hole in holes:
        if hole.body.start > start:
            spans.append(Span(start, hole.body.start))
        start = max(start, hole.body.end)
    if start < body.end:
        spans.append(Span(start, body.end))
    return spans


@dataclass(frozen=True)
class Description:
    """What the context begins with where a chunk was described after it was cut (strategy
    `contextual`)."""

    added: str
    """The head of the context: prefix, description, blank line. Empty where describing failed."""
    writer: str
    """The model whose words these are, such as "openai/gpt-4o-mini"; empty where no model wrote
    them."""
    without: Chunk
    """The same chunk without it: what limits hold for (DECISIONS all-5), and what a replay must
    reproduce."""


@dataclass(frozen=True)
class Chunk:
    """A piece of the document to embed: text = context + overlap + (body less holes) + closing."""

    document: Document = field(repr=False, compare=False)
    body: Span
    """Bodies and Skips, in order, tile the document."""
    ended_by: Boundary
    """Why the body ends where it does. Always the cut itself; anything else odd is a flag."""
    breadcrumb: tuple[str, ...]
    tokens: int
    """Exact count of the whole text by the run's counter."""
    body_tokens: int
    """Exact count of the body less its holes."""
    holes: tuple[Skip, ...] = ()
    """In source order, inside the body, not overlapping. A hole may touch either edge of the
    body."""
    overlap: Span | None = None
    """The span just before the body that is repeated: what the chunk before ends with, or several
    before it."""
    context: str = ""
    closing: str = ""
    flags: tuple[Boundary, ...] = ()
    metadata: Mapping[str, str | int | float | None] = field(default_factory=dict)
    ordinal: int = 0
    """How many chunks before this one in the document have the same breadcrumb and text: keeps ids
    unique."""
    description: Description | None = None
    """Set by a strategy that describes what another one cut."""
    returned: Span | None = None
    """What a hit gives back in place of the body, which lies in it; None where that is the chunk
    itself."""

    def returning(self, stretch: Span) -> Chunk:
        """The same chunk, for which a hit gives back this stretch: a tenth as slow as
        `dataclasses.replace`."""
        chunk = object.__new__(Chunk)
        chunk.__dict__.update(self.__dict__, returned=stretch)
        return chunk

    @cached_property
    def kept(self) -> tuple[Span, ...]:
        """The spans of the body that are in the text: the body less its holes."""
        return tuple(kept_spans(self.body, self.holes)) if self.holes else (self.body,)

    @property
    def kept_text(self) -> str:
        """The body less its holes."""
        kept = self.kept
        return self.document[kept[0]] if len(kept) == 1 else "".join([self.document[span] for span in kept])

    @property
    def text(self) -> str:
        """What is embedded: context + overlap + (body less holes) + closing."""
        overlap = self.document[self.overlap] if self.overlap else ""
        return f"{self.context}{overlap}{self.kept_text}{self.closing}"

    @cached_property
    def id(self) -> str:
        """sha256 of document, breadcrumb, text and ordinal, joined by NUL, in hex: text that moves
        keeps its id."""
        named = "\0".join([self.document.name, *self.breadcrumb, self.text, str(self.ordinal)])
        return sha256(named.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def start_line(self) -> int:
        """Line, from 1, of the first character that is kept."""
        return self.document.line_of(self.kept[0].start)

    @property
    def end_line(self) -> int:
        """Line, from 1, of the last character that is kept."""
        return self.document.line_of(self.kept[-1].end - 1)

    @property
    def pages(self) -> tuple[int, int] | None:
        """First and last page of what is kept, from 1; None where the document has none."""
        return self.document.pages(Span(self.kept[0].start, self.kept[-1].end))

    @property
    def cut(self) -> Chunk:
        """The chunk as it was cut, without a description: itself, where there is none."""
        return self.description.without if self.description else self

    def limited_tokens(self, counts: Literal["body", "text"]) -> int:
        """What a strategy's limits hold for: tokens of the body, or of the text without a
        description."""
        return self.body_tokens if counts == "body" else self.cut.tokens

    def flag(self, rule: str) -> Boundary | None:
        """The flag with this rule, or None."""
        return next((flag for flag in self.flags if flag.rule == rule), None)


Part = Chunk | Skip

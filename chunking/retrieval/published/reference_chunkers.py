"""The chunkers of published tables, as their evaluations ran them, so that a table is measured with
the method that it names.

Written from their definitions: LangChain's recursive splitter with each separator at the start of
what follows it, and windows of a tokenizer's tokens. `fixed` and `recursive` among our strategies
cut alike, and not at quite the same places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from chunking.document import Span
from chunking.tokens import counter, token_spans

Spans = list[Span]


@dataclass(frozen=True, slots=True)
class RecursivePieces:
    """Splits at the first separator that occurs, and what is still too large at those after it."""

    size: int
    overlap: int
    separators: tuple[str, ...]
    """From coarse to fine; "" last, for single characters."""
    counter: str = ""
    """What `size` and `overlap` count; characters where it is left out."""
    stripped: bool = True
    """Whether white space at the edges of a chunk is left out."""

    def __call__(self, text: str) -> list[tuple[int, int]]:
        """The chunks of a text, as code-point offsets."""
        count = counter(self.counter) if self.counter else len
        found = self._split(text, Span(0, len(text)), self.separators, count)
        return [(span.start, span.end) for span in found]

    def _split(self, text: str, within: Span, separators: Sequence[str], count: Callable[[str], int]) -> Spans:
        piece = text[within.start : within.end]
        at = next((at for at, each in enumerate(separators) if each in piece), len(separators) - 1)
        found: Spans = []
        small: list[tuple[Span, int]] = []
        for part in _parts(text, within, separators[at]):
            length = count(text[part.start : part.end])
            if length < self.size:
                small.append((part, length))
                continue
            found += self._merged(text, small)
            small = []
            finer = separators[at + 1 :] if separators[at] else ()
            found += self._split(text, part, finer, count) if finer else [part]
        return found + self._merged(text, small)

    def _merged(self, text: str, parts: Sequence[tuple[Span, int]]) -> Spans:
        """Neighbouring parts joined up to the size, by the sum of their lengths; the last of a
        chunk, up to the overlap, begin the next one."""
        found: Spans = []
        first, total = 0, 0
        for at, (_, length) in enumerate(parts):
            if total + length > self.size and at > first:
                found += self._trimmed(text, Span(parts[first][0].start, parts[at - 1][0].end))
                while total > self.overlap or (total + length > self.size and total > 0):
                    total -= parts[first][1]
                    first += 1
            total += length
        if first < len(parts):
            found += self._trimmed(text, Span(parts[first][0].start, parts[-1][0].end))
        return found

    def _trimmed(self, text: str, span: Span) -> Spans:
        """The span without white space at its edges; nothing where it has nothing else."""
        piece = text[span.start : span.end]
        if not self.stripped:
            return [span]
        start = span.start + len(piece) - len(piece.lstrip())
        return [Span(start, start + len(piece.strip()))] if piece.strip() else []


def _parts(text: str, within: Span, separator: str) -> Iterator[Span]:
    """What lies between the separators, each with the separator before it."""
    if not separator:
        yield from (Span(at, at + 1) for at in range(within.start, within.end))
        return
    starts = [each.start() for each in re.compile(re.escape(separator)).finditer(text, within.start, within.end)]
    ends = [*starts, within.end]
    for start, end in zip([within.start, *starts], ends, strict=True):
        if start < end:
            yield Span(start, end)


@dataclass(frozen=True, slots=True)
class TokenWindows:
    """Windows of so many tokens, each beginning `size` less `overlap` after the one before."""

    size: int
    overlap: int
    counter: str

    def __call__(self, text: str) -> list[tuple[int, int]]:
        """The chunks of a text, as code-point offsets; a character of several tokens is whole in
        each."""
        tokens = token_spans(text, counter(self.counter))
        number = len(tokens.starts) if tokens else 0
        found = []
        for start in range(0, number, self.size - self.overlap):
            end = min(start + self.size, number)
            assert tokens is not None
            found.append((tokens.starts[start], tokens.ends[end - 1]))
            if end == number:
                break
        return found

"""What hits give back where that is more than the chunks that are found: the larger stretch around
a small chunk, the neighbours of each chunk. A place that several hits give back counts once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from chunking.document import Document, Span
from chunking.retrieval.passages import Passage
from chunking.text.spans import Length, total, union
from chunking.tokens import counter, token_index

MOST_NEIGHBOURS = 20


def with_neighbours(passages: Sequence[Passage], neighbours: int) -> tuple[Passage, ...]:
    """The same passages, each giving back so many others of its document before and behind it too.
    Those of a document are in its order."""
    if not neighbours:
        return tuple(passages)
    numbers: dict[str, list[int]] = {}
    for number, passage in enumerate(passages):
        numbers.setdefault(passage.document, []).append(number)
    widened = list(passages)
    for of_document in numbers.values():
        for place, number in enumerate(of_document):
            around = of_document[max(0, place - neighbours) : place + neighbours + 1]
            spans = union(span for other in around for span in passages[other].given)
            widened[number] = replace(passages[number], returned=tuple(spans))
    return tuple(widened)


def retrieved_length(retrieved: Sequence[Passage], lengths: Mapping[str, Length]) -> int:
    """The length of all that was retrieved: chunks as often as they are there, what hits give back
    in their place once."""
    size = sum(total(each.spans, lengths[each.document]) for each in retrieved if not each.returned)
    returned: dict[str, list[Span]] = {}
    for each in retrieved:
        if each.returned:
            returned.setdefault(each.document, []).extend(each.returned)
    return size + sum(total(union(spans), lengths[name]) for name, spans in returned.items())


def span_tokens(documents: Sequence[Document], counted_by: str) -> dict[str, Length]:
    """By document name, what counts the tokens of a span."""
    return {document.name: _tokens_of(document, counted_by) for document in documents}


def _tokens_of(document: Document, counted_by: str) -> Length:
    return lambda span: token_index(document.text, counter(counted_by)).count(span.start, span.end)


class Cost:
    """The tokens of passages that are retrieved one after the other: of their texts, or of what
    they give back in their place, each stretch of it once."""

    def __init__(self, lengths: Mapping[str, Length]) -> None:
        """`lengths` counts the tokens of spans (`span_tokens`)."""
        self.tokens = 0
        self._lengths = lengths
        self._joined: dict[str, list[Span]] = {}

    def add(self, passage: Passage) -> int:
        """The tokens with this passage too."""
        if not passage.returned:
            self.tokens += passage.tokens
        for span in passage.returned:
            self._join(self._joined.setdefault(passage.document, []), span, self._lengths[passage.document])
        return self.tokens

    def _join(self, joined: list[Span], span: Span, length: Length) -> None:
        """`joined` is in order, and no two of it touch."""
        first = bisect_left(joined, span.start, key=lambda each: each.end)
        last = bisect_right(joined, span.end, key=lambda each: each.start)
        touched = joined[first:last]
        whole = union([*touched, span])
        if whole != touched:
            self.tokens += total(whole, length) - total(touched, length)
            joined[first:last] = whole


GiveBack = Callable[[Sequence[int]], list[Passage]]
"""What hits on the passages of these numbers give back, where that depends on all of them."""


class Retrieved:
    """What is retrieved for a question, hit by hit, and its tokens as `Cost` counts them."""

    def __init__(
        self, passages: Sequence[Passage], lengths: Mapping[str, Length], give_back: GiveBack | None = None
    ) -> None:
        """`lengths` counts the tokens of spans (`span_tokens`). `give_back` is left out where each
        passage says itself what it gives back."""
        self.numbers: list[int] = []
        self._passages = passages
        self._lengths = lengths
        self._give_back = give_back
        self._cost = Cost(lengths)

    @property
    def tokens(self) -> int:
        return self._cost.tokens

    @property
    def given(self) -> list[Passage]:
        """The passages, with what they give back together."""
        return given_back(self._passages, self.numbers, self._give_back)

    def add(self, at: int) -> int:
        """Retrieve one more; returns the tokens with it."""
        self.numbers.append(at)
        if self._give_back is None:
            return self._cost.add(self._passages[at])
        self._cost = Cost(self._lengths)
        for passage in self.given:
            self._cost.add(passage)
        return self._cost.tokens


def given_back(passages: Sequence[Passage], numbers: Sequence[int], give_back: GiveBack | None) -> list[Passage]:
    """The passages of these numbers, with what they give back together."""
    return [passages[at] for at in numbers] if give_back is None else give_back(numbers)


def cost(retrieved: Sequence[Passage], lengths: Mapping[str, Length]) -> int:
    """The tokens of these passages together, as `Cost` counts them."""
    together = Cost(lengths)
    for passage in retrieved:
        together.add(passage)
    return together.tokens


def fitting(
    ranking: Sequence[int],
    passages: Sequence[Passage],
    max_tokens: int,
    lengths: Mapping[str, Length],
    give_back: GiveBack | None = None,
) -> list[int]:
    """The first passages of the ranking that together fit in `max_tokens`, up to the first that
    does not fit."""
    together = Retrieved(passages, lengths, give_back)
    for at in ranking:
        if together.add(at) > max_tokens:
            return together.numbers[:-1]
    return together.numbers

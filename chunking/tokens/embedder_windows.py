"""Embedders' context windows: how many tokens of a text each reads, and what happens to longer
texts.

Sources, read in November 2026: the bundled model's own settings; OpenAI's API reference of
embeddings (8,192 tokens for every embedding model, a longer text is an error; cl100k_base);
Google's announcement of gemini-embedding-001 (2,048); Voyage's API reference (voyage-3.5: 32,000,
cut off unless asked otherwise); the page on Cohere Embed v4 in Amazon's Bedrock guide (128,000). We
found no documentation of what the OpenAI-style endpoints of Google and Cohere
do with a longer text, so both outcomes are named. The tokenizers of these two and of Voyage are not
bundled, so their counts are estimates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Literal

from chunking.text.display import counted
from chunking.tokens.offered_files import counter_title
from chunking.tokens.registry import EXACT, counter
from chunking.tokens.token_counter import MINILM
from chunking.tokens.tokenizer_counter import TokenizerCounter

Beyond = Literal["cut", "refused", "unknown"]
"""What happens to a text that is too long: its end is cut off silently, it is refused, or
unknown."""
_MAX_NAMED = 5
"""Maximum number of places that a message names; JSON has them all."""


@dataclass(frozen=True, slots=True)
class EmbedderWindow:
    """How much of a text one embedder, or a family of them, reads."""

    embedder: str
    """Its name for people."""
    tokens: int
    """How many tokens it reads, with the special tokens that it adds around the text."""
    counter: str
    """Name of the counter for these tokens."""
    estimated: bool = False
    """Whether `counter` is not the embedder's own tokenizer."""
    beyond: Beyond = "cut"

    @property
    def room(self) -> int:
        """Tokens of the text itself that are read: the window less the special tokens."""
        return self.tokens - counter(self.counter).special_tokens

    def outcome(self, chunks: int) -> str:
        """What happens to this many chunks that are too long: a verb phrase for a sentence about
        them."""
        ends = "its end" if chunks == 1 else "their ends"
        if self.beyond == "cut":
            return f"{'loses' if chunks == 1 else 'lose'} {ends}"
        return "would be refused" if self.beyond == "refused" else f"would lose {ends} or be refused"

    @property
    def counted(self) -> str:
        """A phrase that names the counter, and says if the counts are estimates."""
        marks = counter(self.counter).special_tokens
        by = f"the tokenizer {counter_title(self.counter)}"
        by += f", plus {counted(marks, 'token')} that the model adds" if marks else ""
        return f"estimated with {by}" if self.estimated else f"by {by}"


LOCAL = EmbedderWindow("all-MiniLM-L6-v2", 256, MINILM)
"""The bundled embedder; models/local_embedder.py truncates at this length."""
BERT = EmbedderWindow("BERT-family models", 512, MINILM, estimated=True)
"""The counts are exact for models with the vocabulary of bert-base-uncased, as many English
ones."""
OPENAI = EmbedderWindow("OpenAI's embedding models", 8192, EXACT, beyond="refused")
COMMON = (LOCAL, BERT, OPENAI)
"""Three typical windows: small sentence models, BERT-like models, models behind an API."""
READS = BERT.tokens
"""The window, in tokens, of the embedder whose unread tokens are a cost: the middle one of
Health's."""
_SERVED = {
    ("openai", "text-embedding-3-small"): OPENAI,
    ("openai", "text-embedding-3-large"): OPENAI,
    ("openai", "text-embedding-ada-002"): OPENAI,
    ("gemini", "gemini-embedding-001"): EmbedderWindow("gemini-embedding-001", 2048, EXACT, True, "unknown"),
    ("voyage", "voyage-3.5"): EmbedderWindow("voyage-3.5", 32_000, EXACT, estimated=True),
    ("cohere", "embed-v4.0"): EmbedderWindow("embed-v4.0", 128_000, EXACT, True, "unknown"),
}


def common_windows(counter_name: str) -> tuple[EmbedderWindow, ...]:
    """The windows that a run is checked against.

    A tokenizer.json as the counter implies its embedder: all sizes are then counted with it.
    """
    chosen = counter(counter_name)
    if not isinstance(chosen, TokenizerCounter) or chosen.name == MINILM:
        return COMMON
    return tuple(EmbedderWindow("an embedder with this tokenizer", each.tokens, chosen.name) for each in COMMON)


def usual_window(counter_name: str) -> EmbedderWindow:
    """Of these the one that reads `READS` tokens."""
    return next(each for each in common_windows(counter_name) if each.tokens == READS)


def window_of(provider: str, model: str) -> EmbedderWindow | None:
    """The window of this embedder; None if it is not known here. `model` is empty only for
    `local`."""
    return LOCAL if provider == "local" else _SERVED.get((provider, model))


def window_named(embedder_name: str) -> EmbedderWindow | None:
    """The window of an embedder by its full name, `provider/model`; None if it is not known
    here."""
    provider, _, model = embedder_name.partition("/")
    return window_of(provider, model)


@dataclass(frozen=True, slots=True)
class LostEndsPlace:
    """Where a chunk is: its document and its lines, counted from 1."""

    document: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class LostEnds:
    """The chunks that are longer than an embedder's window."""

    window: EmbedderWindow
    of: int
    """How many chunks there are in all."""
    chunks: tuple[int, ...]
    """Numbers of the chunks that are too long, from 0."""
    tokens: int
    """Tokens beyond the window, summed over the chunks."""
    largest: int
    """Tokens of the largest chunk, special ones left out."""
    places: tuple[LostEndsPlace, ...] = ()
    """Of the chunks that are too long, in their order."""

    @property
    def message(self) -> str:
        """A message of one line: how many chunks, how many tokens, by which counter, and where."""
        window, count = self.window, len(self.chunks)
        reads = f"{window.embedder} {_reads(window)} {window.tokens:,} tokens of a text ({window.counted})"
        if not count:
            return f"{reads}; no chunk is longer" if self.of else f"{reads}; there is no chunk"
        about = "about " if window.estimated else ""
        where = f": {_where(self.places)}" if self.places else ""
        unread = f"{self.tokens:,} tokens {'in no vector' if window.beyond == 'cut' else 'too long'}"
        return f"{about}{count:,} of {self.of:,} chunks {window.outcome(count)}, {unread}; {reads}{where}"

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "embedder": self.window.embedder,
            "reads_tokens": self.window.tokens,
            "counter": self.window.counter,
            "estimated": self.window.estimated,
            "of": self.of,
            "chunks": len(self.chunks),
            "unread_tokens": self.tokens,
            "largest": self.largest,
            "places": [
                {"document": each.document, "start_line": each.first_line, "end_line": each.last_line}
                for each in self.places
            ],
        }


class LostEndsTally:
    """Which chunks are longer than the window, of chunks that come one after another."""

    def __init__(self, window: EmbedderWindow) -> None:
        self._window = window
        self._limit = window.room
        self._of = self._unread = self._largest = 0
        self._over: list[int] = []
        self._places: list[LostEndsPlace] = []

    def add(self, size: int, place: LostEndsPlace | None = None) -> None:
        """One chunk more: its tokens by the window's counter, without special tokens."""
        if size > self._limit:
            self._over.append(self._of)
            self._unread += size - self._limit
            if place:
                self._places.append(place)
        self._of += 1
        self._largest = max(self._largest, size)

    @property
    def found(self) -> LostEnds:
        """Of the chunks until now."""
        over, places = tuple(self._over), tuple(self._places)
        return LostEnds(self._window, self._of, over, self._unread, self._largest, places)


def lost_ends(sizes: Sequence[int], window: EmbedderWindow, places: Sequence[LostEndsPlace] = ()) -> LostEnds:
    """Which chunks are longer than the window. `sizes` are tokens by the window's counter, without
    special tokens; `places` has one for each chunk, or is empty."""
    tally = LostEndsTally(window)
    for number, size in enumerate(sizes):
        tally.add(size, places[number] if places else None)
    return tally.found


def text_sizes(texts: Sequence[str], window: EmbedderWindow) -> list[int]:
    """Tokens of each text by the window's counter, special ones left out. Equal texts are counted
    once."""
    count, different = counter(window.counter), list(dict.fromkeys(texts))
    sizes = {text: count(text) for text in different}
    return [sizes[text] for text in texts]


def _reads(window: EmbedderWindow) -> str:
    return "take" if window.embedder.endswith("models") else "reads"


def _where(places: Iterable[LostEndsPlace]) -> str:
    """A phrase with the first few places, grouped by document."""
    listed = list(places)
    groups = [
        f"{document} lines {', '.join(f'{each.first_line}-{each.last_line}' for each in those)}"
        for document, those in groupby(listed[:_MAX_NAMED], key=attrgetter("document"))
    ]
    more = f" and {len(listed) - _MAX_NAMED:,} more" if len(listed) > _MAX_NAMED else ""
    return "; ".join(groups) + more

"""How much of a text an embedder reads, and by which tokenizer that is counted: what is beyond is in no vector.

Sources, read in November 2026: the bundled model's own settings; OpenAI's API reference of embeddings (8,192 tokens for
every embedding model, a longer text is an error; cl100k_base); Google's announcement of gemini-embedding-001 (2,048);
Voyage's API reference (voyage-3.5: 32,000, cut off unless asked otherwise); the page on Cohere Embed v4 in Amazon's
Bedrock guide (128,000). What Google's and Cohere's OpenAI-style addresses do with a longer text is written nowhere that
we found, and their tokenizers and Voyage's do not come along: the counts are estimates and both outcomes are said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Literal

from chunking.text.display import counted
from chunking.tokens.counters import MINILM
from chunking.tokens.offered_files import counter_title
from chunking.tokens.registry import EXACT, counter
from chunking.tokens.tokenizer_counter import TokenizerCounter

Beyond = Literal["cut", "refused", "unknown"]
"""What becomes of a text that is too long: its end is cut off without a word, it is refused, or one of the two."""
_NAMED = 5
"""Places that a line names; JSON has them all."""


@dataclass(frozen=True, slots=True)
class Window:
    """What one embedder, or a family of them, reads of a text."""

    embedder: str
    """As people say it."""
    tokens: int
    """How many it reads, its own marks around the text included."""
    counter: str
    """What counts them."""
    estimated: bool = False
    """Whether that is another tokenizer than the embedder's own."""
    beyond: Beyond = "cut"

    @property
    def room(self) -> int:
        """Tokens of the text itself that are read: the embedder's own marks take the others."""
        return self.tokens - counter(self.counter).special_tokens

    def outcome(self, chunks: int) -> str:
        """What becomes of so many chunks that are too long, as the rest of a sentence about them."""
        ends = "its end" if chunks == 1 else "their ends"
        if self.beyond == "cut":
            return f"{'loses' if chunks == 1 else 'lose'} {ends}"
        return "would be refused" if self.beyond == "refused" else f"would lose {ends} or be refused"

    @property
    def counted(self) -> str:
        """Which tokenizer counts, and whether that is a guess, in words."""
        marks = counter(self.counter).special_tokens
        title = counter_title(self.counter)
        by = f"{title} and {counted(marks, 'special token')}" if marks else title
        return f"estimated with {by}" if self.estimated else f"by {by}"


LOCAL = Window("all-MiniLM-L6-v2", 256, MINILM)
"""The embedder that comes with the installation; models/local_embedder.py cuts off there."""
BERT = Window("BERT-family models", 512, MINILM, estimated=True)
"""Exact for those that have the vocabulary of bert-base-uncased, as many English ones do."""
OPENAI = Window("OpenAI's embedding models", 8192, EXACT, beyond="refused")
COMMON = (LOCAL, BERT, OPENAI)
"""Small sentence models, BERT-like ones, those behind an API."""
_SERVED = {
    ("openai", "text-embedding-3-small"): OPENAI,
    ("openai", "text-embedding-3-large"): OPENAI,
    ("openai", "text-embedding-ada-002"): OPENAI,
    ("gemini", "gemini-embedding-001"): Window("gemini-embedding-001", 2048, EXACT, True, "unknown"),
    ("voyage", "voyage-3.5"): Window("voyage-3.5", 32_000, EXACT, estimated=True),
    ("cohere", "embed-v4.0"): Window("embed-v4.0", 128_000, EXACT, True, "unknown"),
}


def common_windows(counter_name: str) -> tuple[Window, ...]:
    """The windows that a run is checked against.

    Whoever counts with a tokenizer.json has named the embedder: all sizes are then counted with that.
    """
    chosen = counter(counter_name)
    if not isinstance(chosen, TokenizerCounter) or chosen.name == MINILM:
        return COMMON
    return tuple(Window("an embedder with this tokenizer", each.tokens, chosen.name) for each in COMMON)


def window_of(provider: str, model: str) -> Window | None:
    """What this embedder reads; None where that is not known here. `model` is a name, never empty for a server."""
    return LOCAL if provider == "local" else _SERVED.get((provider, model))


def window_named(embedder_name: str) -> Window | None:
    """The window of an embedder by its whole name, `provider/model`; None where it is not known here."""
    provider, _, model = embedder_name.partition("/")
    return window_of(provider, model)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chunk stands, for a person."""

    document: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class LostEnds:
    """The chunks that an embedder reads only the beginning of."""

    window: Window
    of: int
    """Chunks in all."""
    chunks: tuple[int, ...]
    """Numbers, from 0, among these."""
    tokens: int
    """That are not read, of all of them together."""
    largest: int
    """Tokens of the largest chunk, special ones left out."""
    places: tuple[Place, ...] = ()
    """Of the chunks that lose their ends, in their order."""

    @property
    def said(self) -> str:
        """One line: how many, how much, by which tokenizer, and where."""
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


def lost_ends(sizes: Sequence[int], window: Window, places: Sequence[Place] = ()) -> LostEnds:
    """What is lost of chunks of these sizes, counted by the window's counter; `places` has one for each chunk."""
    room = window.room
    over = tuple(number for number, size in enumerate(sizes) if size > room)
    unread = sum(sizes[number] - room for number in over)
    named = tuple(places[number] for number in over) if places else ()
    return LostEnds(window, len(sizes), over, unread, max(sizes, default=0), named)


def text_sizes(texts: Sequence[str], window: Window) -> list[int]:
    """Tokens of each text by the window's counter, special ones left out. Equal texts are counted once."""
    count, different = counter(window.counter), list(dict.fromkeys(texts))
    known = {text: count(text) for text in different}
    return [known[text] for text in texts]


def _reads(window: Window) -> str:
    return "take" if window.embedder.endswith("models") else "reads"


def _where(places: Iterable[Place]) -> str:
    """The first few places, those of one document together."""
    listed = list(places)
    said = [
        f"{document} lines {', '.join(f'{each.first_line}-{each.last_line}' for each in those)}"
        for document, those in groupby(listed[:_NAMED], key=attrgetter("document"))
    ]
    more = f" and {len(listed) - _NAMED:,} more" if len(listed) > _NAMED else ""
    return "; ".join(said) + more

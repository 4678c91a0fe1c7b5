"""What the Retrieve page says about embedding, searching and measuring. No Streamlit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chunking.analysis import share_text
from chunking.retrieval import Embedded, Ranked
from chunking.text import be, counted
from chunking.tokens import counter
from pages.ui.choices.retrieving import LOCAL, Retrieving
from pages.ui.retrieve.chunked_corpus import ChunkedCorpus
from pages.ui.retrieve.hits import Results

_SENT = "cl100k_base"
UNEVEN = 25
"""Percent more tokens, from which on configs are not compared at the same cost."""
_HEARD = 80
"""Characters of a question that are said again."""


def beginning(retrieving: Retrieving) -> str:
    return "Loading the model" if retrieving.embedder == LOCAL else "Asking the server"


def progress(done: int, total: int, seconds: float) -> str:
    """How far embedding is, and how long it goes on."""
    left = f", {duration(seconds / done * (total - done))} left" if done and done < total and seconds > 1 else ""
    return f"Embedding: {done:,} of {_texts(total)}{left}"


def duration(seconds: float) -> str:
    """About so long: `8 s`, `40 s`, `3 min`."""
    if seconds < 10:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds, -1):.0f} s" if seconds < 95 else f"{round(seconds / 60):,} min"


def would_take(texts: int, seconds: float | None) -> str:
    """`seconds` is None where no text has been timed."""
    long = "" if seconds is None else f": about {duration(seconds)}, measured on the first few"
    return f"{_texts(texts)} to embed on this machine{long}. Nothing is sent, and each text is embedded once."


def would_send(texts: Sequence[str], name: str, server: str) -> str:
    count = counter(_SENT)
    tokens = sum(count(text) for text in texts)
    return (
        f"{_texts(len(texts))}, about {tokens:,} tokens, would be sent to {name} at {server}. Each text is sent once."
    )


def leave(texts: int, *, here: bool) -> str:
    """The label of the button that allows so many texts to be embedded."""
    return f"Embed {_texts(texts)}" if here else f"Send {_texts(texts)}"


def embedded(of: Embedded) -> str:
    """How many of a config's chunks a model was asked for, and where the other vectors are from;
    chunks with the same text count once."""
    chunks = counted(of.asked + of.remembered, "different chunk")
    if not of.remembered:
        return f"{chunks}, all embedded just now"
    if not of.asked:
        return f"{chunks}, all with a vector from before: nothing was embedded"
    now = f"of which {of.asked:,} {be(of.asked, past=True)} embedded just now"
    return f"{chunks}, {now}; {of.remembered:,} had a vector from before"


def came(name: str, of: Results) -> str:
    """What one config retrieved: `A Heading window: 5 chunks, 922 tokens`."""
    parts = [counted(len(of.found), "chunk"), counted(of.tokens, "token")]
    parts += [f"{share(of.recall)} of the answer found"] if of.recall is not None else []
    return f"{name}: {', '.join(parts)}"


def told(question: str, came: Iterable[str | None]) -> str:
    """What all of them retrieved, in one sentence that another question makes another one."""
    parts = "; ".join(filter(None, came))
    asked = question if len(question) <= _HEARD else f"{question[: _HEARD - 1]}…"
    return f'{parts}; retrieved for "{asked}"' if parts else ""


def uneven(letters: Sequence[str], tokens: Sequence[int]) -> str:
    """Which config gives how much more text than which other, where that is so much that they are
    not compared at the same cost; "" where it is not, or one found nothing."""
    most, least = max(tokens, default=0), min(tokens, default=0)
    if not least or most < least * (1 + UNEVEN / 100):
        return ""
    more, less = letters[tokens.index(most)], letters[tokens.index(least)]
    percent = f"{100 * (most / least - 1):.0f}%"
    return f"{more} gives {percent} more text than {less}: they are not compared at the same cost."


def searched(corpus: ChunkedCorpus, shown: str) -> str:
    """What is searched, where the numbers above are of one document: `shown`."""
    of = f"{counted(len(corpus.chunks), 'chunk')} of {counted(len(corpus.documents), 'document')}"
    return f"Searched: {of}; the numbers above are of {shown}."


def missed(rank: int | None, chunks: int) -> str:
    """Where the answer is instead; `rank` is None where no ranked chunk holds any of it."""
    if rank is None:
        return "None of the results contains the answer."
    return f"The answer comes up at rank {rank:,} of {chunks:,}."


def share(part: float) -> str:
    """In percent: 100% only of all, and 0% only of nothing."""
    return share_text(part)


SCORES_MEAN = (
    "Cosine: how alike question and chunk are in meaning, 1 at most. BM25: how well their words match, rare words "
    "counting more. Rank fusion: both rankings in one score; only the order counts."
)
"""What the scores of a passage are."""


def scores(of: Ranked) -> str:
    """The scores that put a passage where it is; `SCORES_MEAN` says what each is."""
    parts = []
    if of.cosine is not None:
        parts.append(f"cosine {of.cosine:.3f}")
    if of.bm25 is not None:
        parts.append(f"BM25 {of.bm25:.2f}" if of.bm25 > 0 else "none of the words")
    if of.cosine is not None and of.bm25 is not None:
        parts.append(f"rank fusion {of.score:.4f}")
    return ", ".join(parts)


def _texts(count: int) -> str:
    return counted(count, "text")

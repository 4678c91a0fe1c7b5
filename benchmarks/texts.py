"""Texts of a chosen size, joined from a folder's Markdown, and CPU times of what is done with
them."""

from __future__ import annotations

import gc
import re
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import tiktoken

from chunking import parse
from chunking.tokens.tiktoken_patterns import CL100K
from chunking.tokens.tiktoken_tables import packaged_encoding

_TITLE = re.compile(r"^#{1,2} [^\r\n]*", re.MULTILINE)
_MB = 1_000_000
_PIECE = 30_000
_GOLDEN = 0.6180339887
SAMPLES = Path(__file__).parent.parent / "sample_docs"


def text_of(size: int, corpus: str | None) -> str:
    """So many characters of the folder's documents, from all parts of the folder alike at every
    size: so sizes can be compared."""
    sources = _pieces(corpus)
    pieces: list[str] = []
    length = 0
    while length < size:
        # Each copy has titles of its own: exact repeats would measure how repeats are told apart.
        pieces.append(_TITLE.sub(rf"\g<0> ({len(pieces)})", sources[len(pieces) % len(sources)]))
        length += len(pieces[-1])
    return "\n\n".join(pieces)[:size]


@cache
def _pieces(corpus: str | None) -> list[str]:
    """The folder's Markdown, long documents in pieces that begin at a heading, in an order of which
    every beginning is spread evenly over the folder."""
    pieces = []
    for source in sorted(Path(corpus or SAMPLES).rglob("*.md")):
        with suppress(UnicodeDecodeError):
            pieces += [piece for piece in _parted(source.read_bytes().decode("utf-8")) if _ends(piece)]
    order = sorted(range(len(pieces)), key=lambda number: number * _GOLDEN % 1)
    return [pieces[number] for number in order]


def _parted(text: str) -> Iterator[str]:
    start = 0
    for block in parse(text).blocks:
        if block.kind == "heading" and block.span.start >= start + _PIECE:
            yield text[start : block.span.start]
            start = block.span.start
    yield text[start:]


def _ends(text: str) -> bool:
    """Whether what is joined to the text is not swallowed by it, as by an `<?php` that nothing
    closes: one such document makes a single block of megabytes."""
    return parse(f"{text}\n\n# End\n").blocks[-1].kind == "heading"


def write_documents(folder: Path, documents: int, megabytes: float, corpus: str | None) -> None:
    """So many documents in folders of a hundred, of 0.2 to 1.8 times their mean size."""
    mean = int(megabytes * _MB / documents)
    text = text_of(min(int(megabytes * _MB), 8 * _MB) + 2 * mean, corpus)
    for number in range(documents):
        start = number * mean % (len(text) - 2 * mean)
        start = text.find("\n\n", start) + 2
        file = folder / f"part-{number // 100:02}" / f"page-{number:04}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# Page {number}\n\n{text[start : start + int(mean * (0.2 + 1.6 * (number % 11) / 10))]}")


def cpu_seconds(work: Callable[[], object], rounds: int) -> float:
    """The median CPU time of a call, all threads together, over the rounds; one more round before
    them warms up."""
    work()
    times = []
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


@cache
def bare_encoding() -> tiktoken.Encoding:
    """tiktoken itself with the packaged table: what a pass is measured with."""
    return packaged_encoding("cl100k_base", CL100K)._encoding

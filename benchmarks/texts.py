"""Texts of a chosen size, joined from a folder's Markdown, and CPU times of what is done with
them."""

from __future__ import annotations

import gc
import re
import statistics
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import tiktoken

from chunking.tokens.tiktoken_patterns import CL100K
from chunking.tokens.tiktoken_tables import packaged_encoding

TITLE = re.compile("^# .*", re.MULTILINE)
_MB = 1_000_000
SAMPLES = Path(__file__).parent.parent / "sample_docs"


def text_of(size: int, corpus: str | None) -> str:
    """At least `size` characters: the folder's documents one after the other, then again from the
    first."""
    sources = sorted(Path(corpus or SAMPLES).rglob("*.md"))
    documents = []
    for source in sources:
        try:
            documents.append(source.read_bytes().decode("utf-8"))
        except UnicodeDecodeError:
            continue
    pieces: list[str] = []
    length = 0
    while length < size:
        for document in documents:
            # Each copy has a title of its own: exact repeats would measure how repeats are told
            # apart.
            pieces.append(TITLE.sub(rf"\g<0> ({len(pieces)})", document))
            length += len(pieces[-1])
            if length >= size:
                break
    return "\n\n".join(pieces)[:size]


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

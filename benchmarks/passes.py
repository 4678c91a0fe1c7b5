"""What a whole run costs, in passes of the tokenizer: ratios of CPU time to one `encode_ordinary`
of the same text.

Everything is measured in one run on one text, so that the ratios hold on a noisy machine. Peers
that are not installed (`pip install -e ".[peers]"`) are left out, and said so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count

import tiktoken

from benchmarks.texts import cpu_seconds, text_of
from chunking import Config, parse, run
from chunking.strategies.heading_window import HeadingWindow
from chunking.tokens.pretokenizer import CL100K
from chunking.tokens.tiktoken_tables import packaged_encoding

LIMIT = 750
"""heading-window's default maxTokens, given to every peer."""


@cache
def bare_encoding() -> tiktoken.Encoding:
    """tiktoken itself with the packaged table: what a pass is measured with."""
    return packaged_encoding("cl100k_base", CL100K)._encoding


def whole_run(text: str, at: Iterator[int]) -> int:
    """Parse, tokenise, cut, count and slice every chunk's text. A new last line each time: nothing
    is remembered."""
    chunks = run(parse(f"{text}\n\n{next(at)}\n"), Config(HeadingWindow(), "cl100k_base")).chunks
    return sum(len(chunk.text) for chunk in chunks)


def peers() -> dict[str, Callable[[str], object]]:
    """Other people's chunkers at the same limit, by the same table where they let us choose it."""
    found: dict[str, Callable[[str], object]] = {}
    table = bare_encoding()

    def tokens(text: str) -> int:
        return len(table.encode_ordinary(text))

    try:
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        splitter = RecursiveCharacterTextSplitter(chunk_size=LIMIT, chunk_overlap=0, length_function=tokens)
        found["LangChain RecursiveCharacterTextSplitter"] = splitter.split_text
    except ImportError:
        print("left out: langchain-text-splitters is not installed")
    try:
        from semantic_text_splitter import MarkdownSplitter

        found["semantic-text-splitter MarkdownSplitter"] = MarkdownSplitter.from_tiktoken_model("gpt-4", LIMIT).chunks
    except ImportError:
        print("left out: semantic-text-splitter is not installed")
    try:
        from chonkie import RecursiveChunker

        found["chonkie RecursiveChunker"] = RecursiveChunker(table, chunk_size=LIMIT).chunk
    except ImportError:
        print("left out: chonkie is not installed")
    return found


def report(corpus: str | None, *, quick: bool) -> None:
    """Print a table: rows are chunkers, columns are sizes, cells are passes."""
    sizes = {"50 KB": 50_000, "200 KB": 200_000} if quick else {"50 KB": 50_000, "1 MB": 1_000_000, "10 MB": 10_000_000}
    table = bare_encoding()
    rows: dict[str, list[float]] = {"chunkscope heading-window, whole run": []}
    others, at = peers(), count()
    for size in sizes.values():
        text = text_of(size, corpus)
        rounds = 3 if quick or size > 5_000_000 else 7
        one_pass = cpu_seconds(lambda text=text: table.encode_ordinary(text), rounds)  # type: ignore[misc]
        cost = cpu_seconds(lambda text=text: whole_run(text, at), rounds)  # type: ignore[misc]
        rows["chunkscope heading-window, whole run"].append(cost / one_pass)
        for name, chunker in others.items():
            if size <= 1_000_000:
                cost = cpu_seconds(lambda text=text, chunker=chunker: chunker(text), 3)  # type: ignore[misc]
                rows.setdefault(name, []).append(cost / one_pass)
    print(f"\nWhole run in tokenizer passes (CPU time / encode_ordinary of the same text), limit {LIMIT} tokens")
    print(f"{'':45}" + "".join(f"{size:>10}" for size in sizes))
    for name, ratios in rows.items():
        print(f"{name:45}" + "".join(f"{ratio:>10.2f}" for ratio in ratios))

"""Other people's chunkers that `python -m benchmarks` measures beside ours, at one limit and by one
table where they let us choose it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from benchmarks.texts import bare_encoding

LIMIT = 750
"""Tokens: heading-window's default maxTokens."""


def _tokens(text: str) -> int:
    return len(bare_encoding().encode_ordinary(text))


def _langchain(module: Any) -> Callable[[str], object]:
    splitter = module.RecursiveCharacterTextSplitter(chunk_size=LIMIT, chunk_overlap=0, length_function=_tokens)
    return lambda text: splitter.split_text(text)


def _semantic_text_splitter(module: Any) -> Callable[[str], object]:
    splitter = module.MarkdownSplitter.from_tiktoken_model("gpt-4", LIMIT)
    return lambda text: splitter.chunks(text)


def _chonkie(module: Any) -> Callable[[str], object]:
    chunker = module.RecursiveChunker(bare_encoding(), chunk_size=LIMIT)
    return lambda text: chunker.chunk(text)


def _semchunk(module: Any) -> Callable[[str], object]:
    chunker = module.chunkerify(_tokens, LIMIT)
    return lambda text: chunker(text)


def _llama_index(module: Any) -> Callable[[str], object]:
    parser = module.node_parser.SentenceSplitter(
        chunk_size=LIMIT, chunk_overlap=0, tokenizer=bare_encoding().encode_ordinary
    )
    return lambda text: parser.split_text(text)


PEERS: dict[str, tuple[str, Callable[[Any], Callable[[str], object]]]] = {
    "LangChain RecursiveCharacterTextSplitter": ("langchain_text_splitters", _langchain),
    "LlamaIndex SentenceSplitter": ("llama_index.core", _llama_index),
    "semantic-text-splitter MarkdownSplitter": ("semantic_text_splitter", _semantic_text_splitter),
    "semchunk": ("semchunk", _semchunk),
    "chonkie RecursiveChunker": ("chonkie", _chonkie),
}
"""Each with the module that it is in."""


def peer(name: str) -> Callable[[str], object] | None:
    """The chunker; None where its package is not installed."""
    module, made = PEERS[name]
    try:
        return made(importlib.import_module(module))
    except ImportError:
        return None

"""Counting with the tokenizer of an embedder: the one that comes with the installation, or any tokenizer.json.

counter("minilm")
counter("tokenizer.json:models/bge/tokenizer.json")     # a path as seen from here: who names one may open it
counter("tokenizer:9f3c2a71d05be844")                   # one that the app was given at its start (offered.py)
"""

from __future__ import annotations

from chunking.counters import countable
from chunking.errors import UnknownCounterError
from chunking.tokenizer_files import LoadedTokenizer

MINILM = "minilm"
FILE = "tokenizer.json:"
"""Before the path of a tokenizer.json."""
OFFERED = "tokenizer:"
"""Before the first digits of the sha256 of an offered tokenizer.json."""


class TokenizerCounter:
    """Counts by a tokenizer.json. Counts leave out special tokens; who checks an embedder's limit adds them."""

    approximate = False

    def __init__(self, name: str, tokenizer: LoadedTokenizer) -> None:
        self.name = name
        self.tokenizer = tokenizer
        self.table_hash = tokenizer.table_hash
        self.special_tokens = tokenizer.special_tokens

    def __call__(self, text: str) -> int:
        return self.counts([text])[0]

    def counts(self, texts: list[str]) -> list[int]:
        """The counts of many texts, on all cores. Raises UnknownCounterError where there is no token for one."""
        try:
            return self.tokenizer.counts(list(map(countable, texts)))
        except ValueError as error:
            raise UnknownCounterError(f"counter: {self.name} cannot count this text ({error}); take another") from error

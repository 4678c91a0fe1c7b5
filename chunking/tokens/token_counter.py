"""What a token counter is, and the names that are not an encoding's."""

from __future__ import annotations

from typing import Protocol

MINILM = "minilm"
"""Name of the counter by the tokenizer of the bundled embedder."""
FILE = "tokenizer.json:"
"""Prefix of a counter name that gives the path of a tokenizer.json."""
OFFERED = "tokenizer:"
"""Prefix of a counter name that gives the first digits of an offered tokenizer.json's sha256."""


class TokenCounter(Protocol):
    """Counts the tokens of a text."""

    @property
    def name(self) -> str: ...
    @property
    def approximate(self) -> bool:
        """Whether counts are estimates; they are then labelled so."""
        ...

    @property
    def table_hash(self) -> str:
        """`sha256:` and the hash of the tokenizer's table or the rule's definition, for a YAML's
        proof."""
        ...

    @property
    def special_tokens(self) -> int:
        """How many special tokens an embedder with this tokenizer adds around one text. Counts
        leave them out."""
        ...

    def __call__(self, text: str) -> int: ...

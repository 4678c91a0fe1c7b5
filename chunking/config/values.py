"""The values of a config: plain values, and mappings that know the line of each key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

MAX_CHARACTERS = 64 * 1024
"""The longest YAML that is read, without its proof's documents."""
MAX_WITH_PROOF = 32 * 1024 * 1024
"""The longest YAML with a proof."""
MAX_DIGITS = 15
"""Whole numbers up to here are exact in JavaScript and JSON too."""

Value: TypeAlias = "bool | int | float | str | Sequence[Value] | Mapping[str, Value] | None"


class Table(Mapping[str, Value]):
    """A mapping as it stood in the YAML: values by key, and the line, from 1, of each key."""

    def __init__(self, values: Mapping[str, Value], lines: Mapping[str, int]) -> None:
        self._values = values
        self.lines = lines

    def __getitem__(self, key: str) -> Value:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def has_lone_surrogate(text: str) -> bool:
    """Whether a text holds a lone surrogate: an escape can make one, UTF-8 cannot hold it."""
    return any("\ud800" <= character <= "\udfff" for character in text)

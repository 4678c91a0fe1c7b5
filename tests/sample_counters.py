"""Counters for tests: by words or by characters, so that an example's numbers can be read off."""

from __future__ import annotations


class Words:
    """Counts words, marks of headings included."""

    name = "test-words"
    approximate = False
    table_hash = "sha256:test-words"
    special_tokens = 0

    def __call__(self, text: str) -> int:
        return len(text.split())


class Characters(Words):
    name = "test-characters"
    table_hash = "sha256:test-characters"

    def __call__(self, text: str) -> int:
        return len(text)

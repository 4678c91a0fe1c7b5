"""A document that is cut again and again, against fresh ones: what is remembered of the cuts before
changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from chunking import Config, parse, run


def cuts_as_fresh_ones(strategy: str, text: str, moves: Iterable[Mapping[str, int | str]], by: str) -> None:
    """Asserts that one document, under these settings one after the other, is cut as a document of
    its own for each."""
    document = parse(text)
    for settings in moves:
        config = Config.of(strategy, settings, by)
        assert run(document, config).parts == run(parse(text), config).parts

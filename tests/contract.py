"""What every strategy owes on every document (the four promises of docs/ARCHITECTURE.md), and in
which variants.

Used by test_contract.py, and by a strategy's own tests on documents of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sample_embedders import HashEmbedder

from chunking import strategies
from chunking.config.config import Config
from chunking.config.setting_spec import setting_specs
from chunking.config.validation import make_strategy
from chunking.core.chunk import Chunk
from chunking.core.strategy import Strategy
from chunking.document import Document
from chunking.models.access import Tools
from chunking.runs import Run, run
from chunking.tokens import TokenCounter, counter

SIZES = ("token", "character", "word")
"""Settings in these units are scaled for small limits; percentages, thresholds and counts of
sentences are not."""


@dataclass(frozen=True)
class Variant:
    """A strategy with settings: its own, or all its sizes scaled so that its hard limit is
    `maximum`."""

    name: str
    maximum: int | None = None

    def __str__(self) -> str:
        return f"{self.name}-{self.maximum}" if self.maximum else self.name

    @property
    def config(self) -> Config:
        declared = strategies.get(self.name)
        if self.maximum is None:
            return Config(declared())
        return Config(scaled(declared, self.maximum))


def variants(maximum: int) -> list[Variant]:
    """Every strategy with its defaults, and once more with a small limit where it has one."""
    found = []
    for name in strategies.names():
        found.append(Variant(name))
        if strategies.get(name)().limits().maximum is not None:
            found.append(Variant(name, maximum))
    return found


def scaled(declared: type[Strategy], maximum: int) -> Strategy:
    """The strategy with all its sizes scaled down in proportion, so that orders between them
    stay."""
    default = declared()
    largest = default.limits().maximum
    assert largest is not None
    settings: dict[str, Any] = {}
    for spec in setting_specs(declared):
        value = getattr(default, spec.name)
        sized = spec.unit.rstrip("s") in SIZES
        if sized and isinstance(value, int) and not isinstance(value, bool):
            settings[spec.name] = max(int(spec.last_legal(-1) or 0), value * maximum // largest)
    return make_strategy(declared.name, settings)


def tools_for(config: Config) -> Tools:
    """Fresh tools with the config's counter: what a strategy that needs a model gets is added
    here."""
    return Tools(counter(config.counter), embedder=HashEmbedder())


def chunked(document: Document, config: Config) -> Run:
    """The run, after the promises have been held against it."""
    result = run(document, config, tools_for(config))
    assert_promises(result, counter(config.counter))
    again = run(document, config, tools_for(config))
    assert again.parts == result.parts, "two runs differ"
    assert [c.id for c in again.chunks] == [c.id for c in result.chunks], "two runs have other ids"
    return result


def assert_promises(result: Run, count: TokenCounter) -> None:
    """Tiling, text and limits; ids are unique."""
    document = result.document
    assert "".join(document[part.body] for part in result.parts) == document.text, (
        "1: the parts do not tile the document"
    )
    for chunk in result.chunks:
        assert_text(chunk, document, count)
    assert_limits(result)
    ids = [chunk.id for chunk in result.chunks]
    assert len(set(ids)) == len(ids), "4: an id occurs twice"


def assert_text(chunk: Chunk, document: Document, count: TokenCounter) -> None:
    """Promise 2: the text is context + overlap + kept body + closing, and the counts are of exactly
    that."""
    kept = "".join(document[span] for span in chunk.kept)
    overlap = document[chunk.overlap] if chunk.overlap else ""
    assert chunk.text == f"{chunk.context}{overlap}{kept}{chunk.closing}"
    assert kept.strip(), f"a chunk of white space only at {chunk.body}"
    assert chunk.body_tokens == count(kept), f"2: body_tokens at {chunk.body}"
    assert chunk.tokens == count(chunk.text), f"2: tokens at {chunk.body}"
    reached = chunk.body.start
    for hole in chunk.holes:
        assert reached <= hole.body.start < hole.body.end <= chunk.body.end, f"hole {hole} is outside {chunk.body}"
        reached = hole.body.end
    if chunk.overlap:
        assert chunk.overlap.end <= chunk.body.start
    assert chunk.breadcrumb[0] == document.base_name
    assert chunk.ended_by.rule
    assert chunk.ended_by.detail


def assert_limits(result: Run) -> None:
    """Promise 3: nothing is over the hard limit unless a flag says so with the numbers."""
    limits = result.config.strategy.limits_in(result.document)
    if limits.maximum is None:
        return
    for chunk in result.chunks:
        held = chunk.limited_tokens(limits.counts)
        flag = chunk.flag("unsplittable")
        assert held <= limits.maximum or flag, f"3: {held} over {limits.maximum} at {chunk.body}, not flagged"
        assert flag is None or any(character.isdigit() for character in flag.detail)


def rules_of(result: Run) -> Iterator[str]:
    """Every rule that a run names: of boundaries, skips, holes and flags."""
    for skip in result.skips:
        yield skip.because.rule
    for chunk in result.chunks:
        yield chunk.ended_by.rule
        yield from (hole.because.rule for hole in chunk.holes)
        yield from (flag.rule for flag in chunk.flags)

"""The promises of every run, checked from the text: `chunkscope verify` prints each broken one.

Tokens are counted by encoding each chunk again, not from the index that counted them first.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chunking.config.config import Config, read_yaml
from chunking.core.chunk import Chunk
from chunking.document import Document
from chunking.errors import ConfigError, StrategyError
from chunking.runs import Run, run
from chunking.tokens import TokenCounter, counter


def broken_promises(document: Document, config: Config) -> tuple[Run | None, list[str]]:
    """The run of the document, and its broken promises as sentences; no run where it does not even
    tile."""
    try:
        result = run(document, config)
    except StrategyError as error:
        return None, [str(error)]
    found = [*_tiling(result), *_ids(result)]
    counts = counter(result.config.counter)
    for number, chunk in enumerate(result.chunks):
        found += [f"chunk {number}: {problem}" for problem in _chunk_problems(chunk, result, counts)]
    if run(document, config).fingerprint != result.fingerprint:
        found.append("a second run gave other chunks")
    return result, found


def config_problems(config: Config) -> Iterator[str]:
    """What is wrong with the config after writing and reading its YAML, where it can have one."""
    if not config.strategy.has_yaml:
        return
    try:
        if read_yaml(config.to_yaml(), Path())[0] != config:
            yield "the config is another one after writing and reading its YAML"
    except ConfigError as error:
        yield f"the config cannot be read back: {error}"


def _tiling(result: Run) -> Iterator[str]:
    """Whether the parts join to the document, and no chunk is blank."""
    if "".join(result.document[part.body] for part in result.parts) != result.document.text:
        yield "the parts do not join to the document"
    for part in result.parts:
        if isinstance(part, Chunk) and not part.kept_text.strip():
            yield f"characters {part.body.start} to {part.body.end}: a chunk without a visible character"


def _ids(result: Run) -> Iterator[str]:
    first: dict[str, int] = {}
    for number, chunk in enumerate(result.chunks):
        if first.setdefault(chunk.id, number) != number:
            yield f"chunk {number}: has the id of chunk {first[chunk.id]}"


def _chunk_problems(chunk: Chunk, result: Run, counts: TokenCounter) -> Iterator[str]:
    yield from _count_problems(chunk, counts)
    yield from _limit_problems(chunk, result)
    yield from span_problems(chunk, result.document)
    if chunk.breadcrumb[:1] != (result.document.base_name,):
        yield f"its breadcrumb does not begin with {result.document.base_name}"


def _count_problems(chunk: Chunk, counts: TokenCounter) -> Iterator[str]:
    if (exact := counts(chunk.text)) != chunk.tokens:
        yield f"says {chunk.tokens} tokens and has {exact}"
    if (exact := counts(chunk.kept_text)) != chunk.body_tokens:
        yield f"says {chunk.body_tokens} tokens of body and has {exact}"


def _limit_problems(chunk: Chunk, result: Run) -> Iterator[str]:
    limits = result.config.strategy.limits_in(result.document)
    size = chunk.limited_tokens(limits.counts)
    if chunk.flag("unsplittable"):
        return
    if limits.maximum is not None and size > limits.maximum:
        yield f"{size} tokens are over {limits.maximum_setting} {limits.maximum}, and no flag says why"
    length, most = len(chunk.cut.text), limits.maximum_characters
    if most is not None and length > most:
        yield f"{length} characters are over {limits.maximum_characters_setting} {most}, and no flag says why"


def span_problems(chunk: Chunk, document: Document) -> Iterator[str]:
    """What is wrong with the spans of a chunk."""
    at = chunk.body.start
    for hole in chunk.holes:
        if not at <= hole.body.start < hole.body.end <= chunk.body.end:
            yield f"its hole {hole.body.start} to {hole.body.end} is not inside the body, in order"
        at = hole.body.end
    if chunk.overlap and not 0 <= chunk.overlap.start < chunk.overlap.end <= chunk.body.start:
        yield f"its overlap {chunk.overlap.start} to {chunk.overlap.end} is not before the body"
    if document.text[chunk.body.end - 1 : chunk.body.end + 1] == "\r\n":
        yield "it ends between the CR and the LF of a line end"

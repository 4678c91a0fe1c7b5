"""The tools of `chunkscope mcp`: what each takes, and its answer, made in a worker process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from chunking.cli.service.allowed_folders import AllowedFolders
from chunking.cli.service.answers import Refusal
from chunking.cli.service.bodies import Body, ConfigField, SearchBody, body_of
from chunking.cli.service.work import Terms, chunk_lines, comparison, config_of, explanation, health_of, tuning
from chunking.cli.terminal import json_text
from chunking.config.config import Config
from chunking.errors import ChunkscopeError, DocumentError
from chunking.runtime.faults import fault_message
from chunking.text.decoding import decode
from chunking.text.display import shown_text

LARGEST = 1_000_000
"""Characters of an answer: more is no use to a model."""
_YAML = (".yaml", ".yml")

PathField = Annotated[str, Field(min_length=1, description="A file in an allowed folder, by its path in it.")]
PathsField = Annotated[
    list[str],
    Field(min_length=1, max_length=1000, description="Files and folders in the allowed folders; '.' for all."),
]


class ChunkTool(Body):
    """Chunk a document: JSON lines, each with its text, tokens, lines, and why it ends there."""

    config: ConfigField
    path: PathField
    first: int = Field(0, ge=0, description="Number of the first chunk to give, from 0.")
    most: int = Field(20, ge=1, le=200, description="So many chunks at most; a last line says how many there are.")


class ExplainTool(Body):
    """Say why a boundary is there, and at which value of each setting it would go."""

    config: ConfigField
    path: PathField
    line: int = Field(ge=1, description="The boundary nearest this line, from 1, is explained.")


class CompareTool(Body):
    """Compare two configs on documents: boundaries kept, moved, added and removed, what to embed
    again."""

    before: ConfigField
    after: ConfigField
    paths: PathsField


class HealthTool(Body):
    """Check whether the chunks of documents are fit to embed, the worst first."""

    config: ConfigField
    paths: PathsField


class TuneTool(SearchBody):
    """Search strategies and settings for a goal: the frontier of quality against tokens."""

    paths: PathsField
    questions: str = Field("", description="A file of questions with known answers, CSV or JSON lines.")


@dataclass(frozen=True, slots=True)
class Ground:
    """What an answer stands on: what may be read, the limits, and what had to be left out."""

    folders: AllowedFolders
    terms: Terms
    left_out: list[str]


def tool_answer(name: str, content: bytes, folders: AllowedFolders, terms: Terms) -> Iterator[str | Refusal]:
    """The answer of a tool to its arguments, as JSON, and a line on each document that was left
    out; or why there is none."""
    left_out: list[str] = []
    try:
        said = TOOLS[name].answer(content, Ground(folders, terms, left_out))
        if len(said) > LARGEST:
            raise DocumentError(
                f"the answer has {len(said):,} characters, more than {LARGEST:,}; ask of fewer documents"
            )
        yield said
        yield from (f"left out: {shown_text(each, 500)}" for each in left_out)
    except ChunkscopeError as error:
        yield Refusal(422, str(error))
    except BaseException as error:
        yield Refusal(500, fault_message(error))


def _chunk(content: bytes, on: Ground) -> str:
    asked = body_of(ChunkTool, content)
    found = on.folders.with_content(on.folders.document(asked.path))
    said = b"".join(chunk_lines(_config(asked.config, on), [found], on.terms, skips=False)).decode()
    lines = said.splitlines(keepends=True)
    given = lines[asked.first : asked.first + asked.most]
    until = asked.first + len(given)
    more = {"type": "more", "chunks": len(lines), "next": until} if until < len(lines) else None
    return "".join(given) + (json.dumps(more) + "\n" if more else "")


def _explain(content: bytes, on: Ground) -> str:
    asked = body_of(ExplainTool, content)
    found = on.folders.with_content(on.folders.document(asked.path))
    return json_text(explanation(_config(asked.config, on), found, on.terms, line=asked.line))


def _compare(content: bytes, on: Ground) -> str:
    asked = body_of(CompareTool, content)
    before, after = (_config(each, on) for each in (asked.before, asked.after))
    found = on.folders.each_with_content(asked.paths, on.left_out)
    return json_text(comparison(before, after, found, on.terms, on.left_out))


def _health(content: bytes, on: Ground) -> str:
    asked = body_of(HealthTool, content)
    found = on.folders.each_with_content(asked.paths, on.left_out)
    return json_text(health_of(_config(asked.config, on), found, on.terms, on.left_out))


def _tune(content: bytes, on: Ground) -> str:
    asked = body_of(TuneTool, content)
    found = on.folders.each_with_content(asked.paths, on.left_out)
    questions = ""
    if asked.questions:
        questions = decode(on.folders.content(asked.questions), asked.questions)
    return json_text(tuning(asked, found, questions, on.terms, on.left_out))


def _config(given: str | Mapping[str, object], on: Ground) -> Config:
    """As `config_of`; a YAML in an allowed folder may be named by its path."""
    if isinstance(given, str) and "\n" not in given and given.lower().endswith(_YAML):
        return config_of(decode(on.folders.content(given), given), on.terms)
    return config_of(given, on.terms)


@dataclass(frozen=True, slots=True)
class Tool:
    """What an agent may ask for."""

    answer: Callable[[bytes, Ground], str]
    form: type[Body]


TOOLS: Mapping[str, Tool] = {
    "chunk": Tool(_chunk, ChunkTool),
    "explain": Tool(_explain, ExplainTool),
    "compare": Tool(_compare, CompareTool),
    "health": Tool(_health, HealthTool),
    "tune": Tool(_tune, TuneTool),
}

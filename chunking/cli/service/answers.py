"""Answers of `chunkscope serve`, made in a worker process: from a request's body to pieces of what
the command of the same name prints."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from chunking.cli.service.bodies import (
    Body,
    BodyError,
    CompareBody,
    ExplainBody,
    HealthBody,
    InspectBody,
    RunBody,
    TuneBody,
    body_of,
)
from chunking.cli.service.sent_documents import found_in
from chunking.cli.service.work import (
    Terms,
    chunk_lines,
    comparison,
    config_of,
    explanation,
    health_of,
    inspection,
    tuning,
)
from chunking.cli.strategies import known_strategies
from chunking.cli.terminal import json_text
from chunking.config.config import Config
from chunking.errors import ChunkscopeError
from chunking.runtime.faults import fault_message
from chunking.runtime.text_memory import VARIABLE


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer, or no more of it: the status of HTTP, and one line."""

    status: int
    problem: str


def answer(route: str, content: bytes, terms: Terms) -> Iterator[bytes | Refusal]:
    """The pieces of an answer. A refusal is the last; before any piece it is all."""
    try:
        made = ROUTES[route].answer(content, terms)
        yield from cast("Iterator[bytes]", made) if ROUTES[route].lines else [json_text(made).encode()]
    except BodyError as error:
        yield Refusal(error.status, str(error))
    except ChunkscopeError as error:
        yield Refusal(422, str(error))
    except BaseException as error:
        yield Refusal(500, fault_message(error))


def get_ready(share: int) -> None:
    """Load what every answer needs; `share` are the megabytes that this process may remember of
    documents, 0 for no limit."""
    os.environ[VARIABLE] = str(share)
    from chunking.tokens import fetch_nothing

    fetch_nothing()  # a stranger's config makes this machine ask nobody
    list(answer("run", b'{"config": "heading-window", "documents": [{"name": "a.md", "text": "# A"}]}', Terms()))


def _run(content: bytes, terms: Terms) -> Iterator[bytes]:
    asked = body_of(RunBody, content)
    yield from chunk_lines(config_of(asked.config, terms), found_in(asked.documents), terms, skips=asked.skips)


def _inspect(content: bytes, terms: Terms) -> object:
    asked = body_of(InspectBody, content)
    (found,) = found_in([asked.document])
    return inspection(config_of(asked.config, terms), found, terms, with_health=asked.health)


def _health(content: bytes, terms: Terms) -> object:
    asked = body_of(HealthBody, content)
    return health_of(config_of(asked.config, terms), found_in(asked.documents), terms)


def _explain(content: bytes, terms: Terms) -> object:
    asked = body_of(ExplainBody, content)
    (found,) = found_in([asked.document])
    return explanation(config_of(asked.config, terms), found, terms, line=asked.line)


def _compare(content: bytes, terms: Terms) -> object:
    asked = body_of(CompareBody, content)
    before, after = (config_of(each, terms) for each in (asked.before, asked.after))
    return comparison(before, after, found_in(asked.documents), terms)


def _tune(content: bytes, terms: Terms) -> object:
    asked = body_of(TuneBody, content)
    return tuning(asked, found_in(asked.documents), asked.questions, terms)


@dataclass(frozen=True, slots=True)
class Route:
    """What is asked at one address."""

    answer: Callable[[bytes, Terms], object]
    summary: str
    body: type[Body] | None = None
    """None for what is asked by GET."""
    lines: bool = False
    """Whether the answer is JSON lines, which are sent as they come; else it is a value."""


ROUTES: Mapping[str, Route] = {
    "run": Route(_run, "Chunk documents, as `chunkscope run`.", RunBody, lines=True),
    "inspect": Route(_inspect, "One document's chunks and numbers, as `chunkscope inspect --json`.", InspectBody),
    "health": Route(_health, "Which documents are fit to embed, as `chunkscope inspect --health --json`.", HealthBody),
    "explain": Route(_explain, "Why a boundary is there, as `chunkscope explain --json`.", ExplainBody),
    "compare": Route(_compare, "Two configs on the same documents, as `chunkscope compare --json`.", CompareBody),
    "tune": Route(_tune, "Configs searched for a goal, as `chunkscope tune --json`.", TuneBody),
    "strategies": Route(lambda *_: known_strategies(), "As `chunkscope strategies --json`."),
    "schema": Route(lambda *_: Config.json_schema(), "A config's JSON Schema: `chunkscope strategies --json-schema`."),
}
"""By the last part of their path."""

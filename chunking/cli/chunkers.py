"""`--chunker package.module:function` and `--chunker-command "program --option"`, which stand where
a command takes a config."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chunking.errors import ConfigError

if TYPE_CHECKING:
    from chunking.imported.sources import ChunkSource

_COMMANDS = ("run", "inspect", "explain", "compare", "sweep", "evaluate", "verify")
"""Those that take a config in its place."""
_KINDS = {"--chunker": "chunker:", "--chunker-command": "chunker-command:"}
"""The options, and what the word in the place of a config begins with."""


def in_place_of_configs(arguments: Sequence[str]) -> list[str]:
    """The arguments with each chunker as one word in its place: `compare fixed --chunker m:f docs`
    has two configs. Raises ConfigError for one without a value."""
    given = list(arguments)
    if not given or given[0] not in _COMMANDS:
        return given
    made: list[str] = []
    at = 0
    while at < len(given):
        option, equals, value = given[at].partition("=")
        if option not in _KINDS:
            if given[at] == "--":
                return made + given[at:]
            made.append(given[at])
        elif equals:
            made.append(_KINDS[option] + value)
        elif at + 1 < len(given):
            at += 1
            made.append(_KINDS[option] + given[at])
        else:
            raise ConfigError(f"{option}: its value is missing; write --chunker package.module:function")
        at += 1
    return made


def is_chunker(where: str) -> bool:
    """Whether what stands for a config is a function or a program that splits."""
    return where.startswith(tuple(_KINDS.values()))


def chunker_named(where: str) -> ChunkSource | None:
    """What such a function or program gives; None for a config of another kind. Raises ConfigError
    where there is none of that name."""
    if not is_chunker(where):
        return None
    from chunking.imported.functions import named_function
    from chunking.imported.programs import program_chunks

    kind, _, value = where.partition(":")
    return named_function(value) if kind == "chunker" else program_chunks(value)

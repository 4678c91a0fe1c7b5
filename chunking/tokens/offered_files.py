"""Tokenizers that the app was given at its start: chosen by what they are, so that no link or upload opens a path.

`chunkscope app --tokenizer PATH` puts the paths into an environment variable, which its worker processes have too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chunking.errors import UnknownCounterError
from chunking.runtime.made_once import once
from chunking.tokens.counters import OFFERED

VARIABLE = "CHUNKSCOPE_TOKENIZERS"
"""Environment variable with the paths, as a JSON list."""
_DIGITS = 16
"""Hexadecimal digits of a sha256 that a link names a tokenizer by."""

if TYPE_CHECKING:
    from chunking.tokens.tokenizer_counter import TokenizerCounter


@dataclass(frozen=True, slots=True)
class Offered:
    """A tokenizer that can be chosen."""

    name: str
    """As in a link: `tokenizer:` and the first digits of its sha256."""
    title: str
    """As on screen: its file's name, with its folder's where that is only "tokenizer.json", and with digits of its
    sha256 where another one before it has the same."""
    file_name: str
    """As an exported YAML names it."""
    counter: TokenizerCounter


def offered() -> tuple[Offered, ...]:
    """What can be chosen, in the order given. Raises UnknownCounterError for a file that is no tokenizer.json."""
    return _offered(os.environ.get(VARIABLE, ""))


def variable_of(paths: Sequence[Path]) -> str:
    """What the environment variable says for these paths."""
    return json.dumps([str(path.resolve()) for path in paths])


def offered_as(name: str) -> Offered:
    """The offered tokenizer of a name with at least as many digits as ours. Raises UnknownCounterError."""
    digits = name.removeprefix(OFFERED)
    for one in offered():
        if len(digits) >= _DIGITS and one.counter.table_hash.removeprefix("sha256:").startswith(digits):
            return one
    raise UnknownCounterError(
        f"counter: no tokenizer of sha256 {digits[:_DIGITS]!a} is offered here; "
        "start the app with --tokenizer and the path of its tokenizer.json"
    )


def counter_title(name: str) -> str:
    """A counter as people are told of it: an offered tokenizer by its file, any other by its own name."""
    if not name.startswith(OFFERED):
        return name
    try:
        return offered_as(name).title
    except UnknownCounterError:
        return f"a tokenizer that is not offered here ({name.removeprefix(OFFERED)})"


def offered_file(file_name: str, table_hash: str = "") -> Offered | None:
    """The offered tokenizer that a YAML means by a file's name and, where it has a proof, the hash in it."""
    known = [one for one in offered() if one.counter.table_hash == table_hash] if table_hash else []
    known = known or [one for one in offered() if not table_hash and one.file_name == file_name]
    return known[0] if len(known) == 1 else None


@once
def _offered(written: str) -> tuple[Offered, ...]:
    if not written:
        return ()
    from chunking.tokens.tokenizer_counter import TokenizerCounter
    from chunking.tokens.tokenizer_files import bytes_of, loaded

    found: dict[str, Offered] = {}
    for path in _paths(written):
        tokenizer = loaded(bytes_of(path, path.name), path.name)
        name = OFFERED + tokenizer.table_hash.removeprefix("sha256:")[:_DIGITS]
        title = "/".join(path.parts[-2:]) if path.name == "tokenizer.json" else path.name
        if any(one.title == title and one.name != name for one in found.values()):
            title = f"{title} ({name.removeprefix(OFFERED)})"
        found.setdefault(name, Offered(name, title, path.name, TokenizerCounter(name, tokenizer, title)))
    return tuple(found.values())


def _paths(written: str) -> Iterator[Path]:
    try:
        paths = json.loads(written) if written else []
    except ValueError:
        paths = None
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        raise UnknownCounterError(f"{VARIABLE}: is not a JSON list of paths; start the app with --tokenizer PATH")
    return map(Path, paths)

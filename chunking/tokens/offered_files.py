"""Tokenizers offered in the app: those whose paths were given on its command line.

`chunkscope app --tokenizer PATH` puts the paths into an environment variable, which worker
processes inherit. A link or upload names such a tokenizer by its hash, and so never opens a path.
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
from chunking.tokens.token_counter import OFFERED

VARIABLE = "CHUNKSCOPE_TOKENIZERS"
"""Environment variable with the paths, as a JSON list."""
_DIGITS = 16
"""How many hexadecimal digits of a sha256 identify a tokenizer in a link."""

if TYPE_CHECKING:
    from chunking.tokens.tokenizer_counter import TokenizerCounter


@dataclass(frozen=True, slots=True)
class Offered:
    """A tokenizer that can be chosen."""

    name: str
    """Its name in a link: `tokenizer:` and the first digits of its sha256."""
    title: str
    """Its name on screen: the file's name, with the folder's if that is only "tokenizer.json", and
    with digits of its sha256 if an earlier one has the same title."""
    file_name: str
    """Its name in an exported YAML."""
    counter: TokenizerCounter


def offered() -> tuple[Offered, ...]:
    """The offered tokenizers in the order of the command line.

    Raises UnknownCounterError for a file that is not a tokenizer.json.
    """
    return _offered(os.environ.get(VARIABLE, ""))


def variable_of(paths: Sequence[Path]) -> str:
    """The value of the environment variable for these paths."""
    return json.dumps([str(path.resolve()) for path in paths])


def offered_as(name: str) -> Offered:
    """The offered tokenizer of a name in a link, with at least 16 digits. Raises
    UnknownCounterError."""
    digits = name.removeprefix(OFFERED)
    for one in offered():
        if len(digits) >= _DIGITS and one.counter.table_hash.removeprefix("sha256:").startswith(digits):
            return one
    raise UnknownCounterError(
        f"counter: no tokenizer of sha256 {digits[:_DIGITS]!a} is offered here; "
        "start the app with --tokenizer and the path of its tokenizer.json"
    )


def counter_title(name: str) -> str:
    """A counter's name for people: an offered tokenizer's title, any other counter's own name."""
    if not name.startswith(OFFERED):
        return name
    try:
        return offered_as(name).title
    except UnknownCounterError:
        return f"a tokenizer that is not offered here ({name.removeprefix(OFFERED)})"


def offered_file(file_name: str, table_hash: str = "") -> Offered | None:
    """The offered tokenizer that a YAML refers to: by the hash in its proof, else by the file's
    name.

    None if there is none, or more than one.
    """
    matches = [one for one in offered() if one.counter.table_hash == table_hash] if table_hash else []
    matches = matches or [one for one in offered() if not table_hash and one.file_name == file_name]
    return matches[0] if len(matches) == 1 else None


@once
def _offered(written: str) -> tuple[Offered, ...]:
    if not written:
        return ()
    from chunking.tokens.tokenizer_counter import TokenizerCounter
    from chunking.tokens.tokenizer_files import bytes_of, load_tokenizer

    by_name: dict[str, Offered] = {}
    for path in _paths(written):
        tokenizer = load_tokenizer(bytes_of(path, path.name), path.name)
        name = OFFERED + tokenizer.table_hash.removeprefix("sha256:")[:_DIGITS]
        title = "/".join(path.parts[-2:]) if path.name == "tokenizer.json" else path.name
        if any(one.title == title and one.name != name for one in by_name.values()):
            title = f"{title} ({name.removeprefix(OFFERED)})"
        by_name.setdefault(name, Offered(name, title, path.name, TokenizerCounter(name, tokenizer, title)))
    return tuple(by_name.values())


def _paths(written: str) -> Iterator[Path]:
    try:
        paths = json.loads(written) if written else []
    except ValueError:
        paths = None
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        raise UnknownCounterError(f"{VARIABLE}: is not a JSON list of paths; start the app with --tokenizer PATH")
    return map(Path, paths)

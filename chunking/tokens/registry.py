"""Finds a token counter by its name, and the index that counts spans of a text with it.

    counter("cl100k_base")("some text")                 # 2
    counter("minilm")("some text")                      # 2, by the bundled embedder's tokenizer
    counter("tokenizer.json:bge/tokenizer.json")        # by another one; opens the path as given
    token_index(document.text, counter("words")).count(start, end)

What counts is imported when the first counter is asked for (counter_kinds.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from chunking.errors import UnknownCounterError
from chunking.runtime.argument_types import require_type
from chunking.runtime.made_once import once
from chunking.runtime.text_memory import memory
from chunking.text.suggest import closest_name
from chunking.tokens.offered_files import offered_as
from chunking.tokens.token_counter import FILE, OFFERED, TokenCounter

if TYPE_CHECKING:
    from chunking.tokens.index import TokenIndex

EXACT = "cl100k_base"
"""The exact counter that is always available: every strategy's default, and the reference for
estimates."""
_MAX_SHOWN = 40
"""Maximum characters of an unknown name that an error message repeats."""


@once
def counter_names() -> tuple[str, ...]:
    """Every name that `counter` accepts, except those of files: packaged ones, then tiktoken's
    others."""
    from chunking.tokens.counter_kinds import all_names

    return all_names()


def counter(name: str) -> TokenCounter:
    """The counter of that name, created once: one of `counter_names()`, `tokenizer.json:PATH`, or
    `tokenizer:` and the digits of an offered tokenizer.

    A path is opened as given, so a name from an untrusted source must be checked first
    (`config.read_yaml`). Raises UnknownCounterError for an unknown name, for a file that is not a
    tokenizer.json, and for an encoding of tiktoken whose table cannot be fetched.
    """
    require_type(name, str, "a counter is asked for by its name, such as 'cl100k_base'")
    if name.startswith(FILE):
        path = Path(name.removeprefix(FILE))
        return _file_counter(name, path, _modified(path))
    if name.startswith(OFFERED):
        return offered_as(name).counter
    return _named_counter(name)


@once
def _file_counter(name: str, path: Path, changed: tuple[int, int]) -> TokenCounter:  # noqa: ARG001  # a changed file is another
    from chunking.tokens.counter_kinds import file_counter

    return file_counter(name, path)


def _modified(path: Path) -> tuple[int, int]:
    try:
        stated = path.stat()
    except (OSError, ValueError):
        return 0, 0  # reading the file will raise the error
    return stated.st_mtime_ns, stated.st_size


@once
def _named_counter(name: str) -> TokenCounter:
    if name not in counter_names():
        raise UnknownCounterError(_unknown_message(name))
    from chunking.tokens.counter_kinds import named_counter

    return named_counter(name)


def token_index(text: str, counter: Callable[[str], int]) -> TokenIndex:
    """The index that counts spans of a text with a counter. The last eight are cached."""
    return _cached_index(text, counter)


def indexes_together(texts: Sequence[str], counter: Callable[[str], int]) -> list[TokenIndex | None]:
    """The indexes of small texts by one pass over all of them; None where that does not give
    one."""
    from chunking.tokens.counter_kinds import indexes_of

    return list(indexes_of(texts, counter))


def remember_index(index: TokenIndex) -> None:
    """Let `token_index` find this one."""
    _cached_index.keep(index, index.text, index.counter)


@memory.remembered(most=8, of=lambda text, _: (text,), key=lambda text, counter: (text, counter))
def _cached_index(text: str, counter: Callable[[str], int]) -> TokenIndex:
    from chunking.tokens.counter_kinds import index_of

    return index_of(text, counter)


def _unknown_message(name: str) -> str:
    names = counter_names()
    meant = closest_name(name.lower(), names)
    guess = f"did you mean {meant!r}? " if meant else ""
    if name.lower().endswith(".json") or name.lower().startswith("tokenizer"):
        guess = f"did you mean '{FILE}' and the path of a file? "
    return f"no counter named {_shown(name)}; {guess}there are: {', '.join(names)}, {FILE}PATH"


def _shown(name: str) -> str:
    """An unknown name for an error message: shortened, with the code point of a non-ASCII
    character."""
    cut = name if len(name) <= _MAX_SHOWN else name[: _MAX_SHOWN - 1] + "…"
    strange = next(
        (f" (it has U+{ord(character):04X})" for character in name[:_MAX_SHOWN] if not character.isascii()), ""
    )
    return f"{cut!a}{strange}" if strange else f"{cut!r}"

"""The chunks that somebody's own Python makes of a text: `Config.from_function` and `--chunker`.

A splitter is a function of a text, or an object of LangChain, LlamaIndex, chonkie or another
library that splits one. It gives texts, (start, end) pairs in code points, (start, text) pairs, or
the objects and dicts of such a library. Only who runs the program names one: no YAML, link or
upload can.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from inspect import iscoroutine
from itertools import islice
from pathlib import Path

import numpy as np

from chunking.document import Document
from chunking.errors import ConfigError, GoldError
from chunking.imported.aligning import Claim
from chunking.imported.rows import KEYS, Row, row_of
from chunking.imported.sources import ChunkSource
from chunking.text.display import shown_text

Splitter = Callable[[str], Iterable[object]]
_METHODS = ("split_text", "chunk_indices", "chunks", "chunk")
"""What splits a text in objects that are not called themselves: LangChain and LlamaIndex,
semantic-text-splitter, chonkie."""
_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")
_MOST = 1_000_000
"""Chunks of one document."""


@dataclass(frozen=True)
class FunctionChunks(ChunkSource):
    """What a function makes of each document's text."""

    split: Splitter

    def rows_of(self, document: Document) -> Sequence[Row]:
        """The function is called once; what it raises is one line."""
        return rows_from(self.split, document.text, self.called)


@dataclass(frozen=True)
class NamedFunctionChunks(ChunkSource):
    """The same for a function by its name, `package.module:function`, which worker processes import
    again. What it prints goes to standard error."""

    def rows_of(self, document: Document) -> Sequence[Row]:
        """The function is called once; what it raises is one line."""
        with redirect_stdout(sys.stderr):
            return rows_from(named_splitter(self.called), document.text, self.called)


def named_function(name: str) -> NamedFunctionChunks:
    """The chunks of a function by its name. Raises ConfigError where it cannot be imported."""
    with redirect_stdout(sys.stderr):
        named_splitter(name)
    return NamedFunctionChunks(name)


@cache
def named_splitter(name: str) -> Splitter:
    """A splitter by its name, from the working directory or what is installed. Raises ConfigError
    with what is wrong."""
    called = f"--chunker {shown_text(name, 200)}"
    if not _NAME.fullmatch(name):
        raise ConfigError(f"{called}: is not package.module:function, such as my_splitter:split")
    module_name, _, path = name.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found: object = import_module(module_name)
        for part in path.split("."):
            found = getattr(found, part)
    except BaseException as error:
        if not _is_theirs(error):
            raise
        raise ConfigError(f"{called}: {_fault(error)}") from error
    return splitter_of(found, called)


def splitter_of(given: object, called: str) -> Splitter:
    """What splits a text: the object itself, or its method. Raises ConfigError for anything
    else."""
    if callable(given) and not isinstance(given, type):
        for name in _METHODS[:2]:  # chonkie's objects are called; those of others have a method
            if callable(method := getattr(given, name, None)):
                return _as_splitter(method)
        return _as_splitter(given)
    for name in _METHODS:
        if not isinstance(given, type) and callable(method := getattr(given, name, None)):
            return _as_splitter(method)
    raise ConfigError(f"{called}: is {type(given).__name__}, not a function of a text; name a function or a splitter")


def _as_splitter(function: Callable[..., Iterable[object]]) -> Splitter:
    return function


def rows_from(split: Splitter, text: str, called: str) -> tuple[Row, ...]:
    """What a splitter makes of a text, as rows. Raises GoldError, one line, for what it raises or
    gives wrong."""
    try:
        given = list(islice(_flat(split(text)), _MOST + 1))
    except BaseException as error:
        if not _is_theirs(error):
            raise
        raise GoldError(f"{called}: {_fault(error)}") from error
    if len(given) > _MOST:
        raise GoldError(f"{called}: gave more than {_MOST} chunks of one document")
    return tuple(_row(each, number, text, called) for number, each in enumerate(given))


def _flat(given: object) -> Iterator[object]:
    """What was given one by one; texts and their offsets in two lists, as semchunk has them,
    together."""
    if iscoroutine(given):
        given.close()
        raise TypeError("is async; give a function that returns the chunks")
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise TypeError(f"gave {type(given).__name__}; give a list of texts, (start, end) pairs or chunks")
    if isinstance(given, tuple) and len(given) == 2 and all(isinstance(each, list) for each in given):
        texts, pairs = given
        if len(texts) == len(pairs) and all(isinstance(each, str) for each in texts):
            given = [{"text": text, "start": pair[0], "end": pair[1]} for text, pair in zip(texts, pairs, strict=True)]
    yield from given


def _row(given: object, number: int, text: str, called: str) -> Row:
    where = f"chunk {number}"
    if isinstance(given, str):
        return Row(where, "", given, Claim(given))
    if isinstance(given, tuple | list) and len(given) == 2:
        return _pair(given[0], given[1], where, text, called)
    plain = given if isinstance(given, Mapping) else _attributes(given)
    row = row_of(plain, where, called)
    if row is None:
        raise GoldError(f"{called}, {where}: is not a chunk")
    return replace(row, document="")


def _pair(first: object, second: object, where: str, text: str, called: str) -> Row:
    start = _whole(first)
    if isinstance(second, str) and start >= 0:
        return Row(where, "", second, Claim(second, ((start, None),)))
    end = _whole(second)
    if not 0 <= start <= end <= len(text):
        pair = shown_text(f"({first!r}, {second!r})")
        raise GoldError(f"{called}, {where}: {pair} is no (start, end) in a text of {len(text)} characters")
    return Row(where, "", text[start:end], Claim(text[start:end], ((start, end),)))


def _whole(value: object) -> int:
    """A whole number, numpy's included; -1 for anything else."""
    return int(value) if isinstance(value, int | np.integer) and not isinstance(value, bool) else -1


def _attributes(given: object) -> dict[str, object]:
    """What an object of a library has of a row's values."""
    return {key: value for key in KEYS if (value := getattr(given, key, None)) is not None}


def _is_theirs(error: BaseException) -> bool:
    """Whether a splitter failed, a panic in Rust included; Ctrl-C and a limit to our work are
    none."""
    return isinstance(error, Exception | SystemExit) or type(error).__name__ == "PanicException"


def _fault(error: BaseException) -> str:
    """What was raised and where, in one line."""
    said = str(error).partition("\n")[0]
    frames = traceback.extract_tb(error.__traceback__)
    ours = Path(__file__).resolve().parent
    files = [(Path(frame.filename), frame.lineno) for frame in frames if not frame.filename.startswith("<")]
    theirs = [(path, line) for path, line in files if path.parent != ours and path.parent.name != "importlib"]
    where = f" ({theirs[-1][0]}, line {theirs[-1][1]})" if theirs else ""
    return shown_text(f"{type(error).__name__}: {said}{where}", 500)

"""YAML -> plain values with their lines, and back: the one door to ruamel.yaml.

Reading walks ruamel's parse events and builds values itself, so nothing in a YAML can run code,
refer to itself or grow (docs/formats/config-yaml.md). Scalars without quotes are null, true, false,
decimal numbers, else text: `no`, `12:30`, `0x200`, `1_000` and `2020-01-01` are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString

from chunking.config.values import MAX_CHARACTERS, MAX_DIGITS, Table, Value, has_lone_surrogate
from chunking.errors import ConfigError
from chunking.text.display import shown, shown_ascii, shown_text

MAX_DEPTH = 32


_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_CONSTANTS: Mapping[str, bool | None] = {
    "": None,
    **dict.fromkeys(("~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_DIRECTIVE = re.compile(r"^%", re.MULTILINE)
# YAML 1.1 readers, which most programs still are, take these words for booleans or null.
_MISREAD = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"})
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*(:[A-Za-z0-9_.-]+)*")


def read(text: str) -> Value:
    """The value of a YAML text, mappings as Tables. Raises ConfigError with the line, or with the
    key it is about."""
    text = text.removeprefix("\ufeff")
    if len(text) > MAX_CHARACTERS:
        raise ConfigError(f"the YAML has {len(text)} characters; at most {MAX_CHARACTERS} are read")
    directive = _DIRECTIVE.search(text)
    if directive:
        line = text.count("\n", 0, directive.start()) + 1
        raise ConfigError(f"line {line}: directives (%) are not read; delete the line")
    try:
        return _Builder(text).document()
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        hint = "; indent with spaces, not tabs" if "'\\t'" in str(error.problem) else ""
        raise ConfigError(f"{place}not YAML: {shown_text(str(error.problem), 100)}{hint}") from None
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        character = shown_ascii(text[error.position : error.position + 1])
        raise ConfigError(
            f"line {line}: {character} cannot stand in YAML as it is; escape it in double quotes"
        ) from None
    except (YAMLError, ValueError, OverflowError) as error:
        # ruamel lets chr() of an escape beyond Unicode through as it comes.
        raise ConfigError(f"not YAML: {shown_text(str(error), 100)}") from None


def write(value: Value) -> str:
    """YAML of plain values, in their own order; text that a YAML reader could misread is quoted."""
    yaml = YAML()
    yaml.default_flow_style = False
    yaml.width = 1_000_000
    written = StringIO()
    yaml.dump(_prepared(value), written)
    return written.getvalue()


class _Builder:
    """Parse events -> values, refusing on the way whatever a config has no use for."""

    def __init__(self, text: str) -> None:
        self._events: Iterator[Event] = iter(YAML(typ="safe", pure=True).parse(text))
        self._depth = 0

    def document(self) -> Value:
        next(self._events)  # the stream begins
        if not isinstance(next(self._events), DocumentStartEvent):
            return None
        value = self._value(self._next(), "")
        next(self._events)  # the document ends
        following = next(self._events)
        if isinstance(following, DocumentStartEvent):
            raise ConfigError(f"line {_line(following)}: a second document begins; a config is one document")
        return value

    def _next(self) -> Event:
        event = next(self._events)
        if isinstance(event, AliasEvent):
            raise ConfigError(f"line {_line(event)}: aliases (*) are not read; write the value out")
        if isinstance(event, NodeEvent) and event.anchor is not None:
            raise ConfigError(f"line {_line(event)}: anchors (&) are not read; write the value out where it is needed")
        if isinstance(event, ScalarEvent | MappingStartEvent | SequenceStartEvent) and event.tag is not None:
            tag = shown_ascii(str(event.tag))
            raise ConfigError(f"line {_line(event)}: tags ({tag}) are not read; delete the tag")
        return event

    def _value(self, event: Event, path: str) -> Value:
        if isinstance(event, ScalarEvent):
            if has_lone_surrogate(event.value):
                raise ConfigError(f"{path}: holds half a character (line {_line(event)}), which no file can hold")
            return event.value if event.style else _plain(event.value, path, _line(event))
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ConfigError(f"line {_line(event)}: nested more than {MAX_DEPTH} deep, which no config needs")
        value = self._table(path) if isinstance(event, MappingStartEvent) else self._list(path)
        self._depth -= 1
        return value

    def _list(self, path: str) -> Value:
        values: list[Value] = []
        while not isinstance(event := self._next(), SequenceEndEvent):
            values.append(self._value(event, f"{path}[{len(values)}]"))
        return values

    def _table(self, path: str) -> Table:
        values: dict[str, Value] = {}
        lines: dict[str, int] = {}
        while not isinstance(event := self._next(), MappingEndEvent):
            key, line = self._key(event), _line(event)
            if has_lone_surrogate(key):
                raise ConfigError(f"line {line}: the key {shown(key)} holds half a character, which no file can hold")
            if key in lines:
                raise ConfigError(f"{shown_ascii(key)} is given twice, on lines {lines[key]} and {line}; delete one")
            lines[key] = line
            values[key] = self._value(self._next(), f"{path}.{shown_ascii(key)}" if path else shown_ascii(key))
        return Table(values, lines)

    def _key(self, event: Event) -> str:
        if not isinstance(event, ScalarEvent):
            raise ConfigError(f"line {_line(event)}: a key must be a word, not a list or a mapping")
        if event.style:
            return str(event.value)
        if event.value == "<<":
            raise ConfigError(f"line {_line(event)}: merge keys (<<) are not read; write the settings out")
        key = _plain(event.value, "a key", _line(event))
        if not isinstance(key, str):
            raise ConfigError(
                f"line {_line(event)}: the key {shown(key)} is not a word; a key that is meant so is quoted"
            )
        return key


def _plain(text: str, path: str, line: int) -> bool | int | float | str | None:
    """A scalar without quotes: the constants and decimal numbers of YAML 1.2, else text."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if not _FLOAT.fullmatch(text):
        return text
    if len(text) > MAX_DIGITS + 1 and _INTEGER.fullmatch(text):
        digits = len(text.lstrip("-+"))
        if digits > MAX_DIGITS:
            raise ConfigError(
                f"{path}: a number of {digits} digits (line {line}); at most {MAX_DIGITS} digits are read"
            )
    if _INTEGER.fullmatch(text):
        return int(text)
    number = float(text)
    if abs(number) == float("inf"):
        raise ConfigError(f"{path}: {shown_text(text)} is beyond every number (line {line}); write a smaller one")
    return number


def _line(event: Event) -> int:
    return int(event.start_mark.line) + 1


def _prepared(value: Value) -> object:
    """The value as ruamel has to see it to write it the way we want."""
    if isinstance(value, str):
        return _prepared_text(value)
    if isinstance(value, float):
        return value + 0.0  # -0.0 equals 0.0, and equal configs are written equally
    if isinstance(value, Mapping):
        return {_prepared_key(key): _prepared(entry) for key, entry in value.items()}
    if isinstance(value, Sequence):
        return [_prepared(entry) for entry in value]
    return value


def _prepared_key(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _MISREAD:
        return text
    quoted: str = DoubleQuotedScalarString(text)
    return quoted


def _prepared_text(text: str) -> str:
    lines = text.split("\n")
    tidy = all(line == line.rstrip() and (not line or line.isprintable()) for line in lines)
    if len(lines) > 1 and tidy and text.isascii() and lines[0][:1].strip() and text != text.rstrip("\n") + "\n\n":
        literal: str = LiteralScalarString(text)
        return literal
    return _prepared_key(text)

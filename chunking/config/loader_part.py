"""The `loader:` part of a config, from plain values and from a URL: how documents are read.

loader:
  headingPatterns: [chapter, numbered, "Rule {number} {title}"]
  delimiters: ["* * *"]
  textColumn: body
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import cast

from chunking.config.values import Value
from chunking.document.heading_kinds import HEADING_KINDS
from chunking.document.loader_settings import LONGEST, MOST, LoaderSettings, yaml_name
from chunking.errors import ConfigError, SettingError
from chunking.text.display import shown, shown_ascii
from chunking.text.suggest import closest_name

PREFIX = "loader."
"""Of its parameters in a URL."""
_LONGEST_PARAMETER = 16 * 1024

LOADER_HELP: Mapping[str, str] = {
    "heading_patterns": (
        f"Lines that are headings without #, the outermost first: {', '.join(HEADING_KINDS)}, or a template such as "
        "'Rule {number} {title}'; # marks in front of one say its level"
    ),
    "delimiters": "What a line begins with that opens a section of the outermost level, kept with what follows",
    "text_column": "The column of CSV, JSON lines and Parquet that has the text of each row, which is then a document",
}
"""By setting: what it does, for the schema, the command line and the app."""

_BY_YAML_NAME = {yaml_name(each.name): each.name for each in fields(LoaderSettings)}
_EXAMPLE = "headingPatterns: [numbered]"


def loader_from(content: Value) -> LoaderSettings:
    """What the `loader:` of a YAML says. Raises ConfigError, one line."""
    if content is None:
        return LoaderSettings()
    if not isinstance(content, Mapping):
        raise ConfigError(f"loader: {shown(content)} is not a mapping; write names and values, as in {_EXAMPLE}")
    values: dict[str, tuple[str, ...]] = {}
    column = ""
    taken: set[str] = set()
    for key, value in content.items():
        name = _BY_YAML_NAME.get(key, key)
        if name not in _BY_YAML_NAME.values():
            meant = closest_name(key, tuple(_BY_YAML_NAME))
            way_out = f"did you mean {meant}?" if meant else f"it has {', '.join(_BY_YAML_NAME)}"
            raise SettingError(f"{PREFIX}{shown_ascii(key)}", f"a loader has no such setting; {way_out}")
        if name in taken:
            raise SettingError(f"{PREFIX}{yaml_name(name)}", "is given twice; delete one")
        taken.add(name)
        if name == "text_column":
            column = "" if value is None else cast(str, value)  # which LoaderSettings checks
            continue
        if value is not None and not isinstance(value, list | tuple):
            raise SettingError(f"{PREFIX}{yaml_name(name)}", f"{shown(value)} is not a list; write [{_shown(value)}]")
        values[name] = tuple(value or ())
    return LoaderSettings(**values, text_column=column)


def _shown(value: Value) -> str:
    return shown(value) if isinstance(value, str) else "numbered"


def loader_query(loader: LoaderSettings) -> dict[str, str]:
    """The parameters of a URL: what is set, as JSON."""
    return {
        f"{PREFIX}{name}": json.dumps(values, ensure_ascii=False, separators=(",", ":"))
        for name, values in loader.plain().items()
    }


def loader_from_query(query: Mapping[str, str]) -> LoaderSettings:
    """What a URL's parameters say of it; the others are passed over. Raises SettingError, one
    line."""
    content: dict[str, Value] = {}
    for key, text in query.items():
        if not key.startswith(PREFIX):
            continue
        if len(text) > _LONGEST_PARAMETER:
            raise SettingError(shown_ascii(key), f"has {len(text)} characters; at most {_LONGEST_PARAMETER} are read")
        try:
            content[key.removeprefix(PREFIX)] = json.loads(text)
        except (ValueError, RecursionError):
            raise SettingError(shown_ascii(key), f'{shown(text)} is not JSON as in ["numbered"]') from None
    return loader_from(content)


def loader_schema() -> dict[str, object]:
    """The JSON Schema of the part."""
    entries = {"type": "string", "maxLength": LONGEST}
    pattern = {"anyOf": [{"enum": list(HEADING_KINDS)}, {**entries, "pattern": r"\{[a-z]+\}|^#{1,6}[ \t]"}]}
    of = {"heading_patterns": pattern, "delimiters": {**entries, "pattern": r"\S"}}
    column = {"type": ["string", "null"], "maxLength": LONGEST, "description": LOADER_HELP["text_column"]}
    properties: dict[str, object] = {"text_column": column, "textColumn": column}
    for name, items in of.items():
        said = {"type": ["array", "null"], "maxItems": MOST, "items": items, "description": LOADER_HELP[name]}
        properties |= {name: said, yaml_name(name): said}
    return {
        "type": ["object", "null"],
        "description": "how documents are read: which lines are headings that Markdown does not mark, and the column "
        "of a table that has its texts",
        "additionalProperties": False,
        "properties": properties,
    }

"""What a config says of reading a document: the `loader:` part of its YAML.

A pattern is a named kind (heading_kinds.py) or a template (heading_templates.py), never a regular
expression: neither a YAML nor a link can make a search slow. So are the limits below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

from chunking.errors import SettingError
from chunking.text.display import shown

MOST = 20
"""Patterns, and delimiters."""
LONGEST = 100
"""Characters of one."""


def yaml_name(setting: str) -> str:
    """A setting's name as it stands in a YAML and a link."""
    first, *rest = setting.split("_")
    return first + "".join(map(str.capitalize, rest))


@dataclass(frozen=True, slots=True)
class LoaderSettings:
    """Which lines are headings though Markdown does not mark them, and where the texts of a table
    are. False where nothing is set.

    Raises SettingError for a pattern that is none, too long, or one too many.
    """

    heading_patterns: tuple[str, ...] = ()
    delimiters: tuple[str, ...] = ()
    text_column: str = ""
    """Of CSV, JSON lines and Parquet: then each row is a document; left out, they are not read."""

    def __post_init__(self) -> None:
        for setting, check in (("heading_patterns", _pattern), ("delimiters", _delimiter)):
            _each(setting, getattr(self, setting), check)
        _check_text("loader.textColumn", self.text_column)

    def __bool__(self) -> bool:
        return bool(self.heading_patterns or self.delimiters or self.text_column)

    @property
    def of_lines(self) -> LoaderSettings:
        """What holds for the lines of a document once it is found."""
        return replace(self, text_column="") if self.text_column else self

    def plain(self) -> dict[str, str | list[str]]:
        """What is set, by its name in a YAML."""
        values = {yaml_name(each.name): getattr(self, each.name) for each in fields(self)}
        return {name: value if isinstance(value, str) else list(value) for name, value in values.items() if value}


def _each(setting: str, values: object, check: Callable[[str], str]) -> None:
    where = f"loader.{yaml_name(setting)}"
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise SettingError(where, f"{shown(values)} is not a list; write one entry a line, each after a -")
    if len(values) > MOST:
        raise SettingError(where, f"has {len(values)} entries; at most {MOST} are taken")
    for number, value in enumerate(values):
        at = f"{where}[{number}]"
        _check_text(at, value)
        if value in values[:number]:
            raise SettingError(at, f"{shown(value)} is given twice; delete one")
        if problem := check(value):
            raise SettingError(at, f"{shown(value)} {problem}")


def _check_text(at: str, value: object) -> None:
    if not isinstance(value, str):
        raise SettingError(at, f"{shown(value)} is not text; put it in quotes")
    if len(value) > LONGEST:
        raise SettingError(at, f"has {len(value)} characters; at most {LONGEST} are taken")
    if any(each in "\n\r\0" or "\ud800" <= each <= "\udfff" for each in value):
        raise SettingError(at, f"{shown(value)} holds a character that no line has; delete it")


def _delimiter(value: str) -> str:
    if any(map(str.isprintable, value.strip())):
        return ""
    return "has nothing that can be seen; for the pages of a converted file take headingPatterns: [page-title]"


def _pattern(value: str) -> str:
    from chunking.document.heading_kinds import HEADING_KINDS  # what only a config with patterns needs
    from chunking.document.heading_templates import Template, compiled
    from chunking.text.suggest import closest_name

    if value in HEADING_KINDS:
        return ""
    found = compiled(value)
    if isinstance(found, Template):
        return ""
    meant = closest_name(value, tuple(HEADING_KINDS))
    return f"{found}; did you mean {meant}?" if meant else found


NO_LOADER = LoaderSettings()
"""Only the headings of Markdown."""

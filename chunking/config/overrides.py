"""What a config says of some documents only: other settings, another strategy or counter, for names
that fit a pattern.

    overrides:
      docs/api/**: {maxTokens: 400}
      "*.txt": {strategy: recursive}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from chunking.config.values import Value
from chunking.document.loader_settings import LoaderSettings
from chunking.errors import ConfigError
from chunking.text.display import shown, shown_ascii

MOST = 200
_KEYS = ("strategy", "settings", "counter", "loader")


@dataclass(frozen=True)
class Override:
    """What is different for documents whose name fits a pattern (text/path_patterns.py)."""

    pattern: str
    settings: Mapping[str, Value] = field(default_factory=dict, hash=False)
    """Those that differ from the config's, or, with a strategy, from its defaults."""
    strategy: str = ""
    """Empty for the config's own."""
    counter: str = ""
    """Empty for the config's own."""
    loader: LoaderSettings | None = None
    """None for the config's own."""

    def fits(self, name: str) -> bool:
        """Whether it holds for a document of this name."""
        return bool(_compiled(self.pattern)(name))

    def plain(self) -> dict[str, Value]:
        """As it stands in a YAML: settings directly, or below `settings` beside another key."""
        said: dict[str, Value] = {key: getattr(self, key) for key in ("strategy", "counter") if getattr(self, key)}
        if self.loader is not None:
            said["loader"] = self.loader.plain()
        if not said:
            return dict(self.settings)
        return said | ({"settings": dict(self.settings)} if self.settings else {})


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> Callable[[str], bool | None]:
    from chunking.text.path_patterns import PathPatterns

    return PathPatterns([pattern]).fits


def overrides_from(content: Value) -> tuple[Override, ...]:
    """The overrides of a YAML, in its order. Raises ConfigError that names the pattern; their
    settings are not checked yet."""
    if content is None:
        return ()
    if not isinstance(content, Mapping):
        raise ConfigError(
            f"overrides: {shown(content)} is not a mapping; write a pattern and settings, as in {_EXAMPLE}"
        )
    if len(content) > MOST:
        raise ConfigError(f"overrides: {len(content)} patterns; at most {MOST} are read")
    return tuple(_override(pattern, said) for pattern, said in content.items())


def override_from_text(pattern: str, text: str) -> Override:
    """An override as somebody types it: a pattern, and YAML lines such as `maxTokens: 400`. Raises
    ConfigError, one line."""
    from chunking.config import yaml_io  # ruamel, which a config made in a program does without

    said = yaml_io.read(text)
    return overrides_from({pattern: {} if said is None else said})[0]


_EXAMPLE = "docs/api/**: {maxTokens: 400}"


def _override(pattern: str, said: Value) -> Override:
    where = f"overrides.{shown_ascii(pattern)}"
    try:
        _compiled(pattern)
    except ValueError as error:
        raise ConfigError(f"overrides: {error}") from None
    if pattern.startswith("!"):
        raise ConfigError(f"{where}: an override holds for names that fit; leave ! out")
    if not isinstance(said, Mapping):
        raise ConfigError(f"{where}: {shown(said)} is not a mapping; write settings, as in {_EXAMPLE}")
    below = said.get("settings")
    if below is not None and not isinstance(below, Mapping):
        raise ConfigError(f"{where}.settings: {shown(below)} is not a mapping; write name: value lines, indented")
    direct = {key: value for key, value in said.items() if key not in _KEYS}
    for key in direct:
        if below and key in below:
            raise ConfigError(f"{where}: {shown_ascii(key)} is given twice; delete one")
    strategy, counter = said.get("strategy", ""), said.get("counter", "")
    for key, value in (("strategy", strategy), ("counter", counter)):
        if not isinstance(value, str):
            raise ConfigError(f"{where}.{key}: {shown(value)} is not a name")
    return Override(pattern, {**(below or {}), **direct}, str(strategy), str(counter), _loader(said, where))


def _loader(said: Mapping[str, Value], where: str) -> LoaderSettings | None:
    from chunking.config.loader_part import loader_from

    if "loader" not in said:
        return None
    try:
        found = loader_from(said["loader"])
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from None
    if found.text_column:
        raise ConfigError(f"{where}: loader.textColumn is the whole config's; write it into loader: outside overrides:")
    return found

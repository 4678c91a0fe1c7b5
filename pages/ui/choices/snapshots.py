"""Configs that were given a name, to come back to and to compare with. No Streamlit.

Each is kept as its YAML, with every setting spelled out: a later version's defaults change none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from chunking import Config
from chunking.errors import ChunkscopeError, ConfigError
from chunking.text import shown_text

MOST = 50
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A config with its name."""

    name: str
    config: Config


def config_title(config: Config, snapshots: Iterable[Snapshot]) -> str:
    """A config by its strategy's title, with the name before it that a snapshot gives it."""
    named = (f"{each.name} · " for each in snapshots if each.config == config)
    return f"{next(named, '')}{config.strategy.title}"


def next_name(snapshots: Iterable[Snapshot]) -> str:
    """The first of v1, v2 ... that is free."""
    taken = {each.name for each in snapshots}
    return next(name for name in (f"v{number}" for number in range(1, MOST + 2)) if name not in taken)


def with_snapshot(snapshots: tuple[Snapshot, ...], name: str, config: Config) -> tuple[Snapshot, ...]:
    """With this config under this name, the newest last. Raises ConfigError for a name that cannot
    be given."""
    if len(snapshots) >= MOST:
        raise ConfigError(f"there are {MOST} snapshots, which is the limit; remove one first")
    return (*snapshots, Snapshot(_free(snapshots, name), config))


def renamed(snapshots: tuple[Snapshot, ...], name: str, new: str) -> tuple[Snapshot, ...]:
    """With another name for one of them. Raises ConfigError for a name that cannot be given."""
    others = tuple(each for each in snapshots if each.name != name)
    fit = _free(others, new)
    return tuple(replace(each, name=fit) if each.name == name else each for each in snapshots)


def _free(snapshots: tuple[Snapshot, ...], name: str) -> str:
    fit = " ".join(name.split())
    if not fit or len(fit) > LONGEST_NAME or not fit.isprintable():
        raise ConfigError(f"'{shown_text(fit)}' cannot be a name; write 1 to {LONGEST_NAME} printable characters")
    if any(each.name == fit for each in snapshots):
        raise ConfigError(f"there is a snapshot named '{shown_text(fit)}'; choose another name, or remove that one")
    return fit


def written(snapshots: Iterable[Snapshot]) -> list[dict[str, str]]:
    """What is kept of them."""
    return [{"name": each.name, "config": each.config.to_yaml()} for each in snapshots]


def read(kept: object) -> tuple[tuple[Snapshot, ...], tuple[str, ...]]:
    """The snapshots that were kept, and one line for each that cannot be read."""
    found: list[Snapshot] = []
    problems: list[str] = []
    for each in kept if isinstance(kept, list) else []:
        name, text = (each.get("name"), each.get("config")) if isinstance(each, Mapping) else (None, None)
        if not isinstance(name, str) or not isinstance(text, str):
            problems.append("a snapshot is damaged and is left out")
            continue
        config = _config(text)
        try:
            if isinstance(config, str):
                raise ConfigError(config)
            found = list(with_snapshot(tuple(found), name, config))
        except ConfigError as error:
            problems.append(f"snapshot {shown_text(name)}: {error}")
    return tuple(found), tuple(problems)


@lru_cache(maxsize=2 * MOST)
def _config(text: str) -> Config | str:
    try:
        return Config.from_yaml(text)
    except ChunkscopeError as error:
        return str(error)

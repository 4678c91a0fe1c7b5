"""Snapshots among the options of a choice of strategies: each sets a whole config."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chunking import Config, strategies
from pages.ui import state

_PREFIX = "snapshot:"


def options(names: Sequence[str]) -> list[str]:
    """The snapshots, the newest first, then these names."""
    return [*(f"{_PREFIX}{each.name}" for each in reversed(state.snapshots())), *names]


def option_of(config: Config | None, otherwise: str) -> str:
    """The snapshot that is this config; `otherwise` where there is none."""
    same = next((each.name for each in state.snapshots() if each.config == config), None)
    return otherwise if same is None else f"{_PREFIX}{same}"


def titled(title: Callable[[str], str]) -> Callable[[str], str]:
    """How an option is shown, where `title` shows those that are no snapshots."""
    known = {f"{_PREFIX}{each.name}": each for each in state.snapshots()}

    def shown(option: str) -> str:
        if option not in known:
            return title(option)
        return f"{known[option].name} · {strategies.get(known[option].config.strategy.name).title}"

    return shown


def chosen_config(option: object) -> Config | None:
    """The config of a snapshot that was chosen; None where the option is none."""
    return next((each.config for each in state.snapshots() if option == f"{_PREFIX}{each.name}"), None)

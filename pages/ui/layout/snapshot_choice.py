"""Snapshots, and another tool's chunks that were opened, among the options of a choice of
strategies: each sets a whole config."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chunking import Config, strategies
from pages.ui import state
from pages.ui.choices.snapshots import Snapshot


def options(names: Sequence[str]) -> list[str]:
    """The snapshots and the files of chunks, the newest first, then these names."""
    return [*reversed(_offered()), *names]


def chunk_options() -> list[str]:
    """Those that are another tool's chunks, or a function that splits."""
    return [option for option, each in _offered().items() if not each.config.strategy.has_yaml]


def option_of(config: Config | None, otherwise: str) -> str:
    """The option that is this config; `otherwise` where there is none."""
    return next((option for option, each in _offered().items() if each.config == config), otherwise)


def titled(title: Callable[[str], str]) -> Callable[[str], str]:
    """How an option is shown, where `title` shows those that are no snapshots."""
    known = _offered()

    def shown(option: str) -> str:
        if option not in known:
            return title(option)
        return f"{known[option].name} · {strategies.get(known[option].config.strategy.name).title}"

    return shown


def chosen_config(option: object) -> Config | None:
    """The config of an option that was chosen; None where it has none."""
    found = _offered().get(option) if isinstance(option, str) else None
    return found.config if found else None


def _offered() -> dict[str, Snapshot]:
    kept = {f"snapshot:{each.name}": each for each in state.snapshots()}
    return kept | {f"chunks:{each.name}": each for each in state.chunk_files()}

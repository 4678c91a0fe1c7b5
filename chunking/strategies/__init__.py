"""The ways of cutting. A file in this folder is a strategy, or a package whose `strategy.py` is;
other packages add theirs by the entry point `chunkscope.strategies`. Nothing else needs an edit."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules

from chunking.core.strategy import Strategy
from chunking.errors import UnknownStrategyError
from chunking.text.suggest import did_you_mean


@cache
def _registry() -> dict[str, type[Strategy]]:
    found: dict[str, type[Strategy]] = {}
    for module_info in iter_modules(__path__):
        inside = ".strategy" if module_info.ispkg else ""
        module = import_module(f"{__name__}.{module_info.name}{inside}")
        for declared in vars(module).values():
            ours = isinstance(declared, type) and issubclass(declared, Strategy) and not isabstract(declared)
            if ours and declared.__module__ == module.__name__:
                found[declared.name] = declared
    from importlib.metadata import entry_points  # 20 ms, which only whoever asks for a strategy waits for

    for entry in entry_points(group="chunkscope.strategies"):
        declared = entry.load()
        found.setdefault(declared.name, declared)
    return dict(sorted(found.items()))


def names() -> tuple[str, ...]:
    """Every strategy's name, sorted."""
    return tuple(_registry())


_offered: dict[str, type[Strategy]] = {}


def offer(made: type[Strategy]) -> None:
    """Have `get` know a strategy that no list has: other packages' splitters, and the app's for
    chunks that are opened there."""
    _offered[made.name] = made


def get(name: str) -> type[Strategy]:
    """The strategy class of that name. Raises UnknownStrategyError, with the likely name, when
    there is none."""
    if name in _offered:
        return _offered[name]
    found = _registry()
    if name not in found:
        shown = name if len(name) <= 60 else name[:59] + "…"
        alike = [each for each in _offered if ":" in name and each.startswith(name.partition(":")[0])]
        raise UnknownStrategyError(f"no strategy named {shown!r}; {did_you_mean(name, alike or found)}")
    return found[name]

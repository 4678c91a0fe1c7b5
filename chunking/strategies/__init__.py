"""The ways of cutting. A file in this folder is a strategy, or a package whose `strategy.py` is;
other packages add theirs by the entry point `chunkscope.strategies`. Nothing else needs an edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from inspect import isabstract
from itertools import chain
from pkgutil import iter_modules

from chunking.core.strategy import Strategy
from chunking.errors import UnknownStrategyError
from chunking.text.suggest import did_you_mean


@cache
def _registry() -> dict[str, type[Strategy]]:
    found: dict[str, type[Strategy]] = {}
    for module in _modules():
        found |= _in_module(module)
    from importlib.metadata import entry_points  # 20 ms, which only whoever asks for a strategy waits for

    for entry in entry_points(group="chunkscope.strategies"):
        declared = entry.load()
        found.setdefault(declared.name, declared)
    return dict(sorted(found.items()))


@cache
def _modules() -> dict[str, bool]:
    """The modules in this folder, and whether each is a package."""
    return {info.name: info.ispkg for info in iter_modules(__path__)}


@cache
def _in_module(name: str) -> dict[str, type[Strategy]]:
    module = import_module(f"{__name__}.{name}{'.strategy' if _modules()[name] else ''}")
    kinds = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]
    return {each.name: each for each in kinds if issubclass(each, Strategy) and not isabstract(each)}


def _in_own_module(name: str) -> type[Strategy] | None:
    """The strategy in the module that is called as it is: all others stay unloaded."""
    module = name.replace("-", "_")
    return _in_module(module).get(name) if module in _modules() else None


def names() -> tuple[str, ...]:
    """Every strategy's name, sorted."""
    return tuple(_registry())


def is_name(name: str) -> bool:
    """Whether there is a strategy of this name: `name in names()`, without loading the others."""
    return _in_own_module(name) is not None or name in _registry()


_offered: dict[str, type[Strategy]] = {}


def offer(made: type[Strategy]) -> None:
    """Have `get` know a strategy that no list has: other packages' splitters, and the app's for
    chunks that are opened there."""
    _offered[made.name] = made


_made_when_asked: list[Callable[[], Iterable[type[Strategy]]]] = []


def offer_when_asked(make: Callable[[], Iterable[type[Strategy]]]) -> None:
    """As `offer`, for strategies whose names have a colon: made when such a name is asked for."""
    _made_when_asked.append(make)


def get(name: str) -> type[Strategy]:
    """The strategy class of that name. Raises UnknownStrategyError, with the likely name, when
    there is none."""
    if ":" in name and name not in _offered:
        for made in chain.from_iterable(make() for make in _made_when_asked):
            offer(made)
    if name in _offered:
        return _offered[name]
    if own := _in_own_module(name):
        return own
    found = _registry()
    if name not in found:
        shown = name if len(name) <= 60 else name[:59] + "…"
        alike = [each for each in _offered if ":" in name and each.startswith(name.partition(":")[0])]
        raise UnknownStrategyError(f"no strategy named {shown!r}; {did_you_mean(name, alike or found)}")
    return found[name]

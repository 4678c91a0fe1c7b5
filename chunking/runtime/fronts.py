"""What a package offers to others: names of its modules, each loaded when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module


def front(package: str, **names: Sequence[str]) -> tuple[Callable[[str], object], tuple[str, ...]]:
    """`__getattr__` and `__all__` of a package that offers these names, by the module of the package they are in.

    With it `from chunking.tokens import counter` loads only the module of `counter`, and packages that know each
    other's fronts make no circle. What is offered has the name of no module: that would stand in its place once loaded.
    """
    home = {name: module for module, offered in names.items() for name in offered}

    def found(name: str) -> object:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{home[name]}"), name)

    return found, tuple(sorted(home))

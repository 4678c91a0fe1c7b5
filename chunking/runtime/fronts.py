"""Lazy re-exports: a package's `__init__` offers names of its modules, each loaded on first use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module


def front(package: str, **names: Sequence[str]) -> tuple[Callable[[str], object], tuple[str, ...]]:
    """`__getattr__` and `__all__` for the `__init__` of `package`.

    `names` maps each module of the package to the names that it offers. `from chunking.tokens
    import counter` then loads only the module of `counter`, and packages that import each other's
    `__init__` form no import cycle. An offered name must differ from every module's name: once
    loaded, the module would replace it.
    """
    module_of = {name: module for module, offered in names.items() for name in offered}

    def load(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{module_of[name]}"), name)

    return load, tuple(sorted(module_of))

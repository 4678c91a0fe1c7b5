"""What the functions that a program calls first are given, checked: a wrong type is one clear line
at the call, and no AttributeError from somewhere inside."""

from __future__ import annotations


def require_type(value: object, wanted: type | tuple[type, ...], takes: str) -> None:
    """Raises TypeError with what is taken and the type that was given."""
    if not isinstance(value, wanted):
        raise TypeError(f"{takes}, not {type(value).__name__}")

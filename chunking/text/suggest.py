"""The name that somebody probably meant, where the one that was written is not there."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 60
"""Characters of a name that are compared: a longer one is no slip."""


def closest_name(name: str, known: Iterable[str]) -> str:
    """The known name that is most like this one; "" where none is."""
    from difflib import get_close_matches  # only a wrong name waits for it

    return next(iter(get_close_matches(name[:_LONGEST], list(known), n=1)), "")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The way out of a name that is not there: "did you mean 'fixed'?", else "there are: fixed,
    recursive"."""
    names = list(known)
    meant = closest_name(name, names)
    return f"did you mean {meant!r}?" if meant else f"there are: {', '.join(names)}"

"""Where a place of a text is once the text was edited. No Streamlit."""

from __future__ import annotations

_NEAR = 80
"""Characters of its line, at most, by which a place is found among what was edited."""


def place_after_edit(before: str, after: str, offset: int) -> int:
    """The offset that `offset` of the text before has in the text after.

    What was edited lies between the longest common start and end; in there a place is found by the
    rest of its line, else it stays where it was.
    """
    same_start = _common(before, after, from_end=False)
    if offset <= same_start:
        return offset
    rest = min(len(before), len(after)) - same_start
    same_end = min(_common(before, after, from_end=True), rest)
    if offset >= len(before) - same_end:
        return offset + len(after) - len(before)
    near = before[offset : offset + _NEAR].partition("\n")[0]
    around = (after.rfind(near, 0, offset + len(near)), after.find(near, offset)) if near.strip() else ()
    found = [place for place in around if place >= 0]
    return min(found, key=lambda place: abs(place - offset), default=min(offset, len(after) - same_end))


def _common(one: str, other: str, *, from_end: bool) -> int:
    """How many characters at the start, or at the end, are the same."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        same = one[-middle:] == other[-middle:] if from_end else one.startswith(other[:middle])
        low, high = (middle, high) if same else (low, middle - 1)
    return low

"""Splitting text into lines as CommonMark does: at LF, CR LF and a lone CR only.

`str.splitlines` would also split at form feeds, U+2028 and others.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def line_starts(text: str) -> npt.NDArray[np.int64]:
    """Offset of the first character of each line, ascending; the first is always 0.

    A line ending at the end of the text does not begin another line.
    """
    codes: npt.NDArray[np.uint8] | npt.NDArray[np.uint32]
    if text.isascii():
        codes = np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    else:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    newline = codes == 10
    ends = newline
    if "\r" in text:
        carriage = codes == 13
        ends = newline | carriage
        before_newline = np.zeros_like(carriage)
        before_newline[:-1] = carriage[:-1] & newline[1:]
        ends &= ~before_newline
    starts = np.flatnonzero(ends) + 1
    if len(starts) and starts[-1] == len(codes):
        starts = starts[:-1]
    return np.concatenate((np.zeros(1, dtype=np.int64), starts.astype(np.int64)))


def split_lines(text: str) -> tuple[list[str], list[int]]:
    """The lines as a Markdown parser reads them, and their offsets in the text, with its length
    last.

    Lines have no line endings; NUL becomes U+FFFD, as CommonMark requires; a U+FEFF at the start of
    the text is removed from the first line.
    """
    plain = text.replace("\0", "\ufffd")
    carriages, pairs = (plain.count("\r"), plain.count("\r\n")) if "\r" in plain else (0, 0)
    if carriages != pairs:
        lines = plain.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        starts: list[int] = line_starts(text).tolist()
    elif pairs and pairs == plain.count("\n"):
        lines = plain.split("\r\n")
        starts = unit_line_starts(lines, 2)
    else:
        lines = plain.split("\n")
        starts = unit_line_starts(lines)
        if pairs:
            lines = [line.removesuffix("\r") for line in lines]
    if not lines[-1]:
        lines.pop()
    if lines and lines[0].startswith("\ufeff"):
        lines[0] = lines[0][1:]
    del starts[len(lines) :]
    starts.append(len(text))
    return lines, starts


def unit_line_starts(lines: list[str], ending: int = 1) -> list[int]:
    """Offset of each line if every line ending is of so many characters; then the offset after the
    last."""
    lengths = np.fromiter(map(len, lines), dtype=np.int64, count=len(lines))
    starts: list[int] = [0, *np.cumsum(lengths + ending).tolist()]
    return starts

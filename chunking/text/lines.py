"""Where lines end: at LF, CR LF and a lone CR, as in CommonMark, and nowhere else (never str.splitlines)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def line_starts(text: str) -> npt.NDArray[np.int64]:
    """Offset of the first character of each line. A text that ends in a line ending has no empty line after it.

    Always holds 0 first, also for an empty text.
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
    """Lines as a Markdown parser sees them, and the offset of each in the text, with the text's length last.

    Without line ends; NUL is U+FFFD, as CommonMark wants it; a U+FEFF at the very start is left out.
    """
    plain = text.replace("\0", "\ufffd")
    if "\r" in plain:
        lines = plain.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        starts: list[int] = line_starts(text).tolist()
    else:
        lines = plain.split("\n")
        starts = unit_line_starts(lines)
    if not lines[-1]:
        lines.pop()
    if lines and lines[0].startswith("\ufeff"):
        lines[0] = lines[0][1:]
    del starts[len(lines) :]
    starts.append(len(text))
    return lines, starts


def unit_line_starts(lines: list[str]) -> list[int]:
    """Offset of each line where every line end is one character; one more at the end."""
    lengths = np.fromiter(map(len, lines), dtype=np.int64, count=len(lines))
    starts: list[int] = [0, *np.cumsum(lengths + 1).tolist()]
    return starts

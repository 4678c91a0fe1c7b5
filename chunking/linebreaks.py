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

"""A process of its own for test_threads.py: the same work in many threads that all begin at the
same moment.

`threads_at_once.py THREADS WORK...` prints a JSON object: for each kind of work, the result of each
thread. The first kind finds every table and cache of the process empty.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from threading import Barrier

from chunking import Config, explain, parse, run
from chunking.config.values import Value
from chunking.tokens import counter, token_index
from chunking.tuning.sweeps import axis_of, sweep

_SCRIPTS = (0x400, 0x500, 0x600, 0x900, 0x4E00, 0x3040, 0x1F600, 0xAC00, 0x10D0, 0x0E01, 0x1200, 0xA000)
_LETTERS = ["".join(chr(first + at) for at in range(60)) for first in _SCRIPTS]


def _section(letters: str) -> str:
    return (
        f"## {letters[:9]} *x* `y`\n\n{letters} word, 12 words. {letters[::-1]} isn't [a](b) all. "
        f"And {letters[7:20]}.\n\n"
        f"- {letters[3:30]}\n- y\n\n```py\n{letters[9:20]} = 1\n\n```\n\n| a |\n|---|\n| {letters[:5]} |\n\n[b]: /c\n\n"
    )


TEXT = "# T\n\n" + "".join(map(_section, _LETTERS * 2))
SHORT = "# T\n\n" + "".join(map(_section, _LETTERS[:4]))


def _cut(strategy: str, settings: dict[str, Value], counted_by: str, text: str = TEXT) -> str:
    return run(parse(text, name="a.md"), Config.of(strategy, settings, counted_by)).fingerprint


def _counted(name: str) -> str:
    """Counts, with the identity of the counter: a process has one for each name."""
    count = counter(name)
    index = token_index(TEXT, count)
    counts = [index.count(at, at + 97) for at in range(0, len(TEXT), 89)]
    return f"{id(count)} {sha256(repr(counts).encode()).hexdigest()}"


def _swept() -> str:
    config = Config.of("block-packing", {}, "cl100k_base")
    cells = sweep([parse(SHORT, name="a.md")], config, [axis_of(config, "maxTokens=60:140:40")])
    return repr([(cell.values, cell.config, cell.error, cell) for cell in cells])


def _explained() -> str:
    document = parse(SHORT, name="a.md")
    return repr(explain(document, Config.of("heading-window", {}, "o200k_base"), line=len(document.line_starts) // 2))


WORKS: dict[str, Callable[[], str]] = {
    "hierarchical": lambda: _cut("hierarchical", {}, "cl100k_base"),
    "fixed": lambda: _cut("fixed", {}, "o200k_base"),
    "recursive": lambda: _cut("recursive", {}, "cl100k_base"),
    "block-packing": lambda: _cut("block-packing", {"overlapPercentage": 20}, "cl100k_base"),
    "block-packing by block-ratio": lambda: _cut("block-packing", {}, "block-ratio"),
    "heading-window": lambda: _cut("heading-window", {"minTokens": 40, "maxTokens": 90}, "words-1.3"),
    "section-rules": lambda: _cut("section-rules", {"overlapTokens": 30}, "cl100k_base"),
    "every-heading": lambda: _cut("every-heading", {}, "minilm"),
    "semantic": lambda: _cut("semantic", {}, "cl100k_base", SHORT),
    "contextual": lambda: _cut("contextual", {}, "cl100k_base", SHORT),
    "cl100k_base": lambda: _counted("cl100k_base"),
    "o200k_base": lambda: _counted("o200k_base"),
    "minilm": lambda: _counted("minilm"),
    "sweep": _swept,
    "explain": _explained,
}


def main(threads: int, works: list[str]) -> dict[str, list[str]]:
    """The result of each thread by kind of work; all threads begin each kind together."""
    sys.setswitchinterval(1e-6)
    barrier = Barrier(threads)

    def one(_: int) -> list[str]:
        results = []
        for work in works:
            barrier.wait()
            try:
                results.append(WORKS[work]())
            except Exception as error:
                results.append(f"{type(error).__name__}: {error}")
        return results

    with ThreadPoolExecutor(threads) as pool:
        by_thread = list(pool.map(one, range(threads)))
    return {work: [results[number] for results in by_thread] for number, work in enumerate(works)}


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), sys.argv[2:] or list(WORKS))))

"""What a whole run costs, in passes of the tokenizer: ratios of CPU time to one `encode_ordinary`
of the same text, each figure the median of several processes of its own.

Cold is the first text that a process meets, with imports and the tokenizer's table loaded before;
warm is another one like it after that. The garbage collector pauses as it does in the command line
and its workers, and for peers from beginning to end.

Peers that are not installed (`pip install -e ".[peers]"`) are left out, and said so. What was
recorded is in recorded.json, beside this file.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

from benchmarks.peers import LIMIT, PEERS, peer
from benchmarks.profile import SIZES, config_of, measured_names, stages_in_fresh_processes
from benchmarks.texts import bare_encoding, cpu_seconds, text_of
from chunking import parse, run
from chunking.runtime.gc_pause import gc_paused, our_program
from chunking.tokens.fast_encoding import FAST

RECORDED = Path(__file__).parent / "recorded.json"
WORSE, WORSE_QUICKLY = 1.15, 1.5
"""By how much a figure may be worse than the recorded one: by hand with --gate, and in the quick
form, which CI runs on machines of every kind."""
QUICK = "200 KB"
_WITH_FAST = "heading-window, with the extra fast"
_LARGEST_FOR_PEERS = 1_000_000

Figures = dict[str, dict[str, float]]
"""By row, and in it by size and `cold`, `warm` or `quick`: passes."""


class Passes(NamedTuple):
    cold: float
    warm: float
    memory: float = 0.0
    """Bytes for each byte of the text; 0 where it is not measured."""


def of_ours(name: str, size: int, corpus: str | None, *, fast: bool = False) -> Passes:
    """The passes of a strategy."""
    found = stages_in_fresh_processes(name, size, corpus, rounds_of(size), fast=fast)
    return Passes(found.whole, found.warm, found.memory)


def of_peer(name: str, size: int, corpus: str | None) -> Passes | None:
    """The passes of another chunker; None where it is not installed."""
    command = [sys.executable, "-m", "benchmarks.passes", "--one", name]
    text = text_of(size, corpus).encode()
    found = [
        json.loads(subprocess.run(command, input=text, stdout=subprocess.PIPE, check=True).stdout)
        for _ in range(rounds_of(size))
    ]
    return None if None in found else Passes(*(statistics.median(each) for each in zip(*found, strict=True)))


def rounds_of(size: int) -> int:
    """Over how many processes the median of a figure is taken."""
    return 5 if size < 500_000 else 3 if size < 5_000_000 else 1


def _one_peer(name: str, text: str) -> tuple[float, float] | None:
    chunks = peer(name)
    if chunks is None:
        return None
    encode = bare_encoding().encode_ordinary
    chunks("Words of a text, to have loaded what is needed. " * 500)
    encode("Text.")
    cold, first_pass = _cpu_once(chunks, text), _cpu_once(encode, text)
    warm, *later = _cpu_once(chunks, f"{text}\n\nLast.\n"), _cpu_once(encode, text), _cpu_once(encode, text)
    one_pass = statistics.median((first_pass, *later))
    return cold / one_pass, warm / one_pass


def _cpu_once(work: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    work(text)
    return time.process_time() - start


def rows(
    names: Sequence[str], corpus: str | None, sizes: Mapping[str, int]
) -> Iterator[tuple[str, str, Passes | None]]:
    """Each row's name, the size, and what it took."""
    for name in [*names, _WITH_FAST]:
        for size, characters in sizes.items():
            strategy = "heading-window" if name == _WITH_FAST else name
            yield name, size, of_ours(strategy, characters, corpus, fast=name == _WITH_FAST)
    for name in PEERS:
        for size, characters in sizes.items():
            yield name, size, of_peer(name, characters, corpus) if characters <= _LARGEST_FOR_PEERS else None


def report(corpus: str | None, names: Sequence[str] = (), chosen: Sequence[str] = ()) -> Figures:
    """Print a table: rows are chunkers, columns are sizes, cells are passes, cold and warm; and for
    ours the memory of the largest. Left out, `names` are all strategies without a model, and the
    `chosen` sizes all up to 10 MB. Returns the figures of ours."""
    sizes = {size: SIZES[size] for size in chosen or list(SIZES)[:3]}
    print(f"\nWhole run in tokenizer passes (CPU time / encode_ordinary of the same text), limit {LIMIT} tokens")
    print(f"{'cold | warm':45}" + "".join(f"{size:>16}" for size in sizes) + "   bytes per byte of text")
    figures: Figures = {}
    for number, (name, size, passes) in enumerate(rows(names or measured_names(), corpus, sizes)):
        if number % len(sizes) == 0:
            print(f"{name:45}", end="")
        print(f"{f'{passes.cold:.2f} | {passes.warm:.2f}' if passes else '':>16}", end="", flush=True)
        if passes and passes.memory:
            figures.setdefault(name, {}).update({f"{size}, cold": passes.cold, f"{size}, warm": passes.warm})
        if number % len(sizes) == len(sizes) - 1:
            print(f"{passes.memory:>10.1f}" if passes and passes.memory else "", flush=True)
    return figures


def report_quickly() -> Figures:
    """Print warm passes of each strategy over a text of 200 KB, all in one process and counted by
    tiktoken, whatever is installed. Returns them."""
    command = [sys.executable, "-m", "benchmarks.passes", "--quick"]
    found = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=os.environ | {FAST: "off"}).stdout
    print(f"\nWhole run over {QUICK} in tokenizer passes, warm, in one process")
    figures: Figures = {}
    for name, passes in json.loads(found).items():
        print(f"{name:45}{passes:>10.2f}")
        figures[name] = {f"{QUICK}, quick": passes}
    return figures


def _quick_passes() -> dict[str, float]:
    """The better of two measurements each: another program may disturb one."""
    text, encode = text_of(200_000, None), bare_encoding().encode_ordinary
    found: dict[str, float] = {}
    for _ in range(2):
        for name in measured_names():
            passes = _quickly(name, text) / cpu_seconds(lambda: encode(text), 3)
            found[name] = min(passes, found.get(name, passes))
    return found


def _quickly(name: str, text: str) -> float:
    config = config_of(name)
    return cpu_seconds(lambda: [part.text for part in run(parse(f"{text}\n\n{next(_number)}\n"), config).chunks], 3)


_number = count()
"""Of the last line of each text: nothing is remembered of another."""


def worse(figures: Figures, times: float) -> list[str]:
    """A line for each figure that is so many times the recorded one, or more."""
    recorded: Figures = json.loads(RECORDED.read_text("utf-8"))
    return [
        f"{name}, {which}: {value:.2f} passes, recorded {recorded[name][which]:.2f}, at most {times:.2f} times that"
        for name, found in figures.items()
        for which, value in found.items()
        if which in recorded.get(name, {}) and value > times * recorded[name][which]
    ]


def record(figures: Figures) -> None:
    """Keep the figures, in place of those of the same names."""
    recorded: Figures = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}
    for name, found in figures.items():
        recorded.setdefault(name, {}).update({which: round(value, 2) for which, value in found.items()})
    RECORDED.write_text(json.dumps(recorded, indent=1, sort_keys=True) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.passes")
    parser.add_argument("--one", choices=PEERS)
    parser.add_argument("--quick", action="store_true")
    chosen = parser.parse_args()
    if chosen.quick:
        with our_program():
            print(json.dumps(_quick_passes()))
        return
    with our_program(), gc_paused():
        print(json.dumps(_one_peer(chosen.one, sys.stdin.buffer.read().decode())))


if __name__ == "__main__":
    main()

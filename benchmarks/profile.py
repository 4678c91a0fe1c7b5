"""Where the time of a first run goes: `python -m benchmarks.profile [--corpus FOLDER] [--size 1]`.

For each strategy without a model the stages of a whole run, in passes (CPU time / one
`encode_ordinary` of the same text), each strategy and size in a fresh process whose imports and
tokenizer table are loaded before and not counted, and whose garbage collector pauses as it does in
the command line and its workers. `--functions STRATEGY` prints the functions that take longest
instead.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import json
import os
import pstats
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TypeVar

from benchmarks.texts import bare_encoding, text_of
from chunking import Config, parse, run, strategies
from chunking.config import Value
from chunking.core.chunk import Chunk
from chunking.core.records import json_line, records
from chunking.runtime.gc_pause import our_program
from chunking.tokens import counter, token_index
from chunking.tokens.fast_encoding import FAST

Made = TypeVar("Made")

COUNTER = "cl100k_base"
ASKING = ("semantic", "contextual")
"""Strategies that ask models, which would be measured instead."""
IN_TOKENS = "-tokens"
"""What stands behind the names of those that count characters by default, for counting tokens."""
SIZES = {"50 KB": 50_000, "1 MB": 1_000_000, "10 MB": 10_000_000, "100 MB": 100_000_000}
_WARM_UP = "# Title\n\nText of *one* line.\n\n## Part\n\n- item\n\n| a | b |\n|---|---|\n| c | d |\n\n```\ncode\n```\n"


@dataclass(frozen=True)
class Stages:
    """What the stages of a first run cost: CPU time in passes, which is what tiktoken's
    `encode_ordinary` of the text takes."""

    parse: float
    index: float
    cut: float
    emit: float
    """Every chunk's text."""
    records: float
    """Records, ids, and their JSON lines."""
    memory: float
    """Bytes by which the largest memory of the process grew, for each byte of the text. What it had
    free before is not in it: look at 10 MB or more."""
    warm: float
    """A whole run once more, over the text with another last line: no table is new, and nothing of
    the text is remembered."""

    @property
    def whole(self) -> float:
        """Parse, index, cut and emit, as the table of README.md counts."""
        return self.parse + self.index + self.cut + self.emit


def measured_names() -> list[str]:
    """Strategies that ask no model, those that count characters by default in tokens too."""
    names = [name for name in strategies.names() if name not in ASKING]
    return names + [name + IN_TOKENS for name in ("fixed", "recursive")]


def config_of(name: str) -> Config:
    """The strategy with its defaults."""
    in_tokens: dict[str, Value] = {"unit": "tokens"} if name.endswith(IN_TOKENS) else {}
    return Config.of(name.removesuffix(IN_TOKENS), in_tokens, COUNTER)


def stages_of(text: str, name: str) -> Stages:
    """The stages of one first run in this process, which has met nothing of the text."""
    config, encode = config_of(name), bare_encoding().encode_ordinary
    _first_run(_WARM_UP, config)
    encode(_WARM_UP)
    _forget_most_memory()
    held = _most_memory()
    document, parsing = _timed(lambda: parse(text))
    _, indexing = _timed(lambda: token_index(document.text, counter(COUNTER)))
    parts, cutting = _timed(lambda: run(document, config).parts)
    _, emitting = _timed(lambda: [part.text for part in parts if isinstance(part, Chunk)])
    grown = (_most_memory() - held) / len(text.encode())
    # Passes stand between what they measure: a machine's speed changes from second to second.
    _, first_pass = _timed(lambda: encode(text))
    _, writing = _timed(lambda: [json_line(each) for each in records(parts, document)])
    _, second_pass = _timed(lambda: encode(text))
    _, again = _timed(lambda: [chunk.text for chunk in run(parse(f"{text}\n\nLast.\n"), config).chunks])
    _, third_pass = _timed(lambda: encode(text))
    one = statistics.median((first_pass, second_pass, third_pass))
    return Stages(
        parsing / one, indexing / one, cutting / one, emitting / one, writing / one, memory=grown, warm=again / one
    )


def stages_in_fresh_processes(
    name: str, size: int, corpus: str | None, rounds: int, *, fast: bool = False, library: bool = False
) -> Stages:
    """The median of each stage over so many processes, one after the other; `fast` with the extra
    of that name, where it is installed, `library` without pauses of the collector."""
    command = [sys.executable, "-m", "benchmarks.profile", "--one", name, *(["--library"] if library else [])]
    text = text_of(size, corpus).encode()
    variables = os.environ | {FAST: "on" if fast else "off"}
    found = [
        json.loads(subprocess.run(command, input=text, check=True, stdout=subprocess.PIPE, env=variables).stdout)
        for _ in range(rounds)
    ]
    return Stages(*(statistics.median(each) for each in zip(*found, strict=True)))


def table(
    names: Sequence[str], sizes: Mapping[str, int], corpus: str | None, rounds: int, *, fast: bool, library: bool
) -> Iterator[str]:
    """A line for each strategy and size: the stages in passes, and memory in bytes per byte."""
    stages = ("parse", "index", "cut", "emit", "whole run", "warm", "records", "memory")
    yield f"{'passes; memory in bytes per byte':34}" + "".join(f"{stage:>11}" for stage in stages)
    for name in names:
        for size, characters in sizes.items():
            found = stages_in_fresh_processes(name, characters, corpus, rounds, fast=fast, library=library)
            whole = found.whole, found.warm
            cells = (found.parse, found.index, found.cut, found.emit, *whole, found.records, found.memory)
            yield f"{name:24}{size:>10}" + "".join(f"{cell:>11.2f}" for cell in cells)


def functions(name: str, text: str) -> None:
    """Print the functions of our own in which a first run's time goes, the longest first."""
    config = config_of(name)
    _first_run(_WARM_UP, config)
    watch = cProfile.Profile(time.process_time)  # not the clock: others use the machine
    with our_program():
        watch.runcall(_first_run, text, config)
    pstats.Stats(watch).strip_dirs().sort_stats("tottime").print_stats(35)


def _first_run(text: str, config: Config) -> None:
    found = run(parse(text), config)
    for line in records(found.parts, found.document):
        json_line(line)


def _timed(work: Callable[[], Made]) -> tuple[Made, float]:
    """What is made, and its CPU seconds, all threads together."""
    gc.collect()
    start = time.process_time()
    made = work()
    return made, time.process_time() - start


def _most_memory() -> int:
    """The most bytes in RAM that this process has held since `_forget_most_memory`, as Linux counts
    them; 0 elsewhere."""
    try:
        status = Path("/proc/self/status").read_text("utf-8")
    except OSError:
        return 0
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])


def _forget_most_memory() -> None:
    """Begin anew with what is held now: making a text took more."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.profile", description=__doc__)
    parser.add_argument("--corpus", help="a folder of Markdown to measure on; sample_docs when left out")
    parser.add_argument("--size", choices=SIZES, action="append", help="left out: 50 KB, 1 MB and 10 MB")
    parser.add_argument("--strategy", choices=measured_names(), action="append", help="left out: all")
    parser.add_argument("--rounds", type=int, default=3, help="processes for each figure")
    parser.add_argument("--fast", action="store_true", help="with the extra `fast`, which is left out otherwise")
    parser.add_argument(
        "--library", action="store_true", help="as in another program, whose garbage collector is left alone"
    )
    parser.add_argument("--functions", choices=measured_names(), help="the functions that take longest, with 1 MB")
    parser.add_argument("--one", choices=measured_names(), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        with nullcontext() if chosen.library else our_program():
            print(json.dumps(astuple(stages_of(sys.stdin.buffer.read().decode(), chosen.one))))
        return
    if chosen.functions:
        functions(chosen.functions, text_of(1_000_000, chosen.corpus))
        return
    sizes = {size: SIZES[size] for size in chosen.size or list(SIZES)[:3]}
    how = {"fast": chosen.fast, "library": chosen.library}
    for line in table(chosen.strategy or measured_names(), sizes, chosen.corpus, chosen.rounds, **how):
        print(line, flush=True)


if __name__ == "__main__":
    main()

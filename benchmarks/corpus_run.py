"""What `chunkscope run` costs over a folder of many files, beside the tokenizer alone.

    python -m benchmarks.corpus_run [--quick] [--files N] [--megabytes N] [--many N] [--kills N]
                                    [--strategy NAME] [--corpus FOLDER] [--part NAME]...

Makes files in a temporary folder and prints, part by part:

cpu      CPU time of `run` with one process, in passes: bare tokenizer passes over the same bytes
workers  what a second process gains, beside what a second bare tokenizer process gains
small    both for 500 files of the same size
formats  CPU time of `run` to one file of Parquet, as a ratio to one of JSON lines
again    a second run over unchanged files, as a share of the first
memory   the peak with 250 files and with many, of one process, with and without a folder
killed   runs with two processes that are ended by SIGKILL at random moments and resumed: whether
         parts and manifest are those of an undisturbed run, byte for byte

A pass is the CPU time of tiktoken's `encode_ordinary` of every file's text, without its start. It
is measured before and after each run, and a run is divided by the mean of both: a machine's speed
changes within minutes. What is given is the median of some rounds. Wall times include every start,
of the bare tokenizer too, and are the least of some rounds in turn.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.texts import bare_encoding, write_documents

PARTS = ("cpu", "workers", "small", "formats", "again", "memory", "killed")
_BARE = "--bare"


@dataclass(frozen=True, slots=True)
class Spent:
    """What a process, with those that it started and waited for, took."""

    cpu: float
    """Seconds, user and system."""
    wall: float
    """Seconds."""
    peak: float
    """Megabytes of memory, of the largest single process."""


def spent(command: Sequence[str], *, output: Path | None = None, codes: Sequence[int] = (0,)) -> Spent:
    """Run a command to its end, which has one of these exit codes."""
    began = time.perf_counter()
    with ExitStack() as open_files:
        to = open_files.enter_context(output.open("wb")) if output else subprocess.DEVNULL
        started = subprocess.Popen([*command], stdout=to)
        _, status, usage = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode not in codes:
        raise SystemExit(f"{' '.join(command)}: exit code {started.returncode}")
    return Spent(usage.ru_utime + usage.ru_stime, time.perf_counter() - began, usage.ru_maxrss / 1024)


def run_command(strategy: str, docs: Path, output: Path, workers: int = 1) -> list[str]:
    """`chunkscope run` of a folder; to a folder where `output` has no ending, to Parquet where that
    is its ending."""
    to = str(output) if output.suffix else f"{output}/"
    chunkscope = [sys.executable, "-m", "chunking", "run", strategy, str(docs), "--root", str(docs)]
    parquet = ["--format", "parquet"] if output.suffix == ".parquet" else []
    return [*chunkscope, "-o", to, "--workers", str(workers), *parquet]


def bare_command(docs: Path, share: int = 0, of: int = 1) -> list[str]:
    return [sys.executable, "-m", "benchmarks.corpus_run", _BARE, str(docs), str(share), str(of)]


def bare(docs: Path, share: int, of: int) -> float:
    """Seconds of CPU for one pass over every file, or over one share of them."""
    table = bare_encoding()
    table.encode_ordinary("warm")
    taken = 0.0
    for file in sorted(docs.rglob("*.md"))[share::of]:
        text = file.read_text(encoding="utf-8")
        began = time.process_time()
        table.encode_ordinary(text)
        taken += time.process_time() - began
    return taken


def one_pass(docs: Path) -> float:
    """CPU seconds of a bare pass, in a process of its own."""
    said = subprocess.run(bare_command(docs), capture_output=True, text=True, check=True).stdout
    return float(said)


def together(commands: Sequence[Sequence[str]]) -> float:
    """Wall seconds until all of some commands, started at once, are done."""
    began = time.perf_counter()
    started = [subprocess.Popen([*command], stdout=subprocess.DEVNULL) for command in commands]
    codes = [each.wait() for each in started]
    if any(codes):
        raise SystemExit("a bare tokenizer process failed")
    return time.perf_counter() - began


def least(rounds: int, works: Sequence[Callable[[], float]]) -> list[float]:
    """The least that each of some works gives over the rounds, one after another in each: what
    else the machine does falls on all of them."""
    seen = [[work() for work in works] for _ in range(rounds)]
    return [min(each) for each in zip(*seen, strict=True)]


@dataclass(frozen=True, slots=True)
class Passes:
    """A run beside the bare tokenizer, in CPU seconds."""

    before: float
    """Of a pass just before it."""
    run: float
    after: float
    """Of a pass just after it."""

    @property
    def ratio(self) -> float:
        return self.run / statistics.mean((self.before, self.after))


def beside_passes(
    runs: Sequence[Callable[[], float]], bare_pass: Callable[[], float], rounds: int
) -> list[list[Passes]]:
    """Each of some runs in each round, a pass measured before and after every one."""
    seen: list[list[Passes]] = [[] for _ in runs]
    after = bare_pass()
    for _ in range(rounds):
        for run, taken in zip(runs, seen, strict=True):
            before, cost, after = after, run(), bare_pass()
            taken.append(Passes(before, cost, after))
    return seen


def cpu(docs: Path, made: Path, strategy: str, rounds: int) -> None:
    def to_file() -> float:
        return spent(run_command(strategy, docs, made / "chunks.jsonl")).cpu

    def to_folder() -> float:
        return spent(run_command(strategy, docs, fresh(made / "cpu"))).cpu

    seen = beside_passes([to_file, to_folder], partial(one_pass, docs), rounds)
    for called, runs in zip(("one file of JSON lines", "a folder"), seen, strict=True):
        ratio = statistics.median(each.ratio for each in runs)
        each_run = "; ".join(f"{run.run:.1f} s ({run.before:.1f}, {run.after:.1f})" for run in runs)
        print(f"  run to {called}: {ratio:.2f} passes; each run (a pass before, after): {each_run}", flush=True)


def workers(docs: Path, made: Path, strategy: str, rounds: int) -> None:
    def run(number: int) -> Callable[[], float]:
        return lambda: spent(run_command(strategy, docs, fresh(made / "workers"), number)).wall

    def tokenizers(number: int) -> Callable[[], float]:
        return lambda: together([bare_command(docs, share, number) for share in range(number)])

    one_bare, two_bare, one, two = least(rounds, [tokenizers(1), tokenizers(2), run(1), run(2)])
    gains = one / two, one_bare / two_bare
    print(f"  bare tokenizer: {one_bare:.1f} s with one process, {two_bare:.1f} s with two, gain {gains[1]:.2f}")
    print(f"  run to a folder: {one:.1f} s with one process, {two:.1f} s with two, gain {gains[0]:.2f}")
    print(f"  share of the bare tokenizer's gain: {gains[0] / gains[1]:.2f}")


def formats(docs: Path, made: Path, strategy: str, rounds: int) -> None:
    commands = [run_command(strategy, docs, made / f"chunks.{ending}") for ending in ("jsonl", "parquet")]
    lines, parquet = least(rounds, [partial(_cpu_of, command) for command in commands])
    print(f"  JSON lines {lines:.1f} s, Parquet {parquet:.1f} s: ratio {parquet / lines:.2f}", flush=True)


def _cpu_of(command: Sequence[str]) -> float:
    return spent(command).cpu


def again(docs: Path, made: Path, strategy: str) -> None:
    command = run_command(strategy, docs, fresh(made / "again"))
    first, second = spent(command), spent(command)
    print(f"  CPU {first.cpu:.1f} s, then {second.cpu:.1f} s: {second.cpu / first.cpu:.1%}")
    print(f"  wall {first.wall:.1f} s, then {second.wall:.1f} s: {second.wall / first.wall:.1%}")


def memory(few: Path, many: Path, made: Path, strategy: str) -> None:
    for called, output in (("one file of JSON lines", "m.jsonl"), ("a folder", "memory")):
        peaks = []
        for docs in (few, many):
            place = made / output
            peaks.append(spent(run_command(strategy, docs, place if place.suffix else fresh(place))).peak)
        print(f"  run to {called}: {peaks[0]:.0f} MB, then {peaks[1]:.0f} MB, ratio {peaks[1] / peaks[0]:.2f}")


def killed(docs: Path, made: Path, strategy: str, kills: int, seed: int) -> bool:
    """Whether what is left in the end is what an undisturbed run leaves."""
    chance = random.Random(seed)
    took = spent(run_command(strategy, docs, fresh(made / "undisturbed"), 2)).wall
    command = run_command(strategy, docs, fresh(made / "killed"), 2)
    done = ended = 0
    while ended < kills:
        started = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            # Most of the work is done within a few of these; what is over, begins anew.
            started.wait(chance.uniform(0, took / 3))
        except subprocess.TimeoutExpired:
            started.send_signal(signal.SIGKILL)
            started.wait()
            ended += 1
        else:
            done += 1
            fresh(made / "killed")
    spent(command)
    same = contents(made / "killed") == contents(made / "undisturbed")
    outcome = "equal to" if same else "NOT equal to"
    print(f"  {ended} times ended, {done} times done before: parts and manifest {outcome} an undisturbed run's")
    return same


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by its path in it."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def compiled_once(place: Path, strategy: str) -> None:
    """Have the commands find their modules compiled, as after the first use of an installation,
    also where the environment keeps Python from writing that."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = str(place / "compiled")
    few = place / "few"
    write_documents(few, 2, 0.02, None)
    for output in ("few.jsonl", "few-made"):
        spent(run_command(strategy, few, place / output))


def fresh(folder: Path) -> Path:
    """A folder that is not there."""
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def main() -> int:
    if sys.argv[1:2] == [_BARE]:
        print(bare(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few small files and one round: proves only that it runs")
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--megabytes", type=float, default=50, help="of all files together")
    parser.add_argument("--many", type=int, default=25_000, help="files whose memory is compared with that of 250")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strategy", default="heading-window")
    parser.add_argument("--corpus", help="a folder of Markdown to make the files from; sample_docs when left out")
    parser.add_argument("--part", choices=PARTS, action="append", help="left out: all")
    chosen = parser.parse_args()
    if chosen.quick:
        chosen.files, chosen.megabytes, chosen.rounds, chosen.kills, chosen.many = 60, 0.3, 1, 1, 0
        chosen.part = chosen.part or ["cpu", "killed"]
    parts, strategy, size = chosen.part or PARTS, chosen.strategy, chosen.megabytes / chosen.files
    good = True
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        compiled_once(place, strategy)

        def documents(number: int) -> Path:
            docs = place / f"docs-{number}"
            if not docs.exists():
                write_documents(docs, number, number * size, chosen.corpus)
            return docs

        docs = documents(chosen.files)
        print(f"{chosen.files:,} files, {chosen.megabytes:g} MB, {strategy}", flush=True)
        if "cpu" in parts:
            print("CPU, one process", flush=True)
            cpu(docs, place, strategy, chosen.rounds)
        if "workers" in parts:
            print("Two processes", flush=True)
            workers(docs, place, strategy, chosen.rounds)
        if "small" in parts:
            print(f"500 files, {500 * size:g} MB", flush=True)
            cpu(documents(500), place, strategy, chosen.rounds)
            workers(documents(500), place, strategy, chosen.rounds)
        if "formats" in parts:
            print("CPU, one process, one file", flush=True)
            formats(docs, place, strategy, chosen.rounds)
        if "again" in parts:
            print("A second run over unchanged files", flush=True)
            again(docs, place, strategy)
        if "memory" in parts:
            print(f"Peak memory, one process, 250 and {chosen.many:,} files", flush=True)
            memory(documents(250), documents(chosen.many), place, strategy)
        if "killed" in parts:
            print(f"Ended {chosen.kills} times by SIGKILL, two processes (seed {chosen.seed})", flush=True)
            good = killed(docs, place, strategy, chosen.kills, chosen.seed)
    return int(not good)


if __name__ == "__main__":
    raise SystemExit(main())

"""Ends programs that write at random moments, by kill -9, SIGTERM and SIGINT, and looks at what is
there afterwards.

    python tests/kill_moments.py 200 --seed 1

Each moment starts a process that writes one kind of file over and over, in turn by two configs, and
ends it up to a second later. The file has to be what one of the two writes, whole ("torn"
otherwise). After one more write nothing may lie beside it, and no process may be left ("left
behind"). Exit code 1 where anything is.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from chunking import cli, parse
from chunking.document import Span
from chunking.gold.mark_store import AnnotationStore
from chunking.gold.marks import Annotations
from chunking.models.answer_cache import AnswerCache

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
TEXT = "".join(
    f"# Chapter {number}\n\nPour the water, wait {number} minutes, and drink it.\n\n" for number in range(40)
)
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "jsonl": ("out.jsonl",),
    "csv": ("out.csv",),
    "markdown": ("out.md",),
    "parquet": ("out.parquet",),
    "sqlite": ("out.sqlite",),
    "html": ("out.html",),
    "proof": ("out.jsonl", "--proof", "proof.yaml"),
    "workers": ("out.jsonl", "--workers", "2"),
}
"""What `run` writes, and the options that it is given behind -o."""
KINDS = (*COMMANDS, "marks", "cache")


def command(kind: str, folder: Path, turn: int) -> list[str]:
    made, config = folder / "made", ("every-heading", "fixed")[turn % 2]
    output, *options = (str(made / each) if "." in each else each for each in COMMANDS[kind])
    return ["run", config, str(folder / "docs"), "-o", output, *options]


def marked(turn: int) -> Annotations:
    at = turn % 1000
    return Annotations(whole=(Span(at, at + 5),))


def write(kind: str, folder: Path, turn: int) -> int:
    """Write once; the exit code."""
    if kind == "marks":
        document = parse(TEXT, name="guide.md")
        AnnotationStore(folder / "made").change(document, lambda _: marked(turn))
        return 0
    if kind == "cache":
        answers = {f"{turn} {each}".encode(): bytes(3000) for each in range(30)}
        cache = AnswerCache(folder / "made" / "answers.sqlite")
        cache.put(answers)
        return 0 if cache.file is not None else 2
    return cli.main(command(kind, folder, turn))


def write_for_ever(kind: str, folder: Path) -> None:
    # A shell starts what it runs in the background with interrupts ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for turn in count():
        if code := write(kind, folder, turn):
            sys.exit(code)
        if not turn:
            sys.stdout.write("ready\n")
            sys.stdout.flush()


def contents(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.rglob("*") if each.is_file()}


@dataclass(frozen=True, slots=True)
class Moment:
    """One ending, and what it left."""

    kind: str
    ended_by: signal.Signals
    signals: int
    """How often it was sent: Python loses an interrupt that comes while an object is freed."""
    torn: tuple[str, ...]
    left: tuple[str, ...]


class Trial:
    """What is known of one kind before anything is ended."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        with made_folder() as folder:
            self.whole: dict[str, set[bytes]] = {}
            for turn in range(2):
                write(kind, folder, turn)
                for name, content in contents(folder / "made").items():
                    self.whole.setdefault(name, set()).add(content)

    def torn(self, folder: Path) -> Iterator[str]:
        """The files that are not whole."""
        made = folder / "made"
        if self.kind == "cache":
            with closing(sqlite3.connect(made / "answers.sqlite")) as database:
                found = database.execute("PRAGMA integrity_check").fetchall()
            if found != [("ok",)]:
                yield "answers.sqlite"
        elif self.kind == "marks":
            document = parse(TEXT, name="guide.md")
            if len(AnnotationStore(made).read(document).whole) != 1:
                yield "marks"
        else:
            there = contents(made)
            yield from (name for name, whole in self.whole.items() if there.get(name) not in whole)

    def moment(self, delay: float, ended_by: signal.Signals, lock: Lock) -> Moment:
        with made_folder() as folder:
            arguments = [sys.executable, __file__, "--write", self.kind, str(folder)]
            writer = subprocess.Popen(
                arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
            )
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n", f"{self.kind} could not be written"
            time.sleep(delay)
            signals = ended(writer, ended_by)
            processes = [] if group_ends(writer.pid) else ["a process"]
            writer.stdout.close()
            torn = tuple(self.torn(folder))
            with lock:
                code = write(self.kind, folder, 0)
            others = [name for name in contents(folder / "made") if name not in self.whole]
            return Moment(self.kind, ended_by, signals, torn, (*processes, *others, *(["an error"] if code else [])))


def ended(writer: subprocess.Popen[bytes], by: signal.Signals) -> int:
    """Send the signal until the process ends; how often."""
    for sent in range(1, 6):
        writer.send_signal(by)
        with suppress(subprocess.TimeoutExpired):
            writer.wait(timeout=20)
            return sent
    writer.kill()
    writer.wait()
    raise RuntimeError(f"{by.name} was sent five times in vain")


def group_ends(group: int) -> bool:
    """Whether all processes of a group are gone within ten seconds."""
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        time.sleep(0.05)
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
    return False


@contextmanager
def made_folder() -> Iterator[Path]:
    """A folder with documents, and one for what is made."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        for name in ("docs", "made"):
            (folder / name).mkdir()
        for name in "abc":
            (folder / "docs" / f"{name}.md").write_text(TEXT, encoding="utf-8")
        yield folder


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("moments", type=int, nargs="?", default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", nargs=2, metavar=("KIND", "FOLDER"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.write:
        write_for_ever(given.write[0], Path(given.write[1]))
    chance, lock = random.Random(given.seed), Lock()
    trials = [Trial(kind) for kind in KINDS]
    plan = []
    for number in range(given.moments):
        trial, delay, ended_by = trials[number % len(trials)], chance.random(), chance.choice(SIGNALS)
        plan.append(partial(trial.moment, delay, ended_by, lock))
    moments = []
    with ThreadPoolExecutor(2) as pool:
        for done in as_completed([pool.submit(one) for one in plan]):
            moments.append(moment := done.result())
            if moment.torn or moment.left:
                print(
                    f"{moment.kind}, {moment.ended_by.name}: torn {moment.torn}, left behind {moment.left}", flush=True
                )
            if len(moments) % 20 == 0:
                print(f"{len(moments)} of {len(plan)} moments", file=sys.stderr, flush=True)
    by_signal = Counter(moment.ended_by.name for moment in moments)
    torn, left = sum(bool(moment.torn) for moment in moments), sum(bool(moment.left) for moment in moments)
    signals = ", ".join(f"{number} {name}" for name, number in sorted(by_signal.items()))
    print(f"{len(moments)} moments (seed {given.seed}) over {len(KINDS)} kinds of file: {signals}")
    print(f"{sum(moment.signals > 1 for moment in moments)} had to be asked more than once")
    print(f"{torn} torn, {left} left behind after the next run")
    return 1 if torn or left else 0


if __name__ == "__main__":
    sys.exit(main())

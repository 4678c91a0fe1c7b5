"""Chunkscope and other chunkers on the same hostile texts: `python -m benchmarks.reliability`.

    python -m benchmarks.reliability [--quick] [--texts FOLDER] [--shape NAME]

Each chunker gets every UTF-8 text of FOLDER (../shared/adversarial/texts; the samples where there
is none) with a limit of 256 tokens, and the shapes of shapes.py at one size and at twice that size.
Printed for each: texts that crash it, take over 60 s of CPU, lose characters that are not blank,
give a chunk over the limit, and shapes whose time grows 3 times or more when the text doubles.
Chunkers run in processes of their own; those that are not installed are left out, and said so.

Lost is what stands in no chunk, in the text's order, and for Chunkscope in no skip that it reports;
a text that a chunker returns in other words cannot be found again and counts as lost.
"""

from __future__ import annotations

import argparse
import importlib
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.shapes import SHAPES
from benchmarks.texts import bare_encoding
from chunking import Config, Run, parse, run

ROOT = Path(__file__).parents[1]
LIMIT = 256
MOST_SECONDS = 60
TOO_MUCH = 3.0
_SMALLEST, _LARGEST = 25_000, 200_000
_LONG_ENOUGH = 0.3
"""Seconds from which on a ratio is not noise."""
SOME = (
    *("backticks", "pipes", "wide-table", "long-table", "blanks", "letter", "sentences", "cjk", "emoji", "combining"),
    *("nested-list", "nested-quotes", "brackets", "links", "definitions", "tags", "headings", "fence-open"),
)
"""The shapes of a run that names none: all of them take an hour."""
SIGNS = ("crash", "over time", "lost", "over limit", "growth")

Chunks = list[str]
Cut = tuple[Chunks, int]
"""The chunks, and how many characters that are not blank are in none."""


@dataclass(frozen=True)
class Trial:
    """What one chunker made of one text, or shape."""

    name: str
    signs: tuple[str, ...] = ()
    ratio: float = 0.0


# The chunkers


def ours(strategy: str, **settings: str | int) -> Callable[[str], Cut]:
    config = Config.of(strategy, settings, counter="cl100k_base")

    def cut(text: str) -> Cut:
        made = run(parse(text, name="text.md"), config)
        return [chunk.text for chunk in made.chunks], _left_out(made)

    return cut


def _left_out(made: Run) -> int:
    """Characters in no chunk, skip or hole: what the promise of tiling leaves none of."""
    covered = "".join(made.document[part.body] for part in made.parts)
    return _solid(made.document.text) - _solid(covered)


def peer(chunks: Callable[[str], Iterable[str]]) -> Callable[[str], Cut]:
    def cut(text: str) -> Cut:
        made = list(chunks(text))
        return made, _lost(text, made)

    return cut


def _lost(text: str, chunks: Sequence[str]) -> int:
    """Characters that are not blank and stand in no chunk; chunks are looked for one behind the
    other, then where they would overlap the one before."""
    lost = covered = began = 0
    for chunk in chunks:
        at = text.find(chunk, covered)
        if at < 0:
            at = text.find(chunk, began)
        if at < 0:
            continue
        lost += _solid(text[covered:at])
        began, covered = at, max(covered, at + len(chunk))
    return lost + _solid(text[covered:])


def _solid(text: str) -> int:
    return sum(len(word) for word in text.split())


def _tokens(text: str) -> int:
    return len(bare_encoding().encode_ordinary(text))


def _semantic_text_splitter(module: Any) -> Callable[[str], Iterable[str]]:
    return module.MarkdownSplitter.from_tiktoken_model("gpt-4", LIMIT).chunks  # type: ignore[no-any-return]


def _semchunk(module: Any) -> Callable[[str], Iterable[str]]:
    return module.chunkerify(_tokens, LIMIT)  # type: ignore[no-any-return]


def _langchain(module: Any) -> Callable[[str], Iterable[str]]:
    splitter = module.RecursiveCharacterTextSplitter(chunk_size=LIMIT, chunk_overlap=0, length_function=_tokens)
    return splitter.split_text  # type: ignore[no-any-return]


def _chonkie(module: Any) -> Callable[[str], Iterable[str]]:
    chunker = module.RecursiveChunker(bare_encoding(), chunk_size=LIMIT)
    return lambda text: (chunk.text for chunk in chunker.chunk(text))


OURS: dict[str, Callable[[], Callable[[str], Cut]]] = {
    "Chunkscope hierarchical": lambda: ours("hierarchical", target=LIMIT * 2 // 3, hardCap=LIMIT),
    "Chunkscope recursive": lambda: ours("recursive", unit="tokens", chunkSize=LIMIT, chunkOverlap=0),
}
PEERS: dict[str, tuple[str, Callable[[Any], Callable[[str], Iterable[str]]]]] = {
    "semantic-text-splitter": ("semantic_text_splitter", _semantic_text_splitter),
    "semchunk": ("semchunk", _semchunk),
    "LangChain recursive": ("langchain_text_splitters", _langchain),
    "chonkie recursive": ("chonkie", _chonkie),
}
"""How each is imported and made."""


def chunker(name: str) -> Callable[[str], Cut]:
    """Raises ImportError where it is not installed."""
    if name in OURS:
        return OURS[name]()
    module, made = PEERS[name]
    return peer(made(importlib.import_module(module)))


# One text, and one shape


def on_a_text(cut: Callable[[str], Cut], name: str, text: str) -> Trial:
    signs = []
    chunks, lost = cut(text)
    if lost:
        signs.append("lost")
    if any(_tokens(chunk) > LIMIT for chunk in chunks):
        signs.append("over limit")
    return Trial(name, tuple(signs))


def on_a_shape(cut: Callable[[str], Cut], name: str) -> Trial:
    numbers = iter(range(1000))

    def seconds(size: int) -> float:
        text = f"{next(numbers)}\n\n{SHAPES[name](size)}"  # new: what is remembered is no help
        began = time.process_time()
        cut(text)
        return time.process_time() - began

    size = _SMALLEST
    seconds(1000)
    once, twice = seconds(size), seconds(2 * size)
    while twice < _LONG_ENOUGH and size < _LARGEST:
        size *= 2
        once, twice = twice, seconds(2 * size)
    ratio = min(twice / once, seconds(2 * size) / seconds(size)) if twice / once >= TOO_MUCH else twice / once
    return Trial(name, ("growth",) if ratio >= TOO_MUCH and twice >= _LONG_ENOUGH else (), ratio)


def _one(name: str, items: Sequence[tuple[str, str]], begin: int) -> None:
    """In a process of its own: a JSON line for each item from `begin` on, one that fails included.
    The process ends where one takes too long."""
    cut = chunker(name)
    cut("Words before it begins.\n")
    for kind, item in items[begin:]:
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
        try:
            text = Path(item).read_bytes().decode("utf-8") if kind == "text" else ""
            trial = on_a_text(cut, item, text) if kind == "text" else on_a_shape(cut, item)
        except BaseException as error:  # a panic of Rust is no Exception
            if isinstance(error, KeyboardInterrupt):
                raise
            trial = Trial(item, ("crash",))
        print(json.dumps(asdict(trial)), flush=True)


# All of them


def trials(name: str, items: Sequence[tuple[str, str]]) -> Iterator[Trial]:
    """Every item, by as many processes as it takes."""
    done = 0
    while done < len(items):
        command = [sys.executable, "-m", "benchmarks.reliability", "--one", name, str(done)]
        given = json.dumps(items).encode()
        ended = subprocess.run(command, input=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT)
        lines = [line for line in ended.stdout.decode().splitlines() if line.startswith("{")]
        for line in lines:
            said = json.loads(line)
            yield Trial(said["name"], tuple(said["signs"]), said["ratio"])
        done += len(lines)
        if done < len(items):
            late = ended.returncode == -signal.SIGPROF
            yield Trial(items[done][1], ("over time" if late else "crash",))
            done += 1


def _texts(folder: Path | None) -> list[Path]:
    """The texts that are UTF-8: the others are for whoever reads files."""
    found = []
    for path in sorted((folder or ROOT / "sample_docs").glob("*.md")):
        try:
            path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        found.append(path)
    return found


def _installed(name: str) -> bool:
    try:
        chunker(name)
    except ImportError:
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="five texts and one shape; proves only that it runs")
    parser.add_argument("--texts", type=Path, help="a folder of Markdown; left out, the shared hostile texts")
    parser.add_argument("--shape", choices=[*SHAPES], action="append", help=f"left out: {', '.join(SOME)}")
    parser.add_argument("--chunker", choices=[*OURS, *PEERS], action="append")
    parser.add_argument("--details", action="store_true", help="also each text and shape with a fault")
    parser.add_argument("--one", nargs=2, metavar=("NAME", "BEGIN"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        _one(given.one[0], json.load(sys.stdin), int(given.one[1]))
        return 0
    hostile = ROOT.parent / "shared" / "adversarial" / "texts"
    texts = _texts(given.texts or (hostile if hostile.is_dir() else None))[: 5 if given.quick else None]
    shapes = given.shape or SOME[: 1 if given.quick else None]
    items = [*(("text", str(path.resolve())) for path in texts), *(("shape", name) for name in shapes)]
    print(f"{len(texts)} texts, limit {LIMIT} tokens of cl100k_base; {len(shapes)} shapes")
    print(f"{'':26}{'crash':>8}{'over 60 s':>11}{'lost text':>11}{'over limit':>12}{'growth':>8}")
    for name in given.chunker or [*OURS, *PEERS]:
        if not _installed(name):
            print(f"{name:26}  left out: not installed")
            continue
        made = list(trials(name, items))
        said = Counter(sign for trial in made for sign in trial.signs)
        columns = (said[sign] for sign in SIGNS)
        print(f"{name:26}{'{:>8}{:>11}{:>11}{:>12}{:>8}'.format(*columns)}", flush=True)
        for trial in made:
            if given.details and trial.signs:
                ratio = f", x {trial.ratio:.1f}" if trial.ratio else ""
                print(f"    {Path(trial.name).stem}: {', '.join(trial.signs)}{ratio}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

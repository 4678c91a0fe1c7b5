"""What `chunkscope run --engine daft` costs beside the local pool, and whether its records are the
same.

    python -m benchmarks.cluster_run [--docs FOLDER] [--files N] [--megabytes N] [--workers N]
                                     [--rounds N] [--runner native] [--runner ray] [--kills N]
                                     [--reckon N [--cores N] [--core-price P] [--token-price P]]

Cuts a folder, or files that are made in a temporary one, with the local pool, to JSON lines and to
Parquet, a part for each document, and with daft on each runner. Prints for each the CPU and wall
time, least of some rounds in turn, with the ratio to the local pool's to JSON lines, its fastest,
and how the records compare, sorted by document and place. The CPU time
is that of all processes that a run started and waited for, which Ray's are not: its wall time
counts. `--kills N` ends a worker of daft by SIGKILL in N further runs, and compares again.

`--reckon N` prints what N documents like these would take by these figures: core hours of cutting
and of embedding with the local model, hours with so many cores, and disk. Prices are those that are
given: of a core for an hour, and of a million tokens sent to an embedder. Nothing of that was run.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from benchmarks.corpus_run import Spent, fresh, spent
from benchmarks.texts import write_documents

RUNNERS = ("native", "ray")
_LOCAL = ("jsonl", "parquet")
"""The formats that the local pool writes."""
_EMBEDDED = 128
"""Chunks that are embedded to measure it."""
DONE = (0, 2)
"""Exit codes of runs that came to their end; 2 where a document could not be read."""
_WORKERS = {"native": b"udf_worker", "ray": b"ray::UDFActor"}
"""What stands in the command line of a worker."""


def run_command(strategy: str, docs: Path, out: Path, workers: int, runner: str) -> list[str]:
    """`chunkscope run` of a folder, by daft on a runner, or by the local pool to a format."""
    chunkscope = [sys.executable, "-m", "chunking", "run", strategy, str(docs), "--root", str(docs)]
    engine = ["--format", runner] if runner in _LOCAL else ["--engine", "daft", "--runner", runner]
    return [*chunkscope, "-o", f"{out}/", "--workers", str(workers), *engine]


def rows(out: Path) -> list[tuple[str, str]]:
    """Each record of a folder as its document and its JSON, sorted."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    found: list[tuple[str, str]] = []
    for part in (out / "parts").rglob("*.parquet"):
        found += [(row["document"], repr(row)) for row in pq.read_table(part).to_pylist()]
    return sorted(found)


def compared(out: Path, wanted: list[tuple[str, str]]) -> bool:
    """Print how the records of a folder compare with those of the local pool."""
    same = rows(out) == wanted
    print(f"    {len(wanted):,} records, sorted: {'identical' if same else 'NOT identical'}", flush=True)
    return same


def embedding_seconds(texts: list[str]) -> float:
    """CPU seconds that the local model takes for each of some texts."""
    from chunking.models.local_embedder import LocalEmbedder

    embed = LocalEmbedder()
    embed(texts[:1])  # loads it
    began = time.process_time()
    embed(texts)
    return (time.process_time() - began) / len(texts)


def reckon(out: Path, cpu: float, documents: int, chosen: argparse.Namespace) -> None:
    """Print what `chosen.reckon` documents would take, by a run's folder and its CPU time."""
    import pyarrow.parquet as pq

    parts = [*(out / "parts").rglob("*.parquet")]
    tokens = [row for part in parts for row in pq.read_table(part, columns=["tokens"])["tokens"].to_pylist()]
    texts = [text for part in parts for text in pq.read_table(part, columns=["text"])["text"].to_pylist()]
    every = max(1, len(texts) // _EMBEDDED)
    each = embedding_seconds(texts[::every][:_EMBEDDED])
    times = chosen.reckon / documents
    cut, embedded = cpu * times / 3600, each * len(texts) * times / 3600
    disk = sum(part.stat().st_size for part in parts), (out / "manifest.jsonl").stat().st_size
    sizes = f"{len(texts) / documents:.1f} chunks, {sum(tokens) / documents:,.0f} tokens"
    stored = f"{disk[0] / documents:,.0f} bytes of parts, {disk[1] / documents:,.0f} of manifest"
    print(f"  measured, for each document: {cpu / documents * 1000:.1f} ms of CPU, {sizes}, {stored}")
    print(f"  measured, local model: {each * 1000:.1f} ms of CPU for each chunk")
    print(f"  reckoned, {chosen.reckon:,} documents, {chosen.cores} cores at {chosen.core_price:g} an hour each:")
    for called, hours in (("cutting", cut), ("embedding with the local model", embedded)):
        print(f"    {called}: {hours:,.0f} core hours, {hours / chosen.cores:,.1f} h, {hours * chosen.core_price:,.2f}")
    sent = sum(tokens) * times / 1e6
    print(f"    embedding by a server: {sent:,.0f} million tokens, {sent * chosen.token_price:,.0f}")
    print(f"    disk: {disk[0] * times / 1e9:,.0f} GB of parts, {disk[1] * times / 1e9:,.0f} GB of manifest")


def killed(command: list[str], runner: str, after: float) -> int:
    """Run a command, end one of its workers some seconds after there is one, and return how many
    were ended."""
    started = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while started.poll() is None and not workers_of(started.pid, runner):
        time.sleep(0.1)
    time.sleep(after)
    found = workers_of(started.pid, runner)[:1]
    for worker in found:
        os.kill(worker, signal.SIGKILL)
    if started.wait() not in DONE:
        raise SystemExit(f"{' '.join(command)}: exit code {started.returncode}")
    return len(found)


def workers_of(process: int, runner: str) -> list[int]:
    """The workers among the processes below one."""
    below, found = [process], []
    parents: dict[int, list[int]] = {}
    for each in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((each / "stat").read_text().rpartition(")")[2].split()[1])
            parents.setdefault(parent, []).append(int(each.name))
    while below:
        for child in parents.get(below.pop(), []):
            below.append(child)
            with suppress(OSError):
                if _WORKERS[runner] in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.append(child)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--docs", type=Path, help="a folder to cut; left out, files are made")
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--megabytes", type=float, default=50, help="of all files together")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--runner", choices=RUNNERS, action="append", help="left out: native")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strategy", default="heading-window")
    parser.add_argument("--reckon", type=int, default=0, metavar="N", help="documents")
    parser.add_argument("--cores", type=int, default=64)
    parser.add_argument("--core-price", type=float, default=0.04, help="of one core for an hour")
    parser.add_argument("--token-price", type=float, default=0.02, help="of a million tokens to embed")
    chosen = parser.parse_args()
    runners: list[str] = chosen.runner or ["native"]
    good = True
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        docs = chosen.docs
        if docs is None:
            docs = place / "docs"
            write_documents(docs, chosen.files, chosen.megabytes, None)
        commands = {
            each: run_command(chosen.strategy, docs, place / each, chosen.workers, each) for each in (*_LOCAL, *runners)
        }
        taken: dict[str, list[Spent]] = {each: [] for each in commands}
        for _ in range(chosen.rounds):
            for each, command in commands.items():
                fresh(place / each)
                taken[each].append(spent(command, codes=DONE))
        wanted = rows(place / "parquet")
        documents = len({document for document, _ in wanted})
        print(f"{documents:,} documents with records, {chosen.strategy}, {chosen.workers} workers", flush=True)
        least = {each: (min(one.cpu for one in of), min(one.wall for one in of)) for each, of in taken.items()}
        base = least[_LOCAL[0]]
        for each, (cpu, wall) in least.items():
            called = f"local pool, {each}" if each in _LOCAL else f"daft, {each}"
            said = "" if each == "ray" else f"CPU {cpu:.1f} s, ratio {cpu / base[0]:.2f}; "
            print(f"  {called}: {said}wall {wall:.1f} s, ratio {wall / base[1]:.2f}", flush=True)
            if each not in _LOCAL:
                good &= compared(place / each, wanted)
        if chosen.reckon:
            reckon(place / runners[0], least[runners[0]][0], documents, chosen)
        chance = random.Random(chosen.seed)
        for each in runners if chosen.kills else ():
            ended = 0
            for _ in range(chosen.kills):
                fresh(place / each)
                ended += killed(commands[each], each, chance.uniform(0, least[each][1] / 3))
            print(f"  daft, {each}: {ended} workers ended by SIGKILL in {chosen.kills} runs")
            good &= compared(place / each, wanted)
    return int(not good)


if __name__ == "__main__":
    raise SystemExit(main())

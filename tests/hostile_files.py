"""Gives every hostile file to the library, the command line and the app, and holds the answers
against what its index says that they must be.

    python tests/hostile_files.py ../shared/adversarial [--limits small|default] [--app]

Texts go through every strategy with its defaults and with limits of 16, 48 and the text's own
maxTokens, counted by cl100k_base, the promises and the shared checker held against each run
(hostile_library.py); through the command line in every format (hostile_commands.py); configs as
they are and as settings of every strategy; documents under every hostile name; archives. Each file
has a process of its own. `--app` uploads them to a real server (hostile_visits.py). The library
gets vectors made of hashes; the command line uses the local model where a text is short.

Prints crashes, what took over 60 s of CPU or over twice the file's own budget, and findings;
exit code 1 where there is any.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from hostile_commands import archives_of_commands, configs_of_commands, names_of_commands, texts_of_commands
from hostile_library import archives_read, configs_read, texts_cut
from hostile_outcomes import MOST_SECONDS, Case, Outcome

KINDS = ("texts", "configs", "names", "archives")
PLACES = ("library", "command", "app")

Giving = Callable[[Case, Path, str], Iterator[Outcome]]
GIVEN: dict[str, dict[str, Giving]] = {
    "texts": {"library": texts_cut, "command": texts_of_commands},
    "configs": {"library": configs_read, "command": configs_of_commands},
    "names": {"command": names_of_commands},
    "archives": {"library": archives_read, "command": archives_of_commands},
}


def outcomes_of(kind: str, case: Case, folder: Path, limits: str, places: set[str]) -> Iterator[Outcome]:
    """What library and command line make of one file."""
    for place, giving in GIVEN[kind].items():
        if place in places:
            yield from giving(case, folder, limits)


def cases(folder: Path, kind: str) -> list[Case]:
    """The files of one kind, each with an `id`."""
    if kind == "archives":
        found = json.loads((folder / "archives" / "INDEX.json").read_text(encoding="utf-8"))
        return [{**each, "id": each["file"]} for each in found]
    index = json.loads((folder / "INDEX.json").read_text(encoding="utf-8"))
    if kind == "names":
        return [{**each, "id": ascii(each["name"])[:40]} for each in index["filenames"]]
    return list(index[kind])


def in_a_process(folder: Path, kind: str, number: int, case: Case, given: argparse.Namespace) -> list[Outcome]:
    """All outcomes of one file in library and command line; a crash of its process is one."""
    command = [sys.executable, __file__, str(folder), "--limits", given.limits, "--one", kind, str(number)]
    command += [word for place in given.place or () for word in ("--place", place)]
    done = subprocess.run(command, capture_output=True, check=False)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    outcomes = [Outcome(**json.loads(line)) for line in lines if line.startswith("{")]
    if done.returncode:
        problem = done.stderr.decode("utf-8", "replace").strip()[-300:]
        outcomes.append(Outcome(case["id"], "process", "", crash=f"ended with {done.returncode}: {problem}"))
    return outcomes


def print_faults(outcomes: Iterable[Outcome]) -> bool:
    """Print each fault; whether there is any."""
    faulty = False
    for each in outcomes:
        for fault in each.faults():
            faulty = True
            print(f"  {each.file}, {each.place}, {each.way}: {fault}", flush=True)
    return faulty


def summary(outcomes: Sequence[Outcome]) -> None:
    """A line for each place: how much was given to it, and how many faults of each sort."""
    for place in sorted({each.place for each in outcomes}):
        here = [each for each in outcomes if each.place == place]
        sorts = Counter(fault.partition(":")[0] for each in here for fault in each.faults())
        files, slowest = len({each.file for each in here}), max(here, key=lambda each: each.seconds)
        print(
            f"{place}: {files} files in {len(here):,} ways: {sorts['crash']} crashes, "
            f"{sorts[f'over {MOST_SECONDS:.0f} s of CPU']} over {MOST_SECONDS:.0f} s of CPU, "
            f"{sorts['over budget by more than twice']} over the budget by more than twice, "
            f"{sorts['finding']} findings; slowest {slowest.file} {slowest.way}, {slowest.seconds:.1f} s"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limits", choices=("small", "default", "all"), default="all")
    parser.add_argument("--kind", choices=KINDS, action="append", help="only this kind of file; may be repeated")
    parser.add_argument("--only", default="", help="only files whose name has this in it")
    parser.add_argument("--app", action="store_true", help="give them to the app as well")
    parser.add_argument("--place", choices=PLACES, action="append", help="only there; may be repeated")
    parser.add_argument("--one", nargs=2, metavar=("KIND", "NUMBER"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    places = set(given.place or PLACES[: 3 if given.app else 2])
    if given.one:
        with TemporaryDirectory() as own:
            os.environ |= {"CHUNKSCOPE_CACHE": own, "CHUNKSCOPE_DATA": own}
            kind, number = given.one
            for outcome in outcomes_of(
                kind, cases(given.folder, kind)[int(number)], given.folder, given.limits, places
            ):
                print(json.dumps(asdict(outcome)), flush=True)
        return 0
    outcomes: list[Outcome] = []
    faulty = False
    chosen = [
        (kind, number, case)
        for kind in given.kind or KINDS
        for number, case in enumerate(cases(given.folder, kind))
        if given.only in case["id"]
    ]
    if places - {"app"}:
        for kind, number, case in chosen:
            made = in_a_process(given.folder, kind, number, case, given)
            faulty |= print_faults(made)
            outcomes += made
    if "app" in places:
        from hostile_visits import visits

        for outcome in visits(given.folder, [(kind, case) for kind, _, case in chosen], given.limits):
            faulty |= print_faults([outcome])
            outcomes.append(outcome)
    summary(outcomes)
    return int(faulty)


if __name__ == "__main__":
    sys.exit(main())

"""Gives every hostile file to the library, the command line and the app, and holds the answers
against what its index says that they must be.

    python tests/hostile_files.py ../shared/adversarial [--limits small|default] [--app]

Texts go through every strategy with its defaults and with limits of 16, 48 and the text's own
maxTokens, counted by cl100k_base, the promises and the shared checker held against each run;
through the command line in every format; configs as they are and as settings of every strategy;
documents under every hostile name; archives. Each file has a process of its own. `--app` uploads
them to a real server (hostile_visits.py). The library gets vectors made of hashes; the command line
uses the local model where a text is short.

Prints crashes, what took over 60 s of CPU or over twice the file's own budget, and findings;
exit code 1 where there is any.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

from contract import Variant, assert_promises, scaled, tools_for
from hostile_demands import demands_unmet

from chunking import ChunkscopeError, Config, Document, RunLimits, cli, parse, run, strategies
from chunking.document.loading import load_all, load_bytes
from chunking.errors import RunLimitError
from chunking.export.formats import FORMATS
from chunking.tokens import counter

KINDS = ("texts", "configs", "names", "archives")
PLACES = ("library", "command", "app")
SMALL = (16, 48)
MOST_SECONDS = 60.0
"""CPU time that nothing may take, whatever its own budget."""
BUDGET = 5.0
"""Seconds for what has no budget of its own."""
STARTING = 3.0
"""Seconds of CPU time that a new Python may take until it has imported all, on a busy machine."""
_FOR_A_MODEL = 4_000
"""Characters up to which what needs vectors is given to the local model: more of them only measures
the model."""
_MOST_LINES = 22
"""An archive says up to 20 problems one by one, then how many more."""
_FLAT = "as it is"
_FORMATS = (*FORMATS, "html", "sqlite")

Case = dict[str, Any]


@dataclass
class Outcome:
    """One hostile file, given to one place in one way."""

    file: str
    place: str
    way: str
    seconds: float = 0.0
    """CPU time."""
    budget: float = BUDGET
    crash: str = ""
    found: list[str] = field(default_factory=list)

    def faults(self) -> Iterator[str]:
        """Each fault under the name that the summary counts it by."""
        if self.crash:
            yield f"crash: {self.crash}"
        if self.seconds > MOST_SECONDS:
            yield f"over {MOST_SECONDS:.0f} s of CPU: {self.seconds:.1f} s"
        if self.seconds > 2 * self.budget:
            yield f"over budget by more than twice: {self.seconds:.1f} s of {self.budget:g} s"
        yield from (f"finding: {each}" for each in self.found)


def answers(must: Iterable[str]) -> set[str]:
    """Whether a file may be "read", "refused", or either."""
    allowed = set()
    for clause in must:
        words = clause.split("|")
        if "reject" in words:
            allowed.add("refused")
        if {"no_exception", "read", "coerce_documented", "default_documented"} & set(words):
            allowed.add("read")
    return allowed or {"read"}


def variants(limits: str, own: int) -> Iterator[Variant]:
    """Every strategy with its defaults, and with small limits where it has a hard one."""
    for name in strategies.names():
        if limits != "small":
            yield Variant(name)
        if limits != "default" and strategies.get(name)().limits().maximum is not None:
            yield from (Variant(name, maximum) for maximum in sorted({*SMALL, own}))


def config_of(variant: Variant) -> Config:
    declared = strategies.get(variant.name)
    return Config(declared() if variant.maximum is None else scaled(declared, variant.maximum), "cl100k_base")


# The library


def through_the_library(case: Case, folder: Path, limits: str) -> Iterator[Outcome]:
    """A text, read and then cut in every way."""
    raw, name, allowed = (folder / case["file"]).read_bytes(), f"{case['id']}.md", answers(case["must"])
    reading = Outcome(case["id"], "library", "read", budget=case["budget_s"])
    document = _watched(reading, partial(_read, raw, name, allowed, reading))
    yield reading
    if case["level"].startswith("str-only"):
        whole = Outcome(case["id"], "library", "str")
        _watched(whole, lambda: _cut_string(raw.decode("utf-8", "surrogatepass")))
        yield whole
    if document is None:
        return
    for variant in variants(limits, case["max_tokens"]):
        outcome = Outcome(case["id"], "library", str(variant), budget=case["budget_s"])
        config = config_of(variant)
        made = _watched(outcome, partial(_cut, document.text, name, config))
        if made is not None:
            try:
                assert_promises(made, counter(config.counter))
                outcome.found += demands_unmet(_demanded(case, variant), made, variant, folder.resolve().parent)
            except AssertionError as error:
                outcome.found.append(f"promise broken: {str(error)[:300]}")
        yield outcome


def _demanded(case: Case, variant: Variant) -> Case:
    """Without what is said of the case's own limit: one that is smaller may hold no character."""
    smaller = variant.maximum is not None and variant.maximum < case["max_tokens"]
    return {**case, "must": [each for each in case["must"] if not (smaller and each == "limit_hard")]}


def _read(raw: bytes, name: str, allowed: set[str], outcome: Outcome) -> Document | None:
    try:
        document = load_bytes(raw, name)
    except ChunkscopeError as error:
        outcome.found += _of_a_refusal(str(error), name, allowed)
        return None
    if "read" not in allowed:
        outcome.found.append("was read, and must be refused")
    return document


def _of_a_refusal(said: str, name: str, allowed: set[str]) -> Iterator[str]:
    if "refused" not in allowed:
        yield f"was refused, and must be read: {said[:200]}"
    if "\n" in said or not said.isprintable():
        yield f"the refusal is not one clean line: {said[:200]!r}"
    if name and name not in said:
        yield f"the refusal does not name it: {said[:200]}"


def _cut(text: str, name: str, config: Config) -> Any:
    made = run(parse(text, name=name), config, tools_for(config), limits=RunLimits(seconds=2 * MOST_SECONDS))
    assert all(chunk.text for chunk in made.chunks)
    return made


def _cut_string(text: str) -> None:
    """What is no text may be refused, by an error of ours."""
    try:
        for variant in variants("default", 0):
            _cut(text, "string.md", config_of(variant))
    except ChunkscopeError:
        return


def _watched(outcome: Outcome, work: Callable[[], Any]) -> Any:
    """What the work gives, its CPU time noted; None where it fails, which is noted as a crash."""
    began = time.process_time()
    try:
        return work()
    except RunLimitError:
        return None  # the time says it
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        outcome.crash = f"{type(error).__name__}: {str(error)[:200]}"
        return None
    finally:
        outcome.seconds = time.process_time() - began


# The command line


@dataclass(frozen=True)
class Said:
    """How a command ended, and what it wrote."""

    code: int
    err: str
    seconds: float


def through_the_command_line(case: Case, folder: Path, limits: str) -> Iterator[Outcome]:
    """A text, cut by `chunkscope run`: once by a process of its own, then in every way and format
    in this one."""
    path = folder / case["file"]
    given, allowed, large = [str(path)], answers(case["must"]), path.stat().st_size > _FOR_A_MODEL
    with TemporaryDirectory() as made:
        config = Path(made) / "config.yaml"
        yield _command(case, "process", Path(made), ["heading-window", *given], allowed, own_process=True)
        for variant in variants(limits, SMALL[-1]):
            if (variant.name == "semantic" and large) or variant.maximum == SMALL[0]:
                continue
            config.write_text(config_of(variant).to_yaml(), encoding="utf-8")
            yield _command(case, str(variant), Path(made), [str(config), *given], allowed)
        for form in _FORMATS:
            if form == "sqlite" and large:
                continue
            options = ["--format", form, "--skips"]
            yield _command(case, form, Path(made), ["heading-window", *given, *options], allowed, form=form)


def _command(
    case: Case,
    way: str,
    folder: Path,
    arguments: list[str],
    allowed: set[str],
    *,
    form: str = "jsonl",
    own_process: bool = False,
    lines: int = 1,
) -> Outcome:
    outcome = Outcome(case["id"], "command", way, budget=case.get("budget_s", BUDGET))
    output = folder / "made" / "out"
    output.parent.mkdir(exist_ok=True)
    command = ["run", *arguments, "-o", str(output)]
    before = {each.name for each in folder.iterdir()}
    if own_process:
        said = _process(command)
        outcome.budget += STARTING / 2
    else:
        said = _in_this_process(command, outcome)
    outcome.seconds = said.seconds
    outcome.found += _of_a_command(said, allowed, lines)
    if "Traceback" in said.err or said.code not in (0, 1, 2):
        outcome.crash = outcome.crash or f"exit code {said.code}: {said.err[-200:]}"
    left = {each.name for each in output.parent.iterdir()} - {"out"} | {each.name for each in folder.iterdir()} - before
    if left:
        outcome.found.append(f"left behind: {sorted(left)}")
    if output.exists():
        outcome.found += _of_a_file(output, form)
        output.unlink()
    elif said.code == 0:
        outcome.found.append("exit code 0, and nothing was written")
    return outcome


def _of_a_command(said: Said, allowed: set[str], most: int) -> Iterator[str]:
    lines = said.err.splitlines()
    if not any(said.code == {"read": 0, "refused": 2}[each] for each in allowed):
        yield f"exit code {said.code}, and must be {' or '.join(sorted(allowed))}: {said.err[:200]!r}"
    if said.code == 2 and not 1 <= len(lines) <= most:
        yield f"{len(lines)} lines of refusal: {said.err[:300]!r}"
    if any(not line.startswith("chunkscope: ") for line in lines):
        yield f"a line that is not ours: {said.err[:200]!r}"
    if any(not line.isprintable() for line in said.err.split("\n")):
        yield f"raw control characters: {said.err[:200]!r}"


def _of_a_file(path: Path, form: str) -> Iterator[str]:
    raw = path.read_bytes()
    if form in ("parquet", "sqlite"):
        if not raw:
            yield f"an empty {form}"
        return
    try:
        text = raw.decode("utf-8")
        if form == "jsonl":
            for line in text.split("\n")[:-1]:
                json.loads(line)
            if text and not text.endswith("\n"):
                yield "the last line is cut off"
    except ValueError as error:
        yield f"{form} is not whole: {error}"


def _process(arguments: Sequence[str]) -> Said:
    with TemporaryFile() as out, TemporaryFile() as err:
        started = subprocess.Popen([sys.executable, "-m", "chunking", *arguments], stdout=out, stderr=err)
        _, status, used = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        return Said(started.returncode, err.read().decode("utf-8", "replace"), used.ru_utime + used.ru_stime)


def _in_this_process(arguments: Sequence[str], outcome: Outcome) -> Said:
    began, code = time.process_time(), 2
    with _captured() as said:
        try:
            code = cli.main(arguments)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            outcome.crash = f"{type(error).__name__}: {str(error)[:200]}"
    return Said(code, said[0], time.process_time() - began)


@contextmanager
def _captured() -> Iterator[list[str]]:
    """What is written to standard error meanwhile; standard output is thrown away."""
    said: list[str] = []
    with TemporaryFile() as err, open(os.devnull, "wb") as nothing:
        kept = [os.dup(1), os.dup(2)]
        try:
            os.dup2(nothing.fileno(), 1)
            os.dup2(err.fileno(), 2)
            yield said
        finally:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            for descriptor, was in enumerate(kept, start=1):
                os.dup2(was, descriptor)
                os.close(was)
            err.seek(0)
            said.append(err.read().decode("utf-8", "replace"))


# Configs, names and archives


def configs_read(case: Case, folder: Path, _limits: str) -> Iterator[Outcome]:
    """A config as it is, and its lines as settings of every strategy."""
    allowed = answers(case["must"]) | {"refused"}
    for way, raw in _config_ways(case, folder):
        outcome = Outcome(case["id"], "library", way, budget=_seconds_of(case))
        _watched(outcome, partial(_read_config, raw, allowed, outcome))
        yield outcome


def configs_of_commands(case: Case, folder: Path, _limits: str) -> Iterator[Outcome]:
    allowed = answers(case["must"]) | {"refused"}
    case = {**case, "budget_s": _seconds_of(case)}
    with TemporaryDirectory() as made:
        path, text = Path(made) / "config.yaml", Path(made) / "text.md"
        text.write_text("# A\n\nwords of a document\n", encoding="utf-8")
        for way, raw in _config_ways(case, folder):
            path.write_bytes(raw)
            own = way == _FLAT
            yield _command(case, way, Path(made), [str(path), str(text)], allowed, own_process=own)


def _config_ways(case: Case, folder: Path) -> Iterator[tuple[str, bytes]]:
    flat = (folder / case["file"]).read_bytes()
    yield _FLAT, flat
    for name in strategies.names():
        yield name, b"chunkscope: 1\nstrategy: " + name.encode() + b"\nsettings:\n" + _indented(flat)


def _indented(lines: bytes) -> bytes:
    return b"".join(b"  " + line for line in lines.splitlines(keepends=True))


def _seconds_of(case: Case) -> float:
    return next((float(each[6:-1]) for each in case["must"] if each.startswith("time<=")), 2.0)


def _read_config(raw: bytes, allowed: set[str], outcome: Outcome) -> None:
    try:
        Config.from_yaml(raw)
    except ChunkscopeError as error:
        outcome.found += _of_a_refusal(str(error), "", allowed)
        return
    if "read" not in allowed:
        outcome.found.append("was read, and must be refused")


def names_of_commands(case: Case, _folder: Path, _limits: str) -> Iterator[Outcome]:
    """A document under a hostile name, where the system has such names."""
    with TemporaryDirectory() as made:
        documents = Path(made) / "documents"
        documents.mkdir()
        path = documents / case["name"] if case["name"] else documents
        try:
            if path.resolve().parent != documents.resolve() or case["name"] in ("", ".", ".."):
                return
            path.write_bytes(b"# A\n\nwords\n")
        except (OSError, ValueError):
            return
        for way, given in (("by name", path), ("by folder", documents)):
            arguments = ["every-heading", str(given)]
            yield _command(case, way, Path(made), arguments, {"read", "refused"}, own_process=way == "by name")


def archives_read(case: Case, folder: Path, _limits: str) -> Iterator[Outcome]:
    """An archive, which is read without unpacking it or refused, in lines."""
    outcome = Outcome(case["id"], "library", "read")

    def read() -> None:
        for each in load_all([folder / "archives" / case["file"]]):
            if isinstance(each, ChunkscopeError):
                outcome.found += _of_a_refusal(str(each), case["file"], _of_an_archive(case))

    _watched(outcome, read)
    yield outcome


def archives_of_commands(case: Case, folder: Path, _limits: str) -> Iterator[Outcome]:
    path = str(folder / "archives" / case["file"])
    allowed = _of_an_archive(case)
    with TemporaryDirectory() as made:
        yield _command(
            case, "process", Path(made), ["every-heading", path], allowed, own_process=True, lines=_MOST_LINES
        )
        for form in _FORMATS:
            given = ["every-heading", path, "--format", form]
            yield _command(case, form, Path(made), given, allowed, form=form, lines=_MOST_LINES)


def _of_an_archive(case: Case) -> set[str]:
    """All have something that must be refused, but the one that only has the name."""
    return {"read"} if case["file"] == "html_named.md" else {"refused"}


Giving = Callable[[Case, Path, str], Iterator[Outcome]]
GIVEN: dict[str, dict[str, Giving]] = {
    "texts": {"library": through_the_library, "command": through_the_command_line},
    "configs": {"library": configs_read, "command": configs_of_commands},
    "names": {"command": names_of_commands},
    "archives": {"library": archives_read, "command": archives_of_commands},
}


def outcomes_of(kind: str, case: Case, folder: Path, limits: str, places: set[str]) -> Iterator[Outcome]:
    """What library and command line make of one file."""
    for place, giving in GIVEN[kind].items():
        if place in places:
            yield from giving(case, folder, limits)


# All of it


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
        said = done.stderr.decode("utf-8", "replace").strip()[-300:]
        outcomes.append(Outcome(case["id"], "process", "", crash=f"ended with {done.returncode}: {said}"))
    return outcomes


def said_of(outcomes: Iterable[Outcome]) -> bool:
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
        with TemporaryDirectory() as kept:
            os.environ |= {"CHUNKSCOPE_CACHE": kept, "CHUNKSCOPE_DATA": kept}
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
            faulty |= said_of(made)
            outcomes += made
    if "app" in places:
        from hostile_visits import visits

        for outcome in visits(given.folder, [(kind, case) for kind, _, case in chosen], given.limits):
            faulty |= said_of([outcome])
            outcomes.append(outcome)
    summary(outcomes)
    return int(faulty)


if __name__ == "__main__":
    sys.exit(main())

"""`chunkscope gate`: two states of a corpus and its config, as two git revisions or two folders,
compared for a CI: a corpus that turned over is told apart from a quality that fell."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from chunking import strategies
from chunking.analysis.corpus_change import DocumentChange, document_change
from chunking.cli.compare import share
from chunking.cli.found_config import config_in
from chunking.cli.gate_view import Evidence, Gate, as_json, failures, say
from chunking.cli.git_revision import commit_of, files_of, repository, submodules_of
from chunking.cli.gold_files import gold_of
from chunking.cli.inputs import AsJson, Exclude, Given, Include, announce, given, one_of, places, read_config
from chunking.cli.terminal import CHECK_FAILED, DONE, ErrorLog, ProgressLine, print_error, print_json
from chunking.config.config import Config
from chunking.config.proof import source_hash
from chunking.document import Document, Span
from chunking.document.folders import FoundFile
from chunking.document.loading import bytes_of, read
from chunking.document.names import is_url
from chunking.errors import ChunkscopeError, ConfigError, DocumentError, GoldError
from chunking.gold.coverage import coverages
from chunking.runs import run
from chunking.runtime.faults import document_fault
from chunking.text.display import counted, shown_text

FAIL_ON = ("quality", "documents", "warnings")


@dataclass(frozen=True, slots=True)
class _Side:
    """One state: where it lies for as long as it is read."""

    folder: Path
    """What stands for the current folder."""
    root: Path
    """Where documents' names begin."""
    submodules: tuple[Path, ...] = ()
    """Folders of a work tree whose files the other side, a revision, cannot have."""


class _Errors(ErrorLog):
    """Names a revision's files as git does, `HEAD:docs/guide.md`: their folder is a temporary
    one."""

    def __init__(self, root: Path, called: str) -> None:
        super().__init__()
        self._folder = "" if Path(called).is_dir() else f"{root}/"
        self._called = f"{shown_text(called, 80)}:"

    def report(self, problem: ChunkscopeError) -> None:
        said = str(problem)
        super().report(DocumentError(said.replace(self._folder, self._called) if self._folder else said))


def gate_command(
    base: Annotated[
        str, typer.Argument(metavar="BASE", help="The state before: a git revision, such as origin/main, or a folder.")
    ],
    head: Annotated[
        str, typer.Argument(metavar="HEAD", help="The state after: a git revision, or a folder; . for the files here.")
    ],
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="Files and folders to read, as seen from here; left out, all."),
    ] = None,
    config: Annotated[
        str,
        typer.Option(
            metavar="CONFIG",
            help="A YAML file, looked for on both sides, or a strategy's name; left out, each side's nearest "
            "chunkscope.yaml, or [tool.chunkscope] of a pyproject.toml.",
        ),
    ] = "",
    questions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Questions with their answers: that more of them are cut is a loss of quality too."
        ),
    ] = None,
    max_changed: Annotated[
        str, typer.Option(help="Exit 1 when more of HEAD's chunks than this, as 20%, must be embedded.")
    ] = "",
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHAT",
            help="Exit 1 for: quality (the default), which is a check that fails, or an answer that is cut, only by "
            "HEAD's config; documents: a new text that fails a check; warnings: more of them by HEAD's config. "
            "May be repeated.",
        ),
    ] = None,
    json: AsJson = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write Markdown tables, for a pull request.")] = False,
    include: Include = None,
    exclude: Exclude = None,
) -> None:
    """Compare two states of documents and config, and say whether the corpus turned over, or
    quality fell on the same texts."""
    reasons = [one_of("--fail-on", each, FAIL_ON) for each in fail_on or ("quality",)]
    most = share(max_changed) if max_changed else None
    with ExitStack() as stack:
        before, after = (stack.enter_context(side) for side in _sides(base, head))
        past, errors = _Errors(before.root, base), _Errors(after.root, head)
        old, new, config_words = _configs(before, after, config)
        wanted = [
            given(inside, side.root, include, exclude).for_configs(old, new)
            for side, inside in _inside(before, after, paths or ["."])
        ]
        former, later = places(wanted[0], past) if wanted[0].paths else (), _places(wanted[1], after, errors)
        found = _measured(former, later, old, new, past, errors, keep_documents=questions is not None)
        evidence = _evidence(questions, found.read, old, new, errors) if questions else None
    gate = Gate(base, head, config_words, old != new, tuple(found.changes), tuple(found.removed), evidence)
    wrong = failures(gate, reasons, most)
    if json:
        print_json(as_json(gate, wrong))
    else:
        say(gate, wrong, markdown=markdown)
    errors.exit_with(CHECK_FAILED if wrong else DONE)


def _sides(base: str, head: str) -> Iterator[AbstractContextManager[_Side]]:
    """Both states, to be entered. Raises DocumentError for one that is neither a folder nor a
    revision."""
    if not base or not head:
        raise DocumentError("gate: BASE or HEAD is empty; name a git revision, such as origin/main, or a folder")
    commits = {each: "" if _is_folder(each) else commit_of(each) for each in (base, head)}
    root = repository() if any(commits.values()) else None
    for each, commit in commits.items():
        if not commit and not Path(each).is_dir():
            raise DocumentError(
                f"{shown_text(each, 200)}: is neither a folder nor a revision of the git repository here; fetch it "
                "first, as by git fetch origin main, or name a folder"
            )
    for each in (base, head):
        yield _of_commit(commits[each], root) if commits[each] and root else _of_folder(Path(each), root)


def _is_folder(named: str) -> bool:
    """Whether a name is a folder and no revision: `./docs` is the folder where both exist."""
    return Path(named).is_dir() and not (named.strip("./") == named and commit_of(named))


@contextmanager
def _of_commit(commit: str, root: Path) -> Iterator[_Side]:
    with files_of(commit, root) as files:
        yield _Side(files / Path.cwd().resolve().relative_to(root.resolve()), files)


@contextmanager
def _of_folder(folder: Path, root: Path | None) -> Iterator[_Side]:
    """A folder beside a revision has the names of the repository, where it is in that."""
    inside = root is not None and folder.resolve().is_relative_to(root.resolve())
    if inside and root:
        yield _Side(folder, root, tuple(submodules_of(root)))
    else:
        yield _Side(folder, folder)


def _inside(before: _Side, after: _Side, paths: Sequence[str]) -> list[tuple[_Side, list[str]]]:
    """The paths that each side has. Raises DocumentError for one that leads out, and for one that
    neither has."""
    found: list[tuple[_Side, list[str]]] = [(before, []), (after, [])]
    for each in paths:
        for side, inside in found:
            path = os.path.normpath(side.folder.absolute() / each)
            root = os.path.normpath(side.root.absolute())
            if is_url(each) or os.path.isabs(each) or not Path(path).is_relative_to(root):
                raise DocumentError(f"{shown_text(each, 200)}: is not below both states; name it as seen from here")
            if os.path.lexists(path):
                inside.append(str(side.folder / each))
        if not any(str(side.folder / each) in inside for side, inside in found):
            raise DocumentError(f"{shown_text(each, 200)}: is neither in BASE nor in HEAD; name what one of them has")
    return found


def _places(wanted: Given, side: _Side, errors: ErrorLog) -> Iterator[FoundFile]:
    """The documents of HEAD, without those of submodules, which are said."""
    passed_over = dict.fromkeys(side.submodules, 0)
    for each in places(wanted, errors) if wanted.paths else ():
        inside = next((of for of in side.submodules if each.path.absolute().is_relative_to(of)), None)
        if inside is None:
            yield each
        else:
            passed_over[inside] += 1
    for path, count in passed_over.items():
        if count:
            name = shown_text(os.path.relpath(path), 200)
            print_error(f"{name}: a submodule, whose files no revision has; {counted(count, 'document')} left out")


def _configs(before: _Side, after: _Side, named: str) -> tuple[Config, Config, str]:
    """The configs of both sides, and what there is to say of where they come from. Raises
    ConfigError."""
    if strategies.is_name(named) and not (after.folder / named).exists():
        chosen = read_config(named)[0]
        return chosen, chosen, f"{named} with its defaults, on both sides"
    old, new = (_config_at(side, named) for side in (before, after))
    if new is None:
        raise ConfigError(
            f"{shown_text(named, 200) or 'gate'}: HEAD has no such config; name one that it has with --config"
            if named
            else "gate: HEAD has no chunkscope.yaml and no pyproject.toml with [tool.chunkscope]; name a config with "
            "--config"
        )
    later = read_config(str(new))[0]
    name = shown_text(os.path.relpath(new, after.folder), 200)
    if old is None:
        return later, later, f"{name} of HEAD on both sides, as BASE has none"
    return read_config(str(old))[0], later, name


def _config_at(side: _Side, named: str) -> Path | None:
    if not named:
        return config_in(side.folder, side.root)
    path = side.folder / named
    return path if path.is_file() else None


@dataclass(frozen=True, slots=True)
class _Measured:
    changes: list[DocumentChange]
    removed: list[str]
    read: list[Document]
    """HEAD's documents, where questions are about them."""


def _measured(
    base: Iterable[FoundFile],
    head: Iterable[FoundFile],
    old: Config,
    new: Config,
    past: ErrorLog,
    errors: ErrorLog,
    *,
    keep_documents: bool,
) -> _Measured:
    """Every document of HEAD beside its former version, which is that of its name, or for one whose
    name is new that with its bytes. What is wrong in BASE is said, and is no error of HEAD."""
    former = {each.name: each for each in base}
    later = list(head)
    if not former and not later and not errors.count:
        raise DocumentError("gate: no document in BASE and none in HEAD; name the files and folders that have them")
    names = {each.name for each in later}
    gone = {name: each for name, each in former.items() if name not in names}
    by_bytes = {_hash(each): each for each in gone.values()} if names - former.keys() else {}
    changes, read_documents = [], []
    for found in ProgressLine(results_on_screen=False).through(later, lambda: len(later)):
        try:
            was = former.get(found.name) or by_bytes.pop(_hash(found), None)
            gone.pop(was.name if was else "", None)
            document = read(found)
            before = _former(was, past)
            for config, each in ((old, before), (old, document), (new, document)):
                if each:
                    announce(each, config)
            changes.append(document_change(before, document, old, new))
        except BaseException as error:
            errors.report(document_fault(error, found.place))
            continue
        if keep_documents:
            read_documents.append(document)
    return _Measured(changes, list(gone), read_documents)


def _former(was: FoundFile | None, past: ErrorLog) -> Document | None:
    """BASE's version; a version that cannot be read is reported, and the document is a new one."""
    if was is None:
        return None
    try:
        return read(was)
    except DocumentError as error:
        past.report(error)
        return None


def _hash(found: FoundFile) -> str:
    try:
        return source_hash(bytes_of(found))
    except DocumentError:
        return ""


def _evidence(questions: Path, documents: Sequence[Document], old: Config, new: Config, errors: ErrorLog) -> Evidence:
    """Which marked answers each config keeps whole in HEAD's documents. Raises GoldError for a file
    that cannot be read."""
    gold = gold_of(questions, documents)
    for problem in gold.problems:
        errors.report(GoldError(problem))
    spans: dict[str, list[Span]] = {document.name: [] for document in documents}
    for question in gold.questions:
        spans[question.document] += question.answers
    for mark in gold.whole:
        spans[mark.document].append(mark.span)
    whole: list[tuple[bool, bool]] = []
    for document in documents:
        if wanted := spans[document.name]:
            before, after = (coverages(run(document, config), wanted) for config in (old, new))
            whole += [(one.whole, other.whole) for one, other in zip(before, after, strict=True)]
    return Evidence(
        answers=len(whole),
        whole_before=sum(before for before, _ in whole),
        whole_after=sum(after for _, after in whole),
        newly_cut=sum(before and not after for before, after in whole),
        newly_whole=sum(after and not before for before, after in whole),
    )

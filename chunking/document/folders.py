"""Which of the files that are given are documents.

In a folder, files with a known extension are read; hidden ones, those that a .gitignore names and
the folders of dependencies are passed over, and links out of the folder are not followed. A file
that is named is read whatever its extension.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from chunking.document.archives import is_archive
from chunking.document.ignored_files import IgnoredFiles
from chunking.document.loaders import EXTENSIONS, extension_of, is_read, loaders
from chunking.document.names import Names
from chunking.document.text_rows import ENDINGS as TABLES
from chunking.errors import DocumentError
from chunking.text.display import CODE_POINT, safe_name, shown_text
from chunking.text.path_patterns import PathPatterns

if TYPE_CHECKING:
    from chunking.document.model import Document

DEPENDENCIES = frozenset({"node_modules", "bower_components", "site-packages", "__pycache__"})
"""Folders with what others wrote. One with a `pyvenv.cfg` in it is another."""
_MOST_KINDS = 6


@dataclass(frozen=True)
class Selection:
    """Which documents are wanted of what is given, and where their names begin."""

    root: Path | None = None
    """Where names begin; left out: see names.py."""
    include: tuple[str, ...] = ()
    """Patterns of names: only what fits one is read. One that ends in an extension, as `*.html`,
    brings files with that extension."""
    exclude: tuple[str, ...] = ()
    """Patterns of names that are not read."""
    extensions: tuple[str, ...] = ()
    """Extensions that are read in folders beside those that always are, with their dots."""
    text_column: str = ""
    """Where tables are read, the column that has the text of each row; else they are not."""

    def __post_init__(self) -> None:
        """Raises DocumentError: a pattern that is not taken, a root that is not a folder."""
        if self.root is not None and not os.path.isdir(self.root):
            raise DocumentError(f"--root {shown_text(str(self.root), 200)}: is not a folder")
        for option, given in (("--include", self.include), ("--exclude", self.exclude)):
            try:
                PathPatterns(given)
            except ValueError as error:
                raise DocumentError(f"{option} {shown_text(str(error), 300)}") from None

    def wants(self, name: str) -> bool:
        """Whether a document of this name is read."""
        if self.include and not self._included.fits(name):
            return False
        return not (self.exclude and self._excluded.fits(name))

    def reads(self, base_name: str) -> bool:
        """Whether a file of a folder is a document, by its extension."""
        extension = extension_of(base_name)
        tables = TABLES if self.text_column else ()
        return (
            is_read(extension) or is_archive(base_name) or extension in (*self._extensions, *self.extensions, *tables)
        )

    @cached_property
    def _included(self) -> PathPatterns:
        return PathPatterns(self.include)

    @cached_property
    def _excluded(self) -> PathPatterns:
        return PathPatterns(self.exclude)

    @cached_property
    def _extensions(self) -> frozenset[str]:
        return frozenset(extension_of(each.rpartition("/")[2]) for each in self.include) - {""}


@dataclass
class PassedOver:
    """How many files of folders are not read, by kind; a folder that is not entered counts once."""

    by_kind: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        """One line; empty where nothing was passed over."""
        total = self.by_kind.total()
        if not total:
            return ""
        shown = sorted(self.by_kind.items(), key=lambda each: (-each[1], each[0]))[:_MOST_KINDS]
        rest = total - sum(count for _, count in shown)
        kinds = [f"{count} {kind}" for kind, count in shown] + ([f"{rest} of other kinds"] if rest else [])
        return f"{total} passed over: {', '.join(kinds)}"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A document's place, not yet read."""

    path: Path
    name: str
    """Below the root, with `/`. In an archive, the archive's name and the path in it."""
    member: str = ""
    """The path in the archive that `path` is; empty for a file."""
    content: bytes | None = field(default=None, repr=False)
    """What is in a member, which was read with its archive; what a page is."""
    web_type: str | None = None
    """Of a page of the web, the extension that stands for its type; None for a file, whose name
    has its own."""
    url: str = ""
    """Where the file is that an engine brings; empty for one of this machine."""
    document: Document | None = field(default=None, repr=False, compare=False)
    """What is in it, where that was read already."""

    @property
    def place(self) -> str:
        """Where it is, for messages."""
        if self.web_type is not None:
            return self.name
        if self.url:
            return f"{self.url}/{self.member}" if self.member else self.url
        return f"{self.path}/{self.member}" if self.member else str(self.path)


def find_files(
    paths: Iterable[str | Path], selection: Selection | None = None, passed_over: PassedOver | None = None
) -> Iterator[FoundFile | DocumentError]:
    """Where the documents of some files and folders are, an archive as the one file that it is. A
    file reached twice comes once; two of one name clash.

    `passed_over` counts what is not read of folders.
    """
    given = [Path(each) for each in paths]
    wanted = selection or Selection()
    names = Names(given, wanted.root)
    taken: dict[str, Path] = {}
    passed_over = PassedOver() if passed_over is None else passed_over
    for path in given:
        for found in _find_one(path, names, wanted, passed_over):
            # In one folder only names with characters that were made printable can be equal.
            if isinstance(found, DocumentError) or (len(given) == 1 and CODE_POINT not in found.name):
                yield found
                continue
            before = taken.setdefault(found.name, found.path)
            if before is found.path:
                yield found
            elif not _same(before, found.path):
                yield DocumentError(
                    f"{shown_text(str(found.path), 200)}: {shown_text(str(before), 200)} is called "
                    f"{shown_text(found.name)} too; give --root with a folder above both"
                )


def _find_one(
    path: Path, names: Names, wanted: Selection, passed_over: PassedOver
) -> Iterator[FoundFile | DocumentError]:
    try:
        name = names.of(path)
    except DocumentError as error:
        yield error
        return
    if not os.path.isdir(path):
        if wanted.wants(safe_name(name)):
            yield FoundFile(path, safe_name(name))
        return
    top = os.path.abspath(path)
    walk = _Walk(path, "" if name == "." else f"{name}/", wanted, IgnoredFiles(top, names.repository(top)))
    some = False
    for found in walk.files():
        some = True
        yield found
    if not some:
        fits = " that fits --include and --exclude" if wanted.include or wanted.exclude else ""
        passed = f" ({walk.passed_over})" if walk.passed_over.by_kind else ""
        yield DocumentError(f"{shown_text(str(path), 200)}: no document in this folder{fits}{passed}. {readable()}")
        return  # that has said what was passed over
    passed_over.by_kind.update(walk.passed_over.by_kind)


def readable() -> str:
    """Which files are read, for messages."""
    return f"Supported: {' '.join((*EXTENSIONS, *loaders()))}, also in a zip or tar"


def reason(error: OSError | ValueError) -> str:
    """Why the system does not give a file or folder, for messages."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file or folder"
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"cannot be read ({shown_text(said)})"


class _Walk:
    """The documents of one folder and those below it, and how many files are not."""

    def __init__(self, top: Path, name: str, wanted: Selection, ignored: IgnoredFiles) -> None:
        """`name` is what every document's name starts with."""
        self._top = top
        self._name = name
        self._wanted = wanted
        self._ignored = ignored
        self.passed_over = PassedOver()

    def files(self) -> Iterator[FoundFile | DocumentError]:
        """The documents in the order of their names, one folder listed at a time. Linked folders
        are not entered: they lead out, or round in a circle."""
        inside = os.path.realpath(self._top)
        open_folders = [self._in_folder("", inside)]
        while open_folders:
            found = next(open_folders[-1], None)
            if found is None:
                open_folders.pop()
            elif isinstance(found, str):
                open_folders.append(self._in_folder(found, inside))
            else:
                yield found

    def _in_folder(self, below: str, inside: str) -> Iterator[FoundFile | DocumentError | str]:
        """The documents of one folder, and in their place the folders in it to enter. These are
        given by their path below the first one, empty or ending in `/`."""
        problems: list[OSError] = []
        top = os.path.join(self._top, below[:-1]) if below else os.fspath(self._top)
        folder, folders, files = next(os.walk(top, onerror=problems.append), (top, [], []))
        for problem in problems:
            yield DocumentError(f"{shown_text(str(problem.filename), 200)}: {reason(problem)}")
        self._ignored.enter(below)
        read = [(name, each) for each in files if (name := self._read_as(each, below))]
        # A folder's slash is part of the names in it, which decide on the order.
        entered = [(f"{self._named(each, below)}/", each) for each in folders if self._enters(folder, each, below)]
        for name, each in sorted(read + entered):
            path = Path(folder, each)
            if not name.endswith("/"):
                yield _at(path, name, inside)
            elif _leads_out(path, inside):
                yield DocumentError(f"{shown_text(str(path), 200)}: a link out of the folder; name its target too")
            elif not path.is_symlink():
                yield f"{below}{each}/"

    def _named(self, entry: str, below: str) -> str:
        return safe_name(f"{self._name}{below}{entry}")

    def _read_as(self, file: str, below: str) -> str:
        """The name of a file that is read; empty for another one."""
        if not self._reads(file, below):
            return ""
        name = self._named(file, below)
        return name if self._wanted.wants(name) else ""

    def _reads(self, file: str, below: str) -> bool:
        if not self._wanted.reads(file):
            if not file.startswith("."):
                self._pass_over(extension_of(file) or "without an extension")
            return False
        if file.startswith("."):
            self._pass_over("hidden")
        elif self._ignored.names(below, file):
            self._pass_over("by .gitignore")
        else:
            return True
        return False

    def _enters(self, folder: str, entry: str, below: str) -> bool:
        if entry == ".git":
            return False
        if entry.startswith("."):
            self._pass_over("hidden")
        elif entry in DEPENDENCIES or os.path.exists(os.path.join(folder, entry, "pyvenv.cfg")):
            self._pass_over("of dependencies")
        elif self._ignored.names(below, f"{entry}/"):
            self._pass_over("by .gitignore")
        else:
            return True
        return False

    def _pass_over(self, kind: str) -> None:
        self.passed_over.by_kind[kind] += 1


def _at(path: Path, name: str, inside: str) -> FoundFile | DocumentError:
    if _leads_out(path, inside):
        return DocumentError(f"{shown_text(str(path), 200)}: a link out of the folder; name the file itself")
    return FoundFile(path, name)


def _leads_out(path: Path, inside: str) -> bool:
    """Whether a link's target is outside the folder, by its real path."""
    return path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(inside)


def _same(first: Path, second: Path) -> bool:
    try:
        return os.path.samefile(first, second)
    except (OSError, ValueError):
        return first == second

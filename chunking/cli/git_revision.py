"""The files of a git revision, in a folder of their own for as long as they are read."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from chunking.errors import DocumentError
from chunking.text.display import shown_text


def repository() -> Path | None:
    """The root of the git repository that this folder is in; None outside of one, and without
    git."""
    try:
        return Path(_git("rev-parse", "--show-toplevel"))
    except DocumentError:
        return None


def commit_of(revision: str) -> str:
    """The commit that a revision names, in hex; empty where this repository has none of that
    name."""
    if revision.startswith("-") or "\0" in revision:
        return ""
    try:
        return _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except DocumentError:
        return ""


@contextmanager
def files_of(commit: str, root: Path) -> Iterator[Path]:
    """All files of a commit, as a checkout would write them, in a temporary folder. The
    repository, its index and its work tree stay as they are. Raises DocumentError."""
    with TemporaryDirectory(prefix="chunkscope-") as folder:
        index = {"GIT_INDEX_FILE": str(Path(folder, "index"))}
        files = Path(folder, "files")
        files.mkdir()
        (files / ".git").mkdir()  # so that the .gitignore of each folder up to here counts, as in the work tree
        _git("read-tree", commit, folder=root, variables=index)
        _git("checkout-index", "--all", "--quiet", f"--prefix={files}/", folder=root, variables=index)
        yield files


def submodules_of(root: Path) -> list[Path]:
    """The folders in a work tree that are other repositories: no revision has their files. Raises
    DocumentError."""
    entries = _git("ls-files", "--stage", "-z", folder=root).split("\0")
    return [root / each.partition("\t")[2] for each in entries if each.startswith("160000 ")]


def _git(*arguments: str, folder: Path | None = None, variables: Mapping[str, str] | None = None) -> str:
    try:
        done = subprocess.run(
            ["git", *arguments],
            cwd=folder,
            env={**os.environ, "LC_ALL": "C", **(variables or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise DocumentError("git: is not installed; give folders in the place of revisions") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit code {done.returncode}"]
        raise DocumentError(f"git {arguments[0]}: {shown_text(said[-1], 300)}")
    return done.stdout.decode(errors="surrogateescape").removesuffix("\n")

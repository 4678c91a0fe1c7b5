"""A real git repository for a test, with nothing of the machine's own settings."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

_NOBODY = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


def git(folder: Path, *arguments: str) -> str:
    """What a git command prints."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env={**os.environ, **_NOBODY}, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(folder: Path, files: Mapping[str, str | None]) -> str:
    """Write these files, remove those that are None, and commit all; gives the commit."""
    if not (folder / ".git").exists():
        folder.mkdir(exist_ok=True)
        git(folder, "init", "--quiet", "--initial-branch=main")
    for name, text in files.items():
        if text is None:
            (folder / name).unlink()
        else:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message=state")
    return git(folder, "rev-parse", "HEAD")

"""Patterns of paths fit what git says they fit."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from git_repository import git

from chunking.document.folders import FoundFile, find_files
from chunking.text.path_patterns import PathPatterns


@pytest.mark.parametrize(
    ("pattern", "fits", "does_not"),
    [
        ("docs/api/**", "docs/api/v1/a.md", "old/docs/api/a.md"),
        ("docs", "old/docs/a.md", "docs.md"),
        ("/docs", "docs/a.md", "old/docs/a.md"),
        ("**/docs/*.md", "a/b/docs/c.md", "docs/c/d.md"),
        ("a/**/b", "a/b", "a/bb"),
        ("a/**/b", "a/x/y/b", "x/a/b"),
        ("a**", "x/ab", "x/ba"),
        ("**/a/**/b/*c*.md", "x/a/y/b/b/xcx.md", "x/a/y/b/b/xcx.txt"),
        ("[]-a].md", "].md", "b.md"),
        (r"\[a].md", "[a].md", "a.md"),
        ("a  ", "a", "a  "),
    ],
)
def test_a_pattern_fits(pattern: str, fits: str, does_not: str) -> None:
    assert PathPatterns([pattern]).fits(fits) is True
    assert PathPatterns([pattern]).fits(does_not) is None


@pytest.mark.parametrize("pattern", ["[a.md", "[]", "/", "# a", " "])
def test_a_pattern_fits_nothing(pattern: str) -> None:
    patterns = PathPatterns([pattern])

    assert {patterns.fits(each) for each in ("a.md", "[a.md", "[]", "# a", " ")} == {None}


def test_what_is_said_of_a_path_itself_counts_more_than_what_is_said_of_a_folder_above() -> None:
    assert PathPatterns(["!docs/a.md", "docs/"]).fits("docs/a.md") is False
    assert PathPatterns(["!docs/a.md", "docs/"]).fits("docs/b.md") is True


@pytest.mark.parametrize("pattern", ["[z-a].md", "[[:alpha:]].md", "[a&&b].md", "!", "\\", "**/*a*/**/*a*ab/*c"])
def test_a_pattern_that_is_not_taken_is_named(pattern: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"{pattern}: ")):
        PathPatterns([pattern])


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("**/a/**/a/**/a/b", "a/" * 300 + "c"),
        ("**/*a*/**/*ab", ("a" * 100 + "/") * 10 + "c"),
        ("**/*a*a*ab", ("a" * 250 + "/") * 15 + "c"),
    ],
)
def test_a_long_path_is_matched_to_many_stars(pattern: str, path: str) -> None:
    """By patterns of more stars it would take longer than any test may."""
    assert PathPatterns([pattern]).fits(path) is None


_NAMES = ("a", "b", "foo", "Foo", "foo bar", "x[1]", "a!b", "#c", "q?", "s*t", "trail ", "back\\slash")
_PARTS = (
    *("*", "**", "?", "??", "f?o", "*.md", "*o", "*a*", "a.*", "[ab]", "[!a]", "[^a]*", "[a-f]oo", "[a", "[]a]*"),
    *(r"\f\o\o", r"\#c*", r"\!x", "trail ", r"q\?.md", r"x\[1\]*", "foo.md", "b.txt", "do"),
)


def _line(chance: random.Random) -> str:
    parts = [chance.choice((*_NAMES, *_PARTS, *_PARTS)) for _ in range(chance.choice((1, 1, 1, 2, 3)))]
    begin, end = chance.choice(("", "", "", "/", "!", "!/")), chance.choice(("", "", "", "/", " ", "\r"))
    return begin + "/".join(parts) + end


@pytest.mark.parametrize("seed", range(12))
def test_files_that_git_ignores_are_passed_over_and_no_others(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    folders = [tmp_path]
    for _ in range(6):
        folders.append(chance.choice(folders) / chance.choice(_NAMES))
        folders[-1].mkdir(exist_ok=True)
    for folder in folders:
        for name in chance.sample(_NAMES, 4):
            (folder / f"{name}{chance.choice(('.md', '.txt'))}").write_text("text")
    for folder in (tmp_path, *chance.sample(folders[1:], 3)):
        lines = [_line(chance) for _ in range(chance.randint(1, 4))]
        (folder / ".gitignore").write_bytes("\n".join(lines).encode())
    git(tmp_path, "init", "--quiet")

    listed = git(tmp_path, "-c", f"core.excludesFile={tmp_path / 'none'}", "ls-files", "-z", "-o", "--exclude-standard")

    wanted = {each for each in listed.split("\0") if each and not each.endswith(".gitignore")}
    found = [each for each in find_files([tmp_path]) if isinstance(each, FoundFile)]
    assert {each.path.relative_to(tmp_path).as_posix() for each in found} == wanted

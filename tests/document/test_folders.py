"""Which files of a folder are read, and how the others are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunking.document.folders import PassedOver, Selection
from chunking.document.loading import find
from chunking.errors import DocumentError


def tree(root: Path, *names: str, **contents: str) -> Path:
    """Files of these names; `contents` for those whose text matters, with `_` for the dot."""
    for name in (*names, *(key.replace("_", ".") for key in contents)):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(contents.get(name.replace(".", "_"), "text"))
    return root


def read(root: Path, include: tuple[str, ...] = (), exclude: tuple[str, ...] = ()) -> tuple[list[str], str]:
    """The names of what is read, and what is said of the rest."""
    passed_over = PassedOver()
    found = list(find([root], Selection(None, include, exclude), passed_over))
    return [str(each) if isinstance(each, DocumentError) else each.name for each in found], str(passed_over)


def test_files_of_other_types_are_counted_by_their_extension(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "b.css", "c/d.css", "e.png", "LICENSE")

    assert read(tmp_path) == (["a.md"], "4 passed over: 2 .css, 1 .png, 1 without an extension")


def test_hidden_files_and_folders_of_dependencies_are_passed_over(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", ".b.md", ".git/c.md", ".cache/d.md", "node_modules/e.md", "env/pyvenv.cfg", "env/f.md")

    names, said = read(tmp_path)

    assert names == ["a.md"]
    assert said == "4 passed over: 2 hidden, 2 of dependencies"


def test_a_gitignore_counts_in_its_folder_and_below_and_the_inner_one_wins(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "draft.md", "build/b.md", "docs/draft.md", "docs/tmp/c.md", "docs/tmp/keep.md")
    (tmp_path / ".gitignore").write_text("draft.md\n/build/\n# a comment\n\n**/tmp/*\n")
    (tmp_path / "docs" / ".gitignore").write_text("!draft.md\n!tmp/keep.md\n")

    assert read(tmp_path) == (["a.md", "docs/draft.md", "docs/tmp/keep.md"], "3 passed over: 3 by .gitignore")


def test_the_gitignore_of_the_repository_counts_in_a_folder_of_it_but_not_for_one_that_is_named(tmp_path: Path) -> None:
    tree(tmp_path, ".git/config", "docs/a.md", "docs/b.tmp.md", "build/c.md")
    (tmp_path / ".gitignore").write_text("*.tmp.md\nbuild/\n")

    assert read(tmp_path / "docs")[0] == ["docs/a.md"]
    assert read(tmp_path / "build")[0] == ["build/c.md"]


def test_a_file_that_is_named_is_read_whatever_a_gitignore_says(tmp_path: Path) -> None:
    tree(tmp_path, ".a.css")
    (tmp_path / ".gitignore").write_text("*\n")

    assert read(tmp_path / ".a.css") == ([".a.css"], "")


def test_include_and_exclude_choose_by_name_and_an_extension_brings_its_files(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "docs/b.md", "docs/c.css", "docs/api/d.md", "e.css")

    assert read(tmp_path, include=("docs/**",))[0] == ["docs/api/d.md", "docs/b.md"]
    assert read(tmp_path, include=("docs/**",), exclude=("docs/api/",))[0] == ["docs/b.md"]
    assert read(tmp_path, include=("*.css", "a.md"))[0] == ["a.md", "docs/c.css", "e.css"]
    assert read(tmp_path, exclude=("*.md", "!a.md"))[0] == ["a.md"]


def test_nothing_that_fits_is_said_with_what_was_passed_over(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "b.png")

    (said,), _ = read(tmp_path, include=("*.txt",))
    assert said.startswith(f"{tmp_path}: no document in this folder that fits --include and --exclude (1 passed over")


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("a*b*c*d*e", "a*b*c*d*e: a pattern with more than 3 stars in a part"),
        (
            "**/a/**/b/**/c/**/d",
            "**/a/**/b/**/c/**/d: a pattern with more than 3 stars in a part, or parts that are **",
        ),
        ("x" * 501, "x" * 40 + ": a pattern of 501 characters; at most 500 are taken"),
        ("!", "!: not a pattern; an example: docs/api/**"),
    ],
)
def test_a_pattern_that_could_take_long_or_is_none_is_refused_in_one_line(pattern: str, problem: str) -> None:
    for option, given in (("include", ((pattern,), ())), ("exclude", ((), (pattern,)))):
        with pytest.raises(DocumentError) as raised:
            Selection(None, *given)
        assert str(raised.value).startswith(f"--{option} {problem}")


def test_hostile_lines_of_a_gitignore_are_not_taken_and_the_others_are(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "b.md", "a" * 240 + ".md")
    (tmp_path / ".gitignore").write_bytes(b"a*" * 100 + b"b\n!\n\\\n\xff\xfe\nb.md\n" + b"*" * 600 + b"\n")

    names, _ = read(tmp_path)

    assert names == ["a.md", "a" * 240 + ".md"]


def test_documents_come_in_the_order_of_their_names_and_a_folder_is_listed_when_its_turn_comes(tmp_path: Path) -> None:
    tree(tmp_path, "b.md", "a/z.md", "a-b/x.md", "a.md", "a/b/c.md", "a/b-c.md")
    found = find([tmp_path], Selection(root=tmp_path))

    first = next(found)
    (tmp_path / "a" / "z.md").unlink()

    names = [str(each) if isinstance(each, DocumentError) else each.name for each in (first, *found)]
    assert names == ["a-b/x.md", "a.md", "a/b-c.md", "a/b/c.md", "b.md"]

"""What documents are called: the same, however and with whatever else they are given."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from chunking.document.folders import Selection
from chunking.document.loading import find, load, load_all
from chunking.errors import DocumentError


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of documents in which the test stands."""
    for name in ("docs/guide.md", "docs/api/quotes.md", "docs/api/index.md", "blog/index.md"):
        path = tmp_path / "work" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n")
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def called(paths: Sequence[str | Path], root: str | None = None) -> list[str]:
    found = find(paths, Selection(None if root is None else Path(root)))
    return [str(each) if isinstance(each, DocumentError) else each.name for each in found]


WAYS = (
    ["docs"],
    ["."],
    ["docs/api"],
    ["./docs/../docs/api/quotes.md"],
    ["blog/index.md", "docs/api/quotes.md"],
    ["docs/guide.md", "docs"],
)


@pytest.mark.parametrize("paths", WAYS)
def test_in_a_repository_a_name_is_the_path_below_it(paths: list[str], tree: Path) -> None:
    (tree / ".git").mkdir()
    everything = {"docs/guide.md", "docs/api/quotes.md", "docs/api/index.md", "blog/index.md"}

    names = called(paths)

    assert "docs/api/quotes.md" in names
    assert set(names) <= everything
    assert names == called([Path(each).resolve() for each in paths])


@pytest.mark.parametrize("paths", WAYS)
def test_below_a_root_that_is_given_too(paths: list[str], tree: Path) -> None:
    (tree / "docs" / ".git").touch()

    assert "docs/api/quotes.md" in called(paths, root=".")


def test_what_is_not_below_the_root_that_was_given_is_refused(tree: Path) -> None:
    assert called(["docs/guide.md", "blog"], root="docs") == [
        "guide.md",
        f"blog: is not below --root {tree}/docs; give a folder above both",
    ]
    with pytest.raises(DocumentError, match=r"^--root nowhere: is not a folder$"):
        called(["docs"], root="nowhere")


@pytest.mark.usefixtures("tree")
def test_outside_a_repository_names_begin_in_the_folder_above_all_folders() -> None:
    assert called(["docs"]) == ["api/index.md", "api/quotes.md", "guide.md"]
    assert called(["docs/api", "blog"]) == ["docs/api/index.md", "docs/api/quotes.md", "blog/index.md"]
    assert called(["docs/guide.md"]) == ["guide.md"]
    assert called(["docs/api/quotes.md", "docs"]) == ["api/quotes.md", "api/index.md", "guide.md"]


@pytest.mark.usefixtures("tree")
def test_files_of_one_base_name_are_told_apart_by_the_folders_above_them() -> None:
    assert called(["docs/api/index.md", "blog/index.md", "docs/guide.md"]) == [
        "api/index.md",
        "blog/index.md",
        "guide.md",
    ]


@pytest.mark.usefixtures("tree")
def test_a_file_reached_twice_comes_once() -> None:
    os.symlink("guide.md", "docs/again.md")

    assert called(["docs/guide.md", "docs/../docs/guide.md", "docs"]).count("guide.md") == 1


def test_two_repositories_may_have_a_file_of_one_name_and_the_second_says_what_helps(tree: Path) -> None:
    (tree / "docs" / ".git").mkdir()
    (tree / "blog" / ".git").mkdir()
    (tree / "docs" / "index.md").write_text("docs")

    assert called(["docs/index.md", "blog/index.md"]) == [
        "index.md",
        "blog/index.md: docs/index.md is called index.md too; give --root with a folder above both",
    ]
    assert called(["docs/index.md", "blog/index.md"], root=".") == ["docs/index.md", "blog/index.md"]


def test_the_library_names_documents_in_the_same_way(tree: Path) -> None:
    (tree / ".git").mkdir()

    assert load("docs/guide.md").name == "docs/guide.md"
    assert load("docs/guide.md", root="docs").name == "guide.md"
    assert [each.name for each in load_all("docs", root=tree)] == [
        "docs/api/index.md",
        "docs/api/quotes.md",
        "docs/guide.md",
    ]

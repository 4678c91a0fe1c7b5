"""A file is replaced whole, and what a killed process left behind of it goes with the next
write."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from chunking.runtime.whole_file import adding, on_disk, replacing

KILLED_WHILE_WRITING = """
import os, signal, sys
from pathlib import Path
from chunking.runtime.whole_file import replacing
with replacing(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def killed_while_writing(target: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED_WHILE_WRITING, str(target)], check=False, timeout=60)


def write(target: Path, content: bytes) -> None:
    with replacing(target) as file:
        file.write(content)


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
@pytest.mark.parametrize("name", ["out.jsonl", "茶" * 80, "🍵" * 60, "a*[b]?.md", ".hidden"])
def test_the_next_write_removes_what_a_killed_writer_left(tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    write(target, b"before")
    killed_while_writing(target)
    assert len(names(tmp_path)) == 2
    assert target.read_bytes() == b"before"

    write(target, b"after")

    assert (names(tmp_path), target.read_bytes()) == ([name], b"after")


def test_a_part_that_is_being_written_is_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    with replacing(target) as slow:
        slow.write(b"slow")
        write(target, b"quick")
        assert target.read_bytes() == b"quick"

    assert (names(tmp_path), target.read_bytes()) == (["out.jsonl"], b"slow")


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_parts_of_other_files_and_files_that_look_like_parts_are_left_alone(tmp_path: Path) -> None:
    others = [".out.jsonl.part", ".out.jsonl.UPPERCASE.part", ".out.jsonl.2.0123456789abcdef.part", "out.part"]
    for name in others:
        (tmp_path / name).write_bytes(b"mine")
    killed_while_writing(tmp_path / "other.csv")

    write(tmp_path / "out.jsonl", b"x")

    left = names(tmp_path)
    assert set(others) < set(left)
    assert sum(name.startswith(".other.csv.") for name in left) == 1
    assert len(left) == len(others) + 2


def test_a_link_in_the_place_of_a_part_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"kept")
    (tmp_path / ".out.0123456789abcdef.part").symlink_to("precious")

    write(tmp_path / "out", b"x")

    assert (tmp_path / "precious").read_bytes() == b"kept"


def test_a_file_that_is_added_makes_its_folder_and_is_there_whole(tmp_path: Path) -> None:
    target = tmp_path / "ab" / "abc.jsonl"
    with adding(target) as file:
        file.write(b"all of it")
        assert not target.exists()

    assert (names(target.parent), target.read_bytes()) == (["abc.jsonl"], b"all of it")


def test_a_file_that_could_not_be_added_leaves_the_former_one_and_nothing_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "abc.jsonl"
    write(target, b"before")

    with pytest.raises(TypeError, match="bytes"), adding(target) as file:
        file.writelines([b"half", "no bytes"])  # type: ignore[list-item]

    assert (names(tmp_path), target.read_bytes()) == (["abc.jsonl"], b"before")


@pytest.mark.skipif(sys.platform == "win32", reason="permissions")
def test_a_file_that_is_added_has_the_permissions_of_a_new_file(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"")
    with adding(tmp_path / "added") as file:
        file.write(b"")

    assert (tmp_path / "added").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each file is synced")
def test_what_was_added_is_synced_at_once_and_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with adding(tmp_path / "added") as file:
        file.write(b"all of it")
    on_disk(tmp_path)

    with pytest.raises(FileNotFoundError):
        on_disk(tmp_path / "none")

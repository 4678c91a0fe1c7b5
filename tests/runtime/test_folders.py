"""A person's files are where the platform keeps such things, or where the environment says."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from chunking.runtime.folders import user_folder
from chunking.runtime.whole_file import replacing


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the folders of Linux")
def test_files_of_earlier_versions_are_still_found_on_linux(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("OURS", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_folder("cache", "OURS") == tmp_path / ".cache" / "chunkscope"
    assert user_folder("data", "OURS") == tmp_path / ".local" / "share" / "chunkscope"

    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert user_folder("data", "OURS") == Path("/somewhere/chunkscope")


def test_a_variable_of_ours_names_another_folder_or_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OURS", str(tmp_path))
    assert user_folder("data", "OURS") == tmp_path
    monkeypatch.setenv("OURS", "off")
    assert user_folder("data", "OURS") is None


def test_a_file_that_is_not_finished_leaves_the_old_one_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("old")

    with pytest.raises(ValueError, match="closed"), replacing(file) as part:
        part.close()

    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]
    assert file.read_text() == "old"


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_a_replaced_file_keeps_its_permissions_and_a_private_one_is_its_owners(tmp_path: Path) -> None:
    shared, own = tmp_path / "shared", tmp_path / "own"
    shared.write_text("old")
    shared.chmod(0o640)

    with replacing(shared) as part:
        part.write(b"new")
    with replacing(own, private=True) as part:
        part.write(b"new")

    assert [stat.S_IMODE(each.stat().st_mode) for each in (shared, own)] == [0o640, 0o600]
    assert shared.read_text() == own.read_text() == "new"

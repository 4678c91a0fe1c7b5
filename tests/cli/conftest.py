"""The folder that the tests of the commands work in."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import EXAMPLE, GUIDE


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a config and two documents, one of them in a folder."""
    (tmp_path / "docs" / "more").mkdir(parents=True)
    (tmp_path / "docs" / "guide.md").write_text(GUIDE, encoding="utf-8")
    (tmp_path / "docs" / "more" / "short.md").write_text("Only this.\n", encoding="utf-8")
    (tmp_path / "c.yaml").write_text(EXAMPLE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path

"""The texts that benchmarks measure on."""

from __future__ import annotations

from pathlib import Path

from benchmarks.texts import text_of


def test_every_size_takes_from_all_parts_of_the_folder(tmp_path: Path) -> None:
    for name in "abcdefghijkl":
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\n" + "word " * 400, "utf-8")

    found = text_of(8_000, str(tmp_path))

    titles = [line[2] for line in found.splitlines() if line.startswith("# ")]
    assert titles == ["a", "f", "k", "c"]


def test_a_document_that_would_swallow_what_follows_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Open\n\n<?php\n", "utf-8")
    (tmp_path / "b.md").write_text("# Whole\n\nText.\n", "utf-8")

    assert "Open" not in text_of(100, str(tmp_path))

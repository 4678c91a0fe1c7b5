"""Documents go to worker processes in batches, and come back in order."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

from chunking.cli.batches import in_batches
from chunking.cli.pipeline import itself
from chunking.document.folders import FoundFile


def found(size: int, number: int) -> FoundFile:
    return FoundFile(Path("docs.zip"), f"{number}.md", f"{number}.md", bytes(size))


def sizes(files: list[FoundFile], workers: int = 2) -> list[int]:
    return [len(batch) for batch in in_batches(files, workers, itself)]


def test_few_documents_go_one_by_one_so_that_every_worker_has_some() -> None:
    assert sizes([found(10, number) for number in range(8)]) == [1] * 8


def test_of_many_small_documents_batches_grow_to_a_count() -> None:
    files = [found(10, number) for number in range(2000)]
    made = sizes(files)

    assert made[:9] == [1] * 8 + [2]
    assert max(made) == 32
    assert all(size <= 1 + before // 8 for size, before in zip(made[1:], accumulate(made), strict=False))
    assert [each for batch in in_batches(files, 2, itself) for each in batch] == files


def test_large_documents_close_their_batch() -> None:
    many = [found(10, number) for number in range(400)]

    assert sizes([*many, found(2**18, 400), found(10, 401)])[-2:] == [24, 1]
    assert sizes([*many, *(found(2**16, 400 + number) for number in range(40))])[-9:] == [4] * 9


def test_a_file_that_is_not_there_is_left_to_who_reads_it() -> None:
    assert sizes([FoundFile(Path("nowhere.md"), "nowhere.md")]) == [1]

"""Marks on disk: found by the text, never lost to another session, never written over what is not
ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from chunking import Annotations, AnnotationStore, Question, Span, parse
from chunking.errors import GoldError
from chunking.gold.mark_store import data_folder

TEA = parse("Boil water.\nPour it.\n", name="tea.md")
BOIL, POUR = Span(0, 11), Span(12, 20)
NONE = Annotations()


def file_of(folder: Path) -> Path:
    return folder / "marks" / f"{TEA.text_hash}.json"


def test_marks_are_there_again_for_the_same_text_under_another_name(tmp_path: Path) -> None:
    marks = NONE.with_answer(TEA, "How?", BOIL).with_whole(TEA, POUR)
    AnnotationStore(tmp_path).save(TEA, NONE, marks)
    renamed = parse(TEA.text, name="new/brew.md")

    read = AnnotationStore(tmp_path).read(renamed)

    assert read.answers == (("How?", BOIL),)
    assert read.questions[0].document == "new/brew.md"
    assert read.whole == (POUR,)


def test_another_text_has_no_marks(tmp_path: Path) -> None:
    AnnotationStore(tmp_path).save(TEA, NONE, NONE.with_whole(TEA, POUR))

    assert AnnotationStore(tmp_path).read(parse(TEA.text + "Wait.\n", name="tea.md")) == NONE


def test_the_file_says_its_version_and_the_text_of_each_mark(tmp_path: Path) -> None:
    AnnotationStore(tmp_path).save(TEA, NONE, NONE.with_answer(TEA, "How?", BOIL))

    assert json.loads(file_of(tmp_path).read_text(encoding="utf-8")) == {
        "chunkscope_marks": 1,
        "document": "tea.md",
        "questions": [
            {"question": "How?", "references": [{"content": "Boil water.", "start_index": 0, "end_index": 11}]}
        ],
        "whole": [],
    }


def test_two_sessions_keep_each_others_marks(tmp_path: Path) -> None:
    one, other = AnnotationStore(tmp_path), AnnotationStore(tmp_path)
    one.read(TEA), other.read(TEA)

    one.save(TEA, NONE, NONE.with_whole(TEA, BOIL))
    kept = other.save(TEA, NONE, NONE.with_whole(TEA, POUR))

    assert kept.whole == (BOIL, POUR)
    assert one.read(TEA).whole == (BOIL, POUR)


def test_threads_that_mark_at_once_lose_nothing(tmp_path: Path) -> None:
    def mark(start: int) -> None:
        AnnotationStore(tmp_path).save(TEA, NONE, NONE.with_whole(TEA, Span(start, start + 1)))

    at_once = [Thread(target=mark, args=(start,)) for start in range(4)]
    for thread in at_once:
        thread.start()
    for thread in at_once:
        thread.join()

    assert AnnotationStore(tmp_path).read(TEA).whole == (Span(0, 1), Span(1, 2), Span(2, 3), Span(3, 4))


def test_processes_that_mark_at_once_lose_nothing(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from chunking import Annotations, AnnotationStore, Span, parse\n"
        f"tea = parse({TEA.text!r}, name='tea.md'); store = AnnotationStore(Path(sys.argv[1]))\n"
        "for start in range(int(sys.argv[2]), int(sys.argv[2]) + 4):\n"
        "    store.save(tea, Annotations(), Annotations().with_whole(tea, Span(start, start + 1)))\n"
    )
    start = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path), at]) for at in ("0", "5")]

    assert [process.wait() for process in start] == [0, 0]
    assert len(AnnotationStore(tmp_path).read(TEA).whole) == 8


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is not valid JSON"),
        ("[]", "is not a file of Chunkscope's marks"),
        ('{"chunkscope_marks": 2}', "is of another version than 1"),
        ('{"chunkscope_marks": 1}', "lacks questions or whole"),
        (
            '{"chunkscope_marks": 1, "questions": [{"question": "How?"}], "whole": []}',
            "has a question without its text or its answers",
        ),
        (
            '{"chunkscope_marks": 1, "questions": [], "whole": [{"start_index": 0, "end_index": 99}]}',
            "has a mark that is not a span of the text",
        ),
    ],
)
def test_a_file_that_is_not_ours_is_said_and_left_as_it_is(tmp_path: Path, content: str, said: str) -> None:
    store, file = AnnotationStore(tmp_path), file_of(tmp_path)
    file.parent.mkdir()
    file.write_text(content, encoding="utf-8")

    with pytest.raises(GoldError, match=said) as first:
        store.read(TEA)
    with pytest.raises(GoldError, match=said):
        store.save(TEA, NONE, NONE.with_whole(TEA, POUR))

    assert str(file) in str(first.value)
    assert "\n" not in str(first.value)
    assert file.read_text(encoding="utf-8") == content


def test_half_a_character_of_an_altered_file_is_a_replacement_character(tmp_path: Path) -> None:
    store, file = AnnotationStore(tmp_path), file_of(tmp_path)
    store.save(TEA, NONE, NONE.with_answer(TEA, "How?", POUR))
    file.write_text(file.read_text(encoding="utf-8").replace("How?", "\\ud800?"), encoding="utf-8")

    (question,) = AnnotationStore(tmp_path).read(TEA).questions

    assert question.text == "\ufffd?"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX has pipes")
def test_a_pipe_in_the_place_of_a_file_is_said_and_not_waited_for(tmp_path: Path) -> None:
    store, file = AnnotationStore(tmp_path), file_of(tmp_path)
    file.parent.mkdir()
    os.mkfifo(file)

    with pytest.raises(GoldError, match="it is not a file"):
        store.read(TEA)
    assert store.earlier(parse(TEA.text + "more", TEA.name)) is None


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "marks").write_text("a file in the way", encoding="utf-8")

    with pytest.raises(GoldError, match=r"marks cannot be .* name another folder in CHUNKSCOPE_DATA"):
        AnnotationStore(tmp_path).save(TEA, NONE, NONE.with_whole(TEA, POUR))


def test_without_a_folder_marks_are_kept_in_memory() -> None:
    store = AnnotationStore(None)
    store.save(TEA, NONE, NONE.with_whole(TEA, POUR))

    assert store.read(TEA).whole == (POUR,)
    assert AnnotationStore(None).read(TEA) == NONE


def test_the_environment_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.setenv("CHUNKSCOPE_DATA", "off")
    assert data_folder() is None


def test_marks_of_an_earlier_edition_are_found_by_their_quotes(tmp_path: Path) -> None:
    store = AnnotationStore(tmp_path)
    store.save(TEA, NONE, NONE.with_answer(TEA, "How?", BOIL).with_answer(TEA, "When?", POUR).with_whole(TEA, BOIL))
    edited = parse("Take fresh leaves.\nBoil water.\nDrink.\n", name="tea.md")

    earlier = store.earlier(edited)

    assert earlier is not None
    assert earlier.marks == NONE.with_answer(edited, "How?", Span(19, 30)).with_whole(edited, Span(19, 30))
    assert earlier.problems == ("When?: the quote 'Pour it.' is not found in tea.md; it is left out",)


def test_drafts_and_rejected_ones_are_placed_again_in_the_next_edition(tmp_path: Path) -> None:
    store = AnnotationStore(tmp_path)
    draft, gone = Question("How?", "tea.md", (BOIL,), "draft", "probe: heading"), Question("Why?", "tea.md", (POUR,))
    store.save(TEA, NONE, Annotations((draft, gone), (), (replace(draft, text="Rejected?"),)))
    edited = parse("Take fresh leaves.\nBoil water.\nDrink.\n", name="tea.md")

    earlier = store.earlier(edited)

    assert earlier is not None
    moved = replace(draft, answers=(Span(19, 30),))
    assert earlier.marks == Annotations((moved,), (), (replace(moved, text="Rejected?"),))
    assert earlier.problems == ("Why?: the quote 'Pour it.' is not found in tea.md; it is left out",)


@pytest.mark.parametrize(
    ("text", "name"),
    [(TEA.text + "Wait.\n", "other.md"), ("Quite another text.\n", "tea.md"), (TEA.text, "tea.md")],
    ids=["another name", "another document", "the same text"],
)
def test_another_document_is_no_earlier_edition(tmp_path: Path, text: str, name: str) -> None:
    store = AnnotationStore(tmp_path)
    store.save(TEA, NONE, NONE.with_answer(TEA, "How?", BOIL))

    assert store.earlier(parse(text, name=name)) is None


def test_a_file_that_is_not_ours_is_no_earlier_edition(tmp_path: Path) -> None:
    (tmp_path / "marks").mkdir()
    for number, content in enumerate(
        ["{", "[]", '{"document": "tea.md", "questions": [1], "whole": [{"content": 2}]}']
    ):
        (tmp_path / "marks" / f"{number}.json").write_text(content, encoding="utf-8")

    assert AnnotationStore(tmp_path).earlier(TEA) is None
    assert AnnotationStore(tmp_path / "nowhere").earlier(TEA) is None

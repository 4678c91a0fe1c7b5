"""Marks of one document: values that are added to, taken from and merged, and files that hold
them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from chunking import Annotations, Question, Span, parse
from chunking.errors import GoldError
from chunking.gold.mark_file import as_json, parsed
from chunking.gold.marks import marked, read_annotations
from chunking.gold.questions import WholeMark, load_gold, read_gold

TEA = parse("Boil water.\nPour it.\nWait. Wait.\n", name="docs/tea.md")
BOIL, POUR = Span(0, 11), Span(12, 20)


def test_several_answers_belong_to_one_question() -> None:
    marks = Annotations().with_answer(TEA, "How?", BOIL).with_answer(TEA, "When?", POUR).with_answer(TEA, "How?", POUR)

    assert marks.questions == (
        Question("How?", "docs/tea.md", (BOIL, POUR)),
        Question("When?", "docs/tea.md", (POUR,)),
    )


def test_marking_the_same_twice_changes_nothing() -> None:
    marks = Annotations().with_answer(TEA, "How?", BOIL).with_whole(TEA, POUR)

    assert marks.with_answer(TEA, " How? ", BOIL).with_whole(TEA, POUR) == marks


def test_white_space_at_the_edges_of_a_selection_is_not_marked() -> None:
    assert marked(TEA, Span(11, 21)) == POUR


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (Span(11, 12), "only white space is selected; select the text to mark"),
        (Span(3, 3), "3 to 3 is not a span of docs/tea.md, which has 33"),
        (Span(30, 34), "30 to 34 is not a span of docs/tea.md, which has 33"),
    ],
)
def test_what_marks_nothing_is_said(span: Span, said: str) -> None:
    with pytest.raises(GoldError, match=said):
        Annotations().with_whole(TEA, span)


def test_an_answer_needs_a_question() -> None:
    with pytest.raises(GoldError, match="the question is empty"):
        Annotations().with_answer(TEA, " \n", BOIL)


def test_a_question_goes_with_its_last_answer() -> None:
    marks = Annotations().with_answer(TEA, "How?", BOIL).with_answer(TEA, "When?", POUR)

    assert marks.without_answer(TEA, "How?", BOIL).questions == (Question("When?", "docs/tea.md", (POUR,)),)


def test_a_question_in_other_words_stays_in_its_place() -> None:
    marks = Annotations().with_answer(TEA, "How?", BOIL).with_answer(TEA, "When?", POUR)

    assert [each.text for each in marks.renamed(TEA, "How?", "How so?").questions] == ["How so?", "When?"]


def test_a_question_that_gets_the_words_of_another_joins_it() -> None:
    marks = Annotations().with_answer(TEA, "How?", BOIL).with_answer(TEA, "When?", POUR)

    assert marks.renamed(TEA, "When?", "How?").questions == (Question("How?", "docs/tea.md", (BOIL, POUR)),)


def test_what_others_marked_meanwhile_is_kept() -> None:
    before = Annotations().with_answer(TEA, "How?", BOIL).with_whole(TEA, BOIL)
    mine = before.without_whole(TEA, BOIL).renamed(TEA, "How?", "How so?")
    theirs = before.with_answer(TEA, "When?", POUR).with_whole(TEA, POUR)

    merged = theirs.merged(TEA, before, mine)

    assert merged.answers == (("How so?", BOIL), ("When?", POUR))
    assert merged.whole == (POUR,)


def test_exported_marks_are_read_back_by_evaluate_and_by_the_app(tmp_path: Path) -> None:
    marks = Annotations().with_answer(TEA, "How?", BOIL).with_answer(TEA, "How?", POUR).with_whole(TEA, POUR)
    file = tmp_path / "marks.jsonl"
    file.write_text(marks.to_json_lines(TEA), encoding="utf-8")

    gold = load_gold(file, [TEA])

    assert gold.questions == marks.questions
    assert gold.whole == (WholeMark("docs/tea.md", POUR),)
    assert gold.problems == ()
    assert read_annotations(file.read_text(encoding="utf-8"), TEA, json_lines=True) == (marks, ())


def test_what_cannot_be_placed_is_reported_line_by_line() -> None:
    rows = [
        {"question": "How?", "references": ["Boil water."], "corpus_id": "tea"},
        {"question": "How?", "references": ["Boil milk."], "corpus_id": "tea"},
        {"question": "How long?", "references": ["Wait."], "corpus_id": "tea"},
        {"question": "What?", "references": ["Mend a tyre."], "corpus_id": "tyres"},
        {"kind": "whole", "references": ["Sugar."], "corpus_id": "tea"},
    ]

    marks, problems = read_annotations("\n".join(map(json.dumps, rows)), TEA, json_lines=True, called="q.jsonl")

    assert marks == Annotations((Question("How?", "docs/tea.md", (BOIL,)),))
    assert problems == (
        "q.jsonl, line 2: the quote 'Boil milk.' is not found in docs/tea.md; it is left out",
        "q.jsonl, line 2: no answer can be placed; the question is left out",
        "q.jsonl, line 3: the quote 'Wait.' is found twice; it is left out",
        "q.jsonl, line 3: no answer can be placed; the question is left out",
        "q.jsonl, line 5: the quote 'Sugar.' is not found in docs/tea.md; it is left out",
        "q.jsonl, line 5: nothing can be placed; the line is left out",
        "q.jsonl: 1 line is about another document (tyres); left out",
    )


def test_spans_that_must_stay_whole_are_enough_for_marks_but_not_for_an_evaluation() -> None:
    line = json.dumps({"kind": "whole", "references": ["Pour it."], "corpus_id": "tea"})

    assert read_annotations(line, TEA, json_lines=True) == (Annotations(whole=(POUR,)), ())
    with pytest.raises(GoldError, match="no question that can be measured"):
        read_gold(line, [TEA], json_lines=True)


def test_a_csv_may_have_a_kind() -> None:
    text = 'question,references,corpus_id,kind\n,"[""Pour it.""]",tea,whole\nHow?,"[""Boil water.""]",tea,\n'

    assert read_annotations(text, TEA, json_lines=False) == (
        Annotations().with_answer(TEA, "How?", BOIL).with_whole(TEA, POUR),
        (),
    )


DRAFT = Question("How?", "docs/tea.md", (BOIL,), "draft", "probe: heading", "paragraph")


def test_marks_keep_who_worded_a_question_in_memory_and_in_files(tmp_path: Path) -> None:
    marks = Annotations().with_all(TEA, Annotations((DRAFT,))).with_answer(TEA, "When?", POUR)

    assert marks.questions[0] == DRAFT
    assert parsed(as_json(marks, TEA), tmp_path / "m.json", TEA) == marks
    assert read_annotations(marks.to_json_lines(TEA), TEA, json_lines=True)[0] == marks


def test_a_draft_is_accepted_by_another_wording_and_by_an_accepted_copy() -> None:
    drafts = Annotations((DRAFT,))

    assert drafts.renamed(TEA, "How?", "How so?").questions[0].review == "accepted"
    assert drafts.with_answer(TEA, "How?", POUR).questions == (replace(DRAFT, answers=(BOIL, POUR), review="accepted"),)


def test_a_review_is_merged_with_what_others_marked_meanwhile() -> None:
    before = Annotations((DRAFT,))
    accepted = Annotations((replace(DRAFT, review="accepted"),))
    theirs = before.with_answer(TEA, "When?", POUR)

    assert [each.review for each in theirs.merged(TEA, before, accepted).questions] == ["accepted", "accepted"]
    assert accepted.merged(TEA, accepted, before).questions == (DRAFT,)


DRAFT = Question("How?", "docs/tea.md", (BOIL,), "draft", "probe: heading", "paragraph")


def test_a_rejected_draft_is_no_mark_and_is_remembered_in_the_file() -> None:
    marks = Annotations((DRAFT,)).rejecting(TEA, "How?")

    assert marks == Annotations((), (), (DRAFT,))
    assert not marks
    assert parsed(as_json(marks, TEA), Path("f.json"), TEA) == marks
    assert marks.to_json_lines(TEA) == ""


def test_a_rejected_draft_can_be_reviewed_again() -> None:
    assert Annotations((DRAFT,)).rejecting(TEA, "How?").reopened(TEA, "How?") == Annotations((DRAFT,))


def test_only_a_draft_can_be_rejected() -> None:
    marks = Annotations().with_answer(TEA, "How?", BOIL)

    assert marks.rejecting(TEA, "How?") == marks


@pytest.mark.parametrize(
    "after",
    [
        Annotations((DRAFT,)).rejecting(TEA, "How?"),
        Annotations((DRAFT,)).renamed(TEA, "How?", "How?"),
        Annotations((DRAFT,)).renamed(TEA, "How?", "How is it boiled?"),
    ],
    ids=["rejected", "accepted", "edited"],
)
def test_a_review_is_undone_and_what_others_marked_meanwhile_stays(after: Annotations) -> None:
    before = Annotations((DRAFT,))
    meanwhile = after.with_answer(TEA, "When?", POUR)

    undone = meanwhile.merged(TEA, after, before)

    assert undone.rejected == ()
    assert set(undone.questions) == {DRAFT, Question("When?", "docs/tea.md", (POUR,))}

"""Questions in the forms of other tools: what is read again is what the form holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunking import Question, Span, parse
from chunking.gold.exports import FOLDERS, FORMS, Form, exported, held, lost
from chunking.gold.questions import Gold, WholeMark, load_gold, read_gold

TEA = parse(
    '# Tea\n\nBoil the water. Warm the pot first.\n\n- Pour é 𝄞, "slowly"\n- Wait\r\n', name="docs/green tea.md"
)
TYRES = parse("# Tyres\n\nMend a tyre\twith glue.\n\nMend it | 100 %.\n", name="tyres.md")
DOCUMENTS = {each.name: each for each in (TEA, TYRES)}
ASKED = (
    Question("What first?", TEA.name, (Span(23, 42),)),
    Question('Which water, and\n"how", ü?', TEA.name, (Span(47, 64), Span(7, 22)), "draft", "model: m", "list"),
    Question("Mend how?", TYRES.name, (Span(10, 33),), "draft", "probe: heading", "paragraph"),
)
GOLD = Gold(ASKED, (), (WholeMark(TYRES.name, Span(35, 42)),))


def again(gold: Gold, form: Form, folder: Path, *, table: bool = False) -> Gold:
    files = exported(gold, DOCUMENTS, form, table=table)
    if form not in FOLDERS:
        return read_gold(files[""], [TEA, TYRES], json_lines=form != "csv" and not table, as_marks=True)
    (folder / "qrels").mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8", newline="")
    return load_gold(folder, [TEA, TYRES])


@pytest.mark.parametrize("form", FORMS)
def test_what_a_form_holds_is_read_again_as_it_was(form: Form, tmp_path: Path) -> None:
    read = again(GOLD, form, tmp_path / "out")

    kept = ASKED if form != "trec" else [Question(" ".join(each.text.split()), each.document, ()) for each in ASKED]
    assert [held(each, form) for each in read.questions] == [held(each, form) for each in kept]
    assert read.problems == ()
    assert (read.whole == GOLD.whole) == (form in ("jsonl", "csv"))


@pytest.mark.parametrize("form", ["ragas", "langsmith"])
def test_ragas_and_langsmith_may_be_csv(form: Form, tmp_path: Path) -> None:
    read = again(GOLD, form, tmp_path, table=True)

    assert [held(each, form) for each in read.questions] == [held(each, form) for each in ASKED]


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("jsonl", []),
        ("langsmith", ["spans that must stay whole"]),
        ("legalbench-rag", ["review, origin and block", "spans that must stay whole"]),
    ],
)
def test_what_a_form_cannot_hold_is_said(form: Form, said: list[str]) -> None:
    assert lost(GOLD, form) == said


def test_notes_that_no_question_has_are_not_said_to_be_lost() -> None:
    assert lost(Gold(ASKED[:1], ()), "squad") == []


def test_a_beir_corpus_is_all_of_the_documents_in_passages() -> None:
    made = exported(GOLD, DOCUMENTS, "beir")["corpus.jsonl"]

    assert '"text": "Boil the water."' in made
    assert '{"_id": "docs/green%20tea.md#23-42", "title": "Tea", "text": "Warm the pot first."' in made
    assert '"text": "Mend it | 100 %."' in made


def test_of_a_context_that_is_in_two_documents_squad_takes_more() -> None:
    other = parse("# Coffee\n\nBoil the water. Warm the pot first.\n", name="coffee.md")
    made = exported(Gold(ASKED[:1], ()), {**DOCUMENTS, other.name: other}, "squad")[""]

    assert read_gold(made, [TEA, TYRES, other]).questions == ASKED[:1]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30).filter(str.strip)
SPAN = st.tuples(st.integers(0, 60), st.integers(1, 20)).map(lambda each: Span(each[0], min(each[0] + each[1], 62)))


@settings(deadline=None, max_examples=60)
@given(TEXT, st.lists(SPAN.filter(lambda span: len(TEA[span].strip()) > 0), min_size=1, max_size=3, unique=True))
def test_whatever_is_asked_comes_back_from_the_forms_that_hold_places(text: str, spans: list[Span]) -> None:
    gold = Gold((Question(text, TEA.name, tuple(spans), "draft", "probe: x", "list"),), ())
    for form in ("jsonl", "csv", "langsmith", "legalbench-rag"):
        made = exported(gold, DOCUMENTS, form)[""]
        (read,) = read_gold(made, [TEA, TYRES], json_lines=form != "csv").questions
        assert held(read, form) == held(gold.questions[0], form)

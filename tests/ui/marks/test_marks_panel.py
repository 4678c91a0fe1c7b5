"""Questions and marks on Inspect and Compare: kept, told, taken back, and refused in one line."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from app_pages import html, open_page
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

from chunking import Annotations, AnnotationStore, Config, Document, Run, Span, parse, run
from chunking.errors import ChunkscopeError
from chunking.explanation.keep_whole import Fix, Fixes
from chunking.gold import Question
from chunking.text.decoding import TO_UTF_8
from pages.ui.choices.marking import Marked, marked_of
from pages.ui.choices.uploads import Upload
from pages.ui.components.marks_list import column, rows, tally
from pages.ui.components.source_view.marks import Mark
from pages.ui.inspect import reading_panel
from pages.ui.marks.actions import loaded_words, read_upload, tally_words
from pages.ui.marks.messages import marks_words, search_words
from pages.ui.marks.source_marks import source_marks
from pages.ui.server import visitors

ROOT = Path(__file__).resolve().parents[3]
SAMPLE = ROOT / "sample_docs" / "05-deep-nesting.md"
DEEP = parse(SAMPLE.read_text(encoding="utf-8"), name=SAMPLE.name)
TEXT = "# Kettle\n\nFill it with cold water.\n\nBoil it.\n\n# Pot\n\nWarm it first.\n"
TEA = parse(TEXT, name="tea.md")
QUESTION = "Which are :red[mistaken] $x$ <b>?"


def span(of: Document, first: str, last: str) -> Span:
    return Span(of.text.index(first), of.text.index(last) + len(last))


CUT = span(DEEP, "Gneiss, which has", "##### Granodiorite")
WHOLE = span(DEEP, "Cooled in the depth", "naked eye.")
MARKS = Annotations().with_answer(DEEP, QUESTION, CUT).with_whole(DEEP, WHOLE)


@pytest.fixture(name="store")
def _store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnnotationStore:
    """The store that the pages of this test read and write."""
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path))
    return AnnotationStore(tmp_path)


def page(script: str = "", **query: str) -> AppTest:
    return open_page(script, **({"document": f"sample:{SAMPLE.name}", "strategy": "heading-window"} | query))


def listed(app: AppTest) -> dict[str, list[dict[str, object]]]:
    """What the list of marks was given to draw."""
    drawn = [element.proto for element in app.get("bidi_component")]
    said: dict[str, list[dict[str, object]]] = json.loads(
        next(each for each in drawn if each.component_name.endswith("marks_list")).json
    )
    return said


def choose(app: AppTest, marked: Marked) -> AppTest:
    session = app.session_state["chunkscope"]
    session.marking = replace(session.marking, chosen=marked)
    return app.run()


# ---- values ----


def test_marks_are_answers_in_the_order_of_their_questions_and_then_what_must_stay_whole() -> None:
    assert marked_of(MARKS) == (Marked("answer", CUT, QUESTION), Marked("whole", WHOLE))


def test_answers_of_drafted_questions_are_told_from_those_that_a_person_accepted() -> None:
    drafted = Question("Who drafted it?", DEEP.name, (WHOLE,), review="draft", origin="probe: heading")
    marks = replace(MARKS, questions=(*MARKS.questions, drafted))

    shown = source_marks(run(DEEP, Config.of("heading-window", {})), marks)

    assert [(mark.label, mark.draft) for mark in shown] == [
        (QUESTION, False),
        ("Who drafted it?", True),
        ("Must stay whole", False),
    ]


def test_drafts_are_hidden_in_the_source_by_a_switch_that_is_there_only_with_drafts(
    store: AnnotationStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[list[str]] = []
    reading = reading_panel.reading

    def noted(
        run: Run, *, baseline: Run | None, marks: Sequence[Mark], on_mark: Callable[[str, Span], None] | None
    ) -> DeltaGenerator:
        drawn.append([mark.label for mark in marks])
        return reading(run, baseline=baseline, marks=marks, on_mark=on_mark)

    monkeypatch.setattr(reading_panel, "reading", noted)
    store.save(DEEP, Annotations(), MARKS)
    app = page()
    assert "marks-drafts" not in [each.key for each in app.toggle]

    drafted = Question("Who drafted it?", DEEP.name, (WHOLE,), review="draft")
    store.save(DEEP, MARKS, replace(MARKS, questions=(*MARKS.questions, drafted)))
    app.run()
    assert drawn[-1] == [QUESTION, "Who drafted it?", "Must stay whole"]

    app.toggle(key="marks-drafts").set_value(False).run()
    assert not app.exception
    assert drawn[-1] == [QUESTION, "Must stay whole"]
    assert len(listed(app)["rows"]) == 3  # the list has it still


def test_the_source_shows_which_marks_are_cut() -> None:
    marks = source_marks(run(DEEP, Config.of("heading-window", {})), MARKS)

    assert [(mark.kind, mark.label, mark.cut) for mark in marks] == [
        ("answer", QUESTION, True),
        ("whole", "Must stay whole", False),
    ]


def test_a_row_says_of_each_config_where_it_cuts_and_why() -> None:
    marks = Annotations().with_answer(TEA, "how", span(TEA, "Boil it.", "# Pot"))
    columns = [
        column("A", "Every heading", run(TEA, Config.of("every-heading", {})), marks),
        column("B", "Hierarchical", run(TEA, Config.of("hierarchical", {})), marks),
    ]

    (row,) = rows(marks, TEA, columns)

    assert (row.quote, row.line) == ("Boil it. # Pot", 5)
    assert [(cell.whole, cell.rule, cell.said) for cell in row.cells] == [
        (False, "heading", "Cut before line 7 by heading: the next heading begins on line 7."),
        (True, "", "Whole in chunk 1."),
    ]
    assert [tally(each) for each in columns] == ["1 of 1 cut", "none cut"]


def test_counts_are_in_words() -> None:
    two = MARKS.with_answer(DEEP, "Another?", WHOLE)

    assert tally_words(two) == "2 answers to 2 questions, 1 to stay whole"
    assert loaded_words(MARKS) == "Loaded 1 answer to 1 question and 1 span to stay whole."
    assert (tally_words(Annotations()), loaded_words(Annotations())) == ("", "")


def test_a_large_file_of_questions_is_read_apart_with_the_same_words() -> None:
    asked = {"question": "how", "references": ["Boil it."], "corpus_id": "tea"}
    rows = [asked, {**asked, "references": ["Sugar."]}, {**asked, "notes": "a" * 600_000}]
    large = "\n".join(map(json.dumps, rows)).encode()

    assert read_upload(Upload("q.jsonl", large), TEA) == (
        Annotations().with_answer(TEA, "how", span(TEA, "Boil it.", "Boil it.")),
        (
            "q.jsonl, line 2: the quote 'Sugar.' is not found in tea.md; it is left out",
            "q.jsonl, line 2: no answer can be placed; the question is left out",
        ),
    )


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"[" + b"1," * 6_000_000 + b"1]", "q.json, line 1: is not a JSON object; each line has question, "),
        (
            b"\xff" * 600_000,
            "q.json: byte 0 (0xFF) is not UTF-8 (invalid start byte); save the file as UTF-8" + TO_UTF_8,
        ),
        (
            b'{"question": "how", "references": [' + b'"a",' * 300_000 + b'"a"]}',
            "q.json, line 1: has over 1,000,000 characters; shorten its references, or give the file to ",
        ),
        (
            b'[{"question": "how", "references": []}' + b',{"question": ""}' * 100_000 + b"]",
            "q.json: has over 100,000 questions or 67,108,864 characters of them; split it, or give it to ",
        ),
    ],
)
def test_a_file_of_questions_that_would_make_everybody_wait_is_one_line(raw: bytes, said: str) -> None:
    with pytest.raises(ChunkscopeError) as refused:
        read_upload(Upload("q.json", raw), TEA)

    assert str(refused.value).startswith(said)


def test_an_uploaded_csv_is_read_and_what_cannot_be_placed_is_said() -> None:
    content = 'question,references,corpus_id\nhow,"[""Boil it."", ""Sugar.""]",tea\n'.encode("utf-16")

    marks, problems = read_upload(Upload("C:\\files\\q.CSV", content), TEA)

    assert marks == Annotations().with_answer(TEA, "how", span(TEA, "Boil it.", "Boil it."))
    assert problems == ("q.CSV, line 2: the quote 'Sugar.' is not found in tea.md; it is left out",)


def fix(cut: int, whole: int) -> Fix:
    marks = tuple(Span(at, at + 1) for at in range(max(cut, whole)))
    return Fix("maxTokens", 5, 6, Config.of("fixed", {}), 4, 3, marks[:cut], marks[:whole], True, 0)


def test_a_change_says_what_becomes_of_the_other_marks() -> None:
    assert marks_words(fix(0, 0)) == "cuts no other mark"
    assert marks_words(fix(1, 2)) == "2 more whole"
    assert marks_words(fix(2, 0)) == ""


def test_where_there_is_no_change_to_offer_the_reason_is_said() -> None:
    assert search_words(Fixes((), 1, True), Config.of("every-heading", {})) == (
        "Every heading has no settings: nothing to change."
    )
    assert search_words(Fixes((), 90, True), Config.of("hierarchical", {})) == (
        "No single setting of Hierarchical packing keeps it whole: "
        "90 cuts were tried, over every number, switch and choice."
    )
    assert search_words(Fixes((), 40, False), Config.of("hierarchical", {})).startswith("None found in the time")


# ---- pages ----


def test_without_marks_the_panel_says_how_to_make_some(store: AnnotationStore) -> None:
    assert store.read(DEEP) == Annotations()
    assert "Nothing marked yet" in html(page())


def test_the_list_has_every_mark_against_now_and_the_baseline(store: AnnotationStore) -> None:
    store.save(DEEP, Annotations(), MARKS)
    said = listed(page())

    assert [(each["title"], each["tally"]) for each in said["columns"]] == [
        ("Now", "1 of 2 cut"),
        ("Baseline", "1 of 2 cut"),
    ]
    assert [each["question"] for each in said["rows"]] == [QUESTION, ""]
    assert said["rows"][0]["cells"] == [
        {
            "whole": False,
            "rule": "minimum-reached",
            "said": "Cut before line 32 by minimum-reached: the chunk already has 278 tokens, at least minTokens "
            "(250), where the heading 'Granodiorite' begins, no deeper than the deepest heading so far.",
        },
        {
            "whole": False,
            "rule": "heading",
            "said": "Cut before line 32 by heading: the next heading begins on line 32.",
        },
    ]


def test_a_click_applies_the_smallest_change_that_keeps_the_mark_whole(store: AnnotationStore) -> None:
    store.save(DEEP, Annotations(), MARKS)
    app = choose(page(), Marked("answer", CUT, QUESTION))
    first = next(button for button in app.button if str(button.key).startswith("apply-Now"))
    assert first.label == "Set Minimum `minTokens` to 223"

    first.click().run()

    assert app.query_params["minTokens"] in ("223", ["223"])
    assert listed(app)["columns"][0]["tally"] == "none cut"


@pytest.mark.parametrize(("marked", "looks"), [(CUT, True), (WHOLE, False)])
def test_a_new_mark_that_is_cut_is_chosen_so_that_its_fixes_are_seen(
    store: AnnotationStore, marked: Span, *, looks: bool
) -> None:
    app = page()
    session = app.session_state["chunkscope"]
    session.marking = replace(session.marking, asking=marked)
    app.run()
    app.text_input(key="asked").set_value("What is gneiss?")
    app.button(key="FormSubmitter:asking-Mark as answer").click().run()

    assert len(store.read(DEEP).answers) == 1
    assert ("Smallest change that keeps it whole" in html(app)) is looks
    assert [column["fixed"] for column in listed(app)["columns"]] == [True, False]


def test_who_hears_the_page_is_told_what_was_marked_and_what_is_removed_until_it_is_not_so(
    store: AnnotationStore,
) -> None:
    app = page()
    session = app.session_state["chunkscope"]
    session.marking = replace(session.marking, asking=CUT)
    app.run()
    app.text_input(key="asked").set_value("What is <b>gneiss</b>? ")
    app.button(key="FormSubmitter:asking-Mark as answer").click().run()
    words = "Marked as an answer to &#39;What is &lt;b&gt;gneiss&lt;/b&gt;?&#39;."
    assert f'<p class="cs-note" data-tell="{words}">{words}</p>' in html(app)

    store.save(DEEP, store.read(DEEP), Annotations())
    session.marking = replace(session.marking, removed=(DEEP.text_hash, MARKS))
    told = html(app.run())
    assert "Marked as" not in told
    assert 'data-tell="2 marks removed."' in told


def test_all_marks_are_removed_and_put_back(store: AnnotationStore) -> None:
    store.save(DEEP, Annotations(), MARKS)
    app = page()
    app.button(key="marks-clear").click().run()
    assert store.read(DEEP) == Annotations()
    assert "2 marks removed." in html(app)

    app.button(key="marks-back").click().run()

    assert store.read(DEEP) == MARKS


def test_compare_changes_the_row_that_cuts_the_mark(store: AnnotationStore) -> None:
    store.save(DEEP, Annotations(), MARKS)
    app = page("pages/compare.py", **{"a.strategy": "every-heading", "b.strategy": "heading-window"})
    assert [each["tally"] for each in listed(app)["columns"]] == ["1 of 2 cut", "1 of 2 cut"]
    choose(app, Marked("answer", CUT, QUESTION))

    next(button for button in app.button if str(button.key).startswith("apply-B")).click().run()

    assert [each["tally"] for each in listed(app)["columns"]] == ["1 of 2 cut", "none cut"]
    assert "Every heading has no settings: nothing to change." in html(app)


def test_marks_that_cannot_be_read_are_said_and_the_page_goes_on(store: AnnotationStore, tmp_path: Path) -> None:
    assert store.read(DEEP) == Annotations()
    file = tmp_path / "marks" / f"{DEEP.text_hash}.json"
    file.parent.mkdir()
    file.write_text("{", encoding="utf-8")

    app = page()

    assert not app.exception
    assert "is not valid JSON, so it is left as it is" in html(app)
    assert '<dl class="cs-strip">' in html(app)
    assert file.read_text(encoding="utf-8") == "{"


def test_marks_of_an_earlier_edition_are_offered_and_brought_over(store: AnnotationStore) -> None:
    before = parse(f"{DEEP.text}\n\nMore at the end.\n", name=DEEP.name)
    store.save(before, Annotations(), MARKS)
    app = page()
    assert f"2 marks of an earlier edition of {SAMPLE.name} can be placed in this one." in html(app)

    app.button(key="marks-earlier").click().run()

    assert store.read(DEEP) == MARKS
    assert "Loaded 1 answer to 1 question and 1 span to stay whole." in html(app)


def test_beyond_loopback_marks_belong_to_their_session_and_end_with_it(
    store: AnnotationStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = Annotations().with_answer(DEEP, "Whose is this?", CUT)
    store.save(DEEP, Annotations(), others)
    monkeypatch.setattr(visitors, "_seen_beyond", [True])
    first, second = page(), page()
    kept = first.session_state["chunkscope"].own_marks
    kept.save(DEEP, Annotations(), MARKS)
    first.run()
    second.run()
    texts = [str([each.proto for each in app.get("bidi_component")]) for app in (first, second, page())]

    # The first sees its own; nobody sees another's, nor what the person at the machine has on disk.
    assert "Which are" in texts[0]
    assert "Which are" not in texts[1] + texts[2]
    assert not any("Whose is this?" in text for text in texts)
    # What a session does stays with it as well, and earlier editions of others are not offered.
    first.button(key="marks-clear").click().run()
    assert kept.read(DEEP) == Annotations()
    assert store.read(DEEP) == others
    renamed = parse(DEEP.text + "\nmore\n", name=DEEP.name)
    assert second.session_state["chunkscope"].own_marks.earlier(renamed) is None


def test_on_loopback_the_marks_of_the_person_are_on_disk(store: AnnotationStore) -> None:
    store.save(DEEP, Annotations(), MARKS)

    assert "Which are" in str(listed(page()))

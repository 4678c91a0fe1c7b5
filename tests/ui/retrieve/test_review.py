"""Drafting and reviewing questions on the Retrieve page, without a browser."""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from app_pages import html, open_page
from streamlit.testing.v1 import AppTest

from chunking import Annotations, Question, Span, parse
from chunking.drafting import DROPPED, REASONS
from chunking.gold import FORMS, Gold, store
from pages.ui.background import draft_job
from pages.ui.choices.reviewing import Draft, Queue, about, kinds, queue_of, tally
from pages.ui.choices.samples import samples
from pages.ui.components.review_card import card_of
from pages.ui.retrieve import question_files
from pages.ui.retrieve.chunked_corpus import with_unique_names

SAMPLE = next(each for each in samples() if each.name.startswith("10"))
DOCUMENT = parse(SAMPLE.text, name=SAMPLE.name)
LINK = {"document": SAMPLE.key, "search": "bm25", "a__strategy": "every-heading", "b__strategy": "heading-window"}
PATIENCE = 60


@pytest.fixture(autouse=True)
def _marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path))


def draft(text: str, quote: str, origin: str = "probe: heading") -> Question:
    start = DOCUMENT.text.index(quote)
    return Question(text, DOCUMENT.name, (Span(start, start + len(quote)),), "draft", origin, "paragraph")


LIMIT = draft("How many requests?", "600 requests a minute for each key, measured over ten seconds.")
KEY = draft("How do I send my key?", "Send your key as a bearer token.")
TEST = draft("What do test keys cost?", "Keys that begin with `test_` book nothing and cost nothing.")


def keep(*questions: Question, rejected: tuple[Question, ...] = ()) -> None:
    store().change(DOCUMENT, lambda _: Annotations(questions, (), rejected))


def kept() -> Annotations:
    return store().read(DOCUMENT)


def card(app: AppTest) -> dict[str, object]:
    """What the card was given to draw."""
    drawn = [element.proto for element in app.get("bidi_component")]
    shown: dict[str, object] = json.loads(
        next(each.json for each in drawn if each.component_name.endswith("review_card"))
    )
    return shown


def downloads(app: AppTest) -> list[str]:
    return [str(each.proto.label) for each in app.get("download_button")]


def deciding() -> None:
    """A script that decides as a press in the card does: `do` lists action, question, text."""
    import streamlit as st

    from pages.ui import state
    from pages.ui.choices.samples import samples
    from pages.ui.layout import caches
    from pages.ui.retrieve import review

    state.follow_retrieved_address()
    documents = [caches.document(next(each for each in samples() if each.name.startswith("10")))]
    for action, question, text in st.session_state["do"]:
        names = [each.name for each in review.queue(documents).drafts if each.question.text == question]
        review.act(documents, action, names[0] if names else "gone", text)
    st.session_state["do"] = []
    shown = review.queue(documents).shown(state.reviewing().chosen)
    st.text(f"{shown.question.text if shown else 'all done'}|{state.reviewing().problem}")


def decided(*decisions: tuple[str, str, str], app: AppTest | None = None) -> AppTest:
    app = app or AppTest.from_function(deciding, default_timeout=60)
    app.session_state["do"] = list(decisions)
    app.run()
    assert not app.exception
    return app


def test_drafts_without_a_model_come_from_a_press_and_stay_with_the_marks() -> None:
    app = open_page("pages/retrieve.py", **LINK)
    assert "Nothing is sent." in html(app)
    app.number_input(key="draft-count").set_value(5).run()
    app.button(key="draft-begin").click().run()
    job = next(each for key, each in draft_job.jobs._jobs.items() if key == draft_job.about_key("machine:", [DOCUMENT]))
    assert job.wait(PATIENCE)
    app.run()

    assert not app.exception
    assert len(kept().questions) == 5
    assert {question.review for question in kept().questions} == {"draft"}
    assert (card(app)["reviewed"], card(app)["total"], card(app)["words"]) == (0, 5, "0 of 5 reviewed")
    assert re.search(r"\d questions? and \d keyword probes? drafted from 5 of 89 quotes in", html(app))
    assert "5 questions with marked answers, 5 not reviewed" in html(app)


def beside_the_figures() -> None:
    """A script that draws the drafts where one more is there than the page began with."""
    import streamlit as st

    from pages.ui import state
    from pages.ui.choices.samples import samples
    from pages.ui.layout import caches
    from pages.ui.retrieve import evaluation

    state.follow_retrieved_address()
    documents = (caches.document(next(each for each in samples() if each.name.startswith("10"))),)
    evaluation._drafts_now((), (), documents, st.empty(), False, st.session_state["measured"])


@pytest.mark.parametrize("measured", [True, False])
def test_that_reviews_are_not_in_the_figures_is_said_only_where_there_are_figures(measured: bool) -> None:
    keep(KEY)
    app = AppTest.from_function(beside_the_figures, default_timeout=60)
    app.session_state["measured"] = measured
    app.run()

    assert not app.exception
    assert ("The latest reviews are not in these figures yet." in html(app)) is measured
    assert ("Drafts count until you reject them." in html(app)) is not measured


def test_keyword_probes_are_counted_apart_from_the_questions_as_soon_as_they_are_drafted() -> None:
    assert kinds([KEY]) == "1 keyword probe"
    assert kinds([KEY, TEST, replace(LIMIT, origin="rule: table")]) == "1 question and 2 keyword probes"
    assert kinds([]) == "0 questions"


def test_what_is_dropped_is_said_in_words() -> None:
    sample = next(each for each in samples() if each.name == "09-not-english.md")
    app = open_page("pages/retrieve.py", **LINK | {"document": sample.key})
    app.number_input(key="draft-count").set_value(40).run()
    app.button(key="draft-begin").click().run()
    documents = [parse(sample.text, name=sample.name)]
    job = next(each for key, each in draft_job.jobs._jobs.items() if key == draft_job.about_key("machine:", documents))
    assert job.wait(PATIENCE)
    app.run()

    said = re.search(r"drafted from 17 of 17 quotes in .* s; dropped: (.*)\.</p>", html(app))
    assert said, re.findall(r"[^>]*drafted from[^<]*", html(app))
    assert {part.partition(" ")[2] for part in said[1].split("; ")} <= {*DROPPED.values()}
    assert not [name for name in REASONS if "-" in name and name in html(app)]


def test_the_card_has_the_quote_between_the_text_around_it_and_what_each_config_makes_of_it() -> None:
    keep(KEY)
    shown = card(open_page("pages/retrieve.py", **LINK))["card"]

    assert isinstance(shown, dict)
    assert (shown["question"], shown["quote"]) == ("How do I send my key?", "Send your key as a bearer token.")
    assert str(shown["before"]).endswith("## Authentication {#auth}\n\n")
    assert str(shown["after"]).startswith(" Keys that begin with")
    assert shown["about"] == (
        "keyword probe (heading), not a question · paragraph · 10-an-api-reference.md, line 10 · "
        "Parcel API reference > Authentication"
    )
    assert shown["fates"] == [["A", True, "Whole in chunk 2"], ["B", True, "Whole in chunk 1"]]


def test_the_text_around_a_quote_is_cut_at_lines_and_says_so() -> None:
    text = "".join(f"line {number} of the text\n" for number in range(200))
    document = parse(text, name="long.md")
    start = text.index("line 100")
    of = card_of(Draft(0, "", Question("Q?", "long.md", (Span(start, start + 8),), "draft")), document)

    assert of.before.startswith("…\nline ")
    assert of.before.endswith("line 99 of the text\n")
    assert of.after.endswith("of the text\n…")
    assert of.quote == "line 100"


def test_accepting_editing_and_rejecting_keep_what_was_decided() -> None:
    keep(LIMIT, KEY, TEST)
    decided(
        ("accept", LIMIT.text, ""),
        ("keep", KEY.text, "How is a key sent?"),
        ("reject", TEST.text, ""),
    )

    edited = replace(KEY, text="How is a key sent?", review="accepted")
    assert kept().questions == (replace(LIMIT, review="accepted"), edited)
    assert kept().rejected == (TEST,)


def test_decisions_are_undone_from_the_last_on_and_the_draft_is_shown_again() -> None:
    keep(LIMIT, KEY, TEST)
    app = decided(("accept", LIMIT.text, ""), ("reject", KEY.text, ""))
    assert app.text[0].value == "What do test keys cost?|"

    assert decided(("undo", "", ""), app=app).text[0].value == "How do I send my key?|"
    assert kept().rejected == ()
    assert decided(("undo", "", ""), app=app).text[0].value == "How many requests?|"
    assert set(kept().questions) == {LIMIT, KEY, TEST}
    assert decided(("undo", "", ""), app=app).text[0].value == "How many requests?|"


def test_next_shows_another_draft_and_decides_nothing() -> None:
    keep(LIMIT, KEY)
    app = decided(("next", LIMIT.text, ""))

    assert app.text[0].value == "How do I send my key?|"
    assert decided(("next", KEY.text, ""), app=app).text[0].value == "How many requests?|"
    assert kept().questions == (LIMIT, KEY)


def test_a_press_on_a_draft_that_is_gone_is_said_and_an_empty_question_is_refused() -> None:
    keep(LIMIT)
    app = decided(("accept", "Nobody asked this?", ""))
    assert app.text[0].value.endswith("|That draft was decided elsewhere meanwhile, and stays so; here is the next one")
    assert kept().questions == (LIMIT,)
    app = decided(("keep", LIMIT.text, "  "))

    assert app.text[0].value == "How many requests?|the question is empty; type what the marked text answers"
    assert kept().questions == (LIMIT,)


def test_rejected_drafts_are_listed_apart_and_can_be_reviewed_again() -> None:
    keep(LIMIT, rejected=(KEY,))
    app = open_page("pages/retrieve.py", **LINK)
    assert card(app)["words"] == "1 of 2 reviewed"
    assert "1 rejected draft, never proposed again" in [each.label for each in app.expander]
    app.button(key="retrieve-reopen-0").click().run()

    assert not app.exception
    assert kept() == Annotations((LIMIT, KEY))
    assert (card(app)["words"], card(app)["tally"]) == ("0 of 2 reviewed", "2 not reviewed")


def test_when_the_document_changes_drafts_are_placed_again_by_their_quotes_or_listed_as_lost() -> None:
    before = parse(SAMPLE.text.replace("bearer token", "bearer secret") + "\nMore.\n", name=SAMPLE.name)
    marks = Annotations((LIMIT, TEST), (), (replace(KEY, text="Rejected?"),))
    lost = replace(KEY, answers=(Span(len(before.text) - 6, len(before.text) - 1),))
    store().change(before, lambda _: replace(marks, questions=(*marks.questions, lost)))
    app = open_page("pages/retrieve.py", **LINK)

    assert "2 questions of an earlier edition of 10-an-api-reference.md (2 not reviewed" in html(app)
    assert "1 quote would be lost" in html(app)
    app.button(key="retrieve-earlier-0").click().run()

    assert not app.exception
    assert {each.text for each in kept().questions} == {LIMIT.text, TEST.text}
    assert all(each.review == "draft" for each in kept().questions)
    assert "How do I send my key?: the quote &#39;More.&#39; is not found" in html(app)


def test_a_queue_counts_drafts_accepted_and_rejected_ones_apart_and_hand_made_questions_not_at_all() -> None:
    by_hand = Question("Who wrote this?", DOCUMENT.name, LIMIT.answers)
    marks = Annotations((by_hand, replace(LIMIT, review="accepted"), KEY), (), (TEST,))
    queue = queue_of([DOCUMENT], [marks])

    assert (queue.reviewed, queue.total, queue.words) == (2, 3, "2 of 3 reviewed")
    assert tally(queue) == "1 accepted, 1 rejected, 1 not reviewed"
    assert [each.question for each in queue.drafts] == [KEY]
    assert about(queue.drafts[0], DOCUMENT).startswith(
        "keyword probe (heading), not a question · paragraph · 10-an-api-reference.md, line 10"
    )
    assert Queue((), 0, ()).shown("") is None


def test_probes_come_last_in_the_queue() -> None:
    asked = replace(KEY, text="What is sent as a key?", origin="rule: called")
    queue = queue_of([DOCUMENT], [Annotations((KEY, asked), (), ())])

    assert [each.question for each in queue.drafts] == [asked, KEY]


def test_questions_are_exported_in_every_form_and_a_folder_is_an_archive() -> None:
    (document,) = with_unique_names([DOCUMENT])
    gold = Gold((replace(LIMIT, review="accepted"), KEY), ())

    for form in FORMS:
        content = question_files.content([document], gold, form)
        assert content
        if question_files.name_of(form).endswith(".zip"):
            names = zipfile.ZipFile(io.BytesIO(content)).namelist()
            assert names in (["corpus.jsonl", "queries.jsonl", "qrels/test.tsv"], ["topics.tsv", "qrels.txt"])
        else:
            assert b"How many requests?" in content


def test_drafts_are_left_out_of_an_export_unless_they_are_wanted() -> None:
    keep(replace(LIMIT, review="accepted"), KEY)
    app = open_page("pages/retrieve.py", **LINK)

    assert "Download 1" in downloads(app)
    app.toggle(key="retrieve-form-reviewed").set_value(False).run()
    assert "Download 2" in downloads(app)
    app.selectbox(key="retrieve-form").set_value("squad").run()
    assert "SQuAD has no place for review, origin and block." in html(app)


def test_where_nothing_is_reviewed_the_export_has_the_drafts() -> None:
    keep(KEY)
    app = open_page("pages/retrieve.py", **LINK)

    assert "Download 1" in downloads(app)


def test_a_cut_answer_is_mended_where_its_failure_is_said() -> None:
    keep(replace(LIMIT, review="accepted"))
    app = open_page(
        "pages/retrieve.py", **(LINK | {"b__strategy": "fixed", "b__chunkSize": "50", "b__chunkOverlap": "0"})
    )
    app.button(key="retrieve-failed-B-0-change").click().run()
    sets = [each for each in app.button if str(each.key).startswith("apply-B")]
    assert sets
    sets[0].click().run()

    assert not app.exception
    assert "b.chunkSize" not in app.query_params or app.query_params["b.chunkSize"] != ["50"]


def test_what_nobody_has_reviewed_is_counted_apart_wherever_questions_count() -> None:
    keep(replace(LIMIT, review="accepted"), KEY)
    app = open_page("pages/retrieve.py", **LINK)

    said = "1 of 2 questions is a draft that nobody has reviewed"
    assert f'<p class="cs-caution" role="status">{said}.</p>' in html(app)  # below the verdict
    assert f"{said}; the curves include them." in html(app)
    assert app.dataframe[-1].value["Review"].tolist() == ["accepted", "draft"]
    assert "2 answers to 2 questions, 1 of them not reviewed" in html(open_page("", document=SAMPLE.key))
    for view in ("sweep", "goal"):
        tune = open_page("pages/tune.py", document=SAMPLE.key, view=view)
        assert "1 of 2 questions is a draft that nobody has reviewed." in html(tune)

"""The Retrieve page run without a browser: question, configs, marked answers, ranking, and text
that is only text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from app_pages import address, html, open_page
from sample_server import embeddings, serving
from streamlit.testing.v1 import AppTest

from chunking import Annotations, Config, Span, parse, run
from chunking.gold.mark_store import store
from pages.ui.choices.samples import samples
from pages.ui.retrieve import embedding
from pages.ui.retrieve.throughput import Pace

ROOT = Path(__file__).resolve().parents[3]
SAMPLE = next(each for each in samples() if each.name.startswith("10"))
DOCUMENT = parse(SAMPLE.text, name=SAMPLE.name)
LIMIT = "600 requests a minute for each key, measured over ten seconds."
KEY = "Send your key as a bearer token."
LINK = {"document": SAMPLE.key, "search": "bm25", "a__strategy": "every-heading", "b__strategy": "heading-window"}


@pytest.fixture(autouse=True)
def _marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path))


def mark(*asked: tuple[str, str]) -> None:
    """Keep answers, by their quotes, to questions."""
    marks = Annotations()
    for question, quote in asked:
        start = DOCUMENT.text.index(quote)
        marks = marks.with_answer(DOCUMENT, question, Span(start, start + len(quote)))
    store().save(DOCUMENT, Annotations(), marks)


def page(**query: str) -> AppTest:
    """The page, opened at an address of its own."""
    return open_page("pages/retrieve.py", **query)


def load(app: AppTest, lines: str) -> None:
    """Upload a file of questions."""
    app.file_uploader(key="retrieve-file").set_value([("q.jsonl", lines.encode(), "application/jsonl")]).run()


def took(app: AppTest) -> list[str]:
    """What each config said it embedded."""
    return re.findall(r"Vectors: (.*?)\.<", html(app))


def test_a_new_session_asks_for_a_question_and_says_how_to_measure() -> None:
    app = page()

    assert not app.exception
    assert "Or search for a heading:" in html(app)
    assert "No question with a known answer yet" in html(app)
    app.button(key="retrieve-try-0").click().run()

    assert not app.exception
    assert app.text_input(key="retrieve-q").value == "2.9.2: expired quotes"


def test_a_question_by_words_brings_up_passages_of_both_configs_side_by_side() -> None:
    app = page(**LINK)
    app.text_input(key="retrieve-q").set_value("How many requests a minute?").run()

    assert not app.exception
    assert html(app).count('class="cs-passage"') == 10
    assert '<div class="cs-passage" role="group" aria-label="Text of chunk 1 of A"' in html(app)  # no stop of Tab
    assert 'aria-label="Text of chunk 5 of B"' in html(app)
    assert '<span class="cs-unseen"> Heading window</span></h2>' in html(app)
    assert "Vectors: " not in html(app)
    assert address(app)["q"] == "How many requests a minute?"


def test_at_equal_tokens_no_config_retrieves_more_than_that() -> None:
    app = page(**LINK, q="requests a minute for each key", equal="tokens", tokens="700")
    totals = [line for line in html(app).splitlines() if "retrieved <b>" in line]
    assert all("</b> of 700 tokens" in line for line in totals)
    tokens = [int(line.split("</b> of 700 tokens")[0].rpartition("<b>")[2].replace(",", "")) for line in totals]

    assert len(tokens) == 2
    assert 0 < max(tokens) <= 700
    assert html(app).count("tokens; the next chunk does not fit") == 2
    assert app.number_input(key="retrieve-tokens").value == 700


def test_the_answer_of_a_marked_question_is_marked_and_named() -> None:
    mark(("How many requests?", LIMIT))
    app = page(**LINK, q="how many  requests?")

    assert f"<mark>{LIMIT}</mark>" in re.sub('<b class="cs-asked">(.*?)</b>', r"\1", html(app))
    assert "contains the answer" in html(app)
    assert "<b>100%</b> of the answer found" in html(app)


def test_marked_questions_rank_the_configs_and_a_recommendation_says_how_sure_that_is() -> None:
    mark(("How many requests a minute?", LIMIT), ("How do I send my key?", KEY))
    app = page(**LINK, top="1")

    assert not app.exception
    assert "2 questions with marked answers" in html(app)
    assert '<table class="cs-table cs-board">' in html(app)
    assert "Fewer than 6 questions prove nothing" in html(app)
    assert [frame.value["Question"].tolist() for frame in app.dataframe][-1] == [
        "How many requests a minute?",
        "How do I send my key?",
    ]
    assert "Measured by what a hit gives back" not in html(app)
    app.number_input(key="retrieve-neighbours").set_value(1).run()

    assert not app.exception
    assert "Measured by what a hit gives back in place of its chunk, with 1 neighbour on each side" in html(app)
    assert address(app)["neighbours"] == "1"
    app.selectbox(key="retrieve-metric").set_value("mrr").run()

    assert not app.exception
    assert "Configs by MRR" in html(app)
    assert app.segmented_control(key="retrieve-mode").options == [
        "by place",
        "by first match, as in Chroma's evaluation",
    ]
    app.segmented_control(key="retrieve-mode").set_value("published").run()

    assert not app.exception
    assert address(app)["mode"] == "published"


def test_the_decision_and_the_next_step_come_before_the_review_and_the_statistics() -> None:
    mark(("How many requests a minute?", LIMIT), ("How do I send my key?", KEY))
    app = page(**LINK, top="7")
    said = html(app)

    verdict = "These questions are too easy to tell the configs apart at 7 chunks"
    assert f'<p class="cs-advice"><span role="status">{verdict}</span>: ' in said
    assert "the cost speaks for" in said
    for opens in ("How certain is that?", "At other token budgets, and what that costs", "Question by question"):
        assert opens in [each.label for each in app.expander]
    assert said.index("cs-advice") < said.index('<table class="cs-table cs-board">')
    ways = [each for each in app.button if str(each.key).startswith("retrieve-open-")]
    assert {each.label for each in ways} == {"Open A in Inspect", "Open B in Inspect"}  # none is better
    assert {each.proto.type for each in ways} == {"secondary"}
    exports = [each.proto.label for each in app.get("download_button") if "as YAML" in each.proto.label]
    assert exports == ["Export A as YAML", "Export B as YAML"]
    app.button(key="retrieve-next").click().run()

    assert not app.exception
    assert address(app)["equal"] == "tokens"
    assert "retrieve-next" not in [each.key for each in app.button]


def test_where_every_config_finds_every_answer_one_press_measures_with_a_single_chunk() -> None:
    mark(("How many requests a minute?", LIMIT), ("How do I send my key?", KEY))
    app = page(**LINK, top="7")
    app.button(key="retrieve-one-chunk").click().run()

    assert not app.exception
    assert address(app)["top"] == "1"
    assert "retrieve-one-chunk" not in [each.key for each in app.button]
    assert "Same number of chunks: 1 chunk for each question." in html(app)


def test_where_more_questions_would_tell_configs_apart_the_form_for_so_many_is_one_press_away() -> None:
    mark(("How many requests a minute?", LIMIT), ("How do I send my key?", KEY), ("zzz", KEY), ("qqq", LIMIT))
    app = page(**{**LINK, "b.strategy": "fixed"}, top="1", equal="tokens", tokens="60")
    needed = re.search(r"To tell them apart, about (\d+) \(.*?\) questions would be needed\.", html(app))
    assert needed
    app.button(key="retrieve-more-questions").click().run()

    assert not app.exception
    assert app.number_input(key="draft-count").value == int(needed[1]) - 4
    assert app.session_state["retrieve-draft"]


def test_a_search_of_all_documents_that_takes_longer_than_two_seconds_is_asked_about_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path / "answers"))
    assert embedding.QUICK_FOR_ALL == 2
    monkeypatch.setattr(embedding, "QUICK", float("inf"))
    monkeypatch.setattr(embedding, "QUICK_FOR_ALL", 0.0)
    monkeypatch.setattr(embedding, "_pace", Pace())
    mark(("How many requests a minute?", LIMIT))
    app = page(**{**LINK, "search": "cosine"})
    assert "to embed on this machine" not in html(app)
    app.toggle(key="retrieve-all").set_value(True).run()

    assert re.search(r"\d+ texts to embed on this machine: about \d+ (s|min), measured on the first few", html(app))
    assert app.button(key="retrieve-embed").label.startswith("Embed ")


def test_curves_say_what_each_budget_finds_and_the_table_has_the_same_numbers() -> None:
    mark(("requests a minute for each key", LIMIT), ("send your key as a bearer token", KEY))
    app = page(**LINK)

    assert not app.exception
    assert "<caption>Recall at budgets of tokens</caption>" in html(app)
    assert '<th scope="col">8,000</th><th scope="col">Area</th>' in html(app)
    app.segmented_control(key="retrieve-curve-metric").set_value("iou").run()

    assert not app.exception
    assert "<caption>IoU at budgets of tokens</caption>" in html(app)


def test_a_question_that_failed_says_why_and_leads_to_its_answer_and_to_what_came_before_it() -> None:
    mark(("send key as a bearer token for requests", LIMIT))
    app = page(**LINK, top="1")

    assert not app.exception
    assert "recall counts the part found" in html(app)
    assert "A Every heading\\: 1 of 1 question failed\\: 1 outranked" in [each.label for each in app.expander]
    assert "Outranked: its chunk, " in html(app)
    assert re.search(r"Found when \d+ chunks are taken\.", html(app))
    app.button(key="retrieve-failed-A-0-answer").click().run()

    assert not app.exception
    assert app.selectbox(key="strategy").value == "every-heading"
    assert address(app)["at"] == str(DOCUMENT.text.index(LIMIT))


def test_a_passage_opens_in_inspect_at_its_place_and_with_its_config() -> None:
    app = page(**LINK, q="requests a minute for each key")
    app.button(key="retrieve-A-1-open").click().run()

    assert not app.exception
    assert app.selectbox(key="strategy").value == "every-heading"
    assert address(app)["at"] == str(DOCUMENT.text.index("### Rate limits"))


def test_a_setting_that_is_moved_embeds_only_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path / "answers"))
    monkeypatch.setattr(embedding, "QUICK", float("inf"))  # a busy machine is not asked about
    app = page(**{**LINK, "search": "cosine"}, q="rate limits", b__minTokens="100")
    before = took(app)
    app.number_input(key="compare-B.heading-window.min_tokens").set_value(200).run()
    after = took(app)

    assert not app.exception
    assert before[0] == "28 different chunks, all embedded just now"
    assert after[0] == before[0]  # of another config: nothing was embedded for it since
    assert before[1] != after[1]
    assert " had a vector from before" in after[1]
    app.number_input(key="retrieve-chunks").set_value(3).run()

    assert took(app) == after


def test_what_takes_long_is_asked_about_first_with_an_estimate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path / "answers"))
    monkeypatch.setattr(embedding, "QUICK", 0.0)
    monkeypatch.setattr(embedding, "_pace", Pace())
    app = page(**{**LINK, "search": "cosine"}, q="rate limits")

    assert re.search(r"\d+ texts to embed on this machine: about \d+ (s|min), measured on the first few", html(app))
    assert (
        "Not embedded yet: the button is under the question, at the top. A search by keywords needs no embeddings."
        in html(app)
    )
    assert app.button(key="retrieve-embed").label.startswith("Embed ")
    app.button(key="retrieve-embed").click().run()

    assert not app.exception
    assert html(app).count('class="cs-passage"') == 10
    assert "to embed on this machine" not in html(app)


def test_all_documents_that_are_here_are_searched_together_and_a_passage_opens_in_its_own() -> None:
    app = page(**LINK, q="purple kettle")
    app.file_uploader(key="uploads").set_value([("mine.md", b"# Kettle\n\nA purple kettle.\n", "text/markdown")]).run()
    app.selectbox(key="document").set_value(SAMPLE.key).run()

    assert "No chunk has any of these words." in html(app)
    app.toggle(key="retrieve-all").set_value(True).run()

    assert not app.exception
    assert "<bdi>mine.md</bdi> › <bdi>Kettle</bdi>" in html(app)
    rows = [("What is purple?", "A purple kettle.", "mine.md"), ("How many?", LIMIT, SAMPLE.name)]
    lines = [json.dumps({"question": asked, "references": [quote], "corpus_id": name}) for asked, quote, name in rows]
    load(app, "\n".join(lines))

    assert "Loaded 2 questions." in html(app)
    assert '<table class="cs-table cs-board">' in html(app)
    assert sorted(app.dataframe[-1].value["Document"]) == [SAMPLE.name, "mine.md"]
    app.button(key="retrieve-B-1-open").click().run()

    assert not app.exception
    assert app.selectbox(key="document").value != SAMPLE.key
    assert app.selectbox(key="strategy").value == "heading-window"


def test_all_documents_are_searched_with_the_overrides_of_the_corpus_and_a_passage_opens_as_it_is_cut() -> None:
    override = {"mine.md": {"strategy": "fixed", "settings": {"chunkSize": 300}}}
    app = page(**LINK, q="purple kettle", overrides=json.dumps(override))
    app.file_uploader(key="uploads").set_value([("mine.md", b"# Kettle\n\nA purple kettle.\n", "text/markdown")]).run()
    app.selectbox(key="document").set_value(SAMPLE.key).run()
    assert "With the" not in html(app)
    app.toggle(key="retrieve-all").set_value(True).run()
    assert "With the 1 override of Corpus in every config. Where one names a strategy, all configs cut alike" in html(
        app
    )
    app.button(key="retrieve-B-1-open").click().run()

    assert not app.exception
    assert app.selectbox(key="strategy").value == "fixed"


def test_a_server_embeds_once_the_button_is_pressed_and_no_key_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(embeddings) as server:
        monkeypatch.setenv("CHUNKSCOPE_BASE_URL", server.base_url)
        monkeypatch.setenv("CHUNKSCOPE_API_KEY", "sk-very-secret-0123456789")
        app = page(**{**LINK, "search": "cosine"}, q="rate limits", embedder="compatible", model="retrieve-test")
        before = len(server.requests)
        app.button(key="retrieve-embed").click().run()

        assert not app.exception
        assert (before, len(server.requests)) == (0, 1)
    assert took(app) == ["28 different chunks, all embedded just now", "7 different chunks, all embedded just now"]
    assert html(app).count('class="cs-passage"') == 10
    assert "sk-very-secret" not in html(app)


def test_a_server_is_sent_nothing_before_the_button_is_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_BASE_URL", "http://127.0.0.1:9")
    app = page(**{**LINK, "search": "cosine"}, q="rate limits", embedder="compatible", model="by-link")

    assert not app.exception
    assert "would be sent to compatible" in html(app)
    assert app.button(key="retrieve-embed").label.startswith("Send ")
    assert 'class="cs-passage"' not in html(app)


def test_an_embedder_without_its_key_is_one_line_and_nothing_else_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    app = page(**{**LINK, "search": "cosine"}, q="rate limits", embedder="openai")

    assert not app.exception
    assert "OPENAI_API_KEY" in html(app)
    assert app.text_input(key="retrieve-q").value == "rate limits"


def test_a_file_of_questions_is_loaded_and_what_cannot_be_placed_is_said() -> None:
    rows = [
        {"question": "How many?", "references": [LIMIT], "corpus_id": DOCUMENT.name},
        {"question": "Lost?", "references": ["nowhere to be found"], "corpus_id": DOCUMENT.name},
    ]
    app = page(**LINK)
    load(app, "\n".join(json.dumps(row) for row in rows))

    assert not app.exception
    assert "Loaded 1 question." in html(app)
    assert "is not found in" in html(app)
    assert [question.text for question in store().read(DOCUMENT).questions] == ["How many?"]


def test_a_link_that_is_wrong_is_followed_as_far_as_it_goes() -> None:
    app = page(**{**LINK, "search": "magic"}, top="0")

    assert not app.exception
    assert "in the link: search: &#39;magic&#39; is not one of the choices" in html(app)


def test_a_document_without_anything_to_retrieve_says_so() -> None:
    app = page(**{**LINK, "search": "hybrid"}, q="anything")
    app.file_uploader(key="uploads").set_value([("blank.md", b"---\ntitle: x\n---\n", "text/markdown")]).run()

    assert not app.exception
    assert "There is no chunk." in html(app)


def test_hostile_questions_are_only_text() -> None:
    hostile = "<img src=x onerror=alert(1)> :red[x] $y$ [a](javascript:alert(1))"
    mark((hostile, LIMIT))
    app = page(**LINK, q=hostile)

    assert not app.exception
    assert "<img" not in html(app)
    assert all("<img" not in element.value for element in app.markdown)


def test_each_config_says_which_chunks_lose_their_ends_and_leads_there() -> None:
    app = page(**{**LINK, "search": "cosine"})
    long = f"# Short\n\nwords\n\n# Long\n\n{'A kettle is filled with cold water. ' * 60}\n"
    app.file_uploader(key="uploads").set_value([("long.md", long.encode(), "text/markdown")]).run()

    said = [each.label for each in app.expander if "longer than" in each.label]
    assert said[0] == "1 of 2 chunks is longer than the embedding model reads: no question finds its end"
    assert "Ways out: smaller chunks" in html(app)
    assert (
        "all-MiniLM-L6-v2 reads 256 tokens of a text (by the tokenizer minilm, plus 2 tokens that the model adds)"
        in html(app)
    )
    app.button(key="retrieve-lost-A-1").click().run()

    assert not app.exception
    assert app.query_params["at"] in (str(long.index("# Long")), [str(long.index("# Long"))])


def test_each_config_says_which_chunks_no_question_gets_back_at_a_token_budget_and_leads_there() -> None:
    app = page(**{**LINK, "equal": "tokens", "tokens": "200"})
    long = f"# Short\n\nwords\n\n# Long\n\n{'A kettle is filled with cold water. ' * 60}\n"
    app.file_uploader(key="uploads").set_value([("long.md", long.encode(), "text/markdown")]).run()

    sizes = [chunk.tokens for chunk in run(parse(long, name="long.md"), Config.of("every-heading", {})).chunks]
    said = [each.label for each in app.expander if "gets" in each.label or "no question" in each.label]
    assert said[0] == "1 of 2 chunks is over 200 tokens: no question gets it back"
    share = round(100 * sizes[1] / sum(sizes))
    assert f"A hit on it gives back {sizes[1]} tokens. It has {share}% of the tokens to embed." in html(app)
    app.button(key="retrieve-over-A-1").click().run()
    assert not app.exception
    assert app.query_params["at"] in (str(long.index("# Long")), [str(long.index("# Long"))])


def test_at_a_number_of_chunks_none_is_too_large_to_get_back() -> None:
    assert not [each.label for each in page(**LINK).expander if "gets" in each.label]


def test_where_no_vectors_are_compared_nothing_is_said_of_them() -> None:
    app = page(**LINK)

    assert "tokens of a text" not in html(app)


def test_a_document_that_is_not_english_is_said_to_be_little_known_to_the_local_embedder() -> None:
    app = page(**{**LINK, "search": "cosine", "document": "sample:09-not-english.md"})

    assert "09-not-english.md seems not to be English" in html(app)


def test_back_and_forward_change_what_is_asked_and_of_which_configs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.ui.state.session._went_through_history", lambda: True)
    app = page(**LINK, q="limit")
    before = address(app)
    app.selectbox(key="compare-strategy-B").set_value("fixed").run()
    app.text_input(key="retrieve-q").set_value("key").run()
    assert address(app)["q"] == "key"
    app.query_params.clear()
    app.query_params.update(before)  # as the browser does
    app.run()

    assert not app.exception
    assert app.text_input(key="retrieve-q").value == "limit"
    assert app.selectbox(key="compare-strategy-B").value == "heading-window"
    assert address(app) == before


def test_where_one_config_gives_much_more_text_one_press_compares_at_the_same_cost() -> None:
    app = page(**LINK)
    app.text_input(key="retrieve-q").set_value("How is a parcel cancelled?").run()
    assert "more text than A: they are not compared" in html(app)
    app.button(key="retrieve-same-cost").click().run()

    assert not app.exception
    assert address(app)["equal"] == "tokens"
    assert "retrieve-same-cost" not in [button.key for button in app.button]

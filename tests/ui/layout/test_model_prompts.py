"""Models on the Inspect page: those that run here are asked at once, servers only when told to;
nothing shows a key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pytest
from app_pages import address, html, open_page
from sample_embedders import HashEmbedder
from sample_plugins import Paragraphs, plugged_in
from sample_server import Asked, ModelServer, Reply, embeddings, serving
from streamlit.testing.v1 import AppTest

from chunking.errors import ModelError
from chunking.models import embedders
from pages.ui.choices.plans import Plan, SettingValues
from pages.ui.choices.samples import samples

SECRET = "sk-very-secret-0123456789"
DESCRIBED = "It is :red[about] <b>tea</b>."


def answering(asked: Asked, before: int) -> Reply:
    if asked.path.endswith("/embeddings"):
        return embeddings(asked, before)
    return Reply(body={"choices": [{"message": {"content": DESCRIBED}}]})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with serving(answering) as running:
        monkeypatch.setenv("CHUNKSCOPE_BASE_URL", running.base_url)
        monkeypatch.setenv("CHUNKSCOPE_API_KEY", SECRET)
        yield running


def texts(app: AppTest) -> str:
    """All that the page says."""
    return "\n".join([html(app), *(each.value for each in [*app.text, *app.code]), *(b.label for b in app.button)])


def figures(app: AppTest) -> str:
    """The specifications of all charts."""
    return "\n".join(chart.proto.spec for chart in app.get("plotly_chart"))


def test_a_link_that_names_a_server_sends_it_nothing_until_the_button_is_pressed(server: ModelServer) -> None:
    app = open_page(strategy="semantic", embedder="compatible", model="by-link", document=samples()[5].key)

    assert not app.exception
    assert server.requests == []
    assert f"by by-link at {server.base_url}, only when you ask for it below" in html(app)
    assert "Still showing" in html(app)
    button = app.button(key="ask-embed")
    assert button.label.startswith("Compare ")
    button.click().run()

    assert not app.exception
    assert len(server.requests) == 1
    assert "Still showing" not in html(app)
    assert "Done: the answers for" in html(app)


def test_chunks_are_cut_at_once_and_described_when_the_button_is_pressed(server: ModelServer) -> None:
    app = open_page(strategy="contextual", provider="compatible", model="described", document=samples()[0].key, at="10")
    assert server.requests == []
    assert "chunks have no description, the first on line 1: not asked for yet" in html(app)
    calls = int(app.button(key="ask-describe").label.split()[1])
    app.button(key="ask-describe").click().run()

    assert len(server.requests) == calls
    assert DESCRIBED in [text.value for text in app.text]
    assert "by compatible/described at" in html(app)
    app.run()
    assert len(server.requests) == calls


def test_an_export_says_how_many_descriptions_are_missing_until_none_is(server: ModelServer) -> None:
    app = open_page(strategy="contextual", provider="compatible", model="exported", document=samples()[0].key)
    calls = int(app.button(key="ask-describe").label.split()[1])
    missing = f"{calls} of {calls} chunks have no description and are exported without one"
    assert missing in html(app)
    app.button(key="ask-describe").click().run()

    assert len(server.requests) == calls
    assert "taken away without one" not in html(app)


def test_descriptions_over_sentences_wait_for_the_sentences(server: ModelServer) -> None:
    app = open_page(strategy="every-heading", document=samples()[0].key)
    inner = Plan("semantic", {"embedder": "compatible", "model": "first", "similarity_threshold": 0.0})
    settings: SettingValues = {"base": inner, "provider": "compatible", "model": "second"}
    app.session_state["chunkscope"].plans["contextual"] = Plan("contextual", settings)
    app.selectbox(key="strategy").set_value("contextual").run()
    assert [button.key for button in app.button if str(button.key).startswith("ask-")] == ["ask-embed"]
    app.button(key="ask-embed").click().run()
    assert {asked.path for asked in server.requests} == {"/embeddings"}
    app.button(key="ask-describe").click().run()

    assert {asked.path for asked in server.requests} == {"/embeddings", "/chat/completions"}
    assert "curve-chart" in str([chart.proto.id for chart in app.get("plotly_chart")])
    assert not [button for button in app.button if str(button.key).startswith("ask-")]


def test_prices_make_the_estimate_a_cost(server: ModelServer) -> None:
    app = open_page(strategy="contextual", provider="compatible", model="priced", document=samples()[0].key)
    assert "Give your provider&#39;s prices" in html(app)
    app.number_input(key="price-describe-in").set_value(1000.0).run()

    assert "in the currency of the prices" in html(app)
    assert server.requests == []


def test_no_key_is_ever_shown_though_the_server_repeats_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(asked: Asked, _before: int) -> Reply:
        return Reply(401, {"error": {"message": f"wrong key {asked.headers['authorization']}"}})

    with serving(refuse) as server:
        monkeypatch.setenv("CHUNKSCOPE_BASE_URL", server.base_url)
        monkeypatch.setenv("CHUNKSCOPE_API_KEY", SECRET)
        app = open_page(strategy="semantic", embedder="compatible", model="refused", document=samples()[0].key)
        app.button(key="ask-embed").click().run()
        asked = len(server.requests)
        app.run()

        assert "answered 401 Unauthorized" in html(app)
        assert "check the key" in html(app)
        assert SECRET not in texts(app)
        assert SECRET not in str(address(app))
        assert len(server.requests) == asked == 1
        assert '<dl class="cs-strip">' in html(app)


def test_a_missing_key_is_one_line_and_chunks_are_shown_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    app = open_page(strategy="contextual", provider="openai", document=samples()[0].key)

    assert not app.exception
    assert '<p class="cs-problem" role="alert">openai: the environment variable OPENAI_API_KEY is not set' in html(app)
    assert '<dl class="cs-strip">' in html(app)
    assert not [button for button in app.button if button.key == "ask-describe"]


def test_a_model_that_runs_here_is_asked_at_once_and_never_for_a_moved_threshold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake = HashEmbedder()
    monkeypatch.setattr(embedders, "_local", lambda: fake)
    app = open_page(strategy="every-heading")
    app.text_area(key="pasted").set_value("Alpha is first.\n\nBeta is second.\n\nGamma is third.\n")
    app.button(key="use-paste").click().run()
    app.selectbox(key="strategy").set_value("semantic").run()

    assert fake.calls == [["Alpha is first.", "Beta is second.", "Gamma is third."]]
    assert "the least alike 10%" in figures(app)
    app.session_state["chunkscope"].plans["semantic"] = Plan("semantic", {"similarity_threshold": 0.2})
    app.run()

    assert "threshold 0.2" in figures(app)
    assert len(fake.calls) == 1


def test_a_model_that_fails_here_is_not_asked_again_until_somebody_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(HashEmbedder):
        name = "test/failing"

        def __call__(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            self.calls.append(list(texts))
            raise ModelError("test/failing: is out of order")

    fake = Failing()
    monkeypatch.setattr(embedders, "_local", lambda: fake)
    app = open_page(strategy="every-heading")
    app.text_area(key="pasted").set_value("Delta is fourth.\n\nEpsilon is fifth.\n")
    app.button(key="use-paste").click().run()
    app.selectbox(key="strategy").set_value("semantic").run()
    app.run()

    assert "test/failing: is out of order" in html(app)
    assert len(fake.calls) == 1
    app.button(key="ask-embed").click().run()
    assert len(fake.calls) == 2


def test_what_describes_without_a_model_says_so() -> None:
    app = open_page(strategy="contextual", document=samples()[0].key, at="10")

    assert "No model: the breadcrumb and the section&#39;s first sentence. Nothing is sent." in html(app)
    assert "no model: breadcrumb and first sentence" in html(app)
    assert any(samples()[0].name in text.value for text in app.text)


def test_a_plug_in_says_what_it_sends_and_sends_nothing_until_the_button_is_pressed(server: ModelServer) -> None:
    with plugged_in(Paragraphs):
        app = open_page(strategy="plugin-embeds", document=samples()[5].key)

        assert not app.exception
        assert server.requests == []
        assert f"Each block is sent and measured by plugin at {server.base_url}, only when you ask" in html(app)
        button = app.button(key="ask-embed")
        assert button.label.startswith("Send at least ")
        button.click().run()

        assert not app.exception
        assert {asked.path for asked in server.requests} == {"/embeddings"}
        assert "Still showing" not in html(app)
        assert "its vector begins with" in html(app) or "plugin-embeds" in str(address(app))


def test_a_plug_in_that_announces_nothing_sends_nothing(server: ModelServer) -> None:
    with plugged_in(Paragraphs):
        app = open_page(strategy="plugin-embeds", announces="false", document=samples()[5].key)
        app.run()

        assert not app.exception
        assert server.requests == []


def test_who_chooses_semantic_begins_with_a_share_of_the_places_and_a_link_has_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(embedders, "_local", HashEmbedder)
    app = open_page(strategy="every-heading", document=samples()[5].key)
    app.selectbox(key="strategy").set_value("semantic").run()

    assert app.query_params["thresholdKind"] == "percentile"
    assert app.query_params["similarityThreshold"] == "0.1"
    assert "thresholdKind" not in open_page(strategy="semantic", document=samples()[5].key).query_params


def test_a_threshold_that_cuts_after_most_sentences_says_so_and_offers_a_share_of_the_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(embedders, "_local", HashEmbedder)
    app = open_page(strategy="every-heading")
    text = "\n\n".join(f"Sentence number {number} is about {number * 7}." for number in range(20))
    app.text_area(key="pasted").set_value(text)
    app.button(key="use-paste").click().run()
    app.selectbox(key="strategy").set_value("semantic").run()
    app.button(key="reset").click().run()

    assert "places in this document are less alike than 0.75" in html(app)
    app.button(key="curve-take").click().run()
    assert "less alike than 0.75" not in html(app)
    assert app.query_params["thresholdKind"] == "percentile"
    assert app.query_params["similarityThreshold"] == "0.1"

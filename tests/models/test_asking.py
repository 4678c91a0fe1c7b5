"""What is asked of models is known, and can be said, before anything is sent."""

from __future__ import annotations

from pathlib import Path

import pytest
from sample_describers import PromptedDescriber
from sample_embedders import HashEmbedder
from sample_server import Asked, Reply, embeddings, serving
from typer.testing import CliRunner

from chunking import Config, parse, run
from chunking.cli.program import app
from chunking.core.estimates import Estimate
from chunking.errors import ModelError
from chunking.models.access import Tools
from chunking.models.requests import announced, ask, estimate, server_of, steps
from chunking.strategies.contextual import Contextual
from chunking.strategies.recursive import Recursive
from chunking.strategies.semantic import Semantic

TEXT = "# Tea\n\nWater boils. Leaves steep.\n\n# Rust\n\nIron rusts. Paint helps.\n"
DOCUMENT = parse(TEXT, name="tea.md")


def described(_asked: Asked, _before: int) -> Reply:
    return Reply(body={"choices": [{"message": {"content": "It is about tea."}}]})


@pytest.fixture
def compatible(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.delenv("CHUNKSCOPE_API_KEY", raising=False)
    return monkeypatch


def test_most_strategies_ask_nothing() -> None:
    assert steps(Recursive()) == ()
    assert steps(Contextual(base=Recursive(), provider="summary")) == ()


def test_the_base_is_asked_about_before_the_descriptions() -> None:
    found = steps(Contextual(base=Semantic(), provider="openai"))

    assert [(step.doing, step.provider, step.model, step.here) for step in found] == [
        ("embed", "local", "", True),
        ("describe", "openai", "gpt-4o-mini", False),
    ]


def test_sentences_are_counted_before_they_are_sent_and_nothing_after(compatible: pytest.MonkeyPatch) -> None:
    with serving(embeddings) as server:
        compatible.setenv("CHUNKSCOPE_BASE_URL", server.base_url)
        (step,) = steps(Semantic(embedder="compatible", model="before-and-after"))
        before = estimate(step, DOCUMENT, Tools())
        assert server.requests == []
        ask(step, DOCUMENT, Tools())

        assert (before.calls, before.cached) == (6, 0)
        assert 10 < before.input_tokens < 40
        assert estimate(step, DOCUMENT, Tools()) == Estimate(0, 6, 0, 0)


def test_tools_that_may_not_ask_send_nothing_and_find_what_is_remembered(compatible: pytest.MonkeyPatch) -> None:
    config = Config(Semantic(embedder="compatible", model="not-asked"), "cl100k_base")
    with serving(embeddings) as server:
        compatible.setenv("CHUNKSCOPE_BASE_URL", server.base_url)
        with pytest.raises(ModelError, match="6 of 6 sentences were not compared yet"):
            run(DOCUMENT, config, Tools(asks_models=False))
        assert server.requests == []
        asked = run(DOCUMENT, config)
        sent = len(server.requests)

        assert run(DOCUMENT, config, Tools(asks_models=False)).fingerprint == asked.fingerprint
        assert len(server.requests) == sent


def test_chunks_that_may_not_be_described_are_cut_all_the_same() -> None:
    describer = PromptedDescriber()
    result = run(DOCUMENT, Config(Contextual(), "cl100k_base"), Tools(describer=describer, asks_models=False))

    assert describer.questions == []
    assert [chunk.metadata["context"] for chunk in result.chunks] == [None] * len(result.chunks)
    assert len(result.warnings) == 1
    assert result.warnings[0].endswith(": not asked for yet")


def test_descriptions_without_a_model_need_no_leave() -> None:
    result = run(DOCUMENT, Config(Contextual(), "cl100k_base"), Tools(asks_models=False))

    assert result == run(DOCUMENT, Config(Contextual(), "cl100k_base"))
    assert result.chunks[0].metadata["context"] == "tea.md > Tea: Water boils."


def test_an_embedder_of_the_tests_is_not_asked_either() -> None:
    embedder = HashEmbedder()
    with pytest.raises(ModelError, match="here no model is asked"):
        run(DOCUMENT, Config(Semantic(), "cl100k_base"), Tools(embedder=embedder, asks_models=False))

    assert embedder.calls == []


def test_what_goes_to_a_server_is_announced_with_the_server_and_the_tokens(compatible: pytest.MonkeyPatch) -> None:
    compatible.setenv("CHUNKSCOPE_BASE_URL", "http://127.0.0.1:1/v1")
    said: list[str] = []
    announced(Contextual(provider="compatible", model="announced"), DOCUMENT, Tools(), said.append)

    assert len(said) == 1
    assert said[0].startswith("tea.md: 1 chunk to describe by compatible at http://127.0.0.1:1/v1 (0 more are")
    assert said[0].endswith(" and 100 out")


def test_what_stays_here_or_lacks_a_key_is_not_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    said: list[str] = []
    announced(Contextual(provider="openai"), DOCUMENT, Tools(), said.append)
    announced(Contextual(), DOCUMENT, Tools(), said.append)

    assert said == []


def test_the_command_line_says_what_it_will_send_before_the_first_call(
    compatible: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "c.yaml").write_text(
        "chunkscope: 1\nstrategy: contextual\nsettings: {provider: compatible, model: said-first}\n"
    )
    (tmp_path / "tea.md").write_text(TEXT)
    with serving(described) as server:
        compatible.setenv("CHUNKSCOPE_BASE_URL", server.base_url)
        result = CliRunner().invoke(app, ["run", str(tmp_path / "c.yaml"), str(tmp_path / "tea.md")])

        assert result.exit_code == 0, result.output
        assert len(server.requests) == 1
        assert f"tea.md: 1 chunk to describe by compatible at {server.base_url}" in result.stderr
        assert "It is about tea." in result.stdout


def test_the_server_of_a_provider_is_its_address_and_none_for_what_runs_here() -> None:
    assert server_of("anthropic") == "https://api.anthropic.com"
    assert server_of("local") == ""


def test_a_cost_is_the_prices_for_a_million_tokens_times_the_tokens() -> None:
    assert Estimate(3, 0, 2_000_000, 500_000).cost(0.15, 0.6) == pytest.approx(0.6)

"""What a strategy will send, and where, it says itself, a plug-in too: nothing leaves before, and
nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sample_plugins import Describing, Paragraphs, plugged_in
from sample_server import Asked, ModelServer, Reply, embeddings, serving

from chunking import Config, cli, parse, run
from chunking.errors import ModelError
from chunking.models.access import Tools
from chunking.models.requests import announced, ask, estimate, steps
from chunking.strategies.contextual import Contextual
from chunking.strategies.semantic import Semantic

TEXT = "# Tea\n\nWater boils.\n\nLeaves steep.\n"
DOCUMENT = parse(TEXT, name="tea.md")


def answering(asked: Asked, before: int) -> Reply:
    if asked.path.endswith("/embeddings"):
        return embeddings(asked, before)
    return Reply(body={"choices": [{"message": {"content": "About tea."}}]})


@pytest.fixture(name="server", autouse=True)
def _server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path / "answers"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "tea.md").write_text(TEXT)
    with serving(answering) as running, plugged_in(Paragraphs, Describing):
        monkeypatch.setenv("CHUNKSCOPE_BASE_URL", running.base_url)
        yield running


def test_a_plug_in_is_listened_to_and_nothing_is_sent_for_it(server: ModelServer) -> None:
    for strategy in (Paragraphs(), Describing()):
        (step,) = steps(strategy)
        expected = estimate(step, DOCUMENT, Tools())

        assert (expected.calls, expected.cached, expected.at_least) == (3, 0, True)
        assert server.requests == []
        ask(step, DOCUMENT, Tools())
        again = estimate(step, DOCUMENT, Tools())
        assert (again.calls, again.cached) == (0, 3)
        server.requests.clear()


def test_a_wrapped_plug_in_is_announced_before_what_wraps_it() -> None:
    found = steps(Contextual(base=Paragraphs(), provider="compatible", model="m"))

    assert [(step.doing, step.provider, step.model) for step in found] == [
        ("embed", "compatible", "plugin"),
        ("describe", "compatible", "m"),
    ]


@pytest.mark.parametrize("strategy", [Paragraphs(announces=False), Describing(announces=False)])
def test_what_was_not_announced_is_not_sent(strategy: Paragraphs, server: ModelServer) -> None:
    with pytest.raises(ModelError, match=r"compatible/plugin was not announced, so nothing was sent; .*model_requests"):
        run(DOCUMENT, Config(strategy, "words"))

    assert server.requests == []


def test_another_model_than_the_one_that_was_announced_is_not_asked(server: ModelServer) -> None:
    tools = Tools()
    tools.announce("embed", "compatible", "this one")

    with pytest.raises(ModelError, match="compatible/that one was not announced"):
        tools.embed(["text"], "compatible", "that one")
    with pytest.raises(ModelError, match="describe"):
        tools.describer("compatible", "this one")("a question")
    assert server.requests == []
    assert tools.embed(["text"], "compatible", "this one").shape[0] == 1


def test_what_runs_here_and_what_is_remembered_needs_no_announcement(server: ModelServer) -> None:
    tools = Tools()
    tools.announce("embed", "compatible", "m")
    tools.embed(["text"], "compatible", "m")
    sent = len(server.requests)

    assert Tools().embed(["text"], "compatible", "m").shape[0] == 1
    assert len(server.requests) == sent


COMMANDS = {
    "run": ["run", "p.yaml", "docs"],
    "workers": ["run", "p.yaml", "docs", "--workers", "2"],
    "report": ["run", "p.yaml", "docs", "-o", "r.html"],
    "compare": ["compare", "fixed", "p.yaml", "docs"],
    "inspect": ["inspect", "p.yaml", "docs/tea.md"],
    "verify": ["verify", "p.yaml", "docs"],
    "explain": ["explain", "p.yaml", "docs/tea.md", "--line", "3"],
    "sweep": ["sweep", "p.yaml", "docs", "--set", "announces=true"],
    "tune": ["tune", "docs", "--goal", "few-tokens", "--strategy", "plugin-embeds", "--counter", "words"],
}


@pytest.mark.parametrize("how", COMMANDS)
def test_every_command_says_what_a_plug_in_will_send_before_the_first_request(
    how: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("p.yaml").write_text("strategy: plugin-embeds\ncounter: words\n")
    sent: list[str] = []

    def watching(asked: Asked, before: int) -> Reply:
        sent.append(capfd.readouterr().err)
        return embeddings(asked, before)

    with serving(watching) as server:
        monkeypatch.setenv("CHUNKSCOPE_BASE_URL", server.base_url)
        code = cli.main(COMMANDS[how])
    said = f"tea.md: at least 3 texts to embed by compatible at {server.base_url} (0 more are remembered)"

    assert code == 0
    assert len(sent) == 1
    assert said in sent[0]


def test_a_store_says_where_its_chunks_go(server: ModelServer, capfd: pytest.CaptureFixture[str]) -> None:
    Path("s.yaml").write_text("strategy: semantic\nsettings: {embedder: compatible, model: stored}\n")

    assert cli.main(["run", "s.yaml", "docs", "-o", "kb.sqlite"]) == 0
    said = f"kb.sqlite: the text of every chunk is sent to compatible at {server.base_url} to embed"
    assert said in capfd.readouterr().err


def test_search_says_where_the_question_goes_before_it_goes(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    sent: list[str] = []

    def watching(asked: Asked, before: int) -> Reply:
        sent.append(capfd.readouterr().err)
        return embeddings(asked, before)

    Path("s.yaml").write_text("strategy: semantic\nsettings: {embedder: compatible, model: stored}\n")
    with serving(watching) as server:
        monkeypatch.setenv("CHUNKSCOPE_BASE_URL", server.base_url)
        assert cli.main(["run", "s.yaml", "docs", "-o", "kb.sqlite"]) == 0
        capfd.readouterr()
        sent.clear()
        assert cli.main(["search", "kb.sqlite", "when to steep?", "--mode", "bm25"]) == 0
        assert (sent, capfd.readouterr().err) == ([], "")
        assert cli.main(["search", "kb.sqlite", "when to steep?"]) == 0

    said = f"chunkscope: the question is sent to compatible at {server.base_url} to embed, unless it is remembered\n"
    assert sent == [said]


def test_a_model_that_only_a_sweep_asks_is_announced_as_well(
    server: ModelServer, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("s.yaml").write_text("strategy: semantic\nsettings: {model: ''}\n")

    cli.main(["sweep", "s.yaml", "docs", "--set", "embedder=local,compatible"])
    assert f"sentences to embed by compatible at {server.base_url}" in capfd.readouterr().err


def test_what_cannot_be_counted_is_announced_without_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object) -> None:
        raise ModelError("not before the step before it")

    monkeypatch.setattr(Semantic, "expected", refuses)
    said: list[str] = []
    announced(Semantic(embedder="compatible", model="m"), DOCUMENT, Tools(), said.append)

    assert len(said) == 1
    assert said[0].endswith("; how many is not known beforehand")

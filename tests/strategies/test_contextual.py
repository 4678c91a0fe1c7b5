"""contextual: the base's cuts with descriptions in front, and what becomes of calls that fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from contract import assert_promises, scaled
from hypothesis import given, settings
from markdown_strategies import MARKDOWN
from sample_describers import GivenDescriber, PromptedDescriber, refusing
from sample_server import Reply, serving
from sample_strategies import Ruler

from chunking import strategies
from chunking.cli import main
from chunking.config.config import Config, DocumentProof
from chunking.config.proof import differences, document_proof, proof_of
from chunking.core.chunk import Chunk
from chunking.core.estimates import Estimate
from chunking.core.strategy import Strategy
from chunking.document import Document
from chunking.document.parser import parse
from chunking.errors import SettingError
from chunking.explanation.explanation import explain
from chunking.models.access import Tools
from chunking.runs import Run, run
from chunking.strategies.block_packing import BlockPacking
from chunking.strategies.contextual import Contextual, estimate
from chunking.strategies.heading_window import HeadingWindow
from chunking.strategies.semantic import Semantic
from chunking.tokens import counter

TEXT = "# Kettle\n\nBoils water.\n\n## Fill\n\nOpen the lid.\n\n## Boil\n\nWait.\n"


def by_heading() -> Strategy:
    return strategies.get("every-heading")()


def described(text: str, strategy: Contextual, describer: GivenDescriber | None = None) -> Run:
    config = Config(strategy)
    return run(parse(text, name="docs/k.md"), config, Tools(counter(config.counter), describer=describer))


def contexts(result: Run) -> list[object]:
    return [chunk.metadata["context"] for chunk in result.chunks]


# ---- the text ----


def test_each_chunk_is_prefix_description_blank_line_and_the_bases_text() -> None:
    result = described(TEXT, Contextual(base=by_heading()))

    assert [chunk.text for chunk in result.chunks] == [
        "[Context] k.md > Kettle: Boils water.\n\n# Kettle\n\nBoils water.",
        "[Context] k.md > Kettle > Fill: Open the lid.\n\n## Fill\n\nOpen the lid.",
        "[Context] k.md > Kettle > Boil: Wait.\n\n## Boil\n\nWait.",
    ]
    assert dict(result.chunks[1].metadata) == {
        "chunk_index": 1,
        "anchor": "fill",
        "chunker": "contextual",
        "chunk": 1,
        "total_chunks": 3,
        "context": "k.md > Kettle > Fill: Open the lid.",
    }


def test_the_description_comes_before_the_context_of_the_base_and_nothing_else_changes() -> None:
    text = "# Kettle\n\n## Fill\n\n" + "Open the lid and pour. " * 40 + "\n\n## Boil\n\nWait.\n"
    base = BlockPacking(max_tokens=120)
    plain = run(parse(text, name="docs/k.md"), Config(base))

    result = described(text, Contextual(base=base), GivenDescriber(lambda _: "D."))

    assert len(result.chunks) > 2
    for chunk, before in zip(result.chunks, plain.chunks, strict=True):
        assert chunk.context == f"[Context] D.\n\n{before.context}"
        assert chunk.text == f"[Context] D.\n\n{before.text}"
        assert (chunk.body, chunk.holes, chunk.overlap, chunk.closing) == (
            before.body,
            before.holes,
            before.overlap,
            before.closing,
        )
        assert (chunk.breadcrumb, chunk.ended_by, chunk.flags) == (before.breadcrumb, before.ended_by, before.flags)
        assert chunk.cut.text == before.text
        assert chunk.cut.tokens == before.tokens
    assert any(chunk.overlap for chunk in result.chunks)


def test_the_blank_line_has_the_documents_line_endings() -> None:
    result = described("# A\r\n\r\nOne.\r\n", Contextual(base=by_heading()))

    assert result.chunks[0].context == "[Context] k.md > A: One.\r\n\r\n"


def test_what_is_left_out_stays_left_out() -> None:
    result = described("---\ntitle: x\n---\n\n" + TEXT, Contextual(base=by_heading()))

    assert [skip.because.rule for skip in result.skips] == ["front-matter"]


def test_equal_chunks_with_equal_descriptions_have_ids_of_their_own() -> None:
    result = described("# A\n\nx\n\n# A\n\nx\n", Contextual(base=by_heading()), GivenDescriber(refusing("x")))

    assert [chunk.ordinal for chunk in result.chunks] == [0, 1]
    assert len({chunk.id for chunk in result.chunks}) == 2


def test_a_description_is_text_whatever_it_holds() -> None:
    hostile = "# <script>{chunk}</script>\n```\n<|endoftext|>\n---"

    result = described("# A\n\nOne.\n", Contextual(base=by_heading()), GivenDescriber(lambda _: hostile))

    assert result.chunks[0].text == f"[Context] {hostile}\n\n# A\n\nOne."
    assert_promises(result, counter(result.config.counter))


# ---- settings ----


def test_the_default_base_is_recursive_and_the_counter_is_the_bases() -> None:
    assert Contextual().base == strategies.get("recursive")()
    assert Config(Contextual()).counter == "cl100k_base"
    assert Config(Contextual(base=Ruler())).counter == "words-1.3"
    assert Contextual.default_counter == "cl100k_base"
    assert Contextual(base=HeadingWindow()).spec_counter == "words-1.3"
    assert Contextual.spec_counter == ""


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{chunk}", "promptTemplate: has no {document}; put it where the text should go"),
        ("{document} { chunk }", "promptTemplate: has no {chunk}; put it where the text should go"),
        ("", "promptTemplate: has no {document} and no {chunk}; put it where the text should go"),
    ],
)
def test_a_prompt_without_a_placeholder_is_refused_when_it_is_set(template: str, said: str) -> None:
    with pytest.raises(SettingError) as raised:
        Contextual(prompt_template=template)

    assert str(raised.value) == said


def test_a_strategy_that_describes_cannot_be_described() -> None:
    with pytest.raises(SettingError, match="base: contextual already describes what it wraps"):
        Contextual(base=Contextual())


def test_a_nested_config_survives_yaml_and_url() -> None:
    base = Semantic(similarity_threshold=0.6)
    config = Config(Contextual(base=base, provider="anthropic", prompt_template="Über {chunk}\nin {document}"))

    assert Config.from_yaml(config.to_yaml()) == config
    assert Config.from_query(config.to_query()) == config
    assert config.to_query()["base.similarityThreshold"] == "0.6"


# ---- limits ----


def test_the_bases_limit_holds_without_the_description() -> None:
    base = scaled(strategies.get("hierarchical"), 60)
    strategy = Contextual(base=base)
    text = "# Kettle\n\n" + "Open the lid and pour the water in. " * 60

    result = described(text, strategy)

    assert strategy.limits().maximum == 60
    assert strategy.limits().maximum_setting == "base.hard_cap"
    assert max(chunk.tokens for chunk in result.chunks) > 60
    assert max(chunk.limited_tokens("text") for chunk in result.chunks) <= 60
    assert result.metrics.over_maximum == 0
    assert_promises(result, counter(result.config.counter))


@settings(max_examples=40)
@given(text=MARKDOWN)
def test_the_promises_hold_over_a_base_with_a_limit_on_random_markdown(text: str) -> None:
    result = described(text, Contextual(base=scaled(strategies.get("hierarchical"), 48)))

    assert_promises(result, counter(result.config.counter))


# ---- failures ----


def test_a_failed_call_leaves_the_chunk_as_it_was_and_is_said() -> None:
    result = described(TEXT, Contextual(base=by_heading()), GivenDescriber(refusing("Fill")))

    assert contexts(result) == ["Described.", None, "Described."]
    assert result.chunks[1].text == "## Fill\n\nOpen the lid."
    assert result.warnings == (
        "contextual: 1 of 3 chunks have no description, the first on line 5: test/given: answered 500 for Fill",
    )
    assert_promises(result, counter("cl100k_base"))


def test_after_three_failures_in_a_row_no_more_is_asked() -> None:
    text = "".join(f"# H{n}\n\nword\n\n" for n in range(9))
    describer = GivenDescriber(refusing("H0", "H2", "H3", "H4"))

    result = described(text, Contextual(base=by_heading()), describer)

    assert len(describer.questions) == 5
    assert [context is None for context in contexts(result)] == [True, False, *[True] * 7]
    assert result.warnings[-1] == (
        "contextual: 4 of 9 chunks have no description, the first on line 21: "
        "not asked for after 3 failed calls in a row; run again to ask only for what is missing"
    )


def test_without_a_key_the_document_is_cut_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    result = described(TEXT, Contextual(base=by_heading(), provider="openai"))

    assert contexts(result) == [None, None, None]
    assert result.warnings == (
        "contextual: 3 of 3 chunks have no description, the first on line 1: "
        "openai: the environment variable OPENAI_API_KEY is not set; set it to your key",
    )


def test_a_prompt_that_nobody_is_asked_is_said() -> None:
    result = described(TEXT, Contextual(base=by_heading(), prompt_template="{chunk} {document}"))

    assert result.warnings == ("contextual: promptTemplate is not used by provider summary",)


# ---- cost ----


def test_a_second_run_over_http_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = Contextual(base=by_heading(), provider="compatible", model="second-run")
    document = parse(TEXT, name="k.md")
    heard: list[tuple[str, int, int]] = []
    tools = Tools(progress=lambda doing, done, total: heard.append((doing, done, total)))
    reply = Reply(body={"choices": [{"message": {"content": "Said."}}]})
    with serving(lambda _asked, _before: reply) as server:
        monkeypatch.setenv("CHUNKSCOPE_BASE_URL", server.base_url)
        before = estimate(document, strategy, tools)
        first = run(document, Config(strategy), tools)
        second = run(document, Config(strategy))
        after = estimate(document, strategy, tools)

    assert len(server.requests) == 3
    assert second.parts == first.parts
    assert contexts(second) == ["Said.", "Said.", "Said."]
    assert (before.calls, before.cached) == (3, 0)
    assert after == Estimate(calls=0, cached=3, input_tokens=0, output_tokens=0)
    assert [(done, total) for _, done, total in heard] == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_an_estimate_asks_nothing_and_is_near_what_would_be_sent() -> None:
    document, strategy = parse(TEXT * 20, name="k.md"), Contextual(base=by_heading())
    describer = PromptedDescriber(lambda _: "D.")

    expected = estimate(document, strategy, Tools(describer=describer))

    assert describer.questions == []
    run(document, Config(strategy), Tools(describer=describer))
    sent = sum(counter("cl100k_base")(question) for question in set(describer.questions))
    assert expected.calls == len(set(describer.questions))
    assert sent <= expected.input_tokens <= sent * 1.1


def test_the_summary_costs_nothing() -> None:
    assert estimate(parse(TEXT, name="k.md"), Contextual(), Tools()) == Estimate(0, 0, 0, 0)


# ---- proof and explanation ----


def proof(result: Run) -> dict[str, DocumentProof]:
    return {"k.md": document_proof(b"", result.fingerprint, result.descriptions)}


def test_other_descriptions_of_the_same_cuts_are_said_to_be_that() -> None:
    strategy = Contextual(base=by_heading())
    first = described(TEXT, strategy, GivenDescriber(lambda _: "One."))
    other = described(TEXT, strategy, GivenDescriber(lambda _: "Two."))
    none = described(TEXT, strategy, GivenDescriber(refusing("")))
    elsewhere = described(TEXT.replace("## Boil", "Boil"), strategy, GivenDescriber(lambda _: "One."))

    assert first.fingerprint == other.fingerprint == none.fingerprint
    assert len({first.descriptions, other.descriptions, none.descriptions}) == 3
    promised = proof_of(first.config, proof(first))
    for again, said in [(first, None), (other, "same cuts, other descriptions"), (elsewhere, "the chunks differ")]:
        found = list(differences(promised, proof_of(again.config, proof(again))))
        assert (found == []) if said is None else (len(found) == 1 and said in found[0]), found


def test_a_summary_is_no_models_words_and_stands_in_the_fingerprint() -> None:
    result = described(TEXT, Contextual(base=by_heading()))

    assert result.descriptions == ""
    assert result.fingerprint != described(TEXT, Contextual(base=by_heading(), context_prefix="> ")).fingerprint


def test_explaining_is_about_the_base_and_asks_no_describer() -> None:
    def never(_question: str) -> str:
        raise AssertionError("asked")

    document = parse(TEXT, name="k.md")
    base = HeadingWindow(min_tokens=3, min_tokens_deeper=3, max_tokens=20, short_tail="keep")
    tools = Tools(counter("cl100k_base"), describer=GivenDescriber(never))
    config = Config(Contextual(base=base, provider="openai"))

    wrapped = explain(document, config, line=5, tools=tools)
    plain = explain(document, Config(base), line=5)

    assert wrapped.reason == plain.reason
    assert [each.setting for each in wrapped.ranges] == [f"base.{each.setting}" for each in plain.ranges]
    assert "base.minTokens" in [each.setting for each in wrapped.ranges]
    assert wrapped.to_dict()["settings"] == [f"base.{name}" for name in plain.to_dict()["settings"]]  # type: ignore[attr-defined]


# ---- over the command line ----


def test_verify_accepts_the_proof_of_a_run_and_names_other_descriptions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.md").write_text(TEXT)
    Path("c.yaml").write_text(
        "strategy: contextual\nsettings: {base: {strategy: every-heading}, provider: compatible, model: verify}\n"
    )
    words = ["One."]
    with serving(lambda _a, _b: Reply(body={"choices": [{"message": {"content": words[0]}}]})) as server:
        monkeypatch.setenv("CHUNKSCOPE_BASE_URL", server.base_url)
        assert main(["run", "c.yaml", "k.md", "-o", "k.jsonl", "--proof", "p.yaml"]) == 0
        same = main(["verify", "p.yaml", "k.md"])
        monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path / "empty"))
        words[0] = "Two."
        other = main(["verify", "p.yaml", "k.md"])

    assert "descriptions: sha256:" in Path("p.yaml").read_text()
    assert (same, other) == (0, 1)
    assert "k.md: same cuts, other descriptions" in capfd.readouterr().out


def test_the_strategys_parts_can_be_taken_one_by_one() -> None:
    document: Document = parse(TEXT, name="k.md")
    parts = Contextual(base=by_heading()).split(document, Tools())

    first = next(parts)

    assert isinstance(first, Chunk)
    assert first.metadata["total_chunks"] == 3

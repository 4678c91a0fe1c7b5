"""semantic: groups of sentences by the similarity of neighbours."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from contract import assert_promises
from hypothesis import given
from hypothesis import strategies as st
from markdown_strategies import MARKDOWN
from sample_embedders import GivenEmbedder, HashEmbedder

from chunking.config.config import Config
from chunking.config.validation import make_strategy
from chunking.config.values import Value
from chunking.document.parser import parse
from chunking.errors import ModelError, SettingError
from chunking.explanation.explanation import NumberRange, OptionRange, explain
from chunking.models.access import Tools
from chunking.runs import Run, run
from chunking.strategies.semantic import Semantic, similarities
from chunking.tokens import counter

with_the_local_model = pytest.mark.skipif(not find_spec("onnxruntime"), reason="the extra `models` is not installed")
EAST, NORTH, BETWEEN = [1.0, 0.0], [0.0, 1.0], [0.6, 0.8]


def cut(text: str, vectors: Sequence[Sequence[float]], **settings: Value) -> Run:
    """The text, cut; its sentences end in full stops and have these vectors in order."""
    sentences = [sentence.strip() + "." for sentence in text.split(".")[:-1]]
    embedder = GivenEmbedder(dict(zip(sentences, vectors, strict=True)))
    return run(parse(text, name="a.md"), Config(make_strategy("semantic", settings)), Tools(embedder=embedder))


def texts(result: Run) -> list[str]:
    return [chunk.text for chunk in result.chunks]


def test_a_new_chunk_begins_where_the_next_sentence_is_less_alike_than_the_threshold() -> None:
    result = cut("Aa. Bb. Cc.", [EAST, EAST, BETWEEN], similarity_threshold=0.7)

    assert texts(result) == ["Aa. Bb.", "Cc."]
    boundary = result.chunks[0].ended_by
    assert boundary.rule == "similarity"
    assert (
        boundary.detail == "the next sentence is too different: its similarity is 0.6, below similarityThreshold (0.7)"
    )
    assert (boundary.held, boundary.limit, boundary.settings) == (0.6, 0.7, ("similarity_threshold",))
    assert result.chunks[1].ended_by.rule == "end"


def test_equality_keeps() -> None:
    assert texts(cut("Aa. Bb.", [EAST, BETWEEN], similarity_threshold=0.6)) == ["Aa. Bb."]
    assert texts(cut("Aa. Bb.", [BETWEEN, BETWEEN], similarity_threshold=1.0)) == ["Aa. Bb."]


def test_a_higher_threshold_cuts_more() -> None:
    # DECISIONS sc-3: the spec's tuning table says the opposite.
    vectors = [EAST, BETWEEN, NORTH]

    assert len(texts(cut("Aa. Bb. Cc.", vectors, similarity_threshold=0.5))) == 1
    assert len(texts(cut("Aa. Bb. Cc.", vectors, similarity_threshold=0.7))) == 2
    assert len(texts(cut("Aa. Bb. Cc.", vectors, similarity_threshold=0.9))) == 3
    assert str(Semantic.model_fields["similarity_threshold"].description).startswith("Higher cuts more often")


def test_below_the_minimum_a_chunk_goes_on_however_unlike_the_next_sentence_is() -> None:
    result = cut("Aa. Bb. Cc. Dd.", [EAST, NORTH, EAST, NORTH], min_chunk_sentences=2)

    assert texts(result) == ["Aa. Bb.", "Cc. Dd."]


def test_at_the_maximum_a_chunk_ends_however_alike_the_next_sentence_is() -> None:
    result = cut("Aa. Bb. Cc.", [EAST, EAST, EAST], max_chunk_sentences=2)

    assert texts(result) == ["Aa. Bb.", "Cc."]
    assert result.chunks[0].ended_by.rule == "max-sentences"
    assert result.chunks[0].ended_by.detail == "the chunk has 2 sentences, as many as maxChunkSentences (2) allows"


def test_the_maximum_is_named_where_both_would_cut() -> None:
    result = cut("Aa. Bb.", [EAST, NORTH], max_chunk_sentences=1)

    assert result.chunks[0].ended_by.rule == "max-sentences"


def test_a_zero_vector_is_like_nothing_so_it_cuts() -> None:
    assert texts(cut("Aa. Bb.", [EAST, [0.0, 0.0]], similarity_threshold=0.01)) == ["Aa.", "Bb."]
    assert texts(cut("Aa. Bb.", [EAST, [0.0, 0.0]], similarity_threshold=0.0)) == ["Aa. Bb."]


def test_a_window_lets_one_odd_sentence_pass() -> None:
    vectors = [EAST, EAST, NORTH, EAST, EAST]

    assert len(texts(cut("Aa. Bb. Cc. Dd. Ee.", vectors, similarity_threshold=0.5))) == 3
    assert len(texts(cut("Aa. Bb. Cc. Dd. Ee.", vectors, similarity_threshold=0.5, window=3))) == 1


def test_a_percentile_cuts_the_least_alike_share_of_the_places() -> None:
    vectors = [EAST, BETWEEN, EAST, NORTH, BETWEEN]  # similarities .6, .6, 0, .8
    result = cut("Aa. Bb. Cc. Dd. Ee.", vectors, similarity_threshold=0.25, threshold_kind="percentile")

    assert texts(result) == ["Aa. Bb. Cc.", "Dd. Ee."]
    assert result.chunks[0].ended_by.detail == (
        "the next sentence is too different: its similarity is 0, below 0.6, which similarityThreshold (0.25) as a "
        "percentile comes to in this document"
    )


def test_one_sentence_makes_no_embedding_call() -> None:
    embedder = HashEmbedder()
    result = run(parse("Only one sentence here", name="a.md"), Config(Semantic()), Tools(embedder=embedder))

    assert texts(result) == ["Only one sentence here"]
    assert result.chunks[0].metadata["similarity"] is None
    assert embedder.calls == []


def test_all_sentences_are_asked_for_in_one_call_and_a_repeated_one_once() -> None:
    embedder = HashEmbedder()
    run(parse("Aa. Bb. Aa. Cc.", name="a.md"), Config(Semantic()), Tools(embedder=embedder))

    assert embedder.calls == [["Aa.", "Bb.", "Cc."]]


def test_fewer_vectors_than_sentences_is_an_error() -> None:
    class Short(HashEmbedder):
        def __call__(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            return super().__call__(texts)[:-1]

    with pytest.raises(ModelError, match="test/hash: answered 1 vector for 2 texts; expected one vector per text"):
        run(parse("Aa. Bb.", name="a.md"), Config(Semantic()), Tools(embedder=Short()))


def test_front_matter_is_a_skip_and_white_space_at_the_edges_is_a_hole() -> None:
    result = run(
        parse("---\ntitle: T\n---\n\nAa.\n\n# H\n\nBb.\n", name="a.md"),
        Config(Semantic(similarity_threshold=1)),
        Tools(embedder=HashEmbedder()),
    )

    assert [skip.because.rule for skip in result.skips] == ["front-matter"]
    assert texts(result) == ["Aa.", "# H", "Bb."]
    assert [chunk.breadcrumb for chunk in result.chunks] == [("a.md",), ("a.md", "H"), ("a.md", "H")]
    assert [chunk.metadata["anchor"] for chunk in result.chunks] == ["", "h", "h"]


def test_an_empty_document_gives_nothing_and_a_blank_one_a_skip() -> None:
    tools = Tools(embedder=HashEmbedder())

    assert run(parse("", name="a.md"), Config(Semantic()), tools).parts == ()
    blank = run(parse("---\na: b\n---\n\n \n", name="a.md"), Config(Semantic()), tools)
    assert blank.chunks == ()
    assert [skip.because.rule for skip in blank.skips] == ["front-matter"]
    blank = run(parse(" \n", name="a.md"), Config(Semantic()), tools)
    assert blank.chunks == ()
    assert [skip.because.rule for skip in blank.skips] == ["blank"]


def test_metadata_tells_chunker_index_total_and_similarity_at_the_end() -> None:
    result = cut("Aa. Bb.", [EAST, BETWEEN])

    assert [dict(chunk.metadata) for chunk in result.chunks] == [
        {"chunker": "semantic", "chunk": 0, "total_chunks": 2, "similarity": 0.6, "anchor": ""},
        {"chunker": "semantic", "chunk": 1, "total_chunks": 2, "similarity": None, "anchor": ""},
    ]


def test_half_a_character_in_a_sentence_reaches_no_model() -> None:
    embedder = HashEmbedder()
    result = run(parse("Aa \ud800 here. Bb.", name="a.md"), Config(Semantic()), Tools(embedder=embedder))

    assert embedder.calls == [["Aa ? here.", "Bb."]]
    assert "".join(result.document[part.body] for part in result.parts) == "Aa \ud800 here. Bb."


# ---- settings ----


@pytest.mark.parametrize(
    ("settings", "setting"),
    [
        ({"similarityThreshold": 1.01}, "similarityThreshold"),
        ({"similarityThreshold": -0.01}, "similarityThreshold"),
        ({"minChunkSentences": 0}, "minChunkSentences"),
        ({"maxChunkSentences": 0}, "maxChunkSentences"),
        ({"minChunkSentences": 3, "maxChunkSentences": 2}, "minChunkSentences"),
        ({"window": 0}, "window"),
        ({"embedder": "pigeon"}, "embedder"),
        ({"thresholdKind": "relative"}, "thresholdKind"),
        ({"apiKey": "sk-1"}, "apiKey"),
        ({"baseUrl": "http://evil.example"}, "baseUrl"),
    ],
)
def test_settings_are_checked_when_they_are_made(settings: dict[str, Value], setting: str) -> None:
    with pytest.raises(SettingError) as caught:
        make_strategy("semantic", settings)

    assert caught.value.setting == setting


def test_the_config_survives_its_yaml() -> None:
    config = Config(Semantic(similarity_threshold=0.3, embedder="voyage", model="voyage-3.5-lite", window=2))

    assert Config.from_yaml(config.to_yaml()) == config


# ---- explaining ----


def numbers(text: str, vectors: Sequence[Sequence[float]], offset: int, **settings: Value) -> dict[str, NumberRange]:
    sentences = [sentence.strip() + "." for sentence in text.split(".")[:-1]]
    embedder = GivenEmbedder(dict(zip(sentences, vectors, strict=True)))
    told = explain(
        parse(text, name="a.md"),
        Config(make_strategy("semantic", settings)),
        offset=offset,
        tools=Tools(embedder=embedder),
    )
    assert len(embedder.calls) == 1, "the first cut asks; explaining never does"
    return {each.setting: each for each in told.ranges if isinstance(each, NumberRange)}


def test_an_explanation_names_the_similarity_at_which_the_boundary_goes() -> None:
    found = numbers("Aa. Bb. Cc.", [EAST, EAST, BETWEEN], 8, similarity_threshold=0.7)

    threshold = found["similarityThreshold"]
    assert threshold.exact
    assert (threshold.below.goes_at, threshold.below.ends) == (0.6, "goes")
    assert (threshold.above.stays_to, threshold.above.ends) == (1.0, "last-legal")
    assert found["minChunkSentences"].above.goes_at == 3
    assert found["window"].exact


def test_an_explanation_of_a_boundary_at_the_maximum_names_the_maximum_at_which_it_goes() -> None:
    found = numbers("Aa. Bb. Cc. Dd. Ee.", [EAST, EAST, EAST, EAST, EAST], 8, max_chunk_sentences=2)

    assert found["maxChunkSentences"].above.goes_at == 3
    assert found["maxChunkSentences"].below.stays_to == 1
    assert found["maxChunkSentences"].exact


def test_an_explanation_of_a_percentile_is_in_percentiles() -> None:
    vectors = [EAST, BETWEEN, EAST, NORTH, BETWEEN]
    found = numbers("Aa. Bb. Cc. Dd. Ee.", vectors, 12, similarity_threshold=0.5, threshold_kind="percentile")

    assert found["similarityThreshold"].below.goes_at == 0.0
    assert found["similarityThreshold"].exact


def test_an_explanation_leaves_out_what_only_another_model_could_tell() -> None:
    told = explain(
        parse("Aa. Bb.", name="a.md"),
        Config(Semantic(similarity_threshold=1)),
        offset=4,
        tools=Tools(embedder=HashEmbedder()),
    )

    options = {each.setting for each in told.ranges if isinstance(each, OptionRange)}
    assert options == {"thresholdKind"}


@given(st.integers(0, 2**32), st.integers(1, 3), st.integers(3, 6))
def test_what_an_explanation_says_is_what_happens(seed: int, least: int, most: int) -> None:
    text = " ".join(f"S{seed}x{number}." for number in range(9))
    document = parse(text, name="a.md")
    settings: dict[str, Value] = {
        "similarity_threshold": 0.4,
        "min_chunk_sentences": least,
        "max_chunk_sentences": most,
    }
    told = explain(
        document,
        Config(make_strategy("semantic", settings)),
        offset=len(text) // 2,
        tools=Tools(embedder=HashEmbedder()),
    )

    def is_cut(**changed: Value) -> bool:
        strategy = make_strategy("semantic", {**settings, **changed})
        chunks = run(document, Config(strategy), Tools(embedder=HashEmbedder())).chunks
        return any(chunk.body.end == told.offset for chunk in chunks)

    names = {
        "similarityThreshold": "similarity_threshold",
        "minChunkSentences": "min_chunk_sentences",
        "maxChunkSentences": "max_chunk_sentences",
        "window": "window",
    }
    for each in told.ranges:
        if not isinstance(each, NumberRange):
            continue
        for side in (each.below, each.above):
            if side.goes_at is not None:
                assert not is_cut(**{names[each.setting]: side.goes_at})
            if side.ends != "unlimited":
                assert is_cut(**{names[each.setting]: side.stays_to})


# ---- the curve ----


def test_the_curve_has_one_similarity_fewer_than_sentences_and_the_threshold() -> None:
    document = parse("Aa. Bb. Cc.", name="a.md")
    tools = Tools(embedder=GivenEmbedder({"Aa.": EAST, "Bb.": BETWEEN, "Cc.": NORTH}))

    curve = similarities(document, Semantic(), tools)

    assert [document[sentence] for sentence in curve.sentences] == ["Aa. ", "Bb. ", "Cc."]
    assert curve.similarities == (0.6, 0.8)
    assert curve.threshold == 0.75


def test_the_curve_of_a_percentile_shows_the_similarity_it_comes_to() -> None:
    document = parse("Aa. Bb. Cc.", name="a.md")
    tools = Tools(embedder=GivenEmbedder({"Aa.": EAST, "Bb.": BETWEEN, "Cc.": NORTH}))

    curve = similarities(document, Semantic(similarity_threshold=0.9, threshold_kind="percentile"), tools)

    assert curve.threshold == 0.8


# ---- promises, and the real model ----


@given(MARKDOWN, st.sampled_from([0.0, 0.5, 1.0]), st.integers(1, 4))
def test_the_promises_hold_for_random_markdown(text: str, threshold: float, most: int) -> None:
    config = Config(Semantic(similarity_threshold=threshold, max_chunk_sentences=most))

    result = run(parse(text, name="a.md"), config, Tools(embedder=HashEmbedder()))

    assert_promises(result, counter("cl100k_base"))
    assert all(chunk.metadata["total_chunks"] == len(result.chunks) for chunk in result.chunks)


TWO_TOPICS = (
    "The kettle heats water with a coil. The coil heats the water in the kettle until it boils. "
    "Boiling water in the kettle turns to steam. "
    "The election was held in November. Voters in the election chose a new parliament in November."
)


@with_the_local_model
def test_the_local_model_cuts_between_two_topics() -> None:
    result = run(parse(TWO_TOPICS, name="a.md"), Config(Semantic(similarity_threshold=0.3)))

    assert len(result.chunks) == 2
    assert result.chunks[1].text.startswith("The election")
    assert result.warnings == ()


@with_the_local_model
def test_a_moved_threshold_and_a_second_process_ask_the_model_nothing(tmp_path: Path) -> None:
    program = (
        "import sys; from chunking import Config, parse, run; from chunking.strategies.semantic import Semantic\n"
        "config = Config(Semantic(similarity_threshold=0.3))\n"
        "n = len(run(parse(sys.argv[1], name='a.md'), config).chunks)\n"
        "print(n, 'onnxruntime' in sys.modules)\n"
    )
    environment = {**os.environ, "CHUNKSCOPE_CACHE": str(tmp_path)}
    first, second = (
        subprocess.run(
            [sys.executable, "-c", program, TWO_TOPICS], capture_output=True, text=True, check=True, env=environment
        ).stdout.split()
        for _ in range(2)
    )

    assert first == ["2", "True"]
    assert second == ["2", "False"]


@with_the_local_model
def test_a_sentence_longer_than_the_model_reads_is_warned_of_every_time() -> None:
    text = "Short one. " + "kettle " * 300 + "end."
    document = parse(text, name="a.md")

    first, second = run(document, Config(Semantic())), run(document, Config(Semantic()))

    assert (
        first.warnings
        == second.warnings
        == ("1 sentence(s) are longer than local/all-MiniLM-L6-v2-int8 reads; their beginnings were compared",)
    )


@with_the_local_model
def test_progress_is_told_while_the_model_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path))
    told: list[tuple[str, int, int]] = []
    tools = Tools(progress=lambda doing, done, total: told.append((doing, done, total)))

    run(parse("The lid is hot. The sea is cold.", name="a.md"), Config(Semantic()), tools)

    assert told == [("embedding sentences", 0, 2), ("embedding sentences", 2, 2)]

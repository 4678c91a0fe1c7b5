"""Small chunks that say what a hit gives back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from markdown_strategies import MARKDOWN

from chunking.config.config import Config
from chunking.core.chunk import Chunk
from chunking.core.records import json_line, records
from chunking.document.parser import parse
from chunking.errors import SettingError
from chunking.models.access import Tools
from chunking.runs import Run, run
from chunking.tokens import counter

TEXT = "# Tea\n\nOne two. Three four. Five six. Seven eight.\n\n# Milk\n\nNine ten. Eleven twelve.\n"
SMALL = {"strategy": "recursive", "settings": {"chunkSize": 12, "chunkOverlap": 0}}
BIG = {"strategy": "every-heading", "settings": {}}


def cut(text: str = TEXT, **changed: object) -> Run:
    config = Config.of("small-to-big", {"small": SMALL, "big": BIG, **changed})  # type: ignore[dict-item]
    return run(parse(text, name="tea.md"), config)


def returned(made: Run, chunk: Chunk) -> str:
    assert chunk.returned is not None
    return made.document[chunk.returned]


def test_a_small_chunk_returns_the_large_chunk_that_it_lies_in() -> None:
    made = cut()
    by_text = {chunk.kept_text.strip(): returned(made, chunk) for chunk in made.chunks}

    assert len(by_text) > 4
    assert set(by_text.values()) == {TEXT.partition("\n\n# Milk")[0], TEXT[TEXT.index("# Milk") :].rstrip()}


def test_a_small_chunk_in_two_large_ones_returns_both() -> None:
    made = cut(small={"strategy": "fixed", "settings": {"chunkSize": 1000, "chunkOverlap": 0}})

    assert [returned(made, chunk) for chunk in made.chunks] == [TEXT]


@given(text=MARKDOWN)
@pytest.mark.parametrize("returns", ["parent", "window"])
def test_chunks_that_are_made_when_they_are_read_return_what_the_split_ones_do(returns: str, text: str) -> None:
    made = cut(text, returns=returns)
    split = tuple(made.config.strategy.split(made.document, Tools(counter(made.config.counter))))

    assert made.parts == split
    assert made.returned() == [part.returned for part in split if isinstance(part, Chunk)]


def test_small_chunks_that_are_not_planned_return_the_large_ones_too() -> None:
    made = cut(small={"strategy": "code", "settings": {}})

    assert {returned(made, chunk) for chunk in made.chunks} == {TEXT.rstrip()}


def test_a_window_returns_the_sentences_around() -> None:
    made = cut(returns="window", windowSentences=1)
    chunk = next(each for each in made.chunks if "Three" in each.kept_text)

    assert "Five" not in chunk.kept_text
    assert returned(made, chunk) == "One two. Three four. Five six."
    none = cut(returns="window", windowSentences=0)
    assert all(returned(none, each).count(".") <= each.kept_text.count(".") + 1 for each in none.chunks)


def test_the_cuts_are_those_of_the_small_strategy_and_limits_name_its_settings() -> None:
    alone = run(parse(TEXT, name="tea.md"), Config.of("recursive", SMALL["settings"]))  # type: ignore[arg-type]
    made = cut(small={"strategy": "block-packing", "settings": {"maxTokens": 100}})

    assert [part.body for part in cut().parts] == [part.body for part in alone.parts]
    assert [chunk.id for chunk in cut().chunks] == [chunk.id for chunk in alone.chunks]
    assert made.config.strategy.limits().maximum_setting == "small.max_tokens"


def test_records_carry_what_is_returned_and_other_strategies_none() -> None:
    made = cut()
    lines = [json.loads(json_line(each)) for each in records(made.parts, made.document)]
    other = run(parse(TEXT, name="tea.md"), Config.of("fixed", {}))

    assert [line["returned"] for line in lines if line["type"] == "chunk"] == [
        [chunk.returned.start, chunk.returned.end] for chunk in made.chunks if chunk.returned
    ]
    assert [line["returned"] for line in records(other.parts, other.document) if line["type"] == "chunk"] == [None]


def test_what_is_returned_is_part_of_the_fingerprint() -> None:
    assert len({cut().fingerprint, cut(returns="window").fingerprint, cut(big=SMALL).fingerprint}) == 3


def test_front_matter_and_what_the_large_strategy_leaves_out_do_no_harm() -> None:
    assert not cut("").chunks
    assert not cut("---\ntitle: x\n---\n").chunks
    section_rules = {"strategy": "section-rules", "settings": {}}
    made = cut("---\na: b\n---\n\nBefore.\n\n# See also\n\n- x\n", big=section_rules)
    assert all(chunk.returned for chunk in made.chunks)


@pytest.mark.parametrize("setting", ["small", "big"])
def test_what_wraps_another_strategy_is_no_part_of_it(setting: str) -> None:
    with pytest.raises(SettingError, match=f"{setting}: contextual wraps another strategy; choose one that cuts"):
        Config.of("small-to-big", {setting: {"strategy": "contextual"}})


@settings(max_examples=60, deadline=None)
@given(MARKDOWN)
def test_what_is_kept_of_a_chunk_always_lies_in_what_is_returned(text: str) -> None:
    for changed in ({}, {"returns": "window"}):
        made = cut(text, **changed)
        for chunk in made.chunks:
            assert chunk.returned is not None
            assert chunk.returned.start <= chunk.kept[0].start
            assert chunk.kept[-1].end <= chunk.returned.end <= len(text)

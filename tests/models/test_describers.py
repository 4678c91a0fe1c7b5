"""Describers: the summary that needs no model, what is remembered, and what an answer is held
to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from sample_describers import GivenDescriber, refusing

from chunking.config.config import Config
from chunking.core.chunk import Chunk
from chunking.document.parser import parse
from chunking.errors import ModelError
from chunking.models.answer_cache import AnswerCache
from chunking.models.describers import CachedDescriber, SummaryDescriber, checked_description, describer
from chunking.models.prompts import DEFAULT_TEMPLATE, Prompt
from chunking.runs import run


def chunks_of(text: str) -> Sequence[Chunk]:
    return run(parse(text, name="docs/kettle.md"), Config.of("every-heading", {}, "words")).chunks


def summary_of(text: str, index: int = -1) -> str:
    chunk = chunks_of(text)[index]
    summary = SummaryDescriber()
    return summary(summary.question(chunk, Prompt(DEFAULT_TEMPLATE, chunk.document, 100)))


# ---- the summary ----


def test_the_summary_is_the_breadcrumb_and_the_sections_first_sentence() -> None:
    text = "# Kettle\n\nBoils water.\n\n## Fill it\n\nOpen the lid, see Dr. Smith. Then pour.\n"

    assert summary_of(text) == "kettle.md > Kettle > Fill it: Open the lid, see Dr. Smith."


def test_a_section_without_a_paragraph_is_summed_up_by_its_breadcrumb() -> None:
    assert summary_of("# Kettle\n\n```\ncode\n```\n") == "kettle.md > Kettle"


def test_text_without_headings_is_summed_up_by_its_file_and_first_sentence() -> None:
    assert summary_of("One\nline. Two.\n") == "kettle.md: One line."


def test_a_sentence_that_never_ends_is_clipped() -> None:
    summary = summary_of("word " * 10_000)

    assert summary.startswith("kettle.md: word word")
    assert summary.endswith("word…")
    assert len(summary) <= len("kettle.md: ") + 300


def test_the_summary_is_no_model() -> None:
    assert describer("summary").is_model is False
    assert describer("summary").name == "summary"


# ---- remembering ----


def test_each_question_is_asked_once_also_by_the_next_process(tmp_path: Path) -> None:
    asked = GivenDescriber()

    assert CachedDescriber(asked, AnswerCache(tmp_path / "a.sqlite"))("one two") == "About one."
    assert CachedDescriber(asked, AnswerCache(tmp_path / "a.sqlite"))("one two") == "About one."
    assert asked.questions == ["one two"]


def test_another_model_has_answers_of_its_own(tmp_path: Path) -> None:
    memory = AnswerCache(tmp_path / "a.sqlite")
    first, second = GivenDescriber(lambda _: "first"), GivenDescriber(lambda _: "second")
    second.name = "test/other"

    assert [CachedDescriber(each, memory)("x") for each in (first, second)] == ["first", "second"]


def test_a_failed_call_is_not_remembered() -> None:
    memory, asked = AnswerCache(None), GivenDescriber(refusing("x"))
    with pytest.raises(ModelError):
        CachedDescriber(asked, memory)("x")

    asked.answer = lambda _: "now"

    assert CachedDescriber(asked, memory).known("x") is None
    assert CachedDescriber(asked, memory)("x") == "now"


def test_one_that_may_not_ask_answers_what_is_remembered_and_refuses_the_rest() -> None:
    memory, asked = AnswerCache(None), GivenDescriber()
    CachedDescriber(asked, memory)("one")
    silent = CachedDescriber(asked, memory, asks=False)

    assert silent("one") == "About one."
    with pytest.raises(ModelError, match="would have to be asked"):
        silent("two")


# ---- what a description is ----


def test_white_space_around_an_answer_is_taken_away_and_nothing_else() -> None:
    assert checked_description(" \n# One <b>\n\ntwo {x} \n", "m") == "# One <b>\n\ntwo {x}"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (" \n ", "m: answered with an empty text"),
        ("x" * 4001, "m: answered 4001 characters; a description has at most"),
    ],
)
def test_an_empty_or_endless_answer_is_none(answer: str, said: str) -> None:
    with pytest.raises(ModelError) as raised:
        checked_description(answer, "m")

    assert str(raised.value).startswith(said)


def test_half_characters_become_question_marks() -> None:
    assert checked_description("a\ud800b", "m") == "a?b"


def test_an_unknown_provider_is_named_with_those_there_are() -> None:
    with pytest.raises(ModelError, match="none is named 'chatty'; there are: summary, local, openai, anthropic"):
        describer("chatty")

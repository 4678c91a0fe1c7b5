"""What a config makes of some documents, in numbers: worked out by hand, and the same from
processes of their own."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from typing import NoReturn

import pytest

from chunking import Config, Span, parse, run
from chunking.core.context import Progress
from chunking.core.sealed import Sealed
from chunking.errors import ModelError, StrategyError
from chunking.gold.questions import Question, WholeMark
from chunking.models.access import Tools
from chunking.runtime import processes
from chunking.runtime.processes import WorkerPool
from chunking.tuning.batch import measure_all, workers_for
from chunking.tuning.summary import ConfigSummary, SummaryBuilder

CODE = parse("aa bb\n\n```\ncc dd\nee\n```\n\n| a |\n|---|\n| b |\n", name="code.md")
"""`aa bb` is 0 to 7, the fence 7 to 24, the table 24 to the end at 42."""
HEADINGS = parse("---\na: b\n---\n# One\n\n# Two\n\ntext\n", name="headings.md")


def numbers_of(*runs: object, config: Config, **known: object) -> ConfigSummary:
    tally = SummaryBuilder(config)
    for each in runs:
        tally.add(each, **known)  # type: ignore[arg-type]
    return tally.summary()


def fixed(size: int) -> Config:
    return Config.of("fixed", {"chunkSize": size, "chunkOverlap": 0}, "words")


def test_code_and_tables_that_are_cut_are_counted_by_kind() -> None:
    config = fixed(12)  # cuts at 12 (in the code), 24 (between) and 36 (in the table)
    numbers = numbers_of(run(CODE, config), config=config)

    assert (numbers.code_cut, numbers.tables_cut, numbers.cuts_inside_blocks, numbers.atomic_split) == (1, 1, 2, 2)
    assert numbers.broken == ("code-whole", "tables-whole")


def test_code_in_a_list_that_is_cut_is_cut_and_so_is_the_list() -> None:
    config = fixed(20)
    document = parse("- one\n- two\n\n  ```\n  a b c d e f g h\n  ```\n", name="l.md")  # a cut at 20, in the fence
    numbers = numbers_of(run(document, config), config=config)

    assert (numbers.code_cut, numbers.tables_cut, numbers.lists_cut, numbers.atomic_split) == (1, 0, 1, 1)
    assert numbers.broken == ("code-whole", "lists-whole")
    assert numbers.violation_words("lists-whole") == "1 list cut"


def test_chunks_of_headings_only_are_counted_and_front_matter_is_not_missed() -> None:
    config = Config.of("every-heading", {}, "words")
    numbers = numbers_of(run(HEADINGS, config), config=config)

    assert numbers.heading_only == 1
    assert numbers.left_out == 0
    assert numbers.broken == ("text-under-headings",)


def test_what_is_over_the_hard_limit_is_counted_whether_it_could_be_split_or_not() -> None:
    config = Config.of("block-packing", {"maxTokens": 4, "overlapPercentage": 0}, "words")
    document = parse("one two\n\n```\na b c d e f\n```\n", name="n.md")
    numbers = numbers_of(run(document, config), config=config)

    assert numbers.over_limit == 1
    assert numbers.over_share == 0.5
    assert numbers.within_share == 0.5
    assert numbers.broken == ("within-limits",)


def test_no_chunk_is_made_to_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def chunk(*_: object) -> NoReturn:
        raise AssertionError("a chunk was made")

    config = Config.of("fixed", {"chunkSize": 12, "chunkOverlap": 5}, "words")
    whole = run(CODE, config)
    monkeypatch.setattr(Sealed, "chunk", chunk)

    assert numbers_of(whole, config=config).tokens_to_embed == whole.metrics.tokens_to_embed


def test_a_span_to_keep_whole_is_cut_when_no_chunk_says_all_of_it() -> None:
    config = fixed(12)
    whole = [WholeMark("code.md", Span(0, 5)), WholeMark("code.md", Span(10, 16)), WholeMark("other.md", Span(0, 99))]
    numbers = numbers_of(run(CODE, config), config=config, whole=whole)

    assert numbers.spans_cut == 1
    assert numbers.answers_cut is None
    assert "spans-whole" in numbers.broken
    assert numbers.violation("spans-whole") == (1, "spans to keep whole cut")


def test_processes_of_their_own_find_the_same_numbers() -> None:
    configs = [fixed(5), fixed(9), fixed(12), fixed(100)]
    gold = [Question("?", "code.md", (Span(10, 16),))]
    told: list[tuple[int, int]] = []

    here = dict(measure_all([CODE, HEADINGS], configs, gold=gold))
    there = dict(measure_all([CODE, HEADINGS], configs, gold=gold, workers=2, progress=lambda *each: told.append(each)))

    assert there == here
    assert [here[number].answers_cut for number in range(4)] == [1, 0, 1, 0]
    assert told == [(2, 8), (4, 8), (6, 8), (8, 8)]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[WorkerPool]:
    """The pools that were begun, with a worker each."""
    begun: list[WorkerPool] = []

    class Noted(WorkerPool):
        def __init__(self, workers: int) -> None:
            super().__init__(workers)
            begun.append(self)

    monkeypatch.setattr(processes, "WorkerPool", Noted)
    return begun


def pids(pools: Sequence[WorkerPool]) -> list[int]:
    return [number for pool in pools for number in pool._executor._processes]


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


LARGE = parse("word and word. " * 20_000, name="large.md")


def test_whoever_asks_for_no_more_ends_the_processes(started: list[WorkerPool]) -> None:
    cells = measure_all([LARGE], [fixed(size) for size in range(20, 220)], workers=2)
    next(cells)
    working = pids(started)
    cells.close()  # type: ignore[attr-defined]

    assert len(working) == 2
    assert not any(map(is_alive, working))


def test_a_process_that_is_ended_from_outside_is_said(started: list[WorkerPool]) -> None:
    cells = measure_all([LARGE], [fixed(size) for size in range(20, 30)], workers=2)
    next(cells)
    os.kill(pids(started)[0], signal.SIGKILL)

    with pytest.raises(StrategyError, match="ended from outside"):
        list(cells)


def test_a_config_that_asks_a_model_is_measured_here() -> None:
    semantic = Config.of("semantic", {})

    with pytest.raises(Exception) as raised:  # noqa: PT011 - whatever the tools' embedder raises
        list(measure_all([CODE], [semantic, semantic], workers=2, tools=_refusing()))

    assert "asked here" in str(raised.value)


def _refusing() -> Tools:
    class Refusing:
        name = "refusing"

        def __call__(self, texts: Sequence[str], progress: Progress | None = None) -> NoReturn:  # noqa: ARG002
            raise ModelError("asked here")

    return Tools(embedder=Refusing())


def test_processes_are_begun_only_for_work_that_takes_longer_than_they_do() -> None:
    small, large = parse("word " * 1_000, name="s.md"), parse("word " * 100_000, name="l.md")

    assert workers_for([small], 400) == 1
    assert workers_for([large], 400) in (1, 2)
    assert workers_for([large], 10) == 1

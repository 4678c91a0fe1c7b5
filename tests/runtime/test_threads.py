"""`run`, `parse`, counters, embedders and sweeps may be called from many threads: equal results, no
exception."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event

import pytest
from threads_at_once import WORKS

from chunking import Config, explain, parse, run
from chunking.document.parser import _inline_parser, _parser
from chunking.runtime.gc_pause import gc_paused, our_program
from chunking.runtime.made_once import once
from chunking.splitting.document_cache import Memo

TESTS = Path(__file__).resolve().parents[1]


def in_threads(threads: int, works: list[str]) -> dict[str, list[str]]:
    """What each thread of a fresh process came to, by work."""
    environment = {**os.environ, "PYTHONPATH": str(TESTS.parent), "CHUNKSCOPE_CACHE": "off"}
    program = [sys.executable, str(TESTS / "threads_at_once.py"), str(threads), *works]
    done = subprocess.run(program, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    came_to: dict[str, list[str]] = json.loads(done.stdout)
    return came_to


@pytest.mark.parametrize("first", ["hierarchical", "block-packing", "minilm", "semantic"])
def test_many_threads_of_a_fresh_process_come_to_the_same(first: str) -> None:
    works = [first, *(work for work in WORKS if work != first)] if first == "hierarchical" else [first, "recursive"]
    came_to = in_threads(8, works)

    assert {work: sorted(set(all_of)) for work, all_of in came_to.items() if len(set(all_of)) > 1} == {}
    assert not [one for all_of in came_to.values() for one in all_of if "Error" in one[:30]]


def test_what_is_made_once_is_made_once_though_many_ask_at_the_same_moment() -> None:
    made: list[int] = []
    barrier, asked = Barrier(8), Event()

    @once
    def make(number: int) -> object:
        made.append(number)
        asked.wait(0.05)
        return object()

    def ask(_: int) -> object:
        barrier.wait()
        return make(1)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(8)))

    assert made == [1]
    assert len(set(map(id, found))) == 1


def test_the_markdown_parsers_have_sorted_their_rules_before_a_second_thread_can_see_them() -> None:
    for md in (_parser(), _inline_parser()):
        assert md.block.ruler.__cache__ is not None
        assert md.core.ruler.__cache__ is not None
    assert _inline_parser().inline.ruler.__cache__ is not None
    assert _inline_parser().inline.ruler2.__cache__ is not None


def test_a_memory_that_another_thread_empties_loses_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    document, config = parse("# A\n\none two\n\n## B\n\nthree\n"), Config.of("section-rules", {"minTokens": 0}, "words")
    wanted = run(parse(document.text), config).parts

    class Emptied(Memo[int, object]):
        def __setitem__(self, key: int, value: object) -> None:
            """Another thread empties it right after."""

    monkeypatch.setattr("chunking.strategies.section_rules.strategy.KnownGroups", Emptied)

    assert run(document, config).parts == wanted


def test_a_library_call_leaves_the_garbage_collector_of_its_host_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    touched: list[str] = []
    for name in ("disable", "enable", "collect", "freeze", "unfreeze", "set_threshold"):
        monkeypatch.setattr(gc, name, lambda *_, name=name: touched.append(name))
    document = parse("# Tea\n\nBoil it. Pour it.\n" * 500, name="tea.md")
    config = Config.of("heading-window", {}, "words")
    cut = run(document, config)
    explain(document, config, line=3)
    assert cut.fingerprint
    assert cut.metrics
    with gc_paused():
        pass

    assert touched == []
    assert gc.isenabled()


def test_our_own_program_holds_it_back_until_its_last_thread_has_left() -> None:
    with our_program():
        outer = gc_paused()
        with gc_paused():
            outer.__enter__()
            assert not gc.isenabled()
        assert not gc.isenabled()
        outer.__exit__(None, None, None)
        assert gc.isenabled()


def test_our_own_program_looks_for_garbage_more_seldom_and_gives_the_collector_back_as_it_was() -> None:
    host, before = gc.get_threshold(), (700, 10, 10)
    gc.set_threshold(*before)
    try:
        with our_program():
            assert gc.get_threshold()[0] > before[0]
        assert gc.get_threshold() == before
    finally:
        gc.set_threshold(*host)

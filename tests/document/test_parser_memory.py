"""Parsing leaves nothing behind that only the garbage collector would free: a server that pauses it
would grow with each document."""

from __future__ import annotations

import gc

import pytest

from chunking import RunLimits, parse
from chunking.document.parsed_block import ParsedBlock
from chunking.errors import RunLimitError
from chunking.runtime.run_limits import within

TEXT = "# Tea\n\nPour.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> Wait.\n\n```\ncode\n```\n"


def pieces_left() -> int:
    return sum(isinstance(each, ParsedBlock) for each in gc.get_objects())


def test_the_blocks_that_were_scanned_go_with_the_scan() -> None:
    gc.collect()
    gc.disable()
    try:
        parse(TEXT)
        assert pieces_left() == 0
    finally:
        gc.enable()


def test_the_error_of_stopped_work_keeps_nothing_of_it() -> None:
    made: list[int] = []

    class Large:
        def __del__(self) -> None:
            made.append(1)

    def work() -> None:
        kept = Large()
        while kept:
            pass

    with pytest.raises(RunLimitError) as caught:
        within(RunLimits(seconds=0.05), work)

    assert made == [1], caught.value

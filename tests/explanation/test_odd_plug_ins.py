"""Nothing false is said of plug-ins that work out their sizes in ways that cannot be followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Literal, Self

import pytest
from pydantic import model_validator
from sample_counters import Words

from chunking.config.config import Config
from chunking.core.chunk import Boundary, Part
from chunking.core.context import SplitContext
from chunking.core.strategy import Strategy, setting
from chunking.document import Document, Span
from chunking.document.parser import parse
from chunking.errors import SettingError
from chunking.explanation.explanation import explain
from chunking.explanation.ranges import OptionRange
from chunking.models.access import Tools


class Odd(Strategy):
    """Cuts lines at a length that is worked out in the way of a plug-in that knows nothing of
    tracing."""

    name: ClassVar[str] = "test-odd"
    title: ClassVar[str] = "Odd"
    summary: ClassVar[str] = "For tests."

    size: int = setting(7, title="Size", help="Higher cuts later.", ge=1, le=60)
    share: float = setting(0.5, title="Share", help="Higher cuts later.", ge=0, le=1)

    def length(self, count: Callable[[str], int]) -> int:
        raise NotImplementedError

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        for at in range(0, len(document.text), length := self.length(tools.count)):
            body = Span(at, min(at + length, len(document.text)))
            yield tools.seal(document, body, Boundary("full", "test"), breadcrumb=())


class CountsText(Odd):
    """Counts a text with the number in it."""

    def length(self, count: Callable[[str], int]) -> int:
        return 3 + len(f"{self.size}{self.share!r}") + count(" ".join(str(self.size)))


class ReadsType(Odd):
    """Cuts otherwise where the size is not exactly an int."""

    def length(self, count: Callable[[str], int]) -> int:  # noqa: ARG002
        return 4 + int(str(self.size)) // 3 if type(self.size) is int else 9


class OnlyOdd(Odd):
    """Takes only odd sizes."""

    @model_validator(mode="after")
    def _odd(self) -> Self:
        if self.size % 2 == 0:
            raise SettingError("size", "must be odd")
        return self

    def length(self, count: Callable[[str], int]) -> int:  # noqa: ARG002
        return 4 + self.size // 10


class FewSizes(Odd):
    """Has a few numbers to choose from."""

    wide: Literal[10, 20, 30] = setting(10, title="Wide", help="Higher cuts later.")

    def length(self, count: Callable[[str], int]) -> int:  # noqa: ARG002
        return self.wide


ODD = [CountsText, ReadsType, OnlyOdd, FewSizes]


@pytest.mark.parametrize("made", ODD, ids=[made.__name__ for made in ODD])
def test_nothing_false_is_said_of_a_plug_in_that_does_odd_things_with_a_setting(made: type[Odd]) -> None:
    document, strategy = parse("The kettle boils and boils. " * 9, name="odd.md"), made()
    tools = Tools(Words())
    offset = [part.body.end for part in strategy.split(document, tools)][3]

    for told in explain(document, Config(strategy), offset=offset, tools=tools).ranges:
        for value in range(1, 61):
            try:
                changed = made.model_validate({**strategy.model_dump(), told.setting: value})
            except (ValueError, SettingError):
                continue
            there = offset in [part.body.end for part in changed.split(document, Tools(Words()))]
            if isinstance(told, OptionRange):
                assert value == told.value or [each.stays for each in told.others if each.value == value] == [there]
                continue
            for side, way in ((told.below, -1), (told.above, 1)):
                if told.value * way <= value * way <= side.stays_to * way:
                    assert there
                if value == side.goes_at:
                    assert not there
                assert not (side.ends == "last-legal" and value * way > side.stays_to * way)

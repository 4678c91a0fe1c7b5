"""A setting's declaration is read in one place, and says the same to everything that asks."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Literal

import pytest
from annotated_types import Gt, Lt
from pydantic import Field

from chunking import strategies
from chunking.config.setting_spec import SettingSpec, setting_specs, spec_of
from chunking.config.validation import make_strategy
from chunking.core.chunk import Part
from chunking.core.context import SplitContext
from chunking.core.strategy import Strategy, setting
from chunking.document import Document
from chunking.errors import SettingError


class Colour(Enum):
    RED = 1
    BLUE = 2


class AllKinds(Strategy):
    """One setting of each kind."""

    name = "all-kinds"
    title = "All kinds"
    summary = "One setting of each kind."

    least_size: int = setting(5, title="Least", help="Larger chunks.", unit="tokens", ge=0, le=9, slider=(1, 8), step=2)
    share: Annotated[float, Gt(0), Lt(1)] = 0.5
    own: bool = setting(False, title="Own", help="On: alone.")
    mode: Literal["skip", "keep", "merge"] = setting("skip", title="Mode", help="What to do.")
    label: str | None = setting(None, title="Label", help="Text.")
    words: tuple[str, ...] = setting(("a",), title="Words", help="More of them.")
    colour: Colour = setting(Colour.RED, title="Colour", help="Which.")
    size: int = Field(title="Size", description="No default.", multiple_of=2)

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:  # noqa: ARG002
        yield from ()


def spec(name: str) -> SettingSpec:
    found = spec_of(AllKinds, name)
    assert found
    return found


def test_a_setting_is_found_by_either_spelling_of_its_name() -> None:
    assert spec("leastSize") is spec("least_size")
    assert spec_of(AllKinds, "least") is None
    assert [each.name for each in setting_specs(AllKinds)] == list(AllKinds.model_fields)


def test_what_is_legal_is_said_in_words_by_the_kind() -> None:
    assert {each.name: (each.kind, each.takes, each.range_text) for each in setting_specs(AllKinds)} == {
        "least_size": ("whole", "a whole number from 0 to 9", "0 to 9"),
        "share": ("decimal", "a number above 0 below 1", "0 to 1"),
        "own": ("switch", "true or false", ""),
        "mode": ("choice", "skip, keep or merge", "skip, keep or merge"),
        "label": ("text", "text", ""),
        "words": ("texts", "a list of texts", ""),
        "colour": ("other", "another kind of value", ""),
        "size": ("whole", "a whole number", ""),
    }


def test_a_bound_that_is_not_legal_itself_is_not_the_last_legal_value() -> None:
    assert (spec("least_size").last_legal(-1), spec("least_size").last_legal(1)) == (0, 9)
    assert (spec("share").last_legal(-1), spec("share").last_legal(1)) == (None, None)
    assert (spec("share").minimum, spec("share").maximum) == (0, 1)


def test_a_switch_an_enum_and_a_choice_have_other_values_and_a_number_has_none() -> None:
    assert spec("own").other_values(True) == [False]
    assert spec("mode").other_values("keep") == ["skip", "merge"]
    assert spec("colour").other_values(Colour.RED) == [Colour.BLUE]
    assert spec("least_size").other_values(3) == []


def test_steps_and_ranges_to_drag_over_have_defaults_by_the_kind() -> None:
    assert (spec("least_size").slider, spec("least_size").step) == ((1, 8), 2)
    assert (spec("share").slider, spec("share").step, spec("share").step_apart) == (None, 0.01, 0.01)
    assert (spec("size").step, spec("least_size").step_apart) == (1, 1)


def test_a_required_setting_has_no_default_and_a_check_beyond_its_bounds_is_known() -> None:
    assert (spec("size").required, spec("size").default, spec("size").is_default(None)) == (True, None, False)
    assert spec("least_size").is_default(5)
    assert (spec("size").only_bounds, spec("share").only_bounds) == (False, True)


def test_only_text_that_must_be_there_stands_in_a_link_as_it_is() -> None:
    assert [each.name for each in setting_specs(AllKinds) if each.as_text] == ["mode"]


@pytest.mark.parametrize("name", strategies.names())
def test_what_a_spec_calls_legal_is_legal_and_one_step_beyond_is_refused(name: str) -> None:
    made = strategies.get(name)
    for each in setting_specs(made):
        for way in (-1, 1):
            last = each.last_legal(way)
            if last is not None:
                with pytest.raises(SettingError, match=each.label):
                    make_strategy(name, {each.label: last + way * each.step_apart})


@pytest.mark.parametrize("label", ["minTokens", "maxTokens", "countContext"])
def test_what_means_the_same_in_several_strategies_has_one_title(label: str) -> None:
    specs = [spec for name in strategies.names() for spec in setting_specs(strategies.get(name)) if spec.label == label]

    assert len(specs) > 1
    assert len({spec.title for spec in specs}) == 1

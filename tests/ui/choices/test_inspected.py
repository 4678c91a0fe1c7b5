"""Links to Compare and Retrieve say what Inspect shows, in as few words as it takes."""

from __future__ import annotations

import pytest

from chunking import Config
from pages.ui.choices.inspected import with_inspected, write_inspected
from pages.ui.choices.links import Link, read_link

NOW, WAS = Config.of("heading-window", {}), Config.of("every-heading", {})
OTHER, THIRD = Config.of("fixed", {"chunkSize": 321}), Config.of("hierarchical", {"hardCap": 600})
USUAL = Link(config=NOW, baseline=WAS)


def test_what_a_new_session_begins_with_is_not_in_the_link() -> None:
    assert write_inspected(NOW, WAS, [OTHER, THIRD], USUAL) == {}


def test_a_config_that_is_a_row_is_the_letter_of_that_row() -> None:
    assert write_inspected(THIRD, OTHER, [OTHER, THIRD], USUAL) == {"now": "b", "was": "a"}


@pytest.mark.parametrize("was", [WAS, OTHER, None])
@pytest.mark.parametrize("now", [OTHER, THIRD, Config.of("recursive", {}, "words")])
@pytest.mark.parametrize("rows", [(NOW, WAS), (THIRD, OTHER)])
def test_a_link_gives_back_what_was_written_into_it(now: Config, was: Config | None, rows: tuple[Config, ...]) -> None:
    query = write_inspected(now, was, rows, USUAL)
    for letter, row in zip("ab", rows, strict=True):
        query |= {f"{letter}.{name}": text for name, text in row.to_query().items()}

    link = with_inspected(read_link(query), query)

    assert link.config == now
    assert (link.baseline, link.no_baseline) == (None if was == WAS else was, was is None)
    assert not link.problem


@pytest.mark.parametrize(
    "query",
    [{}, {"now": "x"}, {"now": "d", "was": "c"}, {"now": "", "was": ""}, {"now": "b", "b.strategy": "no such"}],
)
def test_a_link_that_says_nothing_of_use_leaves_inspect_as_it_is(query: dict[str, str]) -> None:
    link = with_inspected(read_link(query), query)

    assert (link.config, link.baseline, link.no_baseline) == (None, None, False)


def test_what_is_wrong_is_said_and_the_rest_followed() -> None:
    query = {"now.strategy": "fixed", "now.chunkSize": "-4", "now.chunkOverlap": "7"}

    link = with_inspected(read_link(query), query)

    assert link.config == Config.of("fixed", {"chunkOverlap": 7})
    assert "chunk_size" in link.faults

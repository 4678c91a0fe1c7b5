"""Configs with a name: which names can be given, and what is kept of them."""

from __future__ import annotations

import pytest

from chunking import Config
from chunking.errors import ConfigError
from pages.ui.choices.snapshots import MOST, Snapshot, next_name, read, renamed, with_snapshot, written

FIXED = Config.of("fixed", {"chunkSize": 321})
HEADINGS = Config.of("every-heading", {})
TWO = (Snapshot("v1", FIXED), Snapshot("headings", HEADINGS))


def test_what_is_kept_is_read_again_as_it_was() -> None:
    assert read(written(TWO)) == (TWO, ())


def test_names_are_proposed_in_turn() -> None:
    assert next_name(()) == "v1"
    assert next_name(TWO) == "v2"


def test_a_name_is_given_once_and_a_snapshot_keeps_its_own() -> None:
    with pytest.raises(ConfigError, match="there is a snapshot named 'v1'"):
        with_snapshot(TWO, " v1 ", HEADINGS)
    with pytest.raises(ConfigError, match="there is a snapshot named 'headings'"):
        renamed(TWO, "v1", "headings")

    assert renamed(TWO, "v1", "v1") == TWO
    assert [each.name for each in renamed(TWO, "v1", "before  the rewrite")] == ["before the rewrite", "headings"]


@pytest.mark.parametrize("name", ["", " \n ", "a" * 41, "a\x1bb", "a\u202eb"])
def test_a_name_is_short_and_can_be_read(name: str) -> None:
    with pytest.raises(ConfigError, match="cannot be a name; write 1 to 40 printable characters"):
        with_snapshot((), name, FIXED)


def test_there_is_a_limit() -> None:
    many = tuple(Snapshot(f"v{number}", FIXED) for number in range(MOST))

    with pytest.raises(ConfigError, match=f"there are {MOST} snapshots, which is the limit"):
        with_snapshot(many, "one more", FIXED)


@pytest.mark.parametrize(
    "kept", [{"name": "a"}, 7, None, {"name": "a", "config": "strategy: nowhere"}, {"name": "\x00", "config": ""}]
)
def test_a_damaged_snapshot_is_one_line_and_the_others_are_there(kept: object) -> None:
    found, (problem,) = read([*written(TWO), kept])

    assert found == TWO
    assert "\n" not in problem


def test_a_config_that_names_a_path_opens_none() -> None:
    found, (problem,) = read([{"name": "a", "config": "strategy: fixed\ncounter: tokenizer.json:/etc/passwd"}])

    assert found == ()
    assert problem.startswith("snapshot a: counter: ")

"""The head of a document as entries: scalars and lists as text, in time that grows with it."""

from __future__ import annotations

import pytest

from chunking.document.front_matter import LONGEST, MOST_ENTRIES, MOST_ITEMS
from chunking.document.parser import parse


@pytest.mark.parametrize(
    ("written", "entries"),
    [
        (
            'title: "T: a" # why\ntags: [a, "b, c", \'d\', e f,] # some',
            {"title": "T: a", "tags": ["a", "b, c", "d", "e f"]},
        ),
        ("tags:\n  - one\n  - two # second\nnext: x", {"tags": ["one", "two"], "next": "x"}),
        ("tags:\n- one\n- 'two'\n", {"tags": ["one", "two"]}),
        ("nested:\n  a: b\nlist: [[a]]\nmap: {a: b}\nopen: [a,\nb]\nnothing:\n", {}),
        (
            "tags: [a,\n  b]\nsaid: one\n  two\n\n\n\tthree # why\nnext: x",
            {"tags": ["a", "b"], "said": "one two\n\nthree", "next": "x"},
        ),
        (
            'said: "one\n  two"\nlist: [a,\n  # why\n  b]\nnext: x\n  # why',
            {"said": "one two", "list": ["a", "b"], "next": "x"},
        ),
        ("said: |\n  one\n    two\n\n  three\nnext: x", {"said": "one\n  two\n\nthree", "next": "x"}),
        ("said: >- # why\n  one\n  two\n\n  three\n    four\nnext: x", {"said": "one two\nthree\n  four", "next": "x"}),
        ("empty: |\nnext: >\nlast: x", {"last": "x"}),
        ("a: 1\na: 2\ndate: 2024-01-01\ndraft: no", {"a": "1", "date": "2024-01-01", "draft": "no"}),
    ],
)
def test_scalars_and_lists_of_yaml_are_entries(written: str, entries: dict[str, object]) -> None:
    assert parse(f"---\n{written}\n---\n\n# Tea\n").front_matter == entries


def test_scalars_and_lists_of_toml_are_entries() -> None:
    text = '+++\ntitle = "Tea"\ntags = ["a", "b"]\n[params]\nx = 1\n+++\n# Tea\n'

    assert parse(text).front_matter == {"title": "Tea", "tags": ["a", "b"]}


def test_a_document_without_front_matter_has_no_entries() -> None:
    assert parse("# Tea\n\ntitle: no\n").front_matter == parse("").front_matter == {}


def test_what_is_too_long_is_left_out() -> None:
    lines = [f"{'k' * (LONGEST + 1)}: v", f"long: {'v' * (LONGEST + 1)}", f"list: [{'a,' * 2 * MOST_ITEMS}]"]
    lines += ["block: |", *["  vv"] * LONGEST, "several: v", *["  vv"] * LONGEST]
    lines += [f"key{number}: v" for number in range(2 * MOST_ENTRIES)]

    found = parse("\n".join(["---", *lines, "---", ""])).front_matter

    assert len(found) == MOST_ENTRIES
    assert found["list"] == ["a"] * MOST_ITEMS
    assert not {"long", "block", "several"} & set(found)


@pytest.mark.parametrize("line", ["key{}value", "key: a{}b", "key: [{}a", "key: [a{}b", "- {}", '"key{}', "key: [{},"])
def test_a_long_line_is_read_in_time_that_grows_with_it(line: str) -> None:
    """With a square of it, half a megabyte would take longer than any test may."""
    for filling in (" ", "a,", "'a"):
        assert "key" not in parse(f"---\n{line.format(filling * 250_000)}\nend: x\n---\n").front_matter


def test_a_title_over_two_lines_is_the_chapters_title_whole() -> None:
    assert (
        parse("---\ntitle: Tea,\n  and how to make it\n---\n\n# Tea\n").metadata["title"] == "Tea, and how to make it"
    )

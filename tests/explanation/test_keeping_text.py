"""Which settings put text into a chunk that is left out: what is said is what happens."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from chunking import Config, Document, Skip, parse, run
from chunking.explanation import Fixes, keeps

KETTLE = parse("# Fill\n\n" + "water " * 60 + "\n\n# Boil\n\n" + "steam " * 20 + "\n", name="kettle.md")


def kept(document: Document, strategy: str, settings: Mapping[str, int | bool]) -> tuple[Skip, Fixes]:
    """The last skip, and the changes that keep its text, each of which does."""
    before = run(document, Config.of(strategy, settings, "words"))
    skip = before.skips[-1]
    found = keeps(before, skip)
    for fix in found.found:
        after = run(document, fix.config)
        assert not [each for each in after.skips if each.body.start < skip.body.end and each.body.end > skip.body.start]
        assert fix.chunks == len(after.chunks)
        assert fix.newly_left_out == after.metrics.left_out - before.metrics.left_out < 0
    return skip, found


def test_a_short_tail_is_kept_by_its_choices_and_by_the_nearest_minimum() -> None:
    # The chunks have 62 and 22 words.
    skip, found = kept(KETTLE, "heading-window", {"min_tokens": 30})

    assert (skip.because.rule, skip.because.settings) == ("short-tail", ("short_tail", "min_tokens"))
    assert [(fix.setting, fix.after, fix.chunks) for fix in found.found] == [
        ("minTokens", 22, 2),
        ("minTokens", 63, 1),
        ("shortTail", "keep", 2),
        ("shortTail", "merge", 1),
    ]
    assert found.complete
    assert all(fix.nearest for fix in found.found)


def test_headings_that_are_no_text_are_kept_by_their_switch() -> None:
    _, found = kept(parse("# Fill\n\nwater\n\n## Boil\n"), "block-packing", {"include_headings": False})

    assert [(fix.setting, fix.after) for fix in found.found] == [("includeHeadings", True)]


@pytest.mark.parametrize(
    ("text", "strategy", "rule"),
    [
        ("---\ntitle: Tea\n---\n", "heading-window", "front-matter"),
        ("# A\n\ntext\n\n## B\n\nwater\n\n## Table of contents\n\nlink\n", "section-rules", "excluded"),
    ],
)
def test_nothing_is_offered_where_no_setting_keeps_it(text: str, strategy: str, rule: str) -> None:
    skip, found = kept(parse(text), strategy, {})

    assert skip.because.rule == rule
    assert (found.found, found.complete) == ((), True)

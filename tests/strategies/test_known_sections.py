"""Sections that are found again while hardCap moves are those that a fresh document gives."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_strategies import MARKDOWN

from chunking import Config, parse, run
from chunking.strategies.hierarchical.known_sections import KnownSections
from chunking.strategies.hierarchical.rendering import Drafts, SectionDraft

SECTIONS = st.lists(
    st.tuples(
        st.integers(1, 4),
        st.sampled_from(["", "One two three. Four five.\n", "a line\n" * 9, "word " * 40 + "\n", "```\nx\ny\n```\n"]),
    ),
    min_size=3,
    max_size=25,
).map(lambda sections: "".join(f"{'#' * level} Part {level}\n\n{body}\n" for level, body in sections))


@given(
    text=st.one_of(SECTIONS, MARKDOWN),
    target=st.integers(1, 40),
    hard_cap=st.integers(5, 120),
    embed=st.booleans(),
    steps=st.lists(st.integers(1, 9), min_size=3, max_size=9),
    by=st.sampled_from(["cl100k_base", "words", "chars-4"]),
)
def test_each_step_of_a_drag_up_and_down_is_cut_as_a_fresh_one(
    text: str, target: int, hard_cap: int, embed: bool, steps: list[int], by: str
) -> None:
    document = parse(text)
    for step in [0, *steps, *(-2 * step for step in steps)]:
        hard_cap = max(1, hard_cap + step)
        settings = {"target": min(target, hard_cap), "hardCap": hard_cap, "embedBreadcrumb": embed}
        config = Config.of("hierarchical", settings, by)

        assert run(document, config).parts == run(parse(text), config).parts


def test_a_section_whose_chunks_stay_is_packed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    document = parse("".join(f"# Part {n}\n\n" + "word word word.\n\n" * 20 for n in range(9)))
    original, packed = KnownSections._anew, list[int]()

    def counted(self: KnownSections, drafts: Drafts) -> Generator[SectionDraft, None, object]:
        packed.append(self._renderer.hard_cap)
        return original(self, drafts)

    monkeypatch.setattr(KnownSections, "_anew", counted)
    for hard_cap in (32, 33, 31, 32, 33):  # always nine paragraphs; nothing is remembered of the first cut
        run(document, Config.of("hierarchical", {"target": 20, "hardCap": hard_cap}, "words"))

    assert packed == [33] * 9

"""What a cut of block-packing takes over from the one before is what a fresh document gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_strategies import MARKDOWN

from chunking import Config, parse, run
from chunking.config import Value
from chunking.core.chunk_table import columns_of
from chunking.strategies.block_packing.sealing import Sealing

BODIES = ["", "One two three. Four five.\n", "word " * 40 + "\n", "A short one. " * 20 + "\n", "```\nx\ny\n```\n"]
SECTIONS = st.lists(st.tuples(st.integers(1, 4), st.sampled_from(BODIES)), min_size=3, max_size=25).map(
    lambda sections: "".join(f"{'#' * level} Part {level}\n\n{body}\n" for level, body in sections)
)
SCOPES = ("section", "top-level", "anywhere")


@given(
    text=st.one_of(SECTIONS, MARKDOWN),
    maximum=st.integers(5, 120),
    overlap=st.integers(0, 60),
    fill=st.integers(0, 60),
    steps=st.lists(st.tuples(st.integers(-12, 12), st.sampled_from(SCOPES), st.booleans()), min_size=3, max_size=9),
    by=st.sampled_from(["cl100k_base", "words", "chars-4"]),
)
def test_each_step_of_a_drag_is_cut_as_a_fresh_one(
    text: str, maximum: int, overlap: int, fill: int, steps: list[tuple[int, str, bool]], by: str
) -> None:
    document = parse(text)
    for step, scope, headings in [(0, "section", True), *steps, *((-step, "section", True) for step, *_ in steps)]:
        maximum = max(1, maximum + step)
        settings: dict[str, Value] = {"maxTokens": maximum, "overlapPercentage": overlap, "minFill": fill}
        settings |= {"overlapScope": scope, "includeHeadings": headings}
        config = Config.of("block-packing", settings, by)
        cut = run(document, config)

        assert cut.parts == run(parse(text), config).parts
        for name in ("start", "end", "kept_start", "kept_end", "tokens", "body_tokens", "overlap_start"):
            assert getattr(cut.columns, name).tolist() == getattr(columns_of(cut.chunks), name).tolist()


def test_only_what_may_change_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = "word " * 30 + "\n\n", "word " * 101 + "\n\n"
    document = parse(f"# A\n\n{small}# B\n\n{large}# C\n\n{small}# D\n\n{small}")
    original, asked = Sealing.stretch_from, list[int]()

    def counted(self: Sealing, number: int, start: int) -> object:
        asked.append(number)
        return original(self, number, start)

    monkeypatch.setattr(Sealing, "stretch_from", counted)
    for maximum in (100, 100, 100, 102, 102):  # nothing is kept of the first cut; B fits as a whole in the last two
        asked.append(-maximum)
        run(document, Config.of("block-packing", {"maxTokens": maximum, "overlapPercentage": 0}, "words"))

    # A ends where B begins, and so asks how B is split.
    assert asked == [-100, 0, 1, 2, 3, -100, 0, 1, 2, 3, -100, -102, 0, 1, -102]

"""The end of a chunk that the next one repeats."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markdown_strategies import MARKDOWN

from chunking import parse
from chunking.document import Span
from chunking.models.access import Tools
from chunking.splitting.known_limits import KnownLimits
from chunking.splitting.overlap import last_sentences, longest_suffix
from chunking.text.graphemes import grapheme_stops
from chunking.tokens import counter

WORDS = st.sampled_from(
    [
        *("kettle", "information", "x", "1234567", "don't", "../path/to/file.md", "naïve", "한국어", "🙂🙂"),
        *("aaaaaaaaaaaaaaaa", " ", "\n\n", "\r\n", "e\u0301"),
    ]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=80).map(" ".join)


@given(text=TEXTS, limit=st.integers(1, 40), exact=st.booleans())
def test_the_longest_suffix_is_the_first_of_all_that_is_within_the_limit(text: str, limit: int, exact: bool) -> None:
    document, tools = parse(text), Tools(counter("cl100k_base" if exact else "words"))
    index, end = tools.index(document), len(text)

    found = longest_suffix(document, Span(0, end), limit, tools)

    starts = [0, *grapheme_stops(text, 0, end)[:-1]]
    assert found == next((Span(start, end) for start in starts if index.count(start, end) <= limit), None)


PROSE = st.lists(
    st.sampled_from(
        [
            *(
                "One kettle boils. ",
                "It whistles. ",
                "Is it full? ",
                "a_very_long_word_of_one_part ",
                "e\u0301. ",
                "世界。",
            ),
            *(
                "\n\n",
                "\r\n\r\n",
                "\n- item. One more.\n",
                "\n\n```\ncode. More code.\n```\n\n",
                "\n\n# Part\n\n",
                "  ",
            ),
        ]
    ),
    min_size=1,
    max_size=30,
).map("".join)


@given(
    text=st.one_of(PROSE, MARKDOWN),
    asked=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.integers(0, 40)), min_size=1, max_size=12),
    exact=st.booleans(),
)
def test_sentences_of_which_much_is_remembered_are_those_that_are_looked_for_anew(
    text: str, asked: list[tuple[float, float, int]], exact: bool
) -> None:
    document, tools = parse(text), Tools(counter("cl100k_base" if exact else "words"))
    stops = [0, *grapheme_stops(text, 0, len(text))]
    for one, other, limit in asked * 2:
        start, end = sorted((stops[int(one * (len(stops) - 1))], stops[int(other * (len(stops) - 1))]))
        if start == end:
            continue
        remembered, anew = KnownLimits(), KnownLimits()

        found = last_sentences(document, Span(start, end), limit, tools, remembered, again=True)

        assert found == last_sentences(document, Span(start, end), limit, tools, anew)
        assert (remembered.least, remembered.below) == (anew.least, anew.below)

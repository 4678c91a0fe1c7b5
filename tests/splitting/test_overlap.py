"""The end of a chunk that the next one repeats."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chunking import parse
from chunking.document import Span
from chunking.models.access import Tools
from chunking.splitting.overlap import longest_suffix
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

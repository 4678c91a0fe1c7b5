"""Sentence segmentation: spans of sentences, not cut after abbreviations such as "Dr." and "U.S.".

sentencex, which only this module imports, finds the sentences; a merge pass undoes its cuts after
abbreviations the specs name (DECISIONS sc-6, bp-7) and after a list number. Spans tile the text:
terminators and white space stay.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import pairwise

import sentencex  # type: ignore[import-untyped]

from chunking.document.model import Block, Document
from chunking.runtime.text_memory import memory
from chunking.text.graphemes import at_clusters
from chunking.text.spans import Span


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BEFORE_A_NAME = _words("mr mrs ms messrs dr prof st rev hon gen col capt lt sgt gov sen rep pres")
"""A capital may follow: `Dr. Smith`."""
_BEFORE_MORE = _words("e.g i.e cf vs viz approx fig figs eq eqs vol vols assoc dept ca resp")
"""Never the end of a sentence."""
_BEFORE_LOWER_OR_DIGIT = _words(
    "etc inc ltd corp co ed eds est max min ref refs seq no nos p pp sec ch art al sr jr "
    "ph.d m.d b.a m.a b.s m.s u.s u.k a.m p.m jan feb mar apr jun jul aug sep sept oct nov dec "
    "mon tue tues wed thu thur thurs fri sat sun"
)
"""May end a sentence; does not when a small letter or a digit follows."""
_LAST_WORD = re.compile(r"(?<![\w.])((?:[^\W\d_]+\.)*[^\W\d_]+)\.[\"')\]]*\s*\Z")
_LIST_NUMBER = re.compile(r"\s*(?:\d{1,3}|[a-zA-Z])[.)]\s*\Z")
_PORTION = 5_000
"""Characters that sentencex gets at a time."""
_LOOK_BACK = 24
"""Characters before a cut that an abbreviation and the space after it can take."""
_REMEMBERED = 1 << 17
"""Sentences remembered for each text."""


def sentence_spans(text: str) -> list[Span]:
    """The sentences of a text, each with the white space after it; together they tile it. None in a
    blank text.

    A blank line always ends a sentence. Linear in the length of the text.
    """
    return [Span(start, end) for start, end in pairwise([0, *_ends_of_sentences(text)])]


def _ends_of_sentences(text: str) -> list[int]:
    """Where the sentences end; none in a blank text."""
    if not text.strip():
        return []
    # One line ending for sentencex, so that a CRLF file has the sentences of its LF twin (DECISIONS
    # all-8).
    plain = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    removed = [match.start() - count for count, match in enumerate(re.finditer("\r\n", text))] if "\r\n" in text else []
    ends = _ends(plain)
    if removed:
        # An end after the nth "\n" that was "\r\n" lies n characters further on.
        ends = [end + bisect_left(removed, end) for end in ends]
    return ends


def sentences_in(document: Document, span: Span) -> list[Span]:
    """The sentences in a span of a document, tiling it: every block edge is a sentence edge
    (DECISIONS sc-6).

    White space between blocks belongs to the sentence before it. Empty when the span is blank.
    """
    blocks = document.blocks
    first_inside = bisect_left(blocks, span.start + 1, key=_start)
    edges = [block.span.start for block in blocks[first_inside : bisect_left(blocks, span.end, key=_start)]]
    found: list[Span] = []
    for start, end in pairwise([span.start, *edges, span.end]):
        inner = sentence_spans(document.text[start:end])
        if not inner:
            if found:
                found[-1] = Span(found[-1].start, end)
            continue
        first = span.start if not found else start + inner[0].start
        found.append(Span(first, start + inner[0].end))
        found.extend(Span(start + sentence.start, start + sentence.end) for sentence in inner[1:])
    return found


class SentenceStarts:
    """Where the sentences of stretches of a text begin: found once for each stretch, and kept while
    thresholds move."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[tuple[int, int], tuple[int, ...]] = {}
        self._size = 0

    def within(self, start: int, end: int) -> tuple[int, ...]:
        """Offsets in the whole text, the first of them `start`; none for a blank stretch."""
        known = self._found.get((start, end))
        if known is None:
            if self._size > _REMEMBERED:
                self._found.clear()
                self._size = 0
            ends = _ends_of_sentences(self._text[start:end])
            known = tuple([start + begun for begun in [0, *ends[:-1]]]) if ends else ()
            self._found[start, end] = known
            self._size += len(known) + 1
        return known


@memory.remembered(most=4, of=lambda text: (text,), key=lambda text: text)
def sentence_starts(text: str) -> SentenceStarts:
    """What is known of a text's sentences, remembered for the last few texts."""
    return SentenceStarts(text)


def starts_backwards(document: Document, span: Span) -> Iterator[tuple[int, int]]:
    """Where the sentences of `sentences_in` begin, the last one first; those before it are not
    looked for yet. With each, how far back was looked: in any span that begins there or before, and
    ends where this one does, it and those behind it are the same."""
    blocks, known = document.blocks, sentence_starts(document.text)
    at, end, waiting = bisect_left(blocks, span.end, key=_start), span.end, -1
    while end > span.start:
        at -= 1
        begin = blocks[at].span.start if at >= 0 else 0
        start = max(span.start, begin)
        found = known.within(start, end)
        if found:
            if waiting >= 0:
                yield waiting, begin
            for each in reversed(found[1:]):
                yield each, begin
            waiting = start
        end = start
    if waiting >= 0:
        yield span.start, -1  # white space before the first sentence belongs to it


def _start(block: Block) -> int:
    return block.span.start


def _ends(text: str) -> list[int]:
    """Where each sentence ends, after its trailing white space; the last is the end of the text."""
    ends: list[int] = []
    at = 0
    # Rust has no lone surrogates: any other character of the same width does for finding the cuts.
    readable = text if text.isascii() else re.sub("[\ud800-\udfff]", "x", text)
    began = 0
    for segment in _segments(readable):
        start, at = at, at + len(segment)
        if not ends:
            ends.append(at)
        elif segment.isspace() or (_goes_on(text, began, start) and not _paragraph_break(text, start)):
            ends[-1] = at
            continue
        else:
            began = start
            ends.append(at)
    if not text.isascii():
        whole = [*at_clusters(text, ends[:-1], 0), len(text)]
        ends = whole if whole == ends else _without_blank(text, whole)
    if len(ends) > 1 and not text[: ends[0]].strip():
        del ends[0]
    return ends


def _without_blank(text: str, ends: list[int]) -> list[int]:
    """The ends of sentences, of which some begin earlier now: white space that is left before one
    belongs to the sentence before it, and at the beginning to the first."""
    kept: list[int] = []
    for end in ends:
        if kept and not text[kept[-1] : end].strip():
            kept[-1] = end
        else:
            kept.append(end)
    return kept


def _segments(text: str) -> Iterable[str]:
    """What sentencex finds; joined, they are the text."""
    return _segments_of(text, 0, len(text)) if len(text) <= _PORTION else _in_portions(text)


def _in_portions(text: str) -> Iterator[str]:
    """What sentencex finds, asked for portion by portion.

    Over a text without a sentence it takes quadratic time, and over a long one it leaves out a line
    ending here and there (it works on stretches of 10,000 characters): what is left out goes with
    the segment after it. Unless a portion ends at a blank line, its last segment may go on in the
    next one.
    """
    start = 0
    waiting: list[str] = []
    while start < len(text):
        end, closed = _portion_end(text, start)
        found = _segments_of(text, start, end)
        start = end
        waiting.append(found[0])
        if not closed and len(found) == 1:
            continue
        yield "".join(waiting)
        waiting.clear()
        if closed:
            yield from found[1:]
        else:
            yield from found[1:-1]
            start -= len(found[-1])
    if waiting:
        yield "".join(waiting)


def _segments_of(text: str, start: int, end: int) -> list[str]:
    """What sentencex finds in a portion, not empty; together they are all of it."""
    segments: list[str] = sentencex.segment("en", text[start:end])
    if sum(map(len, segments)) == end - start:
        return segments  # nothing is left out
    whole = list[str]()
    for segment in segments:
        until = text.find(segment, start, end) + len(segment)
        whole.append(text[start:until])
        start = until
    return [*whole, text[start:end]] if start < end else whole


def _portion_end(text: str, start: int) -> tuple[int, bool]:
    """After the last blank line, line or word within the portion, else within a word; and whether a
    sentence surely ends there."""
    if len(text) - start <= _PORTION:
        return len(text), True
    for edge in ("\n\n", "\n", " "):
        found = text.rfind(edge, start + 1, start + _PORTION)
        if found >= 0:
            return found + len(edge), edge == "\n\n"
    return start + _PORTION, False


def _paragraph_break(text: str, cut: int) -> bool:
    before = text[max(0, cut - _LOOK_BACK) : cut]
    return before[len(before.rstrip()) :].count("\n") > 1


def _goes_on(text: str, began: int, cut: int) -> bool:
    """Whether the sentence that `began` goes on past `cut`: it ends in an abbreviation, or is only
    a list number."""
    if cut - began <= 8 and _LIST_NUMBER.match(text, began, cut):
        return True
    found = _LAST_WORD.search(text, max(began, cut - _LOOK_BACK), cut)
    if not found:
        return False
    word = found.group(1).lower()
    if word in _BEFORE_A_NAME or word in _BEFORE_MORE:
        return True
    following = text[cut : cut + 1]
    return word in _BEFORE_LOWER_OR_DIGIT and (following.islower() or following.isdigit())

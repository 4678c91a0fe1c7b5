"""What was marked in a source: to the browser in its units, and back to code points."""

from __future__ import annotations

import pytest

from chunking import Span, parse
from pages.ui.components.source_view.marks import Mark, mark_columns, mark_labels, mark_request
from pages.ui.components.source_view.payload import SourceText, source_text

TEXT = "a🫖b🔥c\r\nd"
"""In code points a 0, kettle 1, b 2, fire 3, c 4, CR 5, LF 6, d 7; in code units a 0, kettle 1, b
3, fire 4, c 6."""


def source() -> SourceText:
    return source_text(parse(TEXT, "kettle.md"))


@pytest.mark.parametrize(
    ("start", "end", "wanted"),
    [
        (0, 1, Span(0, 1)),
        (1, 3, Span(1, 2)),
        (3, 4, Span(2, 3)),
        (0, 10, Span(0, 8)),
        (6, 10, Span(4, 8)),
        (2, 5, Span(1, 4)),  # half characters at both ends: the whole ones
    ],
)
def test_what_the_browser_selects_is_a_span_of_code_points(start: int, end: int, wanted: Span) -> None:
    assert mark_request({"kind": "answer", "start": start, "end": end}, source()) == ("answer", wanted)


@pytest.mark.parametrize(
    "asked",
    [
        None,
        "answer",
        {"kind": "answer", "start": 3, "end": 3},
        {"kind": "answer", "start": -1, "end": 3},
        {"kind": "answer", "start": 0, "end": 11},
        {"kind": "answer", "start": 0.5, "end": 3},
        {"kind": "loud", "start": 0, "end": 3},
        {"kind": "whole", "start": 0},
    ],
)
def test_what_is_no_stretch_of_the_text_is_not_marked(asked: object) -> None:
    assert mark_request(asked, source()) is None


def test_marks_are_sent_in_source_order_and_in_the_browsers_units() -> None:
    marks = [Mark(Span(3, 8), "whole", "second", cut=True), Mark(Span(1, 2), "answer", "fi\0rst", cut=False)]

    columns = {name: column.tolist() for name, column in mark_columns(marks, source()).items()}

    assert columns == {"markStart": [1, 4], "markEnd": [3, 10], "markLook": [0, 3]}
    assert mark_labels(marks).decode() == "fi␀rst\0second"


def test_the_browser_is_told_which_answers_are_drafts() -> None:
    columns = mark_columns([Mark(Span(1, 2), "answer", "asked", cut=True, draft=True)], source())

    assert columns["markLook"].tolist() == [6]


@pytest.mark.parametrize("span", [Span(0, 1), Span(1, 2), Span(2, 4), Span(4, 8), Span(0, 8)])
def test_a_span_comes_back_as_it_went(span: Span) -> None:
    columns = mark_columns([Mark(span, "whole", "", cut=False)], source())
    asked = {"kind": "whole", "start": int(columns["markStart"][0]), "end": int(columns["markEnd"][0])}

    assert mark_request(asked, source()) == ("whole", span)

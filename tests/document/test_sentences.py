"""Sentences survive abbreviations, keep their white space, and end where blocks do."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
import sentencex  # type: ignore[import-untyped]
from effort import calls
from hypothesis import given
from hypothesis import strategies as st
from spec_cases import spec_cases

from chunking import Span, parse
from chunking.document.sentences import sentence_spans, sentences_in
from chunking.text.graphemes import grapheme_stops


def sentences(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Smith works at U.S. Labs. He studies AI.", ["Dr. Smith works at U.S. Labs. ", "He studies AI."]),
        ("See Fig. 3. Eq. 4 holds.", ["See Fig. 3. ", "Eq. 4 holds."]),
        ("It takes approx. 5 minutes. Good.", ["It takes approx. 5 minutes. ", "Good."]),
        ("Tools, e.g. hammers, i.e. iron. Fine.", ["Tools, e.g. hammers, i.e. iron. ", "Fine."]),
        ("See vol. 2. The end.", ["See vol. 2. ", "The end."]),
        ("Her Ph.D. thesis won. She left.", ["Her Ph.D. thesis won. ", "She left."]),
        ("Dogs, cats, etc. were there. And so on.", ["Dogs, cats, etc. were there. ", "And so on."]),
    ],
)
def test_an_abbreviation_does_not_end_a_sentence(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_a_word_that_ends_like_an_abbreviation_does_end_a_sentence() -> None:
    assert sentences("This is the total. Prices went up.") == ["This is the total. ", "Prices went up."]


def test_a_list_number_stays_with_its_sentence() -> None:
    assert sentences("1. Fill it. 2. Boil it.") == ["1. Fill it. ", "2. Boil it."]


def test_sentences_end_before_an_accented_capital_and_in_chinese() -> None:
    assert sentences("Elle part. École fermée.") == ["Elle part. ", "École fermée."]
    assert sentences("这是。那是！") == ["这是。", "那是！"]


def test_a_blank_text_has_no_sentences() -> None:
    assert sentences("") == []
    assert sentences(" \n\t ") == []


def test_a_crlf_text_has_the_sentences_of_its_lf_twin() -> None:
    text = "One\nline. Two.\n\nDr. Three\nis here. Four."

    assert [s.replace("\r\n", "\n") for s in sentences(text.replace("\n", "\r\n"))] == sentences(text)


def test_a_blank_line_ends_a_sentence_even_after_an_abbreviation() -> None:
    assert sentences("She met Dr.\n\nA new paragraph.") == ["She met Dr.\n\n", "A new paragraph."]


def test_every_block_edge_is_a_sentence_edge() -> None:
    document = parse("# A title\nwithout a stop\n\n- an item\n")

    assert [document[span] for span in sentences_in(document, document.span)] == [
        "# A title\n",
        "without a stop\n\n",
        "- an item\n",
    ]


def test_sentences_of_part_of_a_document_stay_inside_it() -> None:
    document = parse("One. Two.\n\nThree. Four.\n")

    assert [document[span] for span in sentences_in(document, Span(5, 17))] == ["Two.\n\n", "Three."]


def test_a_character_of_several_code_points_at_a_cut_leaves_no_blank_sentence() -> None:
    assert sentences("\r\r ?\u0301") == ["\r\r ?\u0301"]
    assert sentences("a\n\n ?\u0301") == ["a\n\n ", "?\u0301"]


@given(st.text(alphabet="aB. !?\n\r\t1\u0301\ud800é。\"')(", max_size=80))
def test_sentences_tile_any_text_that_is_not_blank(text: str) -> None:
    assert "".join(sentences(text)) == (text if text.strip() else "")
    assert all(sentence.strip() for sentence in sentences(text))


def test_twice_the_sentence_bait_is_about_twice_the_work(shared: Path) -> None:
    for path in sorted((shared / "adversarial" / "texts").glob("path_sentence_bait*")):
        text = path.read_text("utf-8")
        assert "".join(sentences(text)) == text
        once, twice = (calls(partial(sentences, text * times)) for times in (1, 2))
        assert twice < 3 * once, path.name


def test_the_sentence_cases_hold() -> None:
    cases = spec_cases("semantic-contextual")
    held = [case for case in cases if case.get("kind") == "sentences"]

    assert held
    for case in held:
        assert [s.strip() for s in sentences(case["input"]["text"])] == case["expected"]["recommended"], case["id"]


def test_the_sentence_cases_of_block_packing_hold() -> None:
    cases = spec_cases("block-packing")
    held = [case for case in cases if case["input"].get("sentence_text")]

    assert held
    for case in held:
        wanted = case["expected"]["recommended_facts"]["sentences"]
        assert [s.strip() for s in sentences(case["input"]["sentence_text"])] == wanted, case["id"]


@pytest.mark.parametrize("text", ["One. \u200cTwo. Three.", "One.\u3000\u0301Two. \u0600 Three!  \u200d Four."])
def test_no_sentence_begins_inside_a_cluster(text: str) -> None:
    stops = {0, *grapheme_stops(text, 0, len(text))}

    assert {sentence.start for sentence in sentence_spans(text)} <= stops


def test_the_segmenter_never_gets_more_than_a_portion_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    given_lengths: list[int] = []
    segment = sentencex.segment

    def noting(language: str, text: str) -> list[str]:
        given_lengths.append(len(text))
        return list(segment(language, text))

    monkeypatch.setattr(sentencex, "segment", noting)
    assert sentences("`" * 20_000) == ["`" * 20_000]

    assert max(given_lengths) <= 5_000


@pytest.mark.parametrize("between", [" ", "\n"])
def test_a_sentence_longer_than_a_portion_is_one(between: str) -> None:
    long_sentence = f"{between.join(['word'] * 4_000)}. "

    assert sentences(f"Before. {long_sentence}Then more.") == ["Before. ", long_sentence, "Then more."]


def test_a_portion_that_ends_within_a_word_ends_no_sentence() -> None:
    long_word = "x" * 12_000

    assert sentences(f"{long_word} goes on. Then more.") == [f"{long_word} goes on. ", "Then more."]

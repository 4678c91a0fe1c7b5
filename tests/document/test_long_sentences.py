"""Sentences of long texts: the finder behind them leaves things out, and slows down, where nothing
ends a sentence."""

from __future__ import annotations

from functools import partial

from effort import calls

from chunking.document.sentences import sentence_spans


def test_sentences_of_a_text_of_many_thousand_characters_do_not_drift() -> None:
    text = "".join(f"The {n}th kettle is on. It boils.\n\n" for n in range(2000))

    sentences = [text[span.start : span.end] for span in sentence_spans(text)]

    assert len(sentences) == 4000
    assert sentences[-2:] == ["The 1999th kettle is on. ", "It boils.\n\n"]
    assert all(sentence.strip().endswith(".") for sentence in sentences)


def test_a_text_without_a_sentence_takes_time_in_proportion_to_its_length() -> None:
    text = "```x`$\n"
    once, twice = (calls(partial(sentence_spans, text * times)) for times in (20_000, 40_000))

    assert twice < 3 * once

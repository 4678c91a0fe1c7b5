"""The choices of the Corpus page: their link, and the sample that follows a drag."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chunking.config import Override
from pages.ui.choices.corpus import SAMPLE, CorpusChoices, read_corpus, sample_of, write_corpus
from pages.ui.choices.samples import Source

CHOICES = CorpusChoices(
    overrides=(Override("docs/api/**", {"maxTokens": 400}), Override("*.txt", {}, "recursive", "words")),
    order="left_out",
    descending=False,
    show="over",
    check="embedder-256",
    path="api/",
    row="docs/api/a.md",
    look="map",
)


def source(name: str, text: str) -> Source:
    return Source(name, name, text)


def test_a_link_brings_every_choice_back() -> None:
    assert read_corpus(write_corpus(CHOICES)) == CHOICES
    assert [each.settings for each in read_corpus(write_corpus(CHOICES)).overrides] == [{"maxTokens": 400}, {}]
    assert write_corpus(CorpusChoices()) == {}
    assert read_corpus({}) == CorpusChoices()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "overrides: is not valid JSON"),
        ("[1]", "overrides: a list is not a mapping"),
        ('{"a": 1}', "overrides.a: 1 is not a mapping"),
        ("[" * 3000, "overrides: is not valid JSON"),
        ('"' + 5000 * "x", "a link has at most 4,000"),
        ('{"\\ud800": {}}', "overrides: holds half a character"),
        ('{"a": {"separators": ["\\ud800"]}}', "overrides: holds half a character"),
    ],
)
def test_overrides_of_a_link_that_cannot_be_read_are_one_line(text: str, said: str) -> None:
    read = read_corpus(
        {"overrides": text, "order": "nonsense", "filter": "<b>", "look": "<b>", "check": "<b>", "path": 900 * "x"}
    )

    assert said in read.problem
    assert read.overrides == ()
    assert (read.order, read.show, read.look, read.check, len(read.path)) == ("torn", "all", "table", "", 200)


def test_the_first_override_that_fits_takes_a_document() -> None:
    documents = [source("docs/api/a.md", ""), source("docs/api/b.txt", ""), source("c.txt", ""), source("d.md", "")]

    assert CHOICES.which(documents) == (0, 0, 1, -1)
    assert replace(CHOICES, overrides=()).which(documents) == (-1, -1, -1, -1)


def test_few_documents_follow_a_drag_all_of_them() -> None:
    assert sample_of([source("a", "x"), source("b", "")]) == (0, 1)
    assert sample_of([]) == ()


def test_of_many_documents_some_of_each_kind_and_size_follow_within_the_sample() -> None:
    kinds = ("# h\n", "| a |\n", "```\n", "plain\n")
    documents = [source(str(at), "\n" + kinds[at % 4] + (1 + at // 4) * 30 * "word ") for at in range(800)]
    rows = sample_of(documents)

    assert sum(len(documents[row].text) for row in rows) <= SAMPLE
    assert 50 < len(rows) <= 400
    assert [len([row for row in rows if row % 4 == kind]) > len(rows) // 8 for kind in range(4)] == [True] * 4
    assert min(rows) < 100
    assert max(rows) > 700


def test_one_document_larger_than_the_sample_leaves_room_for_the_others() -> None:
    rows = sample_of([source("huge", SAMPLE * "x"), *(source(str(at), 9000 * "y ") for at in range(300))])

    assert 0 not in rows
    assert len(rows) > 20

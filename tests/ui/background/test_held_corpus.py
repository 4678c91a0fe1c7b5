"""What a worker of a corpus says of a document that it cannot cut."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chunking import Config
from chunking.errors import ModelError, ModelUnsetError
from pages.ui.background import held_corpus

TEXT = "# Tea\n\nA kettle boils. Tea is poured. Rain falls. Trains are late."


@pytest.fixture
def corpus() -> Iterator[str]:
    held_corpus.take("tea", [(0, "tea.md", TEXT)])
    yield "tea"
    held_corpus.drop("tea")


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (ModelError("4 of 4 sentences were not compared yet"), "open it in Inspect, which asks"),
        (ModelUnsetError("no key is set; set KEY"), "no key is set; set KEY"),
    ],
)
def test_a_model_that_has_not_answered_is_said_with_the_way_out(
    corpus: str, monkeypatch: pytest.MonkeyPatch, raised: ModelError, said: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr(held_corpus, "cut_document", refuse)

    assert said in str(held_corpus.cut_there(corpus, 0, Config.of("semantic", {})))

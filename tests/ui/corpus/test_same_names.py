"""A proof has one document of each name."""

from __future__ import annotations

import pytest

from chunking import Config
from chunking.errors import ConfigError
from pages.ui.background.corpus_workers import Corpus, Cuts
from pages.ui.choices.samples import Source
from pages.ui.corpus.export_panel import _with_proof


def test_two_documents_of_one_name_are_refused_rather_than_one_of_them_lost() -> None:
    corpus = Corpus(tuple(Source("README.md", "README.md", text) for text in ("# Tea\n", "# Coffee\n")))
    config = Config.of("recursive", {}, "words")

    with pytest.raises(ConfigError, match=r"README\.md: is the name of more than one document") as refused:
        _with_proof(corpus, Cuts(config, (), (-1, -1)), config)

    assert "\n" not in str(refused.value)
    assert "take the YAML without proof" in str(refused.value)

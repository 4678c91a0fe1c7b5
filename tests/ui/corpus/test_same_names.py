"""A proof has one document of each name; without one there is a YAML all the same."""

from __future__ import annotations

import pytest
from app_pages import html, open_page
from streamlit.testing.v1 import AppTest

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


def exported(*files: tuple[str, str]) -> AppTest:
    """Corpus, with what Export opens, of these uploads."""
    app = open_page("pages/corpus.py", strategy="every-heading")
    app.file_uploader(key="uploads").set_value([(name, text.encode(), "text/markdown") for name, text in files]).run()
    return app.run()


def disabled(app: AppTest) -> dict[str, bool]:
    """Which of the downloads cannot be pressed."""
    return {each.proto.label: each.proto.disabled for each in app.get("download_button") if "YAML" in each.proto.label}


def test_with_two_documents_of_one_name_the_yaml_with_a_proof_cannot_be_pressed_and_the_reason_stands_beside_it() -> (
    None
):
    app = exported(("plugins.md", "# Tea\n\nleaves\n"), ("plugins.md", "# Coffee\n\nbeans\n"))

    assert disabled(app) == {"YAML": True, "YAML without proof": False}
    assert "No YAML with a proof: plugins.md: is the name of more than one document" in html(app)
    assert "No YAML with a proof: plugins.md" in html(app.run())
    assert not app.exception


def test_with_names_of_their_own_both_yamls_can_be_pressed() -> None:
    app = exported(("plugins.md", "# Tea\n\nleaves\n"), ("pots.md", "# Coffee\n\nbeans\n"))

    assert disabled(app) == {"YAML": False, "YAML without proof": False}
    assert "No YAML with a proof" not in html(app)

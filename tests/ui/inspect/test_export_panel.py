"""The Export tab: the commands and the program that make the same chunks elsewhere."""

from __future__ import annotations

from app_pages import html, open_page

from chunking import Config, parse, run
from pages.ui.choices.samples import samples


def test_the_program_is_of_the_framework_that_is_chosen_and_names_the_document() -> None:
    app = open_page(document="sample:10-an-api-reference.md", strategy="heading-window")
    shown = html(app)
    assert "chunkscope verify chunks.yaml 10-an-api-reference.md" in shown
    assert "to_dataframe" in shown

    app.segmented_control(key="framework").set_value("LlamaIndex").run()

    assert "ChunkscopeNodeParser.of" in html(app)
    assert not app.exception


def test_the_proof_stands_above_the_yaml_with_the_fingerprint_that_the_chunks_have() -> None:
    app = open_page(document="sample:10-an-api-reference.md", strategy="heading-window", minTokens="100")
    source = next(each for each in samples() if each.name == "10-an-api-reference.md")
    made = run(parse(source.text, name=source.name), Config.of("heading-window", {"minTokens": 100}))
    shown = html(app)

    line = shown.index(f'<b>Proof:</b> <code title="{made.fingerprint}">')
    assert line < shown.index(f"the fingerprint of {len(made.chunks)} chunks") < shown.index("chunkscope: 1")

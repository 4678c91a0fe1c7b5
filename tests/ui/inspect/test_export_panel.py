"""The Export tab: the commands and the program that make the same chunks elsewhere."""

from __future__ import annotations

from app_pages import html, open_page


def test_the_program_is_of_the_framework_that_is_chosen_and_names_the_document() -> None:
    app = open_page(document="sample:10-an-api-reference.md", strategy="heading-window")
    shown = html(app)
    assert "chunkscope verify chunks.yaml 10-an-api-reference.md" in shown
    assert "to_dataframe" in shown

    app.segmented_control(key="framework").set_value("LlamaIndex").run()

    assert "ChunkscopeNodeParser.of" in html(app)
    assert not app.exception

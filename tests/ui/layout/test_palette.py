"""What the command palette is given to list, and what it does with a document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from app_pages import open_page
from streamlit.testing.v1 import AppTest

from chunking import parse
from chunking.text import text_hash
from pages.ui.choices.samples import samples
from pages.ui.server.kept_documents import VARIABLE


def listed(app: AppTest) -> dict[str, object]:
    given = [element.proto for element in app.get("bidi_component")]
    (palette,) = [each for each in given if each.component_name == "chunkscope.command_palette"]
    found: dict[str, object] = json.loads(palette.json)
    return found


def named(commands: object) -> dict[str, str]:
    assert isinstance(commands, list)
    return {key: command["name"] for key, command in commands}


def headings_listed(app: AppTest) -> list[str]:
    given = [element.proto for element in app.get("bidi_component")]
    found = [json.loads(each.json) for each in given if each.component_name == "chunkscope.heading_commands"]
    return [title for each in found for title in each["titles"]]


@pytest.mark.parametrize("script", ["pages/compare.py", "pages/tune.py", "pages/corpus.py"])
def test_a_page_without_an_outline_lists_the_headings_of_the_open_document(script: str) -> None:
    text = samples()[1].text
    found = headings_listed(open_page(script, document=samples()[1].key))

    assert found == [section.title for section in parse(text).sections if section.heading]


def test_inspect_lists_its_own_outline_and_no_heading_twice() -> None:
    assert headings_listed(open_page(document=samples()[1].key)) == []


def test_every_page_lists_the_documents_and_the_settings_of_its_strategy() -> None:
    for script in ("", "pages/tune.py"):
        found = listed(open_page(script, strategy="heading-window", document=samples()[1].key))

        assert found["documents"] == [[each.key, each.title] for each in samples()]
        assert found["document"] == samples()[1].key
        controls = named(found["controls"])
        assert controls["strategy"] == "Strategy"
        assert controls["setting.heading-window.short_tail"].endswith("shortTail")
        assert not any("`" in words for words in controls.values())


def test_only_the_page_that_filters_chunks_lists_its_filters() -> None:
    names = [name for _, name in listed(open_page(document=samples()[1].key))["filters"]]  # type: ignore[attr-defined]

    assert "Show torn chunks (cutting a block in two)" in names
    assert "Show chunks failing a check" in names
    assert listed(open_page("pages/tune.py", document=samples()[1].key))["filters"] == []


def test_a_document_that_was_kept_is_listed_in_a_new_session_and_can_be_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path))
    monkeypatch.setenv(VARIABLE, "1")
    text = "# Kettle\n\nwater\n"
    open_page().file_uploader(key="uploads").set_value([("kettle.md", text.encode(), "text/markdown")]).run()

    found = listed(open_page())["documents"]

    assert isinstance(found, list)
    assert found[0] == [text_hash(text), "kettle.md"]
    assert found[1:] == [[each.key, each.title] for each in samples()]


def test_the_other_strategies_are_listed_where_one_is_chosen_for_the_page() -> None:
    for script in ("", "pages/tune.py", "pages/corpus.py"):
        found = listed(open_page(script, strategy="heading-window"))["strategies"]

        assert named(found)["semantic"] == "Strategy: Semantic similarity"
        assert "heading-window" not in named(found)
        assert isinstance(found, list)
        assert all(each["last"] == each["name"].endswith("(not installed)") for _, each in found)
    assert listed(open_page("pages/compare.py"))["strategies"] == []


def test_questions_are_drafted_and_a_document_is_exported_from_every_page_that_has_one() -> None:
    exports = {"download-yaml", "download-chunks"}
    for script, expected in (("", exports), ("pages/tune.py", exports), ("pages/corpus.py", set())):
        found = listed(open_page(script, document=samples()[1].key))["buttons"]

        assert isinstance(found, list)
        leading = {key: command["page"] for key, command in found if command["page"]}
        assert leading.pop("retrieve-draft") == "Retrieve"
        assert leading == dict.fromkeys(expected, "Inspect")


@pytest.mark.parametrize(
    ("typed", "key"), [("download", "download-chunks"), ("yaml", "download-yaml"), ("question", "retrieve-draft")]
)
def test_a_button_has_the_words_by_which_it_is_looked_for(typed: str, key: str) -> None:
    found = listed(open_page(document=samples()[1].key))["buttons"]

    assert isinstance(found, list)
    command = dict(map(tuple, found))[key]
    assert typed in f"{command['name']} {command['also']}".lower().replace("questions", "question")

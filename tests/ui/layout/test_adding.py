"""Adding documents: where there is none the page is for that, and what was added is said."""

from __future__ import annotations

import pytest
from app_pages import address, html, open_page
from raw_server import whole, writing
from streamlit.testing.v1 import AppTest

from chunking import Config
from chunking.document import web_pages
from chunking.document.web_pages import Network
from pages.ui.choices.samples import samples
from pages.ui.layout.picker import PAGE_IS_ASKED

MISSING = "4b2c" * 16


def two_files(app: AppTest) -> AppTest:
    files = [("b_*c*.md", b"# B\n\ny\n", "text/markdown"), ("a.md", b"# A\n\nx\n", "text/markdown")]
    return app.file_uploader(key="uploads").set_value(files).run()


def test_without_a_document_the_page_is_a_place_to_add_one_and_the_samples() -> None:
    app = open_page(document=MISSING, name="kettle.md")

    assert not app.exception
    for sample in samples():
        assert f"open.{sample.key}" in [button.key for button in app.button]
        assert sample.look_for[1:30] in html(app).replace("&#39;", "'")
    app.text_area(key="missing-pasted").set_value("# One\n\ntext\n")
    app.button(key="missing-use-paste").click().run()
    assert "cs-strip" in html(app)
    assert "missing-pasted" not in [area.key for area in app.text_area]


def test_a_sample_is_opened_from_the_page_without_a_document() -> None:
    app = open_page(document=MISSING)
    app.button(key=f"open.{samples()[1].key}").click().run()

    assert address(app)["document"] == samples()[1].key
    assert "cs-strip" in html(app)


def test_what_was_added_is_said_with_what_is_shown() -> None:
    app = two_files(open_page(strategy="every-heading"))

    assert [toast.value for toast in app.toast] == [r"2 documents added · showing b\_\*c\*\.md"]
    assert not app.run().toast


def test_a_yaml_among_documents_is_opened_as_the_config() -> None:
    app = open_page(strategy="every-heading")
    yaml = Config.of("fixed", {"chunkSize": 321}).to_yaml().encode()
    files = [("_chunks_.yml", yaml, "application/yaml"), ("a.md", b"# A\n\nx\n", "text/markdown")]
    app.file_uploader(key="uploads").set_value(files).run()

    assert not app.exception
    assert (address(app)["strategy"], address(app)["chunkSize"]) == ("fixed", "321")
    assert [toast.value for toast in app.toast] == [
        r"1 document added · showing a\.md",
        r"\_chunks\_\.yml opened as the config of Inspect",
    ]
    assert "Opened _chunks_.yml. Undo brings the former settings back." in html(app)


def test_a_yaml_that_is_no_config_is_refused_in_one_line_and_the_view_stays() -> None:
    app = open_page(strategy="every-heading")
    app.file_uploader(key="uploads").set_value([("mkdocs.yml", b"site_name: x\n", "application/yaml")]).run()

    assert not app.toast
    assert "mkdocs.yml: a YAML is opened as a config, and this is not one: " in html(app)
    assert address(app)["strategy"] == "every-heading"


def test_another_tools_chunks_among_documents_are_opened_as_those_of_the_document_that_came_last() -> None:
    app = open_page(strategy="every-heading")
    theirs = b'{"text": "# A\\n\\nx"}\n{"text": "y"}\n'
    files = [("theirs.jsonl", theirs, "application/jsonl"), ("a_b.md", b"# A\n\nx\n\ny\n", "text/markdown")]
    app.file_uploader(key="uploads").set_value(files).run()

    assert not app.exception
    assert address(app)["strategy"] == "imported"
    assert [toast.value for toast in app.toast] == [
        r"1 document added · showing a\_b\.md",
        r"theirs\.jsonl opened as the chunks of a\_b\.md",
    ]
    assert "Opened theirs.jsonl: 2 chunks: 2 verbatim" in html(app)


def test_a_table_without_chunks_of_the_document_is_one_line_beside_what_else_was_refused() -> None:
    app = open_page(strategy="every-heading")
    files = [
        ("bad.md", b"\xff\xfe\xff", "text/markdown"),
        ("people.csv", b"name,age\nAda,36\n", "text/csv"),
        ("other.json", b'[{"text": "Nowhere in this document."}]', "application/json"),
        ("config.json", b'{"strategy": "fixed", "settings": {"chunkSize": 321}}', "application/json"),
    ]
    app.file_uploader(key="uploads").set_value(files).run()
    said = html(app).replace("&#39;", "'")

    assert not app.exception
    assert "bad.md: " in said
    assert "people.csv: a table is opened as another tool's chunks, which failed: is not a chunk file" in said
    assert "other.json: a table is opened as another tool's chunks, which failed: none of its chunks is in" in said
    assert (address(app)["strategy"], address(app)["chunkSize"]) == ("fixed", "321")


def test_nothing_is_said_of_what_was_refused() -> None:
    app = open_page(strategy="every-heading")
    app.file_uploader(key="uploads").set_value([("bad.md", b"\xff\xfe\xff", "text/markdown")]).run()

    assert not app.toast
    assert "bad.md" in html(app)

    app.button(key="close-refused-document").click().run()

    assert "bad.md" not in html(app)
    assert "close-refused-document" not in [each.key for each in app.button]


def test_a_page_is_added_by_its_address_only_where_the_servers_owner_allows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "page-address" not in [each.key for each in open_page(strategy="every-heading").text_input]

    monkeypatch.setenv("CHUNKSCOPE_WEB_PAGES", "1")
    monkeypatch.setattr(web_pages, "INTERNET", Network(allowed=lambda address: address == "127.0.0.1"))
    app = open_page(strategy="every-heading")
    assert PAGE_IS_ASKED in [each.value for each in app.caption]
    with writing(whole(b"# Kettle\n\nFill it.\n", headers="Content-Type: text/markdown\r\n")) as server:
        app.text_input(key="page-address").set_value(f"{server.base_url}/kettle#top")
        app.button(key="use-page").click().run()
    assert not app.exception
    assert f"chunkscope verify chunks.yaml {server.base_url}/kettle" in html(app)

    app.text_input(key="page-address").set_value("http://10.0.0.1/<b>x</b>")
    app.button(key="use-page").click().run()
    assert "http://10.0.0.1/&lt;b&gt;x&lt;/b&gt;: 10.0.0.1 is 10.0.0.1, which is not a public address" in html(app)

"""Adding documents: where there is none the page is for that, and what was added is said."""

from __future__ import annotations

from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

from chunking import Config
from pages.ui.choices.samples import samples

MISSING = "4b2c" * 16


def two_files(app: AppTest) -> AppTest:
    files = [("a.md", b"# A\n\nx\n", "text/markdown"), ("b_*c*.md", b"# B\n\ny\n", "text/markdown")]
    return app.file_uploader(key="uploads").set_value(files).run()


def test_without_a_document_the_page_is_a_place_to_add_one_and_the_samples() -> None:
    app = open_page(document=MISSING, name="kettle.md")

    assert not app.exception
    for sample in samples():
        assert f"open.{sample.key}" in [button.key for button in app.button]
        assert sample.look_for[1:30] in html(app).replace("&#39;", "'")
    app.text_area(key="missing-pasted").set_value("# One\n\ntext\n").run()
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
        r"\_chunks\_\.yml opened as the config of Inspect",
        r"1 document added · showing a\.md",
    ]
    assert "Opened _chunks_.yml. Undo brings the former settings back." in html(app)


def test_a_yaml_that_is_no_config_is_refused_in_one_line_and_the_view_stays() -> None:
    app = open_page(strategy="every-heading")
    app.file_uploader(key="uploads").set_value([("mkdocs.yml", b"site_name: x\n", "application/yaml")]).run()

    assert not app.toast
    assert "mkdocs.yml: a YAML is opened as a config, and this is none: " in html(app)
    assert address(app)["strategy"] == "every-heading"


def test_nothing_is_said_of_what_was_refused() -> None:
    app = open_page(strategy="every-heading")
    app.file_uploader(key="uploads").set_value([("bad.md", b"\xff\xfe\xff", "text/markdown")]).run()

    assert not app.toast
    assert "bad.md" in html(app)

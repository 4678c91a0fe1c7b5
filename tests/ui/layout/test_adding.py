"""Adding documents: where there is none the page is for that, and what was added is said."""

from __future__ import annotations

from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

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


def test_nothing_is_said_of_what_was_refused() -> None:
    app = open_page(strategy="every-heading")
    app.file_uploader(key="uploads").set_value([("bad.md", b"\xff\xfe\xff", "text/markdown")]).run()

    assert not app.toast
    assert "bad.md" in html(app)

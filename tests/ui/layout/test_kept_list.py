"""What was added is there again in a new session of its owner, until it is removed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from app_pages import html, open_page
from streamlit.testing.v1 import AppTest

from chunking.text import text_hash
from pages.ui.choices.samples import first_sample
from pages.ui.server import owners
from pages.ui.server.kept_documents import VARIABLE

TEXT = "# Kettle\n\nwater\n\n# Steam\n\nmore water\n"
KEY = text_hash(TEXT)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path))
    monkeypatch.setenv(VARIABLE, "1")
    return tmp_path


def add(app: AppTest, name: str = "kettle.md", text: str = TEXT) -> AppTest:
    return app.file_uploader(key="uploads").set_value([(name, text.encode(), "text/markdown")]).run()


def reloaded() -> AppTest:
    """A new session at the address of the kettle's view."""
    return open_page(document=KEY, name="kettle.md", strategy="every-heading")


def test_an_upload_is_on_screen_again_after_a_reload_and_listed_beside_others() -> None:
    add(open_page(), "steam.md", "# Steam\n\nhot\n")
    add(open_page(strategy="every-heading"))
    app = reloaded()

    assert not app.exception
    assert app.selectbox(key="document").value == KEY
    assert "<dt>Chunks</dt><dd><b>2</b>" in html(app)
    assert app.selectbox(key="document").options[:2] == ["kettle.md", "steam.md"]
    app.selectbox(key="document").set_value(text_hash("# Steam\n\nhot\n")).run()
    assert "<dt>Chunks</dt><dd><b>1</b>" in html(app)


def test_a_pasted_text_keeps_its_title() -> None:
    app = open_page()
    app.text_area(key="pasted").set_value(TEXT)
    app.button(key="use-paste").click().run()

    assert "Pasted: Kettle" in reloaded().selectbox(key="document").options


def test_with_the_switch_off_nothing_more_is_kept_and_the_switch_is_remembered(folder: Path) -> None:
    app = open_page()
    app.toggle(key="keep-documents").set_value(False).run()
    add(app)

    app = reloaded()

    assert app.toggle(key="keep-documents").value is False
    assert "Add <b>kettle.md</b> (same text) and the view is restored." in html(app)
    add(app)
    app.toggle(key="keep-documents").set_value(True).run()
    assert (folder / "documents" / f"{KEY}.document").exists()


def test_the_server_can_keep_nothing_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    add(open_page())
    monkeypatch.setenv(VARIABLE, "0")

    app = reloaded()

    assert "Open the document to see this view" in html(app)
    assert "this server keeps none (CHUNKSCOPE_KEEP_MB is 0)" in html(app)
    assert not app.toggle


def test_a_damaged_document_is_one_line_above_the_place_to_drop_it_and_is_kept_again(folder: Path) -> None:
    add(open_page())
    file = folder / "documents" / f"{KEY}.document"
    file.write_bytes(file.read_bytes() + b"more")

    app = reloaded()

    assert "kettle.md cannot be opened: its kept file is damaged or was altered" in html(app)
    app.file_uploader(key="missing-uploads").set_value([("kettle.md", TEXT.encode(), "text/markdown")]).run()
    assert "<dt>Chunks</dt><dd><b>2</b>" in html(app)
    assert "<dt>Chunks</dt><dd><b>2</b>" in html(reloaded())


def test_owners_never_see_each_others_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    who = ["ann"]
    monkeypatch.setattr(owners, "_by_header", lambda: who[-1])
    add(open_page())
    assert "<dt>Chunks</dt><dd><b>2</b>" in html(reloaded())
    for other in ("bob", ""):
        who.append(other)
        app = reloaded()

        assert "Open the document to see this view" in html(app)
        assert "kettle.md" not in app.selectbox(key="document").options


def test_a_session_that_is_an_owner_of_its_own_is_told_that_its_documents_end_with_it(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(owners, "beyond_loopback", lambda: True)

    app = add(open_page())

    assert "Documents are forgotten when this session ends" in html(app)
    assert not (folder / "documents").exists()


def test_kept_documents_are_listed_with_their_sizes_and_removed_one_by_one_or_all_at_once(folder: Path) -> None:
    texts = {name: f"# {name}\n\nwater\n" for name in ("a.md", "b.md", "c.md")}
    for name, text in texts.items():
        add(open_page(), name, text)
    app = open_page()
    app.session_state["kept"] = True
    app.run()
    assert re.search(r"3 documents, 0.\d KB of 1 MB\.", html(app))

    app.button(key=f"kept-remove-{text_hash(texts['b.md'])[:16]}").click().run()

    assert len(list((folder / "documents").iterdir())) == 2
    assert "b.md" not in app.selectbox(key="document").options
    app.button(key="kept-remove-all").click().run()
    assert list((folder / "documents").iterdir()) == []
    assert not app.exception


def listed(app: AppTest) -> AppTest:
    """The page with its list of kept documents."""
    app.session_state["kept"] = True
    return app.run()


def remove(app: AppTest, text: str) -> AppTest:
    return app.button(key=f"kept-remove-{text_hash(text)[:16]}").click().run()


def test_a_document_that_is_removed_is_closed_and_its_bytes_are_free() -> None:
    texts = [f"# {name}\n\nwater\n" for name in "abc"]
    app = open_page("pages/corpus.py", strategy="every-heading")
    files = [(f"{at}.md", text.encode(), "text/markdown") for at, text in enumerate(texts)]
    listed(app.file_uploader(key="uploads").set_value(files).run())

    remove(app, texts[1])

    session = app.session_state["chunkscope"]
    assert list(session.added) == [text_hash(texts[0]), text_hash(texts[2])]
    assert text_hash(texts[1]) not in session.held.sizes
    assert "2 documents</p>" in html(app)
    assert not app.exception


def test_where_the_shown_document_is_removed_the_next_one_is_shown_and_after_the_last_a_sample() -> None:
    texts = [f"# {name}\n\nwater\n" for name in "abc"]
    app = open_page(strategy="every-heading")
    files = [(f"{at}.md", text.encode(), "text/markdown") for at, text in enumerate(texts)]
    listed(app.file_uploader(key="uploads").set_value(files).run())
    app.selectbox(key="document").set_value(text_hash(texts[1])).run()

    shown = []
    for at in (1, 2, 0):
        remove(app, texts[at])
        shown.append(app.selectbox(key="document").value)

    first = first_sample()
    assert first
    assert shown == [text_hash(texts[2]), text_hash(texts[0]), first.key]
    assert "to see this view" not in html(app)
    assert not app.exception


def test_the_list_tells_two_documents_of_one_name_apart_as_the_choice_of_documents_does() -> None:
    texts = ["# Plugins\n\nwater\n", "# Other\n\nwater\n"]
    app = open_page(strategy="every-heading")
    for text in texts:
        add(app, "plugins.md", text)
    listed(app)

    names = ["plugins.md · Other", "plugins.md · Plugins"]
    assert sorted(app.selectbox(key="document").options[:2]) == names
    assert all(f"<bdi>{name}</bdi>" in html(app) for name in names)
    buttons = [app.button(key=f"kept-remove-{text_hash(text)[:16]}") for text in texts]
    labels = [each.label.replace("\\", "") for each in buttons]
    assert labels == ["Remove plugins.md · Plugins", "Remove plugins.md · Other"]
    remove(app, texts[1])
    assert "<bdi>plugins.md</bdi>" in html(app)


def test_a_file_that_the_app_was_opened_with_stays_open_where_its_kept_text_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(open_page())
    (tmp_path / "kettle.md").write_text(TEXT, encoding="utf-8")
    monkeypatch.setenv("CHUNKSCOPE_FILES", json.dumps([str(tmp_path / "kettle.md")]))
    app = listed(open_page(strategy="every-heading"))

    remove(app, TEXT)

    assert app.selectbox(key="document").value == KEY
    assert list(app.session_state["chunkscope"].added) == [KEY]
    assert not app.exception


def test_all_kept_documents_are_opened_at_once_and_are_the_corpus_then() -> None:
    for name in ("a.md", "b.md"):
        add(open_page(), name, f"# {name}\n\nwater\n")
    add(open_page(strategy="every-heading"))
    app = reloaded()
    assert [each.name for each in app.session_state["chunkscope"].added.values()] == ["kettle.md"]
    app.session_state["kept"] = True
    app.run()

    app.button(key="kept-open-all").click().run()

    assert sorted(each.name for each in app.session_state["chunkscope"].added.values()) == ["a.md", "b.md", "kettle.md"]
    assert app.selectbox(key="document").value == KEY
    assert not app.exception


def test_corpus_says_how_many_documents_were_kept_and_opens_them_in_place_of_the_samples(folder: Path) -> None:
    for name in ("a.md", "b.md"):
        add(open_page(), name, f"# {name}\n\nwater\n")
    app = open_page("pages/corpus.py")
    assert '2 more <span class="cs-kept-words">documents are </span>kept' in html(app)
    assert ">Samples<" in html(app)
    damaged = folder / "documents" / f"{text_hash('# b.md' + chr(10) * 2 + 'water' + chr(10))}.document"
    damaged.write_bytes(damaged.read_bytes() + b"altered")

    app.button(key="open-kept").click().run()

    assert [each.name for each in app.session_state["chunkscope"].added.values()] == ["a.md"]
    assert "b.md cannot be opened: its kept file is damaged or was altered" in html(app)
    assert "more document" not in html(app)
    assert ">Samples<" not in html(app)
    assert not app.exception


@pytest.mark.parametrize(
    ("script", "query", "before", "after"),
    [
        ("pages/compare.py", {}, "All documents (1)", "All documents (3)"),
        ("pages/compare.py", {"on": "all"}, "All documents (1)", "All documents (3)"),
        ("pages/tune.py", {}, "", "All 3 documents of Corpus"),
        ("pages/retrieve.py", {"search": "bm25"}, "", "Search all 3 documents"),
    ],
)
def test_a_choice_of_all_documents_says_after_a_reload_how_many_more_are_kept_and_opens_them(
    script: str, query: dict[str, str], before: str, after: str
) -> None:
    for name in ("a.md", "b.md"):
        add(open_page(), name, f"# {name}\n\nwater\n")
    add(open_page())

    app = open_page(script, document=KEY, name="kettle.md", **query)

    assert '2 more <span class="cs-kept-words">documents are </span>kept' in html(app)
    assert before in choices(app)
    assert after not in choices(app)
    app.button(key="open-kept").click().run()
    assert after in choices(app)
    assert "more document" not in html(app)
    assert not app.exception


def choices(app: AppTest) -> str:
    """What can be chosen, in words."""
    options = [option.content for group in app.get("button_group") for option in group.proto.options]
    return "\n".join([*options, *(toggle.label for toggle in app.toggle)])

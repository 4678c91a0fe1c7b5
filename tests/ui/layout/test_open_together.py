"""Documents that were open together are open again after a reload."""

from __future__ import annotations

import json
from pathlib import Path
from sys import getsizeof
from types import SimpleNamespace

import pytest
from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

from chunking.text import text_hash
from pages.ui.choices.open_together import MOST, OpenDocument, read, written
from pages.ui.server import held_texts, owners
from pages.ui.server.kept_documents import VARIABLE

TEXTS = {name: f"# {name}\n\nwater\n\n# Steam\n\nmore water\n" for name in ("a.md", "b.md", "c.md")}
KEYS = {name: text_hash(text) for name, text in TEXTS.items()}
NAMES = list(TEXTS)
RETRIEVE = "pages/retrieve.py"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CHUNKSCOPE_DATA", str(tmp_path))
    monkeypatch.setenv(VARIABLE, "1")
    return tmp_path


def add(app: AppTest, *names: str) -> AppTest:
    files = [(name, TEXTS[name].encode(), "text/markdown") for name in names]
    return app.file_uploader(key="uploads").set_value(files).run()


def there(app: AppTest) -> list[str]:
    """The names of the documents that the session has."""
    return [each.name for each in app.session_state["chunkscope"].added.values()]


def reloaded(app: AppTest, script: str = "") -> AppTest:
    """A new session at the address of the one before."""
    return open_page(script, **{name.replace(".", "__"): value for name, value in address(app).items()})


def named(name: str, script: str = "") -> AppTest:
    """A new session at an address that names this document."""
    return open_page(script, document=KEYS[name], name=name, search="bm25")


@pytest.mark.parametrize("script", ["", "pages/compare.py", "pages/tune.py", RETRIEVE])
def test_a_reload_opens_what_was_open_with_the_shown_document_in_the_same_order(script: str) -> None:
    add(open_page(), *NAMES)

    app = named("b.md", script)

    assert not app.exception
    assert there(app) == NAMES
    assert app.selectbox(key="document").value == KEYS["b.md"]
    assert "more document" not in html(app)


def test_a_reload_of_corpus_has_the_same_documents_and_shows_the_first_of_them_in_inspect() -> None:
    app = add(open_page(), *NAMES).switch_page("pages/corpus.py").run()

    app = reloaded(app, "pages/corpus.py")

    assert not app.exception
    assert there(app) == NAMES
    assert ">Samples<" not in html(app)
    assert address(app.switch_page("app.py").run())["document"] == KEYS["a.md"]


@pytest.mark.parametrize("script", ["", "pages/corpus.py", RETRIEVE])
def test_a_first_visit_opens_nothing(script: str) -> None:
    add(open_page(), *NAMES)

    assert there(open_page(script)) == []


def test_a_link_to_a_sample_opens_nothing_now_or_later() -> None:
    add(open_page(), *NAMES)

    app = open_page(RETRIEVE, document="sample:09-not-english.md", search="bm25", a__strategy="fixed")

    assert there(app) == []
    assert there(app.switch_page("pages/corpus.py").run()) == []


def test_the_last_change_of_two_tabs_holds_and_a_document_that_was_not_among_them_opens_alone() -> None:
    first, second = add(open_page(), "a.md"), add(open_page(), "b.md", "c.md")
    assert there(named("a.md")) == ["a.md"]
    assert there(named("c.md")) == ["b.md", "c.md"]

    add(first, "c.md")

    assert there(named("c.md")) == ["a.md", "c.md"]
    assert there(second.run()) == ["b.md", "c.md"]


def test_what_is_opened_besides_is_opened_again_too() -> None:
    add(open_page(), "a.md")
    app = add(open_page(), "b.md")
    app.selectbox(key="document").set_value(KEYS["a.md"]).run()
    assert sorted(there(reloaded(app))) == ["a.md", "b.md"]
    add(open_page(), "c.md")
    app = open_page("pages/corpus.py")
    app.button(key="open-kept").click().run()

    assert sorted(there(reloaded(app, "pages/corpus.py"))) == NAMES


def test_what_is_removed_is_not_opened_again_and_nothing_is_said_of_it() -> None:
    add(open_page(), *NAMES)
    app = open_page()
    app.session_state["kept"] = True
    app.run()
    app.button(key=f"kept-remove-{KEYS['b.md'][:16]}").click().run()

    app = named("a.md", RETRIEVE)

    assert there(app) == ["a.md", "c.md"]
    assert "b.md" not in html(app)


def test_what_is_gone_or_damaged_is_said_and_the_others_are_opened(folder: Path) -> None:
    add(open_page(), *NAMES)
    (folder / "documents" / f"{KEYS['a.md']}.document").unlink()
    damaged = folder / "documents" / f"{KEYS['b.md']}.document"
    damaged.write_bytes(damaged.read_bytes() + b"altered")

    app = named("c.md", RETRIEVE)

    assert not app.exception
    assert there(app) == ["c.md"]
    assert "a.md is not kept any more; add it again" in html(app)
    assert "b.md cannot be opened: its kept file is damaged or was altered" in html(app)
    assert "a.md" not in html(named("c.md", RETRIEVE))


def test_where_there_is_no_room_for_all_the_shown_one_is_open_and_the_others_are_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add(open_page(), *NAMES)
    room_for_one = 4 * (getsizeof(TEXTS["c.md"]) + 10)  # a session has a quarter
    monkeypatch.setattr(held_texts, "memory", SimpleNamespace(limit=room_for_one))

    app = named("c.md", RETRIEVE)

    assert not app.exception
    assert there(app) == ["c.md"]
    assert "a.md is not added: this session would use more than" in html(app)


@pytest.mark.parametrize(
    "content",
    ["{", "null", '{"key": 1}', "[1, null, {}]", '[{"key": "../../etc/passwd", "name": "<b>x</b>"}]', "[" * 100_000],
)
def test_a_damaged_list_is_never_more_than_a_line_and_is_written_anew(content: str, folder: Path) -> None:
    add(open_page(), *NAMES)
    file = folder / "open-documents.json"
    file.write_text(content)

    app = named("a.md", RETRIEVE)

    assert not app.exception
    assert there(app) == ["a.md"]
    assert "<b>x</b>" not in html(app)
    add(app, "b.md")
    assert [each["name"] for each in json.loads(file.read_text())] == ["a.md", "b.md"]


def test_nobody_opens_what_another_owner_had_open(monkeypatch: pytest.MonkeyPatch) -> None:
    who = ["ann"]
    monkeypatch.setattr(owners, "_by_header", lambda: who[-1])
    add(open_page(), *NAMES)
    who.append("bob")
    add(open_page(), "c.md")

    assert there(named("c.md")) == ["c.md"]
    who.append("ann")
    assert there(named("c.md")) == NAMES


def test_a_session_that_is_an_owner_of_its_own_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(owners, "beyond_loopback", lambda: True)

    app = reloaded(add(open_page(), *NAMES))

    assert not app.exception
    assert there(app) == []
    assert not (folder / "open-documents.json").exists()


def test_what_is_not_kept_is_not_opened_again() -> None:
    add(open_page(), "a.md")
    app = named("a.md")
    app.toggle(key="keep-documents").set_value(False).run()
    add(app, "b.md")

    assert there(named("a.md")) == ["a.md"]


def test_of_too_many_documents_the_last_ones_are_remembered() -> None:
    many = [OpenDocument(f"{number:064x}", "x" * 1000) for number in range(MOST + 2)]

    found = read(json.loads(json.dumps(written(many))))

    assert [each.key for each in found] == [each.key for each in many[2:]]
    assert {len(each.name) for each in found} == {200}

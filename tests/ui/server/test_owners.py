"""Two people with the same text see nothing of each other: by a proxy's header, by login, by
session."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest
from app_pages import html, open_page
from streamlit.runtime.context import StreamlitHeaders
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value, generate_xsrf_token_string

from benchmarks.protocol import Session, serving
from chunking import Annotations, AnnotationStore, Config, Span, parse
from chunking.tuning import Axis
from pages.ui.background.goal_job import GoalRequest
from pages.ui.choices.samples import FIRST, FOLDER
from pages.ui.retrieve import caches as retrieve_caches
from pages.ui.server import owners
from pages.ui.server.owners import Owner, owner
from pages.ui.tune import sweep_job
from pages.ui.tune.sweep_job import SweepRequest

SECRET = "a secret for the tests alone, long enough to sign with"
LINK = "strategy=every-heading"


def marked(folder: Path, question: str) -> None:
    """Keep a question about the first sample there, as the app does."""
    text = (FOLDER / FIRST).read_text(encoding="utf-8")
    document = parse(text, FIRST)
    AnnotationStore(folder).save(document, Annotations(), Annotations().with_answer(document, question, Span(0, 9)))


def seen(port: int, headers: Mapping[str, str] | None = None, subprotocols: tuple[str, ...] = ()) -> str:
    """What a new session shows of the first sample."""
    with Session(port, LINK, headers, subprotocols) as session:
        return session.run().said()


def user(said: str) -> str:
    return sha256(said.encode()).hexdigest()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with marks of the person at the machine, and of Ann by header and by login."""
    marked(tmp_path, "Whose is the machine?")
    marked(tmp_path / "owners" / user("header\0ann"), "What did Ann ask?")
    marked(tmp_path / "owners" / user("login\0https://id.example\0ann"), "What did Ann ask?")
    return tmp_path


def test_by_a_proxys_header_each_user_sees_their_own_marks_and_who_brings_none_sees_nobodys(home: Path) -> None:
    variables = {"CHUNKSCOPE_DATA": str(home), "CHUNKSCOPE_USER_HEADER": "X-Forwarded-User"}
    with serving(variables=variables) as (_, port):
        by_ann, by_bob = (seen(port, {"X-Forwarded-User": name}) for name in ("ann", "bob"))
        by_nobody = seen(port)

    assert "What did Ann ask?" in by_ann
    assert "What did Ann ask?" not in by_bob + by_nobody
    assert "Whose is the machine?" not in by_ann + by_bob + by_nobody


def test_a_header_is_nobodys_name_until_its_owner_says_so(home: Path) -> None:
    with serving(variables={"CHUNKSCOPE_DATA": str(home)}) as (_, port):
        by_ann = seen(port, {"X-Forwarded-User": "ann"})

    assert "What did Ann ask?" not in by_ann
    assert "Whose is the machine?" in by_ann


def test_by_login_each_user_sees_their_own_marks_and_who_has_not_signed_in_sees_nobodys(home: Path) -> None:
    variables = {"CHUNKSCOPE_DATA": str(home), "CHUNKSCOPE_LOGIN": "on", "STREAMLIT_SERVER_COOKIE_SECRET": SECRET}
    with serving(variables=variables) as (_, port):
        by_ann, by_bob = (seen(port, *signed_in(port, name, SECRET)) for name in ("ann", "bob"))
        forged = seen(port, *signed_in(port, "ann", "another secret, as long as the one to sign with"))

    assert "What did Ann ask?" in by_ann
    assert "What did Ann ask?" not in by_bob + forged
    assert "Whose is the machine?" not in by_ann + by_bob + forged
    assert "Sign out" in by_ann
    assert "Sign in" in forged


def signed_in(port: int, name: str, secret: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """Headers and subprotocols of a browser in which this user has signed in."""
    origin, token = f"http://127.0.0.1:{port}", generate_xsrf_token_string()
    about = {"origin": origin, "is_logged_in": True, "iss": "https://id.example", "sub": name}
    cookie = create_signed_value(secret, "_streamlit_user", json.dumps(about)).decode()
    return {"Origin": origin, "Cookie": f"_streamlit_xsrf={token}; _streamlit_user={cookie}"}, (token,)


@pytest.fixture
def two_users(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """`[-1]` is the user that this thread works for."""
    names = ["ann"]
    monkeypatch.setattr(owners, "_by_header", lambda: names[-1])
    return names


TEXT = parse("# A\n\none\n\n# B\n\ntwo\n", name="a.md")
CONFIG = Config.of("fixed", {})


def test_a_sweep_is_known_to_its_owner_only(two_users: list[str]) -> None:
    def asked() -> SweepRequest:
        return SweepRequest((TEXT,), CONFIG, (Axis("chunkSize", (400, 500)),), owner=owner().key)

    assert sweep_job.begin(asked()).wait(120)
    assert sweep_job.progress_of(asked()).complete
    two_users.append("bob")

    assert sweep_job.progress_of(asked()).measured == 0
    assert sweep_job.progress_of(asked()).job is None


def test_goals_and_indexes_have_the_owner_in_their_keys(two_users: list[str]) -> None:
    def keys() -> tuple[str, str]:
        goal = GoalRequest((), None, None, (), (), 2, owner().key)  # type: ignore[arg-type]
        return goal.key, retrieve_caches.corpus_key(retrieve_caches.corpus([TEXT], CONFIG, "words"), CONFIG)

    by_ann = keys()
    two_users.append("bob")

    assert not set(by_ann) & set(keys())


def test_a_header_that_comes_twice_is_nobodys_name(monkeypatch: pytest.MonkeyPatch) -> None:
    headers = StreamlitHeaders([("X-Forwarded-User", "ann"), ("x-forwarded-user", "bob")])
    monkeypatch.setenv("CHUNKSCOPE_USER_HEADER", "X-Forwarded-User")
    monkeypatch.setattr("streamlit.context", SimpleNamespace(headers=headers))

    assert owner() == Owner("session", "")


def test_on_loopback_there_is_one_owner() -> None:
    assert owner() == Owner("machine")


def test_where_the_login_is_not_set_up_the_button_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_LOGIN", "on")
    page = open_page()

    page.button(key="sign-in").click().run()

    assert not page.exception
    assert "Nobody can sign in: To use authentication features" in html(page)
    assert "secrets.toml" in html(page)

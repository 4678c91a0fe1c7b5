"""Addresses of stores: what is read of them, and that their secrets are shown nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import chunkscope

from chunking.errors import StoreError
from chunking.export.open_stores import opened
from chunking.export.store_address import is_address, store_address

SECRET = "p%40ss:w/rd"
ADDRESS = f"postgresql://ann:{SECRET}@db.example/kb?sslpassword=hunter22&table=guides"


def test_an_address_has_a_scheme_a_place_and_a_table() -> None:
    address = store_address("LanceDB:///data/my%20kb?table=guides")

    assert (address.scheme, address.path, address.table) == ("lancedb", "/data/my kb", "guides")
    assert store_address("lancedb://kb").table == "chunks"


def test_postgres_is_another_name_of_postgresql() -> None:
    assert store_address("postgres://ann@db/kb").shown == "postgresql://ann@db/kb"


@pytest.mark.parametrize("path", ["kb.sqlite", "out/", "/data/kb.sqlite", "C:\\kb.sqlite", "a:b", "://kb", ""])
def test_a_path_is_no_address(path: str) -> None:
    assert not is_address(path)


@pytest.mark.parametrize("table", ["a b", "x;DROP", "../up", "ab", "", "1st", "x" * 61, "té-te", "a'b", 'a"b'])
def test_a_table_has_a_plain_name(table: str) -> None:
    with pytest.raises(StoreError, match="table has to be 3 to 60 letters"):
        store_address(f"lancedb://kb?table={table}")


def test_an_address_is_shown_without_its_secrets() -> None:
    address = store_address(ADDRESS)

    assert address.shown == "postgresql://ann:***@db.example/kb?sslpassword=***&table=guides"
    assert SECRET not in repr(address)
    said = f"cannot log in with p@ss:w/rd ({SECRET}), nor hunter22"
    assert address.scrubbed(said) == "cannot log in with *** (***), nor ***"


def test_blanks_and_plus_signs_of_options_reach_the_engine_as_they_are() -> None:
    address = store_address("postgresql://ann@db/kb?options=-c%20x%3D1&password=a+b&table=guides")

    assert address.options["password"] == "a+b"
    assert address.without_options("table") == "postgresql://ann@db/kb?options=-c%20x%3D1&password=a%2Bb"


@pytest.mark.parametrize("password", ["hunt@er22", "hunt/er22", "hunt?er22"])
def test_a_password_that_would_be_taken_for_a_host_or_an_option_is_refused_and_not_said(password: str) -> None:
    pytest.importorskip("psycopg", reason="needs the extra pgvector")
    with (
        pytest.raises(StoreError, match="@ is written %40, / is %2F") as refused,
        opened(f"postgresql://ann:{password}@127.0.0.1:1/kb"),
    ):
        pass

    assert "er22" not in str(refused.value)


def test_a_key_in_the_place_of_a_user_is_shown_by_no_store_that_takes_keys() -> None:
    assert store_address("qdrant://k3y@example.com").shown == "qdrant://***@example.com"


def test_what_holds_a_very_short_password_by_chance_is_not_repeated() -> None:
    assert store_address("postgresql://ann:a@db/kb").scrubbed("no route to database") == (
        "what it said has the password in it"
    )


@pytest.mark.parametrize(
    "command",
    [
        ("search", ADDRESS, "tea"),
        ("run", "fixed", "a.md", "-o", ADDRESS),
        ("run", "fixed", "a.md", "-o", ADDRESS, "--format", "csv"),
        ("run", "fixed", "a.md", "-o", ADDRESS.replace("guides", "a b")),
        ("run", ADDRESS, "a.md"),
        ("run", "fixed", ADDRESS),
        ("plan", ADDRESS, "out"),
        ("plan", "out", ADDRESS),
        ("plan", "out", "out", "--apply", ADDRESS),
        ("inspect", "fixed", ADDRESS),
    ],
    ids=" ".join,
)
def test_no_command_says_a_password(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text("# A\n\nwords\n")
    chunkscope(capfd, "run", "fixed", "a.md", "-o", "out/")

    done = chunkscope(capfd, *command)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("chunkscope: ")
    assert not [secret for secret in (SECRET, "w/rd", "p@ss", "hunter22") if secret in done.err], done.err


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("lancdb://kb", "there is no store lancdb://; did you mean 'lancedb'?"),
        ("http://kb", "there is no store http://; there are: chroma, lancedb, postgresql, qdrant, qdrant-edge"),
        ("lancedb://", "does not say where; give one as lancedb://PLACE"),
    ],
)
def test_an_address_of_no_store_is_one_line(address: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    done = chunkscope(capfd, "search", address, "tea")

    assert (done.code, done.out) == (2, "")
    assert said in done.err

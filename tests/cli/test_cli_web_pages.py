"""Pages of the web where a command takes documents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import chunkscope
from raw_server import RawServer, whole, writing

from chunking.document import web_pages
from chunking.document.web_pages import Network

PAGE = b"# Kettle\n\nFill it.\n\n## Boil\n\nWait for it.\n"


@pytest.fixture(name="server")
def _server(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RawServer]:
    """A server on loopback, which is allowed here."""
    del folder
    monkeypatch.setattr(web_pages, "INTERNET", Network(allowed=lambda address: address == "127.0.0.1"))
    with writing(whole(PAGE, headers="Content-Type: text/markdown\r\n")) as server:
        yield server


def test_run_reads_a_page_after_the_files_and_names_it_by_its_address(
    server: RawServer, capfd: pytest.CaptureFixture[str]
) -> None:
    url = f"{server.base_url}/guide?version=2"
    done = chunkscope(capfd, "run", "c.yaml", f"{url}#boil", "docs/guide.md")

    assert done.code == 0, done.err
    assert [line["document"] for line in done.lines] == ["guide.md"] * 3 + [url] * 2
    assert done.lines[-1]["breadcrumb"] == ["guide?version=2", "Kettle", "Boil"]


def test_inspect_compare_explain_and_sweep_take_a_page(server: RawServer, capfd: pytest.CaptureFixture[str]) -> None:
    url = f"{server.base_url}/guide"
    inspected = chunkscope(capfd, "inspect", "c.yaml", url, "--json")
    compared = chunkscope(capfd, "compare", "c.yaml", "fixed", url, "--json")
    explained = chunkscope(capfd, "explain", "c.yaml", url, "--line", "5")
    swept = chunkscope(capfd, "sweep", "fixed", url, "--set", "chunkSize=100,200")

    assert json.loads(inspected.out)["document"] == url
    assert json.loads(compared.out)["documents"][0]["document"] == url
    assert (explained.code, swept.code) == (0, 0), explained.err + swept.err
    assert server.requests[0].startswith(b"GET /guide ")


def test_verify_asks_for_the_page_again(server: RawServer, capfd: pytest.CaptureFixture[str]) -> None:
    url = f"{server.base_url}/guide"
    chunkscope(capfd, "run", "c.yaml", url, "--proof", "proven.yaml")
    chunkscope(capfd, "run", "c.yaml", url, "-o", "out/")
    verified = chunkscope(capfd, "verify", "proven.yaml", url)
    folder = chunkscope(capfd, "verify", "out", url)

    assert verified.out == "1 document verified: all checks and the fingerprint match\n"
    assert folder.code == 0, folder.out + folder.err
    assert len(server.requests) == 4


def test_a_page_that_cannot_be_read_is_one_line_and_the_others_go_on(capfd: pytest.CaptureFixture[str]) -> None:
    done = chunkscope(capfd, "run", "fixed", "http://127.0.0.1:9/a", "ftp://example.com/a", __file__, "--exclude", "x")
    app = chunkscope(capfd, "app", "https://example.com/guide")

    assert done.code == 2
    assert str(done.lines[0]["document"]).endswith("test_cli_web_pages.py")
    assert "http://127.0.0.1:9/a: 127.0.0.1 is 127.0.0.1, which is not a public address" in done.err
    assert "ftp://example.com/a: only http:// and https:// are asked" in done.err
    assert app.code == 2
    assert "the app opens files and folders; start it with --web-pages" in app.err

"""`chunkscope app`: the right file, settings as flags that Streamlit knows, and a server that ends
with us."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from waiting import PATIENCE, wait_for_health

from chunking.cli.app import _files, _free_port, app_script, streamlit_flags
from chunking.document.given_files import files_to_open, variables_of
from chunking.errors import DocumentError, OutputError

ROOT = Path(__file__).resolve().parents[2]


def test_the_app_beside_an_editable_package_is_found() -> None:
    assert app_script() == ROOT / "app.py"


def test_streamlit_is_told_to_keep_to_this_machine_and_knows_every_flag() -> None:
    config = pytest.importorskip("streamlit.config")
    flags = dict(streamlit_flags(ROOT / "app.py"))

    assert flags["server.address"] == "127.0.0.1"
    assert flags["browser.gatherUsageStats"] == "false"
    assert flags["runner.postScriptGC"] == "false"
    assert set(flags) <= set(config.get_config_options())


def test_a_port_that_is_taken_is_refused_when_asked_for_and_passed_over_otherwise() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(OutputError, match=f"--port {port}: cannot be opened on 127.0.0.1"):
            _free_port("127.0.0.1", port)
    assert _free_port("127.0.0.1", port) == port
    assert _free_port("127.0.0.1", 0) >= 8501


def test_the_app_answers_at_the_address_it_prints_and_ends_with_us(tmp_path: Path) -> None:
    pytest.importorskip("streamlit")
    # A stranger's files in the working directory are not ours to import.
    for name in ("streamlit.py", "pages.py"):
        (tmp_path / name).write_text("raise SystemExit('the wrong file')\n", encoding="utf-8")
    # A port of our own: two that look for a free one at the same moment may both find 8501.
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = [sys.executable, "-m", "chunking", "app", "--port", port, "--server.headless", "true"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=tmp_path) as started:
        try:
            assert started.stdout is not None
            address = started.stdout.readline().decode().strip()
            assert address == f"http://127.0.0.1:{port}"
            wait_for_health(address, started)
        finally:
            started.send_signal(signal.SIGTERM)
            code = started.wait(timeout=PATIENCE)
    assert code == 128 + signal.SIGTERM
    with pytest.raises(URLError):
        urlopen(f"{address}/_stcore/health", timeout=2)


def test_files_stand_before_the_first_flag_of_streamlits(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("# A\n")

    assert _files([str(file), "--server.headless", "true"]) == ([file], ["--server.headless", "true"])
    assert _files(["--server.headless", "true"]) == ([], ["--server.headless", "true"])


def test_a_folder_is_opened_with_the_documents_in_it_named_below_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("docs/a.md", "docs/api/a.md", "docs/.hidden.md", "docs/pack.zip", "docs/picture.png", "one.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"# A\n")
    files, _ = _files([str(tmp_path / "docs"), str(tmp_path / "one.md")])
    for variable, text in variables_of(files, watch=False).items():
        monkeypatch.setenv(variable, text)

    assert [each.name for each in files_to_open()] == ["a.md", "api/a.md", "one.md"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere.md", "there is no such file or folder"),
        ("empty", "no document in this folder"),
        ("docs.zip", "is an archive; unpack it"),
        ("noise.md", "this looks binary"),
    ],
)
def test_a_file_that_the_app_could_not_open_is_one_line(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "noise.md").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "empty").mkdir()

    with pytest.raises(DocumentError) as raised:
        _files([str(tmp_path / name)])

    assert said in str(raised.value)
    assert "\n" not in str(raised.value)

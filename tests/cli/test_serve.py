"""`chunkscope serve` as programs use it: real servers, a real client."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import jsonschema
import pytest
from command_line import GUIDE, chunkscope, process
from serving import Server, install_strategies, is_alive, serving, until_gone
from waiting import PATIENCE, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
pytest.importorskip("uvicorn", reason="needs the extra serve")

from chunking.cli.serve import _listening  # noqa: E402
from chunking.cli.service.answers import ROUTES  # noqa: E402

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    {"name": "docs/guide.md", "text": GUIDE},
    {"name": "docs/more/Größe 語.md", "text": "\ufeff# Größe\r\n\r\nOnly this: \u2028 語 \U0001f600.\r\n"},
    {"name": "docs/empty.md", "text": ""},
]
CONFIG = {"strategy": "recursive", "settings": {"chunkSize": 12, "chunkOverlap": 2}, "counter": "words"}
SLOW = {
    "config": {**CONFIG, "overrides": {"slow.md": {"strategy": "slow"}}},
    "documents": [*DOCUMENTS, {"name": "slow.md", "text": "# Slow"}],
}
"""What begins to be answered, and takes ten minutes to its end."""


@pytest.fixture(scope="module", name="server")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    install_strategies(folder)
    limits = ["--workers", "2", "--max-seconds", "1", "--max-body", "1", "--body-seconds", "0.5"]
    with serving(folder, *limits) as server:
        yield server


@pytest.fixture(name="files")
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The documents and the config as files of the working directory."""
    for each in DOCUMENTS:
        path = tmp_path / each["name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(each["text"].encode())
    (tmp_path / "c.yaml").write_text(json.dumps(CONFIG))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_connection_sends_its_answer_without_waiting_for_the_other_side() -> None:
    with (
        closing(_listening("127.0.0.1", 0)) as listening,
        socket.create_connection(listening.getsockname()),
        closing(listening.accept()[0]) as connection,
    ):
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.usefixtures("files")
def test_the_lines_are_those_of_run_byte_for_byte(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    printed = chunkscope(capfd, "run", "c.yaml", *(each["name"] for each in DOCUMENTS), "--root", ".", "--skips")

    answer = server.post("run", {"config": CONFIG, "documents": DOCUMENTS, "skips": True})

    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-ndjson")
    assert answer.content.decode() == printed.out
    assert len(printed.lines) > 5


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("command", "asked", "arguments"),
    [
        (
            "inspect",
            {"config": CONFIG, "document": DOCUMENTS[0], "health": True},
            "inspect c.yaml docs/guide.md --health",
        ),
        ("health", {"config": CONFIG, "documents": DOCUMENTS[:2]}, "inspect c.yaml docs/guide.md docs/more --health"),
        ("explain", {"config": CONFIG, "document": DOCUMENTS[0], "line": 5}, "explain c.yaml docs/guide.md --line 5"),
        (
            "compare",
            {"before": CONFIG, "after": "every-heading", "documents": DOCUMENTS[:2]},
            "compare c.yaml every-heading docs/guide.md docs/more",
        ),
        (
            "tune",
            {"documents": DOCUMENTS[:2], "goal": "even-sizes", "strategies": ["every-heading"], "trials": 3},
            "tune docs/guide.md docs/more --goal even-sizes --strategy every-heading --trials 3",
        ),
    ],
)
def test_json_is_what_the_command_prints_byte_for_byte(
    server: Server, capfd: pytest.CaptureFixture[str], command: str, asked: object, arguments: str
) -> None:
    printed = chunkscope(capfd, *arguments.split(), "--json", "--root", ".")

    answer = server.post(command, asked)

    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.content.decode() == printed.out


def test_strategies_are_those_of_the_command_with_plug_ins(server: Server) -> None:
    printed = process("strategies", "--json", PYTHONPATH=str(server.log.parent))
    schema = server.client.get("/v1/schema").json()

    assert server.client.get("/v1/strategies").text == printed.out
    assert '"busy"' in printed.out
    assert "busy" in schema["properties"]["strategy"]["enum"]


def test_the_openapi_document_has_every_address_and_form_and_leads_nowhere_else(server: Server) -> None:
    described = server.client.get("/openapi.json").json()
    forms = described["components"]["schemas"]
    named = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(described)))
    form = {"$ref": "#/components/schemas/RunBody", "components": described["components"]}

    assert set(described["paths"]) == {"/health", *(f"/v1/{name}" for name in ROUTES)}
    assert named <= set(forms)
    jsonschema.validate({"config": CONFIG, "documents": DOCUMENTS}, form)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"config": CONFIG, "documents": []}, form)


def test_a_document_past_its_time_is_one_line_and_the_server_goes_on(server: Server) -> None:
    busy = {"config": {"strategy": "busy", "counter": "words"}, "documents": DOCUMENTS[:1]}

    answer = server.post("run", busy)

    assert (answer.status_code, answer.json()) == (
        422,
        {
            "error": "docs/guide.md: stopped after 1 s of work (--max-seconds 1); split the document, or give it "
            "more time"
        },
    )
    assert server.post("run", {"config": CONFIG, "documents": DOCUMENTS}).status_code == 200


def test_a_search_that_takes_too_long_gives_what_it_found_and_says_that_it_stopped(server: Server) -> None:
    long = {"name": "long.md", "text": GUIDE * 10_000}

    found = server.post("tune", {"documents": [long], "strategies": ["fixed"], "trials": 200}).json()

    assert found["stopped"] == "no other config was tried after 1 s (--max-seconds)"
    assert not found["exhaustive"]
    assert 0 < found["measured"] < 200
    assert found["frontier"]


def test_a_search_names_the_question_that_it_cannot_place(server: Server) -> None:
    questions = 'question,references,corpus_id\nWhy?,"[{""content"": ""not there""}]",docs/guide.md\n'

    answer = server.post("tune", {"documents": DOCUMENTS[:1], "goal": "precision-omega", "questions": questions})

    assert answer.status_code == 422
    assert "not there" in answer.json()["error"]


def test_a_body_that_is_too_large_is_refused_with_and_without_its_length(server: Server) -> None:
    body = json.dumps({"config": CONFIG, "documents": [{"name": "a.md", "text": "a" * 1_100_000}]}).encode()
    headers = {"content-type": "application/json"}
    answers = [
        server.client.post("/v1/run", content=content, headers=headers)
        for content in (body, iter([body[:600_000], body[600_000:]]))
    ]

    said = {"error": "more than 1 MB (--max-body); send fewer documents at a time"}
    assert [(each.status_code, each.json()) for each in answers] == [(413, said)] * 2


def test_a_body_that_trickles_in_is_not_waited_for(server: Server) -> None:
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as slow:
        head = (
            "POST /v1/run HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
        )
        slow.sendall(head.encode())
        answer = slow.makefile("rb").read().decode()

    assert answer.startswith("HTTP/1.1 408 ")
    assert answer.endswith('\r\n\r\n{"error": "the request was not whole after 0.5 s (--body-seconds)"}\n')


def test_the_work_of_a_client_that_has_gone_is_ended(server: Server) -> None:
    with server.client.stream("POST", "/v1/run", json=SLOW) as answer:
        lines = answer.iter_lines()  # which ends the answer when nobody holds it
        assert next(lines).startswith('{"type": "chunk"')
        started = until(lambda: list(server.log.parent.glob("started-*")))
        worker = int(started[0].name.removeprefix("started-"))
        assert is_alive(worker)

    until_gone([worker])
    assert server.post("run", {"config": CONFIG, "documents": DOCUMENTS}).status_code == 200


def test_a_worker_that_somebody_kills_is_replaced(server: Server) -> None:
    workers = [each for each in server.children() if b"LokyProcess" in Path(f"/proc/{each}/cmdline").read_bytes()]
    os.kill(workers[-1], signal.SIGKILL)
    until_gone(workers[-1:])

    # Who asks before that is noticed is told that a worker was ended.
    until(lambda: server.post("run", {"config": CONFIG, "documents": DOCUMENTS}).status_code == 200)
    assert len(server.children()) >= len(workers)


def test_twenty_at_once_are_all_answered_alike(server: Server) -> None:
    with ThreadPoolExecutor(20) as clients:
        answers = list(
            clients.map(lambda _: server.post("run", {"config": CONFIG, "documents": DOCUMENTS}).content, range(20))
        )

    assert len(set(answers)) == 1
    assert answers[0].startswith(b'{"type": "chunk"')


def test_beyond_loopback_everybody_brings_the_token_and_sigterm_ends_every_process(tmp_path: Path) -> None:
    asked = {"config": CONFIG, "documents": DOCUMENTS}
    with serving(
        tmp_path, "--address", "0.0.0.0", "--workers", "1", CHUNKSCOPE_TOKEN="correct-horse-battery"
    ) as server:
        wrong = [server.post("run", asked), server.post("run", asked, authorization="Bearer correct-horse-batterx")]
        right = server.post("run", asked, authorization="Bearer correct-horse-battery")
        below = server.children()
        server.process.send_signal(signal.SIGTERM)
        code = server.process.wait(timeout=PATIENCE)

    said = {"error": "bring the token: Authorization: Bearer TOKEN"}
    assert [(each.status_code, each.json()) for each in wrong] == [(401, said)] * 2
    assert right.content.startswith(b'{"type": "chunk"')
    assert code == 128 + signal.SIGTERM
    until_gone(below)
    assert below
    log = server.log.read_text()
    assert not any(secret in log for secret in ("correct", "Größe", "guide", "Install"))
    assert [line.split()[1:4] for line in log.splitlines()[:3]] == [
        ["POST", "/v1/run", each] for each in ("401", "401", "200")
    ]


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ("{", 400, "the body is not JSON: EOF while parsing an object at line 1 column 1"),
        ("[]", 422, "the body: must be an object"),
        ({"config": 1, "documents": DOCUMENTS}, 422, "config: must be a YAML as text"),
        ({"config": CONFIG, "documents": [{"name": "https://a.md", "text": ""}]}, 422, "a part that is empty"),
        ({"config": "strategy: fixed\ncounter: p50k_base", "documents": DOCUMENTS}, 422, "which is not done here"),
        (
            {"config": {"strategy": "semantic", "settings": {"embedder": "openai"}}, "documents": DOCUMENTS},
            422,
            "--models",
        ),
        ({"documents": DOCUMENTS}, 422, "config: is missing"),
        (
            {"config": CONFIG, "documents": []},
            422,
            "documents: List should have at least 1 item after validation, not 0",
        ),
        ({"config": CONFIG, "documents": DOCUMENTS, "skip": 1}, 422, "skip: is not known; did you mean 'skips'?"),
        (
            {"config": CONFIG, "documents": [{"name": "a", "txt": ""}]},
            422,
            "documents.0.txt: is not known; did you mean 'text'?",
        ),
        ({"config": CONFIG, "documents": [{"name": "a"}]}, 422, "a: give either text or base64"),
        (
            {"config": {"strategy": "fixed", "settings": {"chunkSiz": 3}}, "documents": DOCUMENTS},
            422,
            "config: chunkSiz: fixed has no such setting; did you mean chunkSize?",
        ),
        (
            {"config": "fixd", "documents": DOCUMENTS},
            422,
            "config: no strategy named 'fixd'; did you mean 'fixed'?",
        ),
        (
            {"config": CONFIG, "documents": [{"name": "../a.md", "text": ""}]},
            422,
            "../a.md: a path that leads out; name it as docs/guide.md",
        ),
        (
            {"config": CONFIG, "documents": [*DOCUMENTS, DOCUMENTS[0]]},
            422,
            "docs/guide.md: two documents have this name",
        ),
        ({"config": CONFIG, "documents": [{"name": "a.md", "base64": "%%"}]}, 422, "a.md: base64 is not valid base64"),
        ({"config": CONFIG, "documents": [{"name": "a.md", "base64": "é"}]}, 422, "a.md: base64 is not valid base64"),
        ({"config": "semantic", "documents": DOCUMENTS[:1], "x" * 9999: 1}, 422, "is not known; there are: config"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_status(server: Server, body: object, status: int, said: str) -> None:
    answer = server.post("run", body)

    assert answer.status_code == status
    assert said in answer.json()["error"]
    assert answer.text.count("\n") == 1
    assert len(answer.text) < 1200


def test_addresses_methods_and_kinds_of_body_that_are_not_there_are_one_line(server: Server) -> None:
    answers = [
        server.client.get("/v1/nothing"),
        server.client.post("/v1/run/"),
        server.client.get("/v1/run"),
        server.client.post("/v1/run", content="strategy: fixed"),
    ]

    assert [(each.status_code, each.json()["error"]) for each in answers] == [
        (404, "no such address; GET /openapi.json lists them"),
        (404, "no such address; GET /openapi.json lists them"),
        (405, "not by GET"),
        (415, "content-type: is missing; send application/json"),
    ]


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_what_the_docs_show_is_answered(server: Server) -> None:
    shown = re.findall(r"```sh\n(curl .*?)```", (ROOT / "docs" / "SERVE.md").read_text(encoding="utf-8"), re.DOTALL)
    answers = [
        subprocess.run(
            ["bash", "-c", example.replace("http://127.0.0.1:8600", server.url)], capture_output=True, check=True
        ).stdout
        for example in shown
    ]

    assert len(answers) == 3
    assert all(json.loads(line)["type"] == "chunk" for line in (answers[0] + answers[2]).splitlines())
    assert json.loads(answers[1])["rule"]


def test_ctrl_c_ends_work_that_goes_on(server: Server) -> None:
    """The last test of this file, as it ends the server."""
    with server.client.stream("POST", "/v1/run", json=SLOW) as answer:
        lines = answer.iter_lines()
        assert next(lines)
        below = server.children()
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(timeout=PATIENCE) == 128 + signal.SIGINT

    until_gone(below)

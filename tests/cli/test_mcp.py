"""`chunkscope mcp` as an agent uses it: the SDK's own client over standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from command_line import GUIDE, chunkscope
from serving import children_of, install_strategies, until_gone
from waiting import PATIENCE, until

pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="needs the extra mcp")

PLAIN = {"strategy": "recursive", "settings": {"chunkSize": 12, "chunkOverlap": 2}, "counter": "words"}
CONFIG = "strategy: recursive\nsettings: {chunkSize: 12, chunkOverlap: 2}\ncounter: words\n"
NOISE = "noise.md: this looks binary"
SECRET = "# Secret\n\nNot to be read.\n"


@pytest.fixture(scope="module", name="docs")
def _docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that may be read, beside one that may not; links and a hidden file in it."""
    top = tmp_path_factory.mktemp("agent")
    docs, outside = top / "docs", top / "outside"
    for folder in (docs / "more", outside):
        folder.mkdir(parents=True)
    (docs / "guide.md").write_text(GUIDE, encoding="utf-8")
    (docs / "more" / "Größe 語.md").write_text("# Größe\r\n\r\nOnly this.\r\n", encoding="utf-8")
    (docs / "c.yaml").write_text(CONFIG)
    (docs / ".env.md").write_text(SECRET)
    (docs / "noise.md").write_bytes(bytes(range(256)) * 40)
    (outside / "secret.md").write_text(SECRET)
    (docs / "link.md").symlink_to(outside / "secret.md")
    (docs / "folder").symlink_to(outside)
    (docs / "inside.md").symlink_to(docs / "guide.md")
    install_strategies(top)
    return docs


class Agent:
    """An agent with a server that may read a folder, in a thread of its own."""

    def __init__(self, docs: Path) -> None:
        self._sdk = import_module("mcp")  # takes a second, which who runs other tests does not need
        path = f"{docs.parent}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
        caches = {name: value for name, value in os.environ.items() if name.startswith("CHUNKSCOPE_")}
        arguments = ["-m", "chunking", "mcp", str(docs), "--max-seconds", "2"]
        self._server = self._sdk.StdioServerParameters(
            command=sys.executable, args=arguments, env={**caches, "PYTHONPATH": path}
        )
        self._loop = asyncio.new_event_loop()
        self._ready: Future[Any] = Future()
        self._over = asyncio.Event()
        self._thread = Thread(target=lambda: self._loop.run_until_complete(self._talk()))
        self._thread.start()
        self.client = self._ready.result(PATIENCE)

    async def _talk(self) -> None:
        async with self._sdk.Client(self._server) as client:
            self._ready.set_result(client)
            await self._over.wait()

    def begin(self, question: Coroutine[Any, Any, Any]) -> Future[Any]:
        """Ask something of the client."""
        return asyncio.run_coroutine_threadsafe(question, self._loop)

    def asks(self, tool: str, **arguments: object) -> tuple[bool, str]:
        """Whether a tool's answer is an error, and its text."""
        answer = self.begin(self.client.call_tool(tool, arguments)).result(PATIENCE)
        return answer.is_error, answer.content[0].text

    def leave(self) -> None:
        """End the server."""
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(PATIENCE)
        self._loop.close()


@pytest.fixture(scope="module", name="agent")
def _agent(docs: Path) -> Iterator[Agent]:
    agent = Agent(docs)
    yield agent
    agent.leave()


def test_the_tools_answer_as_the_commands_print(
    docs: Path, agent: Agent, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(docs.parent)
    both = "docs/guide.md docs/more --root docs --json"
    printed = {
        "chunk": chunkscope(capfd, *["run", "docs/c.yaml", "docs/guide.md", "--root", "docs"]).out,
        "explain": chunkscope(
            capfd, *["explain", "docs/c.yaml", "docs/guide.md", "--line", "5", "--root", "docs", "--json"]
        ).out,
        "health": chunkscope(capfd, *f"inspect docs/c.yaml --health {both}".split()).out,
        "compare": chunkscope(capfd, *f"compare docs/c.yaml every-heading {both}".split()).out,
        "tune": chunkscope(capfd, *f"tune {both} --goal even-sizes --strategy every-heading".split()).out,
    }
    asked: dict[str, dict[str, object]] = {
        "chunk": {"config": "c.yaml", "path": "guide.md"},
        "explain": {"config": CONFIG, "path": "guide.md", "line": 5},
        "health": {
            "config": PLAIN,
            "paths": ["guide.md", "more"],
        },
        "compare": {"before": "c.yaml", "after": "every-heading", "paths": ["guide.md", "more"]},
        "tune": {"paths": ["guide.md", "more"], "goal": "even-sizes", "strategies": ["every-heading"]},
    }

    tools = {each.name: each for each in agent.begin(agent.client.list_tools()).result(PATIENCE).tools}
    assert set(tools) == set(asked)
    assert tools["tune"].input_schema["properties"]["goal"]["default"] == "whole-blocks"
    for tool, arguments in asked.items():
        assert agent.asks(tool, **arguments) == (False, printed[tool]), tool
    some = agent.asks("chunk", config="c.yaml", path="guide.md", first=1, most=1)[1].splitlines()
    assert json.loads(some[0])["index"] == 1
    assert json.loads(some[1]) == {"type": "more", "chunks": printed["chunk"].count("\n"), "next": 2}


def test_only_documents_of_the_folder_are_read_and_what_is_wrong_is_one_line(docs: Path, agent: Agent) -> None:
    closed = [
        "../outside/secret.md",
        "link.md",
        "folder/secret.md",
        "folder",
        "more/../../outside/secret.md",
        str(docs.parent / "outside" / "secret.md"),
        "/etc/passwd",
        "nowhere.md",
        "a\0b.md",
    ]

    for path in closed:
        wrong, text = agent.asks("chunk", config="fixed", path=path)
        assert wrong
        assert "is not in a folder that may be read; there are: " in text
        assert "Secret" not in text
        assert "\n" not in text
    for path in ("inside.md", "more"):
        assert not agent.asks("chunk", config="fixed", path=path)[0]
    for path, words in {
        ".env.md": ".env.md: hidden files are not read",
        "https://example.com/a.md": "https://example.com/a.md: pages of the web are not read here; name a file",
        "file:///etc/passwd": "file:///etc/passwd: pages of the web are not read here; name a file",
        ".": ".: has 4 documents; name one of them",
    }.items():
        assert agent.asks("chunk", config="fixed", path=path) == (True, words)
    whole = agent.begin(agent.client.call_tool("health", {"config": "fixed", "paths": ["."]})).result(PATIENCE)
    listed = json.loads(whole.content[0].text)["documents"]
    assert sorted(each["document"] for each in listed) == ["guide.md", "inside.md", "more/Größe 語.md"]
    left_out = sorted(
        each.text.removeprefix(f"left out: {docs}/").partition(" (")[0].partition(";")[0] for each in whole.content[1:]
    )
    assert left_out == ["folder: a link out of the folder", "link.md: a link out of the folder", NOISE]
    assert agent.asks("chunk", config="c.yaml", path="guide.md", first=10**30) == (False, "")
    for arguments, words in (
        ({"config": "fixd", "path": "guide.md"}, "config: no strategy named 'fixd'; did you mean 'fixed'?"),
        ({"config": "fixed"}, "path: is missing"),
        (
            {"config": "fixed", "path": "guide.md", "many": 2},
            "many: is not known; there are: config, path",
        ),
        ({"config": "../outside/c.yaml", "path": "guide.md"}, "../outside/c.yaml: is not in a folder that may"),
        ({"config": "strategy: fixed\ncounter: tokenizer.json:c.yaml", "path": "guide.md"}, "config: counter: "),
        (
            {"config": {"strategy": "semantic", "settings": {"embedder": "openai"}}, "path": "guide.md"},
            "with --models",
        ),
        ({"config": {"strategy": "busy", "counter": "words"}, "path": "guide.md"}, "stopped after 2 s of work"),
    ):
        wrong, text = agent.asks("chunk", **arguments)
        assert wrong
        assert words in text
    assert agent.asks("shell") == (
        True,
        "no tool is named shell; there are: chunk, explain, compare, health, tune",
    )


def test_what_an_agent_gives_up_is_ended_and_the_next_is_answered(docs: Path, agent: Agent) -> None:
    slow = {"config": {"strategy": "slow", "counter": "words"}, "path": "guide.md"}

    asking = agent.begin(agent.client.call_tool("chunk", slow))
    started = until(lambda: list(docs.parent.glob("started-*")))
    asking.cancel()

    until_gone([int(started[0].name.removeprefix("started-"))])
    assert not agent.asks("chunk", config="fixed", path="guide.md")[0]


def test_what_stands_in_a_file_is_answered_to_its_end(docs: Path, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    asked.write_text('{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
    command = [sys.executable, "-m", "chunking", "mcp", str(docs)]
    with asked.open() as given:
        done = subprocess.run(command, stdin=given, capture_output=True, check=True, text=True)

    assert (done.stdout, done.stderr) == ('{"jsonrpc":"2.0","id":1,"result":{}}\n', "")


def test_what_is_no_message_is_answered_and_the_next_message_too(docs: Path) -> None:
    lines = [
        b"not JSON",
        b"[]",
        b'{"jsonrpc": "2.0", "id": 1, "method": 5}',
        b'{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "\\ud800"}}',
        b'{"jsonrpc": "2.0", "id": 3, "error": "an answer, to nothing"}',
        b"[" * 20_000_000,
        b'{"jsonrpc": "2.0", "id": 4, "method": "ping"}',
    ]
    command = [sys.executable, "-m", "chunking", "mcp", str(docs)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\n".join(lines) + b"\n")
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(6)]
        rest, said = process.communicate(timeout=PATIENCE)

    codes = [(each["id"], each.get("error", {}).get("code", 0)) for each in answers]
    assert codes == [(None, -32700), (None, -32600), (1, -32600), (2, -32600), (None, -32600), (4, 0)]
    assert answers[4]["error"]["message"] == "a message of more than 16,000,000 bytes is not read"
    assert (rest, said, process.returncode) == (b"", b"", 0)


def test_an_agent_that_reads_no_more_ends_it_without_a_word(docs: Path) -> None:
    command = [sys.executable, "-m", "chunking", "mcp", str(docs)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.flush()
        code = process.wait(PATIENCE)

        assert (code, process.stderr.read()) == (128 + signal.SIGPIPE, b"")


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_a_signal_ends_it_and_its_process(docs: Path) -> None:
    command = [sys.executable, "-m", "chunking", "mcp", str(docs)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        below = until(lambda: len(found := children_of(process.pid)) > 1 and found)
        process.send_signal(signal.SIGTERM)
        code = process.wait(timeout=PATIENCE)

    assert code == 128 + signal.SIGTERM
    assert below
    until_gone(below or [])

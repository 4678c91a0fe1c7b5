"""A fault in one document is that document's line: the others are written, and the exit code is
2."""

from __future__ import annotations

import json
import math
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from sample_server import Reply, serving
from usual_and_long import long, usual

from chunking import cli, strategies
from chunking.core.chunk import Boundary, Part
from chunking.core.context import SplitContext
from chunking.core.strategy import Strategy, setting
from chunking.document import Document, Span
from chunking.document.conversion import Conversion
from chunking.errors import ModelError


class Panic(BaseException):
    """As of a library in Rust: no Exception."""


class Faulty(Strategy):
    """Cuts in two, unless the document's first line says what is to go wrong."""

    name: ClassVar[str] = "faulty"
    title: ClassVar[str] = "Faulty"
    summary: ClassVar[str] = "For tests."

    size: int = setting(5, title="Size", help="Where to cut.", ge=1, le=100, unit="tokens", slider=(1, 20), step=1)

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        end, reason = len(document.text), Boundary("end", "the document ends here")
        yield tools.seal(document, Span(0, self.size), reason, breadcrumb=(document.base_name,))
        wrong = document.text.split("\n")[0]
        if wrong == "typed":
            raise ModelError("no model today")
        if wrong == "untyped":
            raise IndexError("tuple index out of range")
        if wrong == "panic":
            raise Panic("StackOverflow")
        if wrong == "gap":
            return
        if wrong == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if wrong == "not a number":
            sealed = tools.seal(document, Span(self.size, end), reason, breadcrumb=(document.base_name,))
            yield replace(sealed, metadata={"score": math.nan})
            return
        if wrong == "large" and self.size > 5:
            raise ValueError("too large")
        yield tools.seal(document, Span(self.size, end), reason, breadcrumb=(document.base_name,))


SAID = {
    "typed": "no model today",
    "untyped": "internal error; please report it: IndexError: tuple index out of range",
    "panic": "internal error; please report it: Panic: StackOverflow",
    "gap": "stopped at 5 of",
    "not a number": "Out of range float values are not JSON compliant",
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two good documents around the faulty one; the strategy is as another package's."""
    known = strategies.get

    def get(name: str) -> type[Strategy]:
        return Faulty if name == "faulty" else known(name)

    monkeypatch.setattr(strategies, "get", get)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for name in ("a", "z"):
        (tmp_path / "docs" / f"{name}.md").write_text(f"# {name}\n\nSteep it for four minutes, {name}.\n")
    (tmp_path / "c.yaml").write_text("strategy: faulty\ncounter: words\n")
    (tmp_path / "q.jsonl").write_text(
        '{"question": "How long?", "references": ["four minutes"], "corpus_id": "a.md"}\n'
        '{"question": "What?", "references": ["nothing else"], "corpus_id": "bad.md"}\n'
    )
    return tmp_path


def bad(kind: str) -> None:
    Path("docs/bad.md").write_text(f"{kind}\n\nThis and nothing else.\n")


def documents(lines: str) -> list[str]:
    return list(dict.fromkeys(json.loads(line)["document"] for line in lines.splitlines()))


@pytest.mark.parametrize("workers", ["1", *long("2")])
@pytest.mark.parametrize("kind", SAID)
def test_run_writes_the_other_documents_and_none_of_the_faulty_one(
    kind: str, workers: str, capfd: pytest.CaptureFixture[str]
) -> None:
    bad(kind)

    code = cli.main(["run", "c.yaml", "docs", "--workers", workers, "-o", "out.jsonl", "--proof", "p.yaml"])
    said = capfd.readouterr().err

    assert code == 2
    assert documents(Path("out.jsonl").read_text()) == ["a.md", "z.md"]
    assert "bad.md" not in Path("p.yaml").read_text()
    assert said.count("\n") == 1
    assert said.startswith("chunkscope: docs/bad.md: ")
    assert SAID[kind] in said


@pytest.mark.parametrize("format", ["jsonl", "csv", "markdown", "parquet"])
def test_what_cannot_be_written_of_one_document_costs_no_other_in_any_format(
    format: str, capfd: pytest.CaptureFixture[str]
) -> None:
    bad("not a number")

    code = cli.main(["run", "c.yaml", "docs", "--format", format, "-o", "out"])
    said = capfd.readouterr().err
    bad_written = Path("out").read_bytes()
    Path("docs/bad.md").unlink()
    cli.main(["run", "c.yaml", "docs", "--format", format, "-o", "without"])

    assert (code, said.count("\n")) == (2, 1) if format != "markdown" else (0, 0)
    if format != "markdown":
        assert said.startswith("chunkscope: docs/bad.md: ")
        assert bad_written == Path("without").read_bytes()


@pytest.mark.parametrize("command", ["run c.yaml docs", "run c.yaml docs --workers 2", "verify c.yaml docs"])
def test_a_key_that_all_documents_need_is_asked_for_once(
    command: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    Path("c.yaml").write_text("strategy: semantic\nsettings: {embedder: openai, model: m}\n")

    code = cli.main(command.split())
    said = capfd.readouterr()

    assert (code, said.out) == (2, "")
    assert said.err == "chunkscope: openai: the environment variable OPENAI_API_KEY is not set; set it to your key\n"


def test_a_worker_that_dies_takes_no_other_document_with_it(capfd: pytest.CaptureFixture[str]) -> None:
    bad("killed")
    for number in range(6):
        Path(f"docs/more{number}.md").write_text("# More\n\nand more\n")

    code = cli.main(["run", "c.yaml", "docs", "--workers", "2"])
    said = capfd.readouterr()

    assert code == 2
    assert documents(said.out) == ["a.md", *(f"more{number}.md" for number in range(6)), "z.md"]
    assert said.err.count("\n") == 1
    assert "docs/bad.md: its worker process was ended from outside" in said.err


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_report_has_the_other_documents(workers: str, capfd: pytest.CaptureFixture[str]) -> None:
    bad("panic")

    assert cli.main(["run", "c.yaml", "docs", "--format", "html", "--workers", workers, "-o", "out.html"]) == 2
    assert capfd.readouterr().err.count("\n") == 1
    assert Path("out.html").read_text().count('<div class="document"') == 2


def test_a_document_that_cannot_be_parsed_is_a_line_too(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from chunking.document import loading
    from chunking.document.parser import parse

    def parsed(text: str, name: str, conversion: Conversion | None = None) -> Document:
        if name == "bad.md":
            raise RecursionError("maximum recursion depth exceeded")
        return parse(text, name, conversion)

    monkeypatch.setattr(loading, "parse", parsed)
    bad("good")
    for command in (
        ["run", "fixed", "docs"],
        ["compare", "fixed", "recursive", "docs"],
        ["verify", "fixed", "docs"],
        ["sweep", "fixed", "docs", "--set", "chunkSize=500:600:100"],
        ["tune", "docs", "--goal", "few-tokens", "--trials", "2", "--strategy", "fixed"],
    ):
        code = cli.main(command)
        said = capfd.readouterr()
        assert (code, said.err.count("\n")) == (2, 1), command
        assert "bad.md: internal error" in said.err
        assert said.out


TUNED = ["tune", "docs", "--goal", "few-tokens", "--strategy", "faulty", "--set", "size=4:6:1", "--counter", "words"]
OTHERS: dict[str, Callable[[Any], bool]] = {
    "compare fixed c.yaml docs": lambda said: len(said["documents"]) == 2,
    "verify c.yaml docs": lambda said: said["documents"] == 2,
    "sweep c.yaml docs --set size=3:5:1": lambda said: [row["documents"] for row in said] == [2, 2, 2],
    "evaluate fixed c.yaml --corpora docs --questions q.jsonl --search bm25": lambda said: said["questions"] == 1,
    "tune docs --goal few-tokens --strategy faulty --set size=3:5:1 --counter words": lambda said: (
        said["measured"] == 3
    ),
}
"""Commands that take many documents, and what holds when one of them could not be cut."""


@pytest.mark.parametrize("kind", ["typed", "untyped", "panic"])
def test_compare_verify_sweep_evaluate_and_tune_go_on_with_the_others(
    kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    bad(kind)
    for command, left in OTHERS.items():
        code = cli.main([*command.split(), "--json"])
        said = capfd.readouterr()
        assert code == 2, (command, said.err)
        assert left(json.loads(said.out)), command
        assert "bad.md: " in said.err
        assert SAID[kind] in said.err


def test_a_value_of_a_sweep_that_cannot_cut_a_document_is_an_error_in_its_row(
    capfd: pytest.CaptureFixture[str],
) -> None:
    bad("large")

    code = cli.main(["sweep", "c.yaml", "docs", "--set", "size=4:6:1", "--json"])
    said = capfd.readouterr()
    rows = json.loads(said.out)

    assert code == 2
    assert [row["chunks"] for row in rows] == [6, 6, None]
    assert "bad.md: internal error; please report it: ValueError: too large" in rows[2]["error"]
    assert said.err.count("\n") == 1


def test_a_config_of_tune_that_cannot_cut_a_document_is_left_out(capfd: pytest.CaptureFixture[str]) -> None:
    bad("large")

    code = cli.main([*TUNED, "--json"])
    said = capfd.readouterr()

    assert code == 2
    assert json.loads(said.out)["measured"] == 2
    assert "1 config could not be measured and is left out" in said.err


# ---- descriptions that failed ----


CONTEXTUAL = "strategy: contextual\nsettings: {base: {strategy: every-heading}, provider: compatible, model: m}\n"


FAILING = {
    "run": "run k.yaml docs -o out.jsonl",
    "html": "run k.yaml docs -o out.html",
    "sqlite": "run k.yaml docs -o out.sqlite",
    "workers": "run k.yaml docs --workers 2",
    "inspect": "inspect k.yaml docs/a.md",
    "verify": "verify k.yaml docs",
    "compare": "compare fixed k.yaml docs",
    "sweep": "sweep k.yaml docs --set maxDocumentChars=100:200:100",
    "evaluate": "evaluate k.yaml --corpora docs --questions one.jsonl --search bm25",
}


@pytest.mark.parametrize("how", usual(FAILING, "run", "html", "workers", "evaluate"))
def test_descriptions_that_failed_are_said_with_their_number_and_the_exit_code_is_2(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("k.yaml").write_text(CONTEXTUAL)
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path / "cache"))
    Path("one.jsonl").write_text('{"question": "How long?", "references": ["four minutes"], "corpus_id": "a.md"}\n')

    with serving(lambda _a, _b: Reply(status=400, body={"error": {"message": "no"}})) as server:
        monkeypatch.setenv("CHUNKSCOPE_BASE_URL", server.base_url)
        code = cli.main(FAILING[how].split())
    said = capfd.readouterr()

    of = 1 if how == "inspect" else 2
    assert code == 2, said.err
    assert f"{of} of {of} chunks have no description and are as they were without one" in said.err.splitlines()[-1]
    if how == "run":  # the text stays what it was (DECISIONS sc-4)
        assert "Steep it for four minutes, a." in Path("out.jsonl").read_text()


def test_descriptions_that_came_are_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("k.yaml").write_text(CONTEXTUAL)
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path / "cache"))
    with serving(lambda _a, _b: Reply(body={"choices": [{"message": {"content": "Tea."}}]})) as server:
        monkeypatch.setenv("CHUNKSCOPE_BASE_URL", server.base_url)
        assert cli.main(["run", "k.yaml", "docs", "-o", "out.jsonl"]) == 0

    assert "no description" not in capfd.readouterr().err

"""A function of a text, a library's object or a program is a config like any other: its chunks are
placed and audited, and what it does wrong is one line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from chunking import Config, RunLimits, parse, run
from chunking.errors import ChunkscopeError, ConfigError, GoldError, RunLimitError
from chunking.imported.foreign import audit_of
from chunking.imported.functions import Splitter, named_function
from chunking.imported.programs import ProgramChunks, program_chunks
from chunking.imported.strategy import MadeElsewhere

TEA = parse("# Tea\n\nBoil water. Warm the pot.\n\nWait.\n", name="tea.md")


def paragraphs(text: str) -> list[str]:
    return [each for each in text.split("\n\n") if each.strip()]


def node(text: str, start: int) -> SimpleNamespace:
    return SimpleNamespace(text=text, start_char_idx=start, end_char_idx=start + len(text), metadata={"source": "x"})


GIVEN: dict[str, Splitter] = {
    "texts": paragraphs,
    "a generator of texts": lambda text: (each for each in paragraphs(text)),
    "pairs": lambda text: [(text.index(each), text.index(each) + len(each)) for each in paragraphs(text)],
    "pairs of numpy": lambda text: [
        (np.int64(text.index(each)), np.int64(text.index(each) + len(each))) for each in paragraphs(text)
    ],
    "an array of numpy": lambda text: np.array(
        [(text.index(each), text.index(each) + len(each)) for each in paragraphs(text)]
    ),
    "starts with texts": lambda text: [(text.index(each), each) for each in paragraphs(text)],
    "two lists": lambda text: (
        paragraphs(text),
        [(text.index(each), text.index(each) + len(each)) for each in paragraphs(text)],
    ),
    "dicts": lambda text: [{"page_content": each, "metadata": {"source": "x"}} for each in paragraphs(text)],
    "LangChain's": lambda text: [SimpleNamespace(page_content=each, metadata={}) for each in paragraphs(text)],
    "LlamaIndex's": lambda text: [node(each, text.index(each)) for each in paragraphs(text)],
    "chonkie's": lambda text: [
        SimpleNamespace(text=each, start_index=text.index(each), end_index=text.index(each) + len(each), context=None)
        for each in paragraphs(text)
    ],
}


@pytest.mark.parametrize("kind", GIVEN)
def test_whatever_a_function_gives_of_a_text_are_its_chunks(kind: str) -> None:
    config = Config.from_function(GIVEN[kind], "words")

    made = run(TEA, config)

    assert [chunk.text.strip() for chunk in made.chunks] == ["# Tea", "Boil water. Warm the pot.", "Wait."]
    assert made.warnings == ()
    found = audit_of(config.strategy, TEA)
    assert found is not None
    assert found.faultless


@pytest.mark.parametrize("method", ["split_text", "chunk_indices", "chunks", "chunk"])
def test_an_object_that_splits_a_text_is_taken_by_its_method(method: str) -> None:
    splitter = SimpleNamespace(**{method: paragraphs})

    assert len(run(TEA, Config.from_function(splitter, "words")).chunks) == 3  # type: ignore[arg-type]


def test_a_function_is_asked_once_for_a_document() -> None:
    asked: list[str] = []

    def split(text: str) -> list[str]:
        asked.append(text)
        return paragraphs(text)

    config = Config.from_function(split, "words")
    first, again = run(TEA, config), run(TEA, config)
    audit_of(config.strategy, TEA)

    assert first == again
    assert asked == [TEA.text]


def failing(text: str) -> list[str]:
    raise ValueError(f"no\nsuch {text[:1]}")


def stopping(text: str) -> Iterator[str]:
    yield text[:1]
    raise SystemExit(3)


async def waiting(text: str) -> list[str]:
    return [text]


@pytest.mark.parametrize(
    ("split", "says"),
    [
        (waiting, "waiting: TypeError: is async; give a function that returns the chunks"),
        (failing, f"failing: ValueError: no ({__file__}, line "),
        (stopping, f"stopping: SystemExit: 3 ({__file__}, line "),
        (lambda text: text, "<lambda>: TypeError: gave str; give a list of texts"),
        (lambda text: len(text), "<lambda>: TypeError: gave int; give a list of texts"),
        (lambda text: [3], "<lambda>, chunk 0: is not a chunk; its text is missing"),  # noqa: ARG005
        (lambda text: [(0, len(text) + 1)], "<lambda>, chunk 0: (0, 41) is no (start, end) in a text of 40 characters"),
        (lambda text: [(True, 2), text], "<lambda>, chunk 0: (True, 2) is no (start, end)"),
    ],
)
def test_what_a_function_does_wrong_is_one_line(split: Splitter, says: str) -> None:
    with pytest.raises(GoldError) as caught:
        run(TEA, Config.from_function(split))

    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_function_without_an_end_is_ended_by_the_limit_of_the_run() -> None:
    def endless(text: str) -> list[str]:
        while text:
            pass
        return []

    with pytest.raises(RunLimitError, match=r"stopped after 0\.3 s of work"):
        run(TEA, Config.from_function(endless), limits=RunLimits(0.3))


def test_what_splits_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="is int, not a function of a text"):
        Config.from_function(7)  # type: ignore[arg-type]


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "own_splitter_of_a_test.py").write_text(
        "def split(text):\n    print('noise')\n    return text.split('\\n\\n')\nnumber = 7\n"
    )
    (tmp_path / "broken_splitter_of_a_test.py").write_text("import nowhere_at_all\n")
    return tmp_path


@pytest.mark.usefixtures("modules")
def test_a_function_is_found_by_its_name_and_prints_nothing_among_the_results(
    capfd: pytest.CaptureFixture[str],
) -> None:
    config = Config(MadeElsewhere.of(named_function("own_splitter_of_a_test:split")), "words")

    assert len(run(TEA, config).chunks) == 3
    assert capfd.readouterr().out == ""


@pytest.mark.usefixtures("modules")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("split", "is not package.module:function, such as my_splitter:split"),
        ("os;:system", "is not package.module:function"),
        ("nowhere_at_all:split", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("broken_splitter_of_a_test:split", "broken_splitter_of_a_test.py, line 1)"),
        ("own_splitter_of_a_test:cut", "has no attribute 'cut'"),
        ("own_splitter_of_a_test:number", "is int, not a function of a text"),
    ],
)
def test_a_name_of_no_function_is_one_line(name: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        named_function(name)

    assert str(caught.value).startswith(f"--chunker {name}: ")
    assert says in str(caught.value)


@pytest.mark.parametrize("text", ["strategy: chunker:os:system\n", "strategy: 'chunker-command:touch x'\n"])
def test_no_yaml_names_a_function_or_a_program(text: str) -> None:
    with pytest.raises(ChunkscopeError, match="no strategy named"):
        Config.from_yaml(text)


# ---- programs ----


def program(code: str, **limits: float) -> Config:
    return Config(MadeElsewhere.of(ProgramChunks("prog", (sys.executable, "-c", code), **limits)), "words")  # type: ignore[arg-type]


LINES = (
    "import sys, json\nfor each in sys.stdin.buffer.read().decode().split('\\n\\n'): print(json.dumps({'text': each}))"
)


def test_a_program_reads_the_document_and_writes_json_lines() -> None:
    assert [chunk.text for chunk in run(TEA, program(LINES)).chunks] == [
        "# Tea",
        "Boil water. Warm the pot.",
        "Wait.\n",
    ]


@pytest.mark.parametrize(
    ("code", "limits", "says"),
    [
        (
            "import sys; print('one\\ntwo', file=sys.stderr); sys.exit(3)",
            {},
            "prog: ended with exit code 3 for tea.md: two",
        ),
        ("import time; time.sleep(60)", {"seconds": 0.2}, "prog: took more than 0.2 s for tea.md and was ended"),
        (
            "import sys\nwhile True: sys.stdout.write('x' * 1000)",
            {"largest": 5000},
            "prog: wrote more than 5000 bytes for tea.md",
        ),
        ("print('nothing')", {}, "prog: is not a chunk file"),
        ("", {}, "prog: has no chunks"),
    ],
)
def test_a_program_that_fails_is_one_line(code: str, limits: dict[str, float], says: str) -> None:
    with pytest.raises(GoldError) as caught:
        run(TEA, program(code, **limits))

    assert str(caught.value).startswith(says)


@pytest.mark.parametrize(("command", "says"), [("", "is empty"), ("a 'b", "No closing quotation")])
def test_a_command_line_that_is_none_is_refused(command: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        program_chunks(command)


def test_a_program_that_is_not_there_is_one_line() -> None:
    config = Config(MadeElsewhere.of(program_chunks("no-such-program-at-all --x")))

    with pytest.raises(GoldError, match=r"no-such-program-at-all --x: cannot be started \(No such file"):
        run(TEA, config)

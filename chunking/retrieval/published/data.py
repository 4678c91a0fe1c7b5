"""The data of published benchmarks, in the form in which they are published: documents, questions
and gold cut points. Nothing of it comes with us; whoever measures brings the folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from pydantic import BaseModel, ValidationError

from chunking.document import Document, Span
from chunking.document.loading import load, load_all
from chunking.document.parser import parse
from chunking.errors import GoldError
from chunking.gold.questions import Question, load_gold
from chunking.retrieval.published.tables import CHROMA, LEGALBENCH_RAG, PublishedTable
from chunking.text.decoding import decode
from chunking.text.display import shown_text
from chunking.text.reading import read_at_most

_CHROMA_FOLDER = "chunking_evaluation/evaluation_framework/general_evaluation_data"
_LEGAL_SUBSETS = ("privacy_qa", "contractnli", "maud", "cuad")
_LEGAL_QUESTIONS = 194
"""Of each file, as many as its authors measure."""
_LARGEST = 64 * 1024 * 1024
_HICBENCH_FOLDERS = tuple(f"{above}{name}/HiCBench" for above in ("dataset/", "") for name in ("docs", "doc"))
"""Where its documents lie in a clone: its code and its README call the folder by two names."""
_HEADING = re.compile(r"^(#+)[ \t]*(?=\S)", re.M)


@dataclass(frozen=True)
class CutPoint:
    """A gold cut point: the offset where a section begins, and its level, from 1."""

    offset: int
    level: int


@dataclass(frozen=True)
class BenchmarkData:
    """The documents of a benchmark, and what is known of them."""

    documents: tuple[Document, ...]
    questions: tuple[Question, ...] = ()
    subsets: tuple[str, ...] = ()
    """For each question, the part of the benchmark that it is of."""
    cut_points: Mapping[str, tuple[CutPoint, ...]] = field(default_factory=dict)
    """By document name, ascending; empty where questions are asked."""
    problems: tuple[str, ...] = ()
    """What could not be placed and is left out, one line each."""


def read_data(table: PublishedTable, folder: Path) -> BenchmarkData:
    """A benchmark's data in a folder. Raises GoldError where they are not there, in one line that
    says where they can be had."""
    try:
        if table is CHROMA:
            return _chroma(folder)
        return _legalbench(folder) if table is LEGALBENCH_RAG else _hicbench(folder)
    except _MissingError as missing:
        where = shown_text(str(folder), 200)
        raise GoldError(f"{table.name}: {where} has no {missing}; --data takes the folder with {table.data}") from None


class _MissingError(Exception):
    """What is not in the folder."""


def _chroma(folder: Path) -> BenchmarkData:
    below = next((at for at in (folder, folder / _CHROMA_FOLDER) if (at / "questions_df.csv").is_file()), None)
    if below is None:
        raise _MissingError("questions_df.csv")
    if not (below / "corpora").is_dir():
        raise _MissingError("corpora/")
    documents = tuple(load_all(below / "corpora", root=below / "corpora"))
    gold = load_gold(below / "questions_df.csv", documents)
    return BenchmarkData(documents, gold.questions, ("",) * len(gold.questions), {}, gold.problems)


class _Snippet(BaseModel):
    file_path: str
    span: tuple[int, int]
    answer: str = ""


class _Test(BaseModel):
    query: str
    snippets: tuple[_Snippet, ...]


class _Tests(BaseModel):
    tests: tuple[_Test, ...]


def _legalbench(folder: Path) -> BenchmarkData:
    below = next((at for at in (folder, folder / "data") if (at / "benchmarks").is_dir()), None)
    if below is None:
        raise _MissingError("benchmarks/")
    if not (below / "corpus").is_dir():
        raise _MissingError("corpus/")
    files = {name: below / "benchmarks" / f"{name}.json" for name in _LEGAL_SUBSETS}
    tests = {name: _drawn(_tests(path)) for name, path in files.items() if path.is_file()}
    if not tests:
        raise _MissingError(f"benchmarks/{_LEGAL_SUBSETS[0]}.json or another of its files")
    asked = [(name, test) for name, each in tests.items() for test in each]
    documents = _named_documents(below / "corpus", (snippet for _, test in asked for snippet in test.snippets))
    problems: list[str] = []
    placed = [(name, _placed(name, test, documents, problems)) for name, test in asked]
    kept = [(name, question) for name, question in placed if question]
    if not kept:
        raise GoldError(f"legalbench-rag: no question can be measured; the first problem is: {problems[0]}")
    questions, subsets = tuple(question for _, question in kept), tuple(name for name, _ in kept)
    return BenchmarkData(tuple(documents.values()), questions, subsets, {}, tuple(problems))


def _tests(path: Path) -> tuple[_Test, ...]:
    try:
        tests = _Tests.model_validate_json(read_at_most(path, _LARGEST)).tests
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise GoldError(f"{shown_text(str(path), 200)}: {place or 'the file'}: {first['msg']}") from None
    return tuple(test for test in tests if test.snippets)


def _drawn(tests: Sequence[_Test]) -> list[_Test]:
    """The questions that its authors measure: of few documents, drawn by their paths."""
    if len(tests) <= _LEGAL_QUESTIONS:
        return list(tests)
    return sorted(tests, key=lambda test: Random(test.snippets[0].file_path).random())[:_LEGAL_QUESTIONS]


def _named_documents(corpus: Path, snippets: Iterable[_Snippet]) -> dict[str, Document]:
    """The documents that are named, by their paths; a path out of the folder is not followed."""
    found = {}
    inside = corpus.resolve()
    for name in sorted({snippet.file_path for snippet in snippets}):
        if path := _file_in(inside, name):
            text = decode(read_at_most(path, _LARGEST), name)
            # Their offsets are those of Python's text files, in which every line ends with \n.
            found[name] = parse("\n".join(re.split("\r\n?|\n", text)), name=name)
    return found


def _file_in(folder: Path, name: str) -> Path | None:
    """The file of this name in a folder; None for one that is not there, or out of it."""
    try:
        path = (folder / name).resolve()
        return path if path.is_relative_to(folder) and path.is_file() else None
    except (OSError, ValueError):  # a name that no file can have
        return None


def _placed(subset: str, test: _Test, documents: Mapping[str, Document], problems: list[str]) -> Question | None:
    """A test as a question; None, with a problem, where its spans are not in one document."""
    where = f"{subset}: {shown_text(test.query, 60)!r}"
    names = {snippet.file_path for snippet in test.snippets}
    document = documents.get(test.snippets[0].file_path)
    if len(names) > 1:
        problems.append(f"{where}: is answered by {len(names)} documents; left out")
    elif document is None:
        problems.append(f"{where}: {shown_text(test.snippets[0].file_path, 120)} is not in corpus/; left out")
    else:
        for snippet in test.snippets:
            start, end = snippet.span
            if not 0 <= start < end <= len(document.text):
                problems.append(f"{where}: [{start}, {end}] is not in the document; left out")
                return None
            if snippet.answer and snippet.answer != document.text[start:end]:
                problems.append(f"{where}: [{start}, {end}] holds another text than its answer; left out")
                return None
        spans = tuple(Span(*snippet.span) for snippet in test.snippets)
        return Question(test.query, document.name, spans)
    return None


def _hicbench(folder: Path) -> BenchmarkData:
    below = next((folder / name for name in _HICBENCH_FOLDERS if (folder / name).is_dir()), folder)
    files = sorted(path for path in below.iterdir() if path.suffix in (".md", ".txt")) if below.is_dir() else []
    if not files:
        raise _MissingError("document (*.md or *.txt)")
    documents, points = [], {}
    for document in (load(path, root=below) for path in files):
        plain, found = without_heading_marks(document.text)
        documents.append(parse(plain, name=document.name))
        points[document.name] = found
    if not any(points.values()):
        raise _MissingError("document with headings, which are the gold cut points")
    return BenchmarkData(tuple(documents), cut_points=points)


def without_heading_marks(text: str) -> tuple[str, tuple[CutPoint, ...]]:
    """A text whose headings have lost their marks (`## Fill` is `Fill`), and where they begin.

    A heading is a line that begins with #, as its authors count them; within code too.
    """
    pieces: list[str] = []
    points: list[CutPoint] = []
    at = length = 0
    for heading in _HEADING.finditer(text):
        pieces.append(text[at : heading.start()])
        length += len(pieces[-1])
        points.append(CutPoint(length, len(heading[1])))
        at = heading.end()
    return "".join([*pieces, text[at:]]), tuple(points)

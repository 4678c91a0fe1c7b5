"""The files of relevance judgments: BEIR (corpus.jsonl, queries.jsonl, qrels/*.tsv) and TREC (qrels
and topics), as they are written.

Sources: the BEIR wiki, "Load your custom dataset"; trec_eval's README for qrels; the topics of
TREC's tracks.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chunking.errors import DocumentError, GoldError
from chunking.gold.question_rows import LARGEST, lines_of, parsed
from chunking.text.decoding import decode
from chunking.text.display import counted, shown_text
from chunking.text.reading import read_at_most

BEIR, TREC = "BEIR", "TREC"
_LARGEST_CORPUS = 512 * 1024 * 1024
"""Maximum size of corpus.jsonl, in bytes."""
_SPLITS = ("test", "dev", "train")
_BEIR_HEAD = re.compile(r"query.?id\tcorpus.?id\tscore", re.IGNORECASE)
_QREL = re.compile(r"(\S+)\s+\S+\s+(\S+)\s+(-?\d+)\s*")
_TOPIC = re.compile(r"<top(?:ic)?\b(?P<head>[^<>]*)>(?P<body>.*?)(?=<top(?:ic)?\b|\Z)", re.DOTALL | re.IGNORECASE)
_NUMBER = re.compile(r"""<num>\s*+(?:Number\s*+:)?\s*+([^\s<]+)|\bnumber\s*=\s*["']([^"']+)""", re.IGNORECASE)
_ASKED = re.compile(r"<(?P<tag>question|query|title)>\s*(?:Topic\s*:)?(?P<text>[^<]*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Passage:
    """An entry of a BEIR corpus that is relevant to some query."""

    text: str
    number: int
    """Its line, from 1, blank ones not counted."""
    metadata: Mapping[str, object]


@dataclass(slots=True)
class Judgments:
    """Which ids are relevant to which queries, as the files say it."""

    form: str
    """BEIR or TREC."""
    called: str
    """Of the file or folder, for messages."""
    queries: dict[str, tuple[str, Mapping[str, object]]]
    """The text of each query by its id, and what BEIR keeps besides."""
    relevant: dict[str, list[str]]
    """The ids that are relevant to a query, by its id."""
    corpus_name: str = ""
    """Of the file that `passages` are from; "" where there is none."""
    passages: dict[str, Passage] = field(default_factory=dict)
    graded: bool = False
    """Whether some are more relevant than others: all that are at all count alike."""
    problems: list[str] = field(default_factory=list)


def judgments_in(path: Path) -> Judgments | None:
    """The judgments in a folder, or in the folder of one of their files; None for a file of
    questions of another form. Raises GoldError where a part of them is missing or damaged."""
    called = shown_text(str(path), 200)
    if path.is_dir():
        folder, qrels = path, _qrels_below(path, called)
    else:
        kind = _kind(path)
        if not kind:
            return None
        folder = path.parent.parent if path.parent.name == "qrels" else path.parent
        qrels = path if kind == "qrels" else _qrels_below(folder, called)
    queries = _queries_beside(folder, path, called)
    beir = queries.suffix == ".jsonl"
    found = Judgments(BEIR if beir else TREC, called, {}, {})
    _read_queries(found, queries)
    _read_qrels(found, qrels)
    corpus = folder / "corpus.jsonl"
    if corpus.is_file():
        _read_passages(found, corpus)
    return found


def _kind(path: Path) -> str:
    """What of judgments a file is, by its content: queries, corpus, qrels or topics; else ""."""
    try:
        with path.open("rb") as file:
            begun = file.read(64 * 1024)
    except (OSError, ValueError):
        return ""  # said by whoever reads it as questions
    if path.parent.name == "qrels" or "qrels" in path.name.lower():
        return "qrels"
    text = begun.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = [line for _, line in lines_of(text)][:5]
    if not lines:
        return ""
    row = parsed(lines[0])
    if isinstance(row, dict):
        entry = "_id" in row and isinstance(row.get("text"), str)
        return "" if not entry else "corpus" if path.name == "corpus.jsonl" else "queries"
    if _BEIR_HEAD.match(lines[0]) or all(_qrel(line) for line in lines[:-1] or lines):
        return "qrels"
    topics = (lines[0].lstrip().startswith("<") and _TOPIC.search(text)) or (
        "\t" in lines[0] and _named(path, ("topics", "queries"))
    )
    return "topics" if topics else ""


def _qrel(line: str) -> tuple[str, str, int] | None:
    """Query, document and grade of a line of qrels: BEIR's three columns with tabs, else TREC's
    four."""
    columns = line.rstrip().split("\t")
    if len(columns) == 3 and re.fullmatch(r"-?\d+(\.0+)?", columns[2].strip()):
        return columns[0], columns[1], int(float(columns[2]))
    found = _QREL.fullmatch(line.strip())
    return (found[1], found[2], int(found[3])) if found else None


def _named(path: Path, words: Iterable[str]) -> bool:
    return path.suffix.lower() in (".tsv", ".txt", ".xml", "", *(f".{word}" for word in words)) and any(
        word in path.name.lower() for word in words
    )


def _qrels_below(folder: Path, called: str) -> Path:
    splits = sorted((folder / "qrels").glob("*.tsv"))
    for split in _SPLITS:
        if (named := folder / "qrels" / f"{split}.tsv") in splits:
            return named
    files = [each for each in sorted(folder.iterdir()) if each.is_file() and "qrels" in each.name.lower()]
    return _only(splits or files, "qrels/test.tsv (BEIR) or a file with qrels in its name (TREC)", called)


def _queries_beside(folder: Path, given: Path, called: str) -> Path:
    """The file of the queries: the one that was given, queries.jsonl, or the only one whose name
    says so."""
    if given.is_file() and _kind(given) in ("queries", "topics"):
        return given
    if (beir := folder / "queries.jsonl").is_file():
        return beir
    files = [each for each in sorted(folder.iterdir()) if each.is_file() and each != given]
    named = [each for each in files if _named(each, ("topics", "queries")) and "qrels" not in each.name.lower()]
    return _only(named, "queries.jsonl (BEIR) or a file with topics or queries in its name (TREC)", called)


def _only(files: Sequence[Path], wanted: str, called: str) -> Path:
    if len(files) == 1:
        return files[0]
    if not files:
        raise GoldError(f"{called}: relevance judgments need {wanted}, and there is none beside it")
    names = ", ".join(shown_text(each.name, 60) for each in files[:3])
    raise GoldError(f"{called}: more than one file could be {wanted} ({names}); give the folder only one")


def _text_of(path: Path, most: int = LARGEST) -> str:
    try:
        return decode(read_at_most(path, most), shown_text(str(path), 200))
    except DocumentError as error:
        raise GoldError(str(error)) from None


def _entries(path: Path, most: int = LARGEST) -> Iterator[tuple[int, str, dict[str, object]]]:
    """The entries of a BEIR file with their numbers and ids. Raises GoldError."""
    for entry, (number, line) in enumerate(lines_of(_text_of(path, most)), start=1):
        row = parsed(line)
        if not isinstance(row, dict) or not isinstance(row.get("text"), str) or row.get("_id") in (None, ""):
            raise GoldError(f"{shown_text(str(path), 200)}, line {number}: has no _id and text, as BEIR has them")
        yield entry, str(row["_id"]), row


def _read_queries(of: Judgments, path: Path) -> None:
    found = (
        _topics(path) if of.form == TREC else ((each, str(row["text"]), _notes(row)) for _, each, row in _entries(path))
    )
    twice: Counter[str] = Counter()
    for each, text, notes in found:
        if each in of.queries:
            twice[each] += 1
        else:
            of.queries[each] = (text, notes)
    of.problems += _twice(path, twice, "the first is taken")
    if not of.queries:
        raise GoldError(f"{shown_text(str(path), 200)}: no query in it")


def _notes(row: Mapping[str, object]) -> Mapping[str, object]:
    notes = row.get("metadata")
    return notes if isinstance(notes, dict) else {}


def _topics(path: Path) -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """Topics with tags, or lines of an id, a tab and the query."""
    text = _text_of(path)
    if not _TOPIC.search(text):
        for number, line in lines_of(text):
            each, tab, asked = line.partition("\t")
            if not tab or not asked.strip():
                raise GoldError(
                    f"{shown_text(str(path), 200)}, line {number}: is not a topic; topics are <top> with <num> and "
                    "<title>, or lines of an id, a tab and the query"
                )
            yield each.strip(), asked.strip(), {}
        return
    for topic in _TOPIC.finditer(text):
        named = _NUMBER.search(topic["head"] + topic["body"])
        asked_by = {
            each["tag"].lower(): " ".join(html.unescape(each["text"]).split())
            for each in _ASKED.finditer(topic["body"])
        }
        asked = next((asked_by[tag] for tag in ("question", "title", "query") if asked_by.get(tag)), "")
        if named and asked:
            yield (named[1] or named[2]).strip(), asked, {}


def _read_qrels(of: Judgments, path: Path) -> None:
    called = shown_text(str(path), 200)
    seen: set[tuple[str, str]] = set()
    twice: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    for number, line in lines_of(_text_of(path)):
        if number == 1 and _BEIR_HEAD.match(line):
            continue
        found = _qrel(line)
        if found is None:
            raise GoldError(
                f"{called}, line {number}: {shown_text(line, 60)!r} is neither BEIR's query, document and score with "
                "tabs between them nor TREC's query, 0, document and grade"
            )
        query, each, grade = found
        if (query, each) in seen:
            twice[each] += 1
        elif grade > 0 and query not in of.queries:
            unknown[query] += 1
        elif grade > 0:
            of.relevant.setdefault(query, []).append(each)
            of.graded |= grade > 1
        seen.add((query, each))
    of.problems += _twice(path, twice, "the first judgment is taken")
    if unknown:
        first = shown_text(next(iter(unknown)), 60)
        of.problems.append(f"{called}: {counted(len(unknown), 'judged id')} ({first}, ...) left out: no query has it")
    if not of.relevant:
        raise GoldError(f"{called}: nothing in it is relevant to a query")


def _read_passages(of: Judgments, path: Path) -> None:
    wanted = {each for ids in of.relevant.values() for each in ids}
    of.corpus_name = path.name
    twice: Counter[str] = Counter()
    for entry, each, row in _entries(path, _LARGEST_CORPUS):
        if each in of.passages:
            twice[each] += 1
        elif each in wanted and str(row["text"]).strip():
            of.passages[each] = Passage(str(row["text"]), entry, _notes(row))
    of.problems += _twice(path, twice, "the first is taken")


def _twice(path: Path, ids: Counter[str], taken: str) -> list[str]:
    if not ids:
        return []
    first = shown_text(next(iter(ids)), 60)
    return [f"{shown_text(str(path), 200)}: {counted(len(ids), 'id')} ({first}, ...) more than once; {taken}"]

"""The rows of a file of questions, before they are placed in documents: JSON lines and CSV of our
own, and what other_formats.py makes of other tools' files."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from chunking.errors import GoldError
from chunking.gold.other_formats import csv_rows, other_rows
from chunking.text.csv_table import csv_table

COLUMNS = ("question", "references", "corpus_id")
NOTES = ("kind", "review", "origin", "block")
"""Keys that a row may have besides."""
LARGEST = 64 * 1024 * 1024
"""Maximum size of a file of questions, in bytes."""


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One question of a file, as it is written there."""

    where: str
    """As `line 3`, for messages."""
    question: object
    references: object
    corpus: object
    kind: object = None
    """`whole` where the references must stay whole and answer no question."""
    review: object = None
    origin: object = None
    block: object = None


def rows_of(text: str, called: str, json_lines: bool) -> tuple[str, Iterable[QuestionRow]]:
    """What the text was taken for, by its content, "" for our own form; and its rows. Raises
    GoldError."""
    if other := other_rows(text):
        return other[0], _made(other[1])
    if json_lines:
        return "", _json_rows(text, called)
    try:
        columns, rows = csv_table(text)
    except csv.Error as error:
        raise GoldError(f"{called}: is not valid CSV ({error}); it needs the columns {', '.join(COLUMNS)}") from None
    if made := csv_rows([row for _, row in rows], columns):
        return made[0], _made(made[1])
    missing = [column for column in COLUMNS[:2] if column not in columns]
    if missing:
        raise GoldError(f"{called}: has no column {missing[0]}; it needs {', '.join(COLUMNS)}")
    return "", (
        QuestionRow(
            f"line {line}",
            row["question"],
            parsed(row["references"]),
            row.get("corpus_id"),
            *(row.get(key) for key in NOTES),
        )
        for line, row in rows
    )


def _made(rows: Iterable[Mapping[str, object]]) -> list[QuestionRow]:
    return [
        QuestionRow(f"question {number}", *(row.get(key) for key in (*COLUMNS, *NOTES)))
        for number, row in enumerate(rows, start=1)
    ]


def _json_rows(text: str, called: str) -> Iterator[QuestionRow]:
    for number, line in lines_of(text):
        row = parsed(line)
        if not isinstance(row, dict):
            raise GoldError(f"{called}, line {number}: is not a JSON object; each line has {', '.join(COLUMNS)}")
        yield QuestionRow(f"line {number}", *(row.get(key) for key in (*COLUMNS, *NOTES)))


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers from 1; only CR and LF end one."""
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), start=1):
        if line.strip():
            yield number, line


def parsed(text: str | None) -> object:
    """What a text of JSON says; None where it is none."""
    try:
        found: object = json.loads(text or "")
    except (ValueError, RecursionError):
        return None
    return found

"""Questions whose answers are marked in the documents: read from CSV or JSON lines, checked against
the texts.

A file has `question`, `references` and `corpus_id`; the references are a list of
`{content, start_index, end_index}`, in CSV as JSON. Offsets may be left out: then the quote is
looked for. `review`, `origin` and `block` may be added. What cannot be placed is reported, never
guessed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal

from chunking.document import Document, Span
from chunking.errors import DocumentError, GoldError
from chunking.gold.judgment_files import judgments_in
from chunking.gold.judgments import judged
from chunking.gold.question_rows import LARGEST, QuestionRow, rows_of
from chunking.gold.quote_matching import answers, located
from chunking.text.decoding import decode, with_whole_characters
from chunking.text.display import be, counted, shown_text
from chunking.text.reading import read_at_most

Review = Literal["draft", "accepted"]
_JSON_ENDINGS = (".jsonl", ".ndjson", ".json")


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the spans of one document that answer it."""

    text: str
    document: str
    """The document's name."""
    answers: tuple[Span, ...]
    """In the order of the file; never empty."""
    review: Review = "accepted"
    """`draft` where a program worded it and no person has accepted it."""
    origin: str = ""
    """Who worded it, as `probe: heading` or `model: local/…`; "" for a person."""
    block: str = ""
    """The kind of block that the answer is in, as `table`; "" where it was not recorded."""

    @property
    def notes(self) -> dict[str, object]:
        """`review`, `origin` and `block` as keys of a file; those that say nothing are left out."""
        values = {
            "review": self.review if self.review != "accepted" else "",
            "origin": self.origin,
            "block": self.block,
        }
        return {key: value for key, value in values.items() if value}


@dataclass(frozen=True, slots=True)
class WholeMark:
    """A span that no boundary may cut, whatever is asked."""

    document: str
    """The document's name."""
    span: Span


@dataclass(frozen=True, slots=True)
class Gold:
    """The contents of a file of questions that could be placed, and the problems with the rest."""

    questions: tuple[Question, ...]
    problems: tuple[str, ...]
    """One line each: a quote that is not found, or found twice; offsets that hold another text; an
    unknown document."""
    whole: tuple[WholeMark, ...] = ()
    """Spans that must stay whole: from lines of the kind `whole`, which have no question."""
    elsewhere: tuple[str, ...] = ()
    """The corpus_id of each line about another document, where these are not reported as
    problems."""
    rejected: int = 0
    """How many lines a reviewer rejected: they are not measured."""
    taken_for: str = ""
    """The format of another tool that the file was taken for, as `RAGAS`; "" for our own."""


def load_gold(path: Path, documents: Sequence[Document], *, as_marks: bool = False) -> Gold:
    """The questions in a file, by its ending JSON lines or CSV, or in the folder or a file of
    relevance judgments (judgments.py). `as_marks` as of `read_gold`. Raises GoldError when none can
    be measured."""
    if judgments := judgments_in(path):
        known = _by_corpus(documents)
        taken_for, rows = judged(judgments, documents, known)
        gold = _placed(rows, documents, judgments.called, as_marks, judgments.problems)
        return replace(gold, taken_for=taken_for)
    called = shown_text(str(path), 200)
    try:
        text = decode(read_at_most(path, LARGEST), called)
    except DocumentError as error:
        raise GoldError(str(error)) from None
    json_lines = path.suffix.lower() in _JSON_ENDINGS
    return read_gold(text, documents, json_lines=json_lines, called=called, as_marks=as_marks)


def read_gold(
    text: str,
    documents: Sequence[Document],
    *,
    json_lines: bool = False,
    called: str = "questions",
    as_marks: bool = False,
) -> Gold:
    """The questions in a text, placed in the documents. Raises GoldError when none can be measured.

    What other tools write is recognised by its keys (other_formats.py); else it is JSON lines or
    CSV. With `as_marks`, a file may have only spans that must stay whole, and a line about another
    document is counted (`Gold.elsewhere`) and not reported as a problem.
    """
    return _read(rows_of(text, called, json_lines), documents, called, as_marks)


def strangers_gold(
    raw: bytes, documents: Sequence[Document], *, json_lines: bool, called: str, as_marks: bool = False
) -> Gold:
    """The same for the bytes of a file, where nobody knows who sends it (read_apart.py). Raises
    ChunkscopeError."""
    from chunking.gold.read_apart import strangers_rows

    return _read(strangers_rows(raw, called, json_lines), documents, called, as_marks)


def _read(read: tuple[str, Iterable[QuestionRow]], documents: Sequence[Document], called: str, as_marks: bool) -> Gold:
    taken_for, rows = read
    return replace(_placed(rows, documents, called, as_marks, []), taken_for=taken_for)


def _placed(
    rows: Iterable[QuestionRow], documents: Sequence[Document], called: str, as_marks: bool, problems: list[str]
) -> Gold:
    """The rows, placed in the documents; problems are added to those of reading."""
    known = _by_corpus(documents)
    questions: list[Question] = []
    whole: list[WholeMark] = []
    elsewhere: list[str] = []
    rejected = 0
    for row in _with_documents(rows, documents, problems, called, as_marks):
        where = f"{called}, {row.where}"
        document = known.get(str(row.corpus))
        must_stay = row.kind == "whole"
        if not must_stay and row.review == "rejected":
            rejected += 1
        elif not must_stay and not _is_question(row.question):
            problems.append(f"{where}: has no question; it is left out")
        elif document is None and as_marks:
            elsewhere.append(str(row.corpus))
        elif document is None:
            problems.append(f"{where}: corpus_id {shown_text(str(row.corpus))!r} is not among the documents; left out")
        elif not (spans := tuple(answers(row.references, document, where, problems))):
            what, whose = ("nothing", "line") if must_stay else ("no answer", "question")
            problems.append(f"{where}: {what} can be placed; the {whose} is left out")
        elif must_stay:
            whole += [WholeMark(document.name, span) for span in spans]
        else:
            told = (value if isinstance(value, str) else "" for value in (row.question, row.origin, row.block))
            text, origin, block = (with_whole_characters(value)[0] for value in told)
            review = _review(row.review, where, problems)
            questions.append(Question(text, document.name, spans, review, origin, block))
    if not questions and not (whole and as_marks):
        about = f"; {elsewhere_words(elsewhere)}" if elsewhere else ""
        about += f"; {rejected} of its questions were rejected" if rejected else ""
        reason = f"; the first problem is: {problems[0]}" if problems else about
        raise GoldError(f"{called}: no question that can be measured{reason}")
    return Gold(tuple(questions), tuple(problems), tuple(whole), tuple(elsewhere), rejected)


def _with_documents(
    rows: Iterable[QuestionRow], documents: Sequence[Document], problems: list[str], called: str, as_marks: bool
) -> Iterator[QuestionRow]:
    """The rows, each about one document: where it names none, the only one, or those that have its
    quotes."""
    for row in rows:
        if row.corpus not in (None, "") or row.review == "rejected":
            yield row
        elif len(documents) == 1:
            yield replace(row, corpus=documents[0].name)
        else:
            by_document, missing = located(row.references, documents)
            problems += [] if as_marks else [f"{called}, {row.where}: {problem}" for problem in missing]
            yield from (replace(row, corpus=name, references=each) for name, each in by_document.items())
            if not by_document:
                problems.append(f"{called}, {row.where}: names no document, and its quotes tell none; it is left out")


def _review(value: object, where: str, problems: list[str]) -> Review:
    """A line's `review`; without one a person wrote it. An unknown value is reported: a draft."""
    if value in (None, "", "accepted"):
        return "accepted"
    if value != "draft":
        problems.append(
            f"{where}: review {shown_text(str(value))!r} is not draft, accepted or rejected; taken as draft"
        )
    return "draft"


def unreviewed(questions: Iterable[Question]) -> int:
    """How many of the questions no person has accepted."""
    return sum(question.review == "draft" for question in questions)


def unreviewed_words(questions: Sequence[Question]) -> str:
    """`3 of 10 questions are drafts that nobody has reviewed`, `All 10 questions are ...`; "" where
    there are none."""
    drafts = unreviewed(questions)
    what = "a draft" if drafts == 1 else "drafts"
    return f"{_some(drafts, len(questions))} {what} that nobody has reviewed" if drafts else ""


def _some(count: int, total: int) -> str:
    """`3 of 10 questions are`, `All 10 questions are`, `The one question is`."""
    if count == total:
        return "The one question is" if total == 1 else f"All {total:,} questions are"
    return f"{count:,} of {counted(total, 'question')} {be(count)}"


def by_rule_words(questions: Sequence[Question]) -> str:
    """`23 of 30 questions are made by rule from words of the answers, 20 of them keyword probes:
    ...`; "" where there are none, since a search by keywords finds such answers more easily than
    those of other questions."""
    probes = sum(question.origin.startswith("probe: ") for question in questions)
    made = probes + sum(question.origin.startswith("rule: ") for question in questions)
    if not made:
        return ""
    named = f", {'all' if probes == made else f'{probes:,}'} of them keyword probes" if probes else ""
    return (
        f"{_some(made, len(questions))} made by rule from words of the answers{named}: "
        "a search by keywords finds these more easily than what people ask"
    )


def elsewhere_words(names: Sequence[str]) -> str:
    """How many lines were about other documents, and which:
    `2 lines are about other documents (tyres.md)`."""
    known = [shown_text(name) for name in dict.fromkeys(names)]
    more = f" and {len(known) - 3} more" if len(known) > 3 else ""
    lines = "1 line is about another document" if len(names) == 1 else f"{len(names)} lines are about other documents"
    return f"{lines} ({', '.join(known[:3])}{more})"


def gold_json_lines(
    questions: Iterable[Question], documents: Mapping[str, Document], whole: Iterable[WholeMark] = ()
) -> str:
    """The questions as JSON lines that `load_gold` reads, then a line for each span that must stay
    whole.

    `documents` by name.
    """

    def references(name: str, spans: Iterable[Span]) -> list[dict[str, object]]:
        of = documents[name]
        return [{"content": of[span], "start_index": span.start, "end_index": span.end} for span in spans]

    rows: list[dict[str, object]] = [
        {
            "question": each.text,
            "references": references(each.document, each.answers),
            "corpus_id": each.document,
            **each.notes,
        }
        for each in questions
    ]
    rows += [
        {"kind": "whole", "references": references(mark.document, [mark.span]), "corpus_id": mark.document}
        for mark in whole
    ]
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def _is_question(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _by_corpus(documents: Sequence[Document]) -> dict[str, Document]:
    """Documents by every name that a corpus_id may use; the full name wins, and an ambiguous short
    one is left out."""
    found: dict[str, Document] = {}
    for short in (lambda path: path.stem, lambda path: str(path.with_suffix("")), lambda path: path.name):
        taken: dict[str, list[Document]] = {}
        for document in documents:
            taken.setdefault(short(PurePosixPath(document.name)), []).append(document)
        found.update({name: of[0] for name, of in taken.items() if len(of) == 1})
    return {**found, **{document.name: document for document in documents}}

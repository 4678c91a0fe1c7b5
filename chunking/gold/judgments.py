"""Relevance judgments as questions: which text in the documents a relevant id stands for.

Judgments say which documents or passages are relevant, and no spans. The answer is the passage's
own text where the documents have it, else the whole document that the id names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from urllib.parse import unquote

from chunking.document import Document
from chunking.gold.judgment_files import Judgments, Passage
from chunking.gold.question_rows import QuestionRow
from chunking.text.display import counted, shown_text


def judged(
    of: Judgments, documents: Sequence[Document], known: Mapping[str, Document]
) -> tuple[str, list[QuestionRow]]:
    """What the judgments were taken for, with what can be measured by them; and a row for each
    query and document that has relevant text.

    `known` are the documents by every name that they go by.
    """
    places = _Places(of, documents, known)
    rows: list[QuestionRow] = []
    unplaced: list[str] = []
    several = 0
    for number, (query, ids) in enumerate(of.relevant.items(), start=1):
        by_document: dict[str, list[object]] = {}
        for each in ids:
            if place := places.of(each):
                by_document.setdefault(place[0], []).append(place[1])
            else:
                unplaced.append(each)
        text, notes = of.queries[query]
        several += len(by_document) > 1
        rows += [
            QuestionRow(f"query {number}", text, references, name, None, *map(notes.get, ("review", "origin", "block")))
            for name, references in by_document.items()
        ]
    if unplaced:
        where = f"in {of.corpus_name} with a text that is in one document, or " if of.corpus_name else ""
        left = f"{counted(len(unplaced), 'relevant id')} ({shown_text(unplaced[0], 60)}, ...) left out"
        of.problems.append(f"{of.called}: {left}: not {where}the name of a document")
    return _said(of, places.found, several), rows


def _said(of: Judgments, found: Counter[str], several: int) -> str:
    """The form, and what can be measured by it, in a line."""
    what = [
        f"{counted(found[kind], called)}" for kind, called in (("passage", "passage"), ("document", "whole document"))
    ]
    said = f"{of.form}: relevance without spans; the answers are {' and '.join(what)}"
    if found["document"]:
        said += ", of which recall is the share that is retrieved"
    if of.graded:
        said += "; grades above 0 count alike"
    if several:
        queries = "1 query" if several == 1 else f"{several:,} queries"
        said += f"; {queries} with answers in several documents: one question for each, so precision, MRR and nDCG "
        said += "are lower than of the query"
    return said


class _Places:
    """Where the text of a relevant id is."""

    def __init__(self, of: Judgments, documents: Sequence[Document], known: Mapping[str, Document]) -> None:
        self._of, self._documents, self._known = of, documents, known
        self.found: Counter[str] = Counter()
        self._remembered: dict[str, tuple[str, object] | None] = {}

    def of(self, each: str) -> tuple[str, object] | None:
        """The document's name and the reference; None where there is none."""
        if each not in self._remembered:
            self._remembered[each] = self._placed(each)
        return self._remembered[each]

    def _placed(self, each: str) -> tuple[str, object] | None:
        passage = self._of.passages.get(each)
        named = self._known.get(each) or self._known.get(unquote(each))
        if passage is not None:
            named = named or self._known.get(f"{self._of.corpus_name}/row-{passage.number}")
            if kept := self._kept(passage):
                return kept
            having = [document for document in ([named] if named else self._documents) if passage.text in document.text]
            if len(having) == 1 and having[0].text.count(passage.text) == 1:
                whole = passage.text.strip() == having[0].text.strip()
                self.found["document" if whole else "passage"] += 1
                return having[0].name, {"content": passage.text}
        if named is None or not named.text.strip():
            return None
        self.found["document"] += 1
        text = named.text.strip()
        start = named.text.index(text)
        return named.name, {"content": text, "start_index": start, "end_index": start + len(text)}

    def _kept(self, passage: Passage) -> tuple[str, object] | None:
        """The place that `questions convert` has written beside a passage, where it is still so."""
        document = self._known.get(str(passage.metadata.get("document")))
        start, end = passage.metadata.get("start_index"), passage.metadata.get("end_index")
        if document is None or not isinstance(start, int) or not isinstance(end, int):
            return None
        if document.text[start:end] != passage.text:
            return None
        self.found["passage"] += 1
        return document.name, {"content": passage.text, "start_index": start, "end_index": end}

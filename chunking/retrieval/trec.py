"""A measured ranking as TREC's files: a run, and the relevance of each chunk (qrels), so that
trec_eval, ir-measures and ranx give the metrics of rankings that we give.

Topics are q1, q2, ... in the order of the questions. A chunk is relevant where it contains a part
of an answer, as for `recall_at_k`, whatever it gives back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from chunking.document import Document
from chunking.gold.exports import without_spaces
from chunking.gold.questions import Question
from chunking.retrieval.evaluation import Evaluation
from chunking.retrieval.ir_metrics import Corpus
from chunking.retrieval.passages import Mode, Passage


def chunk_ids(passages: Sequence[Passage]) -> tuple[str, ...]:
    """An id for each chunk, without white space: `guide.md#0-120`, its document and the offsets
    where it begins and ends; a number is added where several are at one place."""
    taken: Counter[str] = Counter()
    ids = []
    for passage in passages:
        place = f"{passage.spans[0].start}-{passage.spans[-1].end}" if passage.spans else "unplaced"
        name = f"{without_spaces(passage.document)}#{place}"
        taken[name] += 1
        ids.append(name if taken[name] == 1 else f"{name}#{taken[name]}")
    return tuple(ids)


def run_lines(of: Evaluation, ids: Sequence[str], tag: str) -> Iterator[str]:
    """The run: what was retrieved for each question. The score counts down from the number of
    chunks retrieved: programs order by it and not by the rank, and equal scores in orders of their
    own."""
    named = without_spaces(tag) or "run"
    for number, retrieved in enumerate(of.retrieved, start=1):
        for rank, at in enumerate(retrieved, start=1):
            yield f"q{number} Q0 {ids[at]} {rank} {len(retrieved) - rank + 1} {named}\n"


def qrels_lines(
    passages: Sequence[Passage],
    questions: Sequence[Question],
    documents: Sequence[Document],
    ids: Sequence[str],
    mode: Mode = "strict",
) -> Iterator[str]:
    """The relevance of each chunk that contains a part of an answer: 1. A question that no chunk
    answers has a chunk of relevance 0, so that it is counted."""
    corpus = Corpus(passages, documents, mode)
    for number, question in enumerate(questions, start=1):
        relevant = corpus.touching(question.document, question.answers)
        for at in relevant:
            yield f"q{number} 0 {ids[at]} 1\n"
        if not relevant and ids:
            yield f"q{number} 0 {ids[0]} 0\n"

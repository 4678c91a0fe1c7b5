"""The configs of the Retrieve page, cut over all documents, embedded, and ready to be searched."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace

from streamlit.delta_generator import DeltaGenerator

from chunking import ChunkscopeError, Config, Document
from chunking.errors import ModelError
from chunking.export import valid
from chunking.gold import Question
from chunking.models import CachedEmbedder, CachedReranker
from chunking.retrieval import Embedded, Searcher, to_embed
from pages.ui import state
from pages.ui.choices.comparing import LETTERS
from pages.ui.choices.retrieving import Retrieving
from pages.ui.retrieve import caches as retrieve_caches
from pages.ui.retrieve import embedding, reranking
from pages.ui.retrieve.chunked_corpus import ChunkedCorpus
from pages.ui.side_by_side import caches as side_by_side_caches
from pages.ui.side_by_side.model_prompts import WAITS
from pages.ui.side_by_side.numbers import MeasuredRow


@dataclass(frozen=True, slots=True)
class RetrieveRow:
    """One config: its chunks, or why there are none."""

    letter: str
    config: Config
    corpus: ChunkedCorpus | None
    measured: MeasuredRow | None
    """Its run of the first document, in numbers."""
    problem: str = ""
    searcher: Searcher | None = None
    """None until it can be searched."""
    waits: str = (
        "Not embedded yet: the button is under the question, at the top. A search by keywords needs no embeddings."
    )
    """What it waits for until then."""
    embedded: Embedded | None = None
    """What embedding its chunks took when they were first shown; None where no vectors are
    compared."""

    @property
    def name(self) -> str:
        return f"{self.letter} {self.config.strategy.title}"


def cut(documents: Sequence[Document], configs: Sequence[Config], counter: str) -> list[RetrieveRow]:
    """Cut every row; what fails is said in its panel, and the others go on without it."""
    return [_cut(documents, letter, config, counter) for letter, config in zip(LETTERS, configs, strict=False)]


def _cut(documents: Sequence[Document], letter: str, config: Config, counter: str) -> RetrieveRow:
    try:
        corpus = retrieve_caches.corpus(documents, config, counter)
    except ModelError:
        return RetrieveRow(letter, config, None, None, WAITS)
    except ChunkscopeError as error:
        return RetrieveRow(letter, config, None, None, str(error))
    return RetrieveRow(letter, config, corpus, side_by_side_caches.measured(corpus.runs[0], counter))


def made_ready(
    rows: Sequence[RetrieveRow], retrieving: Retrieving, known: Sequence[Question], place: DeltaGenerator
) -> list[RetrieveRow]:
    """The rows, ready to be searched as soon as all vectors are there. Nothing is embedded where
    nothing is asked."""
    if not retrieving.question and not known:
        return list(rows)
    by = embedding.chosen(retrieving)
    if retrieving.embeds and by is None:
        return list(rows)
    again = reranking.chosen(retrieving, rows[0].corpus.documents if rows[0].corpus else (), len(known), place)
    if retrieving.reranker and again is None:
        return [replace(row, waits="Waiting for the reranker.") for row in rows]
    embedded = _embedded(rows, retrieving, known, by, place) if by else {}
    if embedded is None:
        return list(rows)
    made = []
    for row in rows:
        try:
            made.append(_ready(row, retrieving, by, again, embedded.get(row.letter), place))
        except ModelError as error:
            made.append(replace(row, waits=str(error)))
    return made


def _ready(
    row: RetrieveRow,
    retrieving: Retrieving,
    by: CachedEmbedder | None,
    again: CachedReranker | None,
    embedded: Embedded | None,
    place: DeltaGenerator,
) -> RetrieveRow:
    corpus = row.corpus
    if corpus is None:
        return row
    late = retrieving.reads_late
    reads = late and not retrieve_caches.is_indexed(corpus, row.config, retrieving, by)
    with embedding.reading(place, row.letter) if reads else nullcontext() as tell:
        searcher = retrieve_caches.searcher(corpus, row.config, retrieving, by, again, tell)
    if by is None or embedded is None or late:
        return replace(row, searcher=searcher)
    what = f"{by.name}/{retrieving.mode}/{retrieve_caches.corpus_key(corpus, row.config)}"
    return replace(row, searcher=searcher, embedded=state.took_to_embed(row.letter, what, embedded))


def _embedded(
    rows: Sequence[RetrieveRow],
    retrieving: Retrieving,
    known: Sequence[Question],
    by: CachedEmbedder,
    place: DeltaGenerator,
) -> dict[str, Embedded] | None:
    """What embedding each row takes once the rows before it are embedded; None where something is
    still to be embedded."""
    wanted: dict[str, None] = {}
    counts: dict[str, Embedded] = {}
    for row in rows:
        if row.corpus:
            passages = row.corpus.passages(retrieving.mode) if not retrieving.reads_late else ()
            new = [text for text in to_embed(passages, by) if text not in wanted]
            counts[row.letter] = Embedded(len(new), len({passage.text for passage in passages}) - len(new))
            wanted |= dict.fromkeys(new)
    questions = dict.fromkeys(valid(text) for text in (retrieving.question, *(each.text for each in known)) if text)
    wanted |= dict.fromkeys(by.unknown(list(questions)))
    return counts if embedding.embed(retrieving, by, tuple(wanted), place) else None

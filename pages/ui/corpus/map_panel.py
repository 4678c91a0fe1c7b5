"""The map of the chunks of all documents: gathered where they are held, embedded and placed in the
background, and looked at again while it is not ready."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from chunking.analysis import DocumentFigures
from pages.ui import state
from pages.ui.background import corpus_jobs
from pages.ui.background.corpus_workers import Corpus, Cuts, workers
from pages.ui.background.jobs import Job, Jobs
from pages.ui.background.map_jobs import jobs
from pages.ui.background.map_state import layout_to_make, map_state
from pages.ui.choices.mapped import sample
from pages.ui.components.reading_views.chunk_map import COLOURS_OF_DOCUMENTS, MapDocuments, placed
from pages.ui.components.reading_views.map_view import Mapped, MapState, map_choices, map_view
from pages.ui.corpus.map_chunks import TextOnMap, texts_there
from pages.ui.server import sessions
from pages.ui.server.owners import owner

_KEY = "corpus-map"
_HEIGHT = "var(--cs-corpus-map)"
_AT_ONCE = 0.5
"""Seconds that the page waits for the chunks of a small corpus: nearly always all are there by
then."""
Texts = dict[int, tuple[TextOnMap, ...]]
_gathered: Jobs[Texts] = Jobs()


def map_panel(
    corpus: Corpus,
    cuts: Cuts,
    found: Mapping[int, DocumentFigures],
    names: Sequence[str],
    *,
    run: str,
    before: MapState | None,
) -> None:
    """Draw the map; or, where nothing can be begun, what there is `before` it. `run` names what the
    figures that were `found` are of."""
    total = sum(each.chunk_count for each in found.values())
    now = before or MapState()
    if total and not before:
        now = _made(corpus, cuts, found, names, total, run)
    _, absent = layout_to_make(map_choices(_KEY, COLOURS_OF_DOCUMENTS))
    map_view(
        Mapped(corpus.key, "All documents", total),
        replace(now, absent=absent),
        COLOURS_OF_DOCUMENTS,
        key=_KEY,
        height=_HEIGHT,
        on_select=partial(_open, corpus, cuts),
    )


def _made(
    corpus: Corpus, cuts: Cuts, found: Mapping[int, DocumentFigures], names: Sequence[str], total: int, run: str
) -> MapState:
    job = _texts(corpus, cuts, found, run)
    if job.problem:
        return MapState(problem=job.problem)
    if not job.wait(_AT_ONCE if corpus.small else 0):
        return MapState(waits="Reading the chunks of the documents")
    by_row = corpus_jobs.found_in(job)
    texts = [each for row in sorted(by_row) for each in by_row[row]]
    chunks = [each.chunk for each in texts]
    chosen = map_choices(_KEY, COLOURS_OF_DOCUMENTS)
    made = jobs.about(
        state.channel(),
        f"{owner().key} {run}",
        lambda: [each.text for each in texts],
        len(texts),
        layout_to_make(chosen)[0],
        [each.document for each in chunks],
    )
    opened = next((at for at, each in enumerate(corpus.documents) if each.name == state.corpus_choices().row), -1)
    documents = MapDocuments(names, opened)
    return map_state(
        made, chosen, lambda vectors: placed(chunks, [], vectors, chosen.colour, total=total, documents=documents)
    )


def _texts(corpus: Corpus, cuts: Cuts, found: Mapping[int, DocumentFigures], run: str) -> Job[Texts]:
    """The job that gathers the chunks of the map."""
    documents = len(corpus.documents)
    wanted = sample([found[row].chunk_count if row in found else 0 for row in range(documents)])
    gathers = partial(workers.each, corpus, texts_there, cuts.configs, cuts.which, wanted)
    return corpus_jobs.begun(
        _gathered, (sessions.session_id() or "", "map", run), documents, lambda stopped: gathers(stopped=stopped)
    )


def _open(corpus: Corpus, cuts: Cuts, row: int, offset: int) -> None:
    """Show the chosen chunk in Inspect."""
    if row >= len(corpus.documents):
        return
    config = cuts.configs[cuts.which[row]]
    if not isinstance(config, str):
        state.open_document(corpus.documents[row], config, offset)

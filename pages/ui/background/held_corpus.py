"""What a worker process, or for small corpora a thread of the server, holds of corpora, and what it
does with it (corpus_workers.py)."""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence

from chunking import ChunkscopeError, Config, Run, Tools
from chunking import run as cut_document
from chunking.analysis import DocumentFigures, FailedCheck, PackedFigures, document_figures, failed_checks, packed
from chunking.errors import ModelError, ModelUnsetError
from chunking.runtime import VARIABLE, memory
from chunking.tokens import counter as counter_named
from pages.ui.choices.samples import Source
from pages.ui.layout import caches
from pages.ui.layout.limits import run_limits
from pages.ui.server import sessions

_corpora: dict[str, dict[int, Source]] = {}
_NOBODY = "nobody"
"""For whom nothing is remembered."""
_parsed: set[tuple[str, int]] = set()
_alone = [False]
"""Whether this process does nothing else."""
_UNANSWERED = "a model has not answered all that this document needs; open it in Inspect, which asks"


def begin() -> None:
    """Make this process one that holds corpora: the server counts what that takes."""
    os.environ[VARIABLE] = "0"  # the server counts what is held here
    memory.asks = sessions.session_id
    _alone[0] = True


def take(key: str, documents: Sequence[tuple[int, str, str]]) -> None:
    """Hold these documents of a corpus: number, name and text of each."""
    _corpora[key] = {row: Source(name, "", text) for row, name, text in documents}
    for row in _corpora[key]:
        memory.welcome(f"{key}:{row}")


def drop(key: str) -> None:
    """Forget a corpus."""
    for row in _corpora.pop(key, {}):
        memory.release(f"{key}:{row}")
        _parsed.discard((key, row))
    if _alone[0]:
        gc.unfreeze()
        gc.collect()


def figures_of(
    key: str, rows: Sequence[int], configs: Sequence[Config | str], which: Sequence[int], texts: bool
) -> PackedFigures:
    """The figures of documents, each cut with the config whose number `which` says."""
    found = [_figures(key, row, configs[number], texts) for row, number in zip(rows, which, strict=True)]
    if _alone[0] and not _parsed.issuperset((key, row) for row in rows):
        _parsed.update((key, row) for row in rows)
        gc.freeze()
    return packed(found)


def checks_of(
    key: str, rows: Sequence[int], configs: Sequence[Config | str], which: Sequence[int]
) -> list[tuple[FailedCheck, ...]]:
    """The health checks that they do not pass, in the same way."""
    found = []
    for row, number in zip(rows, which, strict=True):
        run = cut_there(key, row, configs[number])
        remember_nothing()  # of what checks count by other tokenizers
        found.append(failed_checks(run) if isinstance(run, Run) else ())
    return found


def fingerprints_of(key: str, rows: Sequence[int], configs: Sequence[Config | str], which: Sequence[int]) -> list[str]:
    """The fingerprints of their chunks, in the same way; "" for one that cannot be cut."""
    found = []
    for row, number in zip(rows, which, strict=True):
        run = cut_there(key, row, configs[number])
        found.append(run.fingerprint if isinstance(run, Run) else "")
    return found


def _figures(key: str, row: int, config: Config | str, texts: bool) -> DocumentFigures:
    run = cut_there(key, row, config)
    return document_figures(run, texts=texts) if isinstance(run, Run) else DocumentFigures(problem=run)


def cut_there(key: str, row: int, config: Config | str) -> Run | str:
    """A document of a corpus as its config cuts it, with what it overrides for its name; or why it
    cannot. Where it is held."""
    if isinstance(config, str):
        return config
    sessions.work_for(f"{key}:{row}")  # each document has places of its own in the memory
    source = _corpora[key][row]
    try:
        chosen = config.for_document(source.name)
        tools = Tools(counter_named(chosen.counter), asks_models=False)
        return cut_document(caches.document(source), chosen, tools, limits=run_limits())
    except ModelUnsetError as error:
        return str(error)
    except ModelError:  # nobody is asked here
        return _UNANSWERED
    except ChunkscopeError as error:
        return str(error)


def remember_nothing() -> None:
    """Keep nothing of what is made until the next document is cut: what other tokenizers count
    would take as much as all the rest. Where a corpus is held."""
    sessions.work_for(_NOBODY)

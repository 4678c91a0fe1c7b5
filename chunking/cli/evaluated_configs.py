"""What `chunkscope evaluate` measures: configs and other tools' chunks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from chunking.cli.chunkers import is_chunker
from chunking.cli.inputs import is_chunk_file, one_column, read_config
from chunking.cli.terminal import ErrorLog, ProgressLine, print_error
from chunking.config.config import Config
from chunking.document import Document
from chunking.document.names import Names
from chunking.errors import GoldError
from chunking.gold.questions import Gold
from chunking.imported import Foreign
from chunking.models.access import Tools
from chunking.models.requests import announced
from chunking.retrieval.contexts import in_context
from chunking.retrieval.evaluation import TOKENS_BY
from chunking.retrieval.passages import Mode, Passage, load_foreign, passages_of, placed_passages
from chunking.runs import run
from chunking.runtime.faults import document_fault
from chunking.text.display import safe_name
from chunking.tokens import counter

_MOST_PROBLEMS = 20


def folder_of(corpora: Path) -> Path | None:
    """Where names begin: questions name documents as they lie in the folder that was given."""
    folder = corpora if corpora.is_dir() else corpora.parent
    return folder if folder.is_dir() else None


def usual_folder(corpora: Path) -> str:
    """What `run` puts in front of these documents' names, which the patterns of overrides fit:
    empty, or with a slash at its end."""
    folder = folder_of(corpora)
    name = Names([folder], None).of(folder) if folder else "."
    return "" if name == "." else safe_name(f"{name}/")


def column_of(configs: Sequence[str]) -> str:
    """The column of tables that the configs name. Raises ConfigError for several."""
    return one_column([read_config(each)[0] for each in configs if each != "-" and not made_elsewhere(each)])


def made_elsewhere(config: str) -> bool:
    """Whether what stands for a config is another tool's chunks: a file, a function or a
    program."""
    return is_chunker(config) or is_chunk_file(config)


def report_problems(problems: Sequence[str], errors: ErrorLog) -> None:
    for problem in problems[:_MOST_PROBLEMS]:
        errors.report(GoldError(problem))
    if len(problems) > _MOST_PROBLEMS:
        print_error(f"and {len(problems) - _MOST_PROBLEMS} more of the kind")


def passages_by(
    config: str,
    read: Sequence[Document],
    mode: Mode,
    errors: ErrorLog,
    progress: ProgressLine,
    lost: set[str],
    describer: str = "",
    *,
    below: str = "",
) -> tuple[Config | None, tuple[Passage, ...]]:
    """A config's passages of all documents, or those of another tool, in tokens of one counter.

    A document that it cannot cut is reported and added to `lost`. With a `describer`, those of the
    config in context (`in_context`); none where it has a context already. `below` is what overrides
    take for the folder of all documents.
    """
    if is_chunk_file(config):
        foreign = load_foreign(Path(config), read, TOKENS_BY, mode)
        for note in foreign.notes:
            print_error(note)
        report_problems(foreign.problems, errors)
        return None, foreign.passages
    chosen, _ = read_config(config)
    if describer:
        wrapped = in_context(chosen, describer)
        if wrapped is None:
            return None, ()
        chosen = wrapped
    passages: list[Passage] = []
    for document in read:
        own = chosen.for_document(f"{below}{document.name}")
        tools = Tools(counter(own.counter), progress=progress.of_model)
        try:
            announced(own.strategy, own.read(document), tools, print_error)
            made = run(document, own, tools)
            if isinstance(own.strategy, Foreign):  # every chunk with its own text, those within others too
                passages += placed_passages(own.strategy.placement(document, counter(own.counter)), TOKENS_BY, mode)
            else:
                passages += passages_of(made, mode, counted_by=TOKENS_BY)
        except BaseException as error:
            errors.report(document_fault(error, document.name))
            lost.add(document.name)
            continue
        for warning in made.warnings:
            print_error(f"{document.name}: {warning}")
        errors.descriptions(len(made.chunks), made.undescribed)
    return chosen, tuple(passages)


def without(lost: Collection[str], read: Sequence[Document], gold: Gold) -> tuple[list[Document], Gold]:
    """The documents and questions that remain: a document that one config cannot cut is left out
    for all."""
    readable = [document for document in read if document.name not in lost]
    questions = tuple(each for each in gold.questions if each.document not in lost)
    if not readable or (gold.questions and not questions):
        raise GoldError("no document with questions could be cut with every config, so there is nothing to measure")
    if left := len(gold.questions) - len(questions):
        are = "is" if left == 1 else "are"
        print_error(f"{left} of {len(gold.questions)} questions {are} about what could not be cut, and {are} left out")
    whole = tuple(each for each in gold.whole if each.document not in lost)
    return readable, replace(gold, questions=questions, whole=whole)

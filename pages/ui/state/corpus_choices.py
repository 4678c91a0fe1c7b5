"""What the Corpus page shows in this session, and the link to it."""

from __future__ import annotations

from dataclasses import replace

from chunking import Config
from pages.ui.choices.corpus import CorpusChoices, read_corpus, write_corpus
from pages.ui.choices.links import Link, read_link, write_link
from pages.ui.choices.samples import Source, samples
from pages.ui.state.inspect_choices import baseline_resolution, choose_source, go, resolution, take
from pages.ui.state.session import another_address, follow, this_session, write


def corpus_documents() -> tuple[Source, ...]:
    """The documents of the corpus: the files that the app was opened with, also two of the same
    text, and what this session added; else the samples."""
    session = this_session()
    of_files = session.followed.sources()
    there = {each.key for each in of_files}
    return (*of_files, *(each for each in session.added.values() if each.key not in there)) or samples()


def corpus_choices() -> CorpusChoices:
    """The choices of the page, besides its config."""
    return this_session().corpus


def choose_for_corpus(choices: CorpusChoices) -> None:
    """Have the page show this."""
    this_session().corpus = replace(choices, problem="")


def take_overrides(config: Config) -> None:
    """Take the overrides of a config that was opened, and what it cuts all other documents with."""
    session = this_session()
    session.corpus = replace(session.corpus, overrides=config.overrides)
    base, shown = replace(config, overrides=()), resolution().config
    session.corpus_config = (base, shown) if base != shown else None


def override_problem() -> str:
    """What is wrong with the override that was to be added; "" where it was."""
    return this_session().override_problem


def say_of_override(problem: str) -> None:
    """Say this until another override is added."""
    this_session().override_problem = problem


def open_corpus() -> None:
    """Take the config of the corpus again, where Inspect showed a document with the override's;
    what was changed there since holds for the corpus."""
    session = this_session()
    if session.corpus_config is not None:
        base, shown = session.corpus_config
        if resolution().config == shown:
            take(base)
        session.corpus_config = None


def open_document(source: Source, config: Config, offset: int) -> None:
    """Have Inspect show a document of the corpus as it is cut there, at this place."""
    session, base = this_session(), resolution().config
    session.corpus = replace(session.corpus, row=source.name)
    if config != base:
        take(config)
        session.corpus_config = base, config
    choose_source(source.key)
    go(offset)
    session.corpus_opened = True


def goes_to_inspect() -> bool:
    """Whether a document was opened since this was asked last."""
    session = this_session()
    opened, session.corpus_opened = session.corpus_opened, False
    return opened


def follow_corpus_address() -> None:
    """Choose what the address says, as `follow_address` does for Inspect."""
    query = another_address(_corpus_query)
    if query:
        session, link = this_session(), read_link(query)
        follow(session, replace(link, source=session.source, view=session.view, selected=session.selected))
        corpus = read_corpus(query)
        # Back from a document: its row was opened after this address was written.
        session.corpus = replace(corpus, row=corpus.row or session.corpus.row)
        session.corpus_config = None


def write_corpus_query() -> None:
    """Make the address say what the page shows."""
    write(_corpus_query)


def _corpus_query() -> dict[str, str]:
    before = baseline_resolution()
    baseline = before.config if before else None
    link = Link("", resolution().config, baseline, baseline is None)
    return write_link(link) | write_corpus(this_session().corpus)

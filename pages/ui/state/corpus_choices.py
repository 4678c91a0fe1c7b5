"""What the Corpus page shows in this session, and the link to it."""

from __future__ import annotations

from dataclasses import replace

from chunking import Config
from chunking.config import Override
from chunking.text import shown_text
from pages.ui.choices.corpus import CorpusChoices, Overridden, read_corpus, write_corpus
from pages.ui.choices.links import Link, read_link, write_link
from pages.ui.choices.samples import Source, samples
from pages.ui.state.history_choices import inspect
from pages.ui.state.inspect_choices import (
    baseline_resolution,
    choose_source,
    go,
    resolution,
    say_of_config,
    take,
)
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


def take_overrides(config: Config, name: str) -> None:
    """Take the overrides of a config that was opened, and what it cuts all other documents with;
    `name` is that of the open document."""
    session, override = this_session(), config.override_for(name)
    session.corpus = replace(session.corpus, overrides=config.overrides)
    _take_overridden(replace(config, overrides=()), override)


def _take_overridden(corpus: Config, override: Override | None) -> None:
    """Know that Inspect shows what this override gives the open document."""
    session = this_session()
    session.override_change = ""
    session.overridden = (
        Overridden(session.source, corpus, resolution().config, override.pattern) if override is not None else None
    )


def override_problem() -> str:
    """What is wrong with the override that was to be added; "" where it was."""
    return this_session().override_problem


def say_of_override(problem: str) -> None:
    """Say this until another override is added."""
    this_session().override_problem = problem


def open_corpus() -> None:
    """Take the config of the corpus again, where Inspect showed a document with the override's.
    What was changed there since is now the override's; after another document was chosen there, it
    is the corpus'."""
    session, now = this_session(), resolution().config
    overridden, session.overridden = session.overridden, None
    if overridden is None:
        return
    say_of_config("", is_problem=False)
    if now == overridden.shown:
        take(overridden.corpus)
    elif session.source == overridden.source:
        changed = overridden.changed(session.corpus.overrides, now)
        if changed != session.corpus.overrides:
            session.corpus = replace(session.corpus, overrides=changed)
            session.override_change = overridden.pattern
        take(overridden.corpus)


def override_change() -> str:
    """The pattern of the override that was changed in Inspect, since a document was last opened
    from the Corpus page; "" where none was."""
    return this_session().override_change


def open_document(source: Source, config: Config, offset: int) -> None:
    """Have Inspect show a document of the corpus as it is cut there, at this place."""
    session, base = this_session(), resolution().config
    session.corpus = replace(session.corpus, row=source.name)
    override = next((each for each in session.corpus.overrides if each.fits(source.name)), None)
    choose_document(source)
    if config != base:
        take(config)
    _take_overridden(base, override)
    words = ""
    if override is not None:
        words = f"These are the settings of the override {shown_text(override.pattern, 80)}; changes here change it."
    say_of_config(words, is_problem=False)
    go(offset)
    session.corpus_opened = True


def choose_document(source: Source) -> None:
    """Choose a document of the corpus: of files with the same text this one."""
    added = this_session().added
    choose_source(source.key)
    if source.key in added:
        added[source.key] = source


def inspect_document(source: Source, config: Config, before: Config) -> None:
    """Have Inspect show a document as this config with its overrides cuts it; `before` is the
    baseline."""
    choose_document(source)
    base, shown = replace(config, overrides=()), config.for_document(source.name)
    inspect(shown, before.for_document(source.name))
    _take_overridden(base, config.override_for(source.name) if shown != base else None)


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
        session.overridden = None


def write_corpus_query() -> None:
    """Make the address say what the page shows."""
    write(_corpus_query)


def _corpus_query() -> dict[str, str]:
    before = baseline_resolution()
    baseline = before.config if before else None
    link = Link("", resolution().config, baseline, baseline is None)
    return write_link(link) | write_corpus(this_session().corpus)

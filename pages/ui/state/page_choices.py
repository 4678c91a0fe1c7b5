"""What Compare, Tune and Retrieve show in this session, and the links to them."""

from __future__ import annotations

from dataclasses import replace

from chunking import Config, strategies
from chunking.retrieval import Embedded
from pages.ui.choices.comparing import LETTERS, Comparing, read_rows, row_of, write_rows
from pages.ui.choices.corpus import with_overrides, write_overrides
from pages.ui.choices.inspected import write_inspected
from pages.ui.choices.links import Link, read_link, write_link
from pages.ui.choices.resolve import Resolution
from pages.ui.choices.retrieving import Retrieving, read_retrieving, write_retrieving
from pages.ui.choices.tuning import TuneChoices, write_tuned
from pages.ui.state.inspect_choices import baseline_resolution, resolution, source_name
from pages.ui.state.session import FIRST_BASELINE, another_address, first_strategy, follow, this_session, write


def follow_compared_address() -> None:
    """Choose for Compare what the address says, as `follow_address` does for Inspect. The configs
    stand in the address, each with its letter. Inspect's own stays: it may have been changed since,
    and Back shall not undo that."""
    query = another_address(_compare_query)
    if query:
        session, link = this_session(), read_link(query)
        follow(session, replace(link, view=session.view, baseline=None, no_baseline=False))
        session.comparing = read_rows(query) or session.comparing


def follow_retrieved_address() -> None:
    """The same for Retrieve, whose address has neither the place in the document nor the way of
    reading it."""
    query = another_address(_retrieve_query)
    if query:
        session, link = this_session(), read_link(query)
        link = replace(link, view=session.view, selected=session.selected)
        follow(session, replace(link, baseline=None, no_baseline=False))
        session.comparing = read_rows(query) or session.comparing
        session.retrieving = read_retrieving(query)


def follow_tuned_address() -> None:
    """The same for Tune, which switches between views of its own."""
    query = another_address(_tune_query)
    if query:
        session, link = this_session(), read_link(query)
        follow(session, replace(link, view=session.view, selected=session.selected))
        session.tuned = tuned().following(query, resolution().config)


def comparing() -> Comparing:
    """What Compare shows: at first, the baseline and the config of Inspect, counted as Inspect
    counts."""
    session = this_session()
    if session.comparing is None:
        now = resolution().config
        first = Config(strategies.get(strategies.names()[0])(), loader=now.loader)
        before = baseline_resolution() or Resolution(first)
        session.comparing = Comparing((row_of(before.config), row_of(now)), now.counter)
    return session.comparing


def compared_on_corpus() -> tuple[tuple[Config, ...], tuple[str, ...]]:
    """The configs of Compare and Retrieve with the overrides of the corpus, and a line on each that
    does not hold for one of them."""
    overrides = this_session().corpus.overrides
    found = [with_overrides(each, overrides) for each in comparing().configs()]
    problems = [f"{letter}: {line}" for letter, (_, lines) in zip(LETTERS, found, strict=False) for line in lines]
    return tuple(config for config, _ in found), tuple(problems)


def compare(what: Comparing) -> None:
    """Have Compare show this."""
    this_session().comparing = what


def write_comparing() -> None:
    """Make the address say what Compare shows."""
    write(_compare_query)


def _compare_query() -> dict[str, str]:
    session = this_session()
    link = write_link(Link(session.source, name=source_name(), selected=session.selected)) | write_rows(comparing())
    overrides = write_overrides(session.corpus.overrides) if comparing().all_documents else {}
    return link | _inspected() | overrides


def _inspected() -> dict[str, str]:
    """What the addresses of Compare and Retrieve say of Inspect, for a reload."""
    before, first = baseline_resolution(), Config(strategies.get(first_strategy())())
    usual = Link(config=first, baseline=Config(strategies.get(FIRST_BASELINE)()))
    return write_inspected(resolution().config, before.config if before else None, comparing().configs(), usual)


def retrieving() -> Retrieving:
    """The choices of the Retrieve page; its configs are those of Compare."""
    return this_session().retrieving


def retrieve(what: Retrieving) -> None:
    """Have Retrieve show this."""
    this_session().retrieving = what


def took_to_embed(row: str, what: str, now: Embedded) -> Embedded:
    """What embedding the chunks named `what` took when this row of Retrieve first showed them.
    `now` is what it took in this run of the script: it is kept where the row shows other chunks
    than before, or where a model was asked."""
    known = this_session().embedded
    if row not in known or known[row][0] != what or now.asked:
        known[row] = (what, now)
    return known[row][1]


def write_retrieval() -> None:
    """Make the address say what Retrieve shows."""
    write(_retrieve_query)


def _retrieve_query() -> dict[str, str]:
    session = this_session()
    return (
        write_link(Link(session.source, name=source_name()))
        | write_rows(comparing())
        | write_retrieving(session.retrieving)
        | _inspected()
        | (write_overrides(session.corpus.overrides) if session.retrieving.all_documents else {})
    )


def tuned() -> TuneChoices:
    """The choices of the Tune page."""
    return this_session().tuned or TuneChoices()


def tune(what: TuneChoices) -> None:
    """Have Tune show this."""
    this_session().tuned = what


def write_tuning() -> None:
    """Make the address say what Tune shows."""
    write(_tune_query)


def _tune_query() -> dict[str, str]:
    session, before, now = this_session(), baseline_resolution(), resolution().config
    baseline = before.config if before else None
    return write_link(Link(session.source, now, baseline, baseline is None, name=source_name())) | write_tuned(
        tuned(), now
    )


def lead_to_inspect() -> None:
    """For callbacks, which can open no page: the next run of this one opens Inspect."""
    this_session().leads_to_inspect = True


def leads_to_inspect() -> bool:
    """Whether a callback has asked for that since the last call."""
    session = this_session()
    leads, session.leads_to_inspect = session.leads_to_inspect, False
    return leads

"""What this session has chosen: the only file that reads or writes session_state and query_params.

Widgets never own a value: `own` puts the chosen value into a widget before it is drawn, and a callback brings what the
person did back with `moved`. The link is read once per session and written whenever the whole page has run.
"""

# Without `from __future__ import annotations`: that name is a door here.

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import cast

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from chunking import Annotations, Config, Document, Run, strategies
from chunking.annotation_store import store, text_key
from chunking.errors import GoldError
from chunking.searching import Embedded
from pages.ui.choices import Settled, settle
from pages.ui.compare_rows import Comparing, read_rows, row_of, write_rows
from pages.ui.history import History, Setup
from pages.ui.links import Link, read_link, write_link
from pages.ui.marks_choice import Marking
from pages.ui.plans import Plan, SettingValues, plan_of
from pages.ui.reading import View
from pages.ui.retrieve_choice import Retrieving, read_retrieving, write_retrieving
from pages.ui.samples import Source, first_sample, samples
from pages.ui.shared_text import other_texts
from pages.ui.tune_choice import LINKED, Tuned, read_tuned, write_tuned
from pages.ui.uploads import Upload

FIRST_STRATEGIES = ("heading-window", "hierarchical", "every-heading")
"""What a new session opens with: the first of these that is there."""
NO_BASELINE = ""
_SESSION = "chunkscope"
_ADDRESS_SETTLES = 1.0
"""Seconds after which the browser has surely heard of an address written to it."""


@dataclass
class _Session:
    """One person's choices. Mutable, and never shared: it lives in the session."""

    strategy: str
    source: str = ""
    plans: dict[str, Plan] = field(default_factory=dict)
    counter: str = ""
    baseline: str = "every-heading"
    baseline_plans: dict[str, Plan] = field(default_factory=dict)
    baseline_counter: str = ""
    selected: int | None = None
    view: View = "source"
    added: dict[str, Source] = field(default_factory=dict)
    uploads: dict[str, frozenset[str]] = field(default_factory=dict)
    """By uploader, Streamlit's ids of the files that lie in it and have been read."""
    refused: tuple[str, ...] = ()
    wrote: dict[str, str] = field(default_factory=dict)
    """The query that was last written to the address."""
    wrote_at: float = 0
    missing: str = ""
    """What a link asked for and this session does not have."""
    good: Config | None = None
    good_baseline: Config | None = None
    ran: dict[str, Run] = field(default_factory=dict)
    dragging: bool = False
    channel: str = field(default_factory=lambda: token_urlsafe(24))
    history: History = field(default_factory=History)
    asked_about: int | None = None
    """The boundary far into a text that somebody wants explained, as an offset."""
    wanted: str = ""
    """Which model was told to answer, by the last click."""
    model_problems: dict[str, str] = field(default_factory=dict)
    prices: dict[tuple[str, str], float] = field(default_factory=dict)
    comparing: Comparing | None = None
    """What Compare shows; None until it is opened, when it begins with what Inspect shows."""
    tuned: Tuned | None = None
    """What Tune shows; None until it is opened."""
    retrieving: Retrieving = field(default_factory=Retrieving)
    """What Retrieve was told."""
    embedded: dict[str, tuple[str, Embedded]] = field(default_factory=dict)
    """By row of Retrieve, which chunks were last embedded for it and what that took."""
    marks_seen: dict[str, Annotations] = field(default_factory=dict)
    """By the text's sha256, the marks as this session last had them: what it changes is told from what others did."""
    marking: Marking = field(default_factory=Marking)


def _session() -> _Session:
    if _SESSION not in st.session_state:
        st.session_state[_SESSION] = _opened()
    return cast(_Session, st.session_state[_SESSION])


def _opened() -> _Session:
    """A new session, as the link says; what the link gets wrong is said and left at its default."""
    query = {name: st.query_params[name] for name in st.query_params}
    link = read_link(query)
    first = next((name for name in FIRST_STRATEGIES if name in strategies.names()), strategies.names()[0])
    first_source = first_sample()
    session = _Session(strategy=first, source=first_source.key if first_source else "")
    _follow(session, link)
    session.comparing = read_rows(query)
    if "strategy" not in query:  # else the link is to a page of one config
        session.retrieving = read_retrieving(query)
    if any(name in query for name in LINKED):
        session.tuned = read_tuned(query, link.config or Config(strategies.get(first)()))
    return session


def _follow(session: _Session, link: Link) -> None:
    """Choose what the link says; what it leaves out stays as it is."""
    session.source = link.source or session.source
    if link.config:
        session.strategy = link.config.strategy.name
        session.plans[session.strategy] = plan_of(link.config.strategy)
        session.counter = _chosen_counter(link.config)
    if link.baseline:
        session.baseline = link.baseline.strategy.name
        session.baseline_plans[session.baseline] = plan_of(link.baseline.strategy)
        session.baseline_counter = _chosen_counter(link.baseline)
    elif link.no_baseline:
        session.baseline = NO_BASELINE
    session.selected = link.selected
    session.view = link.view
    session.missing = link.problem


def follow_address() -> None:
    """Choose what the address says where this session did not write it: Back and Forward, or a link within the app."""
    query = _another_address()
    if query:
        _follow(_session(), read_link(query))


def follow_compared_address() -> None:
    """The same for Compare, whose configs stand in the address each with its letter."""
    query = _another_address()
    if query:
        rows, session = read_rows(query), _session()
        _follow(session, read_link(query))
        session.comparing = rows or session.comparing


def _another_address() -> dict[str, str]:
    """What the address says, where this session did not write it; empty where it did.

    An address as it was before the last write says nothing while the browser may not have heard of that write.
    """
    session = _session()
    query = {name: st.query_params[name] for name in st.query_params}
    written = not session.wrote or query == session.wrote
    return {} if written or time.monotonic() - session.wrote_at < _ADDRESS_SETTLES else query


def _chosen_counter(config: Config) -> str:
    """The counter, or "" where it is the strategy's own."""
    return "" if config.counter == config.strategy.default_counter else config.counter


# ---- what was chosen ----


def sources() -> tuple[Source, ...]:
    """What the picker offers: what this session added, then the samples."""
    return (*_session().added.values(), *samples())


def source() -> Source | None:
    """The chosen text; None when there is nothing to choose or the link names a text this session does not have."""
    return next((known for known in sources() if known.key == _session().source), None)


def missing_source() -> str:
    """The key of the text the link asked for, when this session does not have it."""
    return "" if source() or not _session().source else _session().source


def refused() -> tuple[str, ...]:
    """One line for each upload that could not be read."""
    return _session().refused


def link_problem() -> str:
    return _session().missing


def plan() -> Plan:
    session = _session()
    return session.plans.get(session.strategy, Plan(session.strategy))


def counter_choice() -> str:
    """The chosen counter, "" for the strategy's own."""
    return _session().counter


def settled() -> Settled:
    """The config to run, with what is wrong with the choices beside it; the last good one is remembered."""
    session = _session()
    outcome = settle(plan(), session.counter, session.good)
    session.good = outcome.config
    return outcome


def baseline_plan() -> Plan | None:
    """The baseline's plan; None when nothing is compared."""
    session = _session()
    if session.baseline == NO_BASELINE:
        return None
    return session.baseline_plans.get(session.baseline, Plan(session.baseline))


def settled_baseline() -> Settled | None:
    session, chosen = _session(), baseline_plan()
    if chosen is None:
        return None
    outcome = settle(chosen, session.baseline_counter, session.good_baseline)
    session.good_baseline = outcome.config
    return outcome


def selected() -> int | None:
    """Source offset of what was clicked: it survives re-chunking."""
    return _session().selected


def view() -> View:
    """How the document is read."""
    return _session().view


def dragging() -> bool:
    """Whether a threshold is held right now: what is slow to find out waits for the release."""
    return _session().dragging


def model_problem(key: str) -> str:
    """Why a model did not answer all that it was asked, one line; "" where it did or was not asked."""
    return _session().model_problems.get(key, "")


def note_model_problem(key: str, problem: str) -> None:
    _session().model_problems[key] = problem


def want(key: str) -> None:
    """Have a model asked, once."""
    session = _session()
    session.wanted = key
    session.model_problems.pop(key, None)


def take_wanted(key: str) -> bool:
    """Whether this model was to be asked; it is not again after that."""
    session = _session()
    taken = session.wanted == key
    if taken:
        session.wanted = ""
    return taken


def price(of: str, way: str) -> float:
    """For a million tokens in or out of this model, as somebody typed it."""
    return _session().prices.get((of, way), 0.0)


def set_price(of: str, way: str, value: float) -> None:
    _session().prices[(of, way)] = value


def channel() -> str:
    """The name of this session's desk (live_channel.py), which nobody else knows."""
    return _session().channel


def last_good(document: Document, strategy: str) -> Run | None:
    """The last run of this document by this strategy that did not fail."""
    last = _session().ran.get(strategy)
    return last if last and last.document == document else None


def remember(run: Run) -> None:
    _session().ran[run.config.strategy.name] = run


def comparing() -> Comparing:
    """What Compare shows: at first, the baseline and the config of Inspect."""
    session = _session()
    if session.comparing is None:
        before = settled_baseline() or Settled(Config(strategies.get(strategies.names()[0])()))
        session.comparing = Comparing((row_of(before.config), row_of(settled().config)))
    return session.comparing


# ---- marks ----


def annotations(document: Document) -> Annotations:
    """What is marked in this text, in any session; nothing where the marks cannot be read (`annotations_problem`)."""
    try:
        read = store().read(document)
    except GoldError:
        return Annotations()
    _session().marks_seen[text_key(document)] = read
    return read


def annotations_problem(document: Document) -> str:
    """Why the marks of this text cannot be read, one line; "" where they can."""
    try:
        store().read(document)
    except GoldError as error:
        return str(error)
    return ""


def annotate(document: Document, annotations: Annotations) -> None:
    """Keep these marks, without taking away what another session marked meanwhile. Raises GoldError."""
    seen, key = _session().marks_seen, text_key(document)
    seen[key] = store().save(document, seen.get(key, Annotations()), annotations)


def marking() -> Marking:
    """What is being done with marks."""
    return _session().marking


def mark_with(what: Marking) -> None:
    _session().marking = what


# ---- choosing ----


def choose_source(key: str) -> None:
    session = _session()
    session.refused = ()
    if key != session.source:
        session.source, session.selected = key, None


def choose_strategy(name: str) -> None:
    _session().strategy = name


def choose_counter(name: str) -> None:
    _session().counter = name


def choose_values(values: SettingValues) -> None:
    """Change settings of the chosen strategy."""
    _session().plans[_session().strategy] = plan().with_values(values)


def reset_values() -> None:
    """Back to the defaults of the chosen strategy."""
    _session().plans.pop(_session().strategy, None)


def choose_baseline(name: str) -> None:
    session = _session()
    session.baseline, session.baseline_counter = name, ""


def choose_baseline_values(values: SettingValues) -> None:
    chosen = baseline_plan()
    if chosen is not None:
        _session().baseline_plans[chosen.strategy] = chosen.with_values(values)


def pin(config: Config) -> None:
    """Make this config the baseline."""
    session, pinned = _session(), plan_of(config.strategy)
    session.baseline, session.baseline_counter = pinned.strategy, config.counter
    session.baseline_plans[pinned.strategy] = pinned


def swap(config: Config) -> None:
    """Make the baseline the current config and the current one the baseline."""
    session, before = _session(), baseline_plan()
    if before is None:
        return
    counter = session.baseline_counter
    pin(config)
    session.strategy, session.counter = before.strategy, counter
    session.plans[before.strategy] = before


def take(config: Config) -> None:
    """Have Inspect show this config."""
    session, chosen = _session(), plan_of(config.strategy)
    session.strategy, session.counter = chosen.strategy, _chosen_counter(config)
    session.plans[chosen.strategy] = chosen


def history() -> History:
    """The setups of this session, this one noted: a drag becomes a step when it ends."""
    session = _session()
    if not session.dragging:
        session.history = session.history.noted(Setup(plan(), session.counter))
    return session.history


def asked_about() -> int | None:
    return _session().asked_about


def ask_about(offset: int) -> None:
    """Have this boundary explained, however long that takes."""
    _session().asked_about = offset


def undo() -> None:
    """One step back in strategy, settings and counter; the place in the source stays."""
    _go_to(_session().history.undone())


def redo() -> None:
    _go_to(_session().history.redone())


def _go_to(there: History) -> None:
    session = _session()
    session.history = there
    if there.now:
        session.strategy, session.counter = there.now.plan.strategy, there.now.counter
        session.plans[session.strategy] = there.now.plan


def compare(what: Comparing) -> None:
    """Have Compare show this."""
    _session().comparing = what


def retrieving() -> Retrieving:
    """What Retrieve was told; its configs are those of Compare."""
    return _session().retrieving


def retrieve(what: Retrieving) -> None:
    """Have Retrieve show this."""
    _session().retrieving = what


def took_to_embed(row: str, what: str, now: Embedded) -> Embedded:
    """What it took to embed these chunks when this row of Retrieve began to show them: `now` where it does now."""
    known = _session().embedded
    if row not in known or known[row][0] != what or now.asked:
        known[row] = (what, now)
    return known[row][1]


def tuned() -> Tuned:
    """What Tune was told."""
    return _session().tuned or Tuned()


def tune(what: Tuned) -> None:
    """Have Tune show this."""
    _session().tuned = what


def added_sources() -> tuple[Source, ...]:
    """What this session added, without the samples."""
    return tuple(_session().added.values())


def inspect(config: Config, before: Config) -> None:
    """Have Inspect show this config, with the one before it as its baseline."""
    pin(before)
    take(config)


def select(offset: int | None) -> None:
    _session().selected = offset


def choose_view(name: View) -> None:
    _session().view = name


def drag(*, held: bool) -> None:
    _session().dragging = held


def add_sources(added: Sequence[Source], refusals: Sequence[str]) -> None:
    """Take what was uploaded or pasted, and show the last of it; what was refused is said, and the view stays."""
    session, missing = _session(), missing_source()
    for new in added:
        session.added[new.key] = new
    if missing and missing in session.added:  # what the link is about, among whatever else came with it
        session.refused = tuple(refusals)
        return
    others = other_texts(added, missing)
    if added:
        choose_source(added[-1].key)
    session.refused = (*refusals, *others)


# ---- widgets and the link ----


def own(key: str, value: object) -> str:
    """Put the chosen value into the widget with this key, before it is drawn. Gives the key.

    Every time: a widget in a closed popover is not there to hear it, and would later begin with a value of its own.
    """
    st.session_state[key] = value
    return key


def moved(key: str) -> object:
    """What the person did to the widget with this key; for callbacks."""
    return st.session_state.get(key)


def write_query() -> None:
    """Make the address say what is shown. Text that was uploaded or pasted is not in it, only its hash."""
    session, before = _session(), settled_baseline()
    baseline = before.config if before else None
    _write(
        write_link(Link(session.source, settled().config, baseline, baseline is None, session.selected, session.view))
    )


def write_comparing() -> None:
    """Make the address say what Compare shows."""
    session = _session()
    _write(write_link(Link(session.source, selected=session.selected)) | write_rows(comparing()))


def write_tuning() -> None:
    """Make the address say what Tune shows."""
    session, before, now = _session(), settled_baseline(), settled().config
    baseline = before.config if before else None
    _write(write_link(Link(session.source, now, baseline, baseline is None)) | write_tuned(tuned(), now))


def write_retrieval() -> None:
    """Make the address say what Retrieve shows."""
    session = _session()
    _write(write_link(Link(session.source)) | write_rows(comparing()) | write_retrieving(session.retrieving))


def _write(wanted: dict[str, str]) -> None:
    now = {name: st.query_params[name] for name in st.query_params}
    session = _session()
    session.wrote = wanted
    if now != wanted:
        session.wrote_at = time.monotonic()
        st.query_params.from_dict(wanted)


def uploaded(key: str) -> list[Upload]:
    """The files that came into the uploader with this key since the last call; for callbacks."""
    files, session = cast("list[UploadedFile]", st.session_state.get(key) or []), _session()
    new = [file for file in files if file.file_id not in session.uploads.get(key, frozenset())]
    session.uploads[key] = frozenset(file.file_id for file in files)
    return [Upload(file.name, file.getvalue()) for file in new]


def clicked_row(key: str) -> int | None:
    """The row of the cell that was clicked in the table with this key; for callbacks."""
    table = st.session_state.get(key)
    cells = table["selection"]["cells"] if table else []
    return int(cells[0][0]) if cells else None


def chosen_row(key: str) -> int | None:
    """The row that is chosen in the table with this key; for callbacks."""
    table = st.session_state.get(key)
    rows = table["selection"]["rows"] if table else []
    return int(rows[0]) if rows else None


def clicked_point(key: str) -> int | None:
    """Where in the source the point that was clicked in the chart with this key leads; for callbacks."""
    chart = st.session_state.get(key)
    points = chart["selection"]["points"] if chart else []
    leads = points[0].get("customdata") if points else None
    return int(leads[0]) if leads else None


def strategy_in_address() -> str:
    """The strategy that the address of the Strategies page names, as it stands there; "" without one."""
    return st.query_params.get("strategy", "")

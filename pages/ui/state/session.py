"""A session's choices, its address and its widgets: the one file that touches query_params, and
session_state except for what each component keeps there for itself.

Widgets never own a value: `own` puts the chosen value into a widget before it is drawn, and a
callback brings what the person did back with `moved`. The link is read once per session and written
whenever the whole page has run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from secrets import token_urlsafe
from time import monotonic
from typing import cast

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.typing import DataframeState, PlotlyState, UploadedFile

from chunking import Annotations, AnnotationStore, Config, Run, strategies
from chunking.document import NO_LOADER, LoaderSettings
from chunking.errors import ChunkscopeError
from chunking.retrieval import Embedded
from pages.ui.choices.comparing import Comparing, read_rows
from pages.ui.choices.corpus import CORPUS_LINKED, CorpusChoices, Overridden, read_corpus
from pages.ui.choices.history import History
from pages.ui.choices.inspected import with_inspected
from pages.ui.choices.links import Link, read_link
from pages.ui.choices.marking import Marking
from pages.ui.choices.measured import Measured
from pages.ui.choices.offers import NO_OFFERS, Replaced, Taken, WhatIf
from pages.ui.choices.placing import Wanted
from pages.ui.choices.plans import Plan, plan_of
from pages.ui.choices.reading import Only, View
from pages.ui.choices.recommending import Recommending
from pages.ui.choices.retrieving import Retrieving, read_retrieving
from pages.ui.choices.reviewing import Drafting, Reviewing
from pages.ui.choices.samples import Source, first_sample
from pages.ui.choices.snapshots import Snapshot
from pages.ui.choices.tuning import LINKED, TuneChoices, read_tuned
from pages.ui.choices.uploads import Upload
from pages.ui.server import sessions
from pages.ui.server.held_texts import HeldTexts, held_texts, refusal
from pages.ui.server.owner_files import OwnerFiles
from pages.ui.state.followed_files import FollowedFiles

_FIRST_STRATEGIES = ("heading-window", "hierarchical", "every-heading")
NO_BASELINE = ""
FIRST_BASELINE = "every-heading"
_SESSION = "chunkscope"
_SECONDS_TO_DRAW = 2
"""How long a browser may take to draw the values it has received."""


@dataclass(frozen=True, slots=True)
class Said:
    """The outcome of the last action, as one line."""

    text: str = ""
    is_problem: bool = False


@dataclass(frozen=True, slots=True)
class Put:
    """A value that a widget is to have in the browser."""

    before: object
    """What the browser has until then."""
    value: object
    until: float = inf
    """When the browser has drawn it, in seconds of the monotonic clock."""


@dataclass
class Session:
    """One person's choices. Mutable, and never shared: it lives in the session."""

    strategy: str
    source: str = ""
    linked_name: str = ""
    """The name that a link gives the text it is about."""
    plans: dict[str, Plan] = field(default_factory=dict)
    counter: str = ""
    loader: LoaderSettings = NO_LOADER
    """Which lines are headings besides those of Markdown, for the baseline too."""
    loader_problem: str = ""
    """What was wrong with the heading pattern or delimiter that was last written."""
    baseline: str = FIRST_BASELINE
    baseline_plans: dict[str, Plan] = field(default_factory=dict)
    baseline_counter: str = ""
    selected: int | None = None
    begun_at: tuple[str, int] | None = None
    """A document's key, and what is selected there until somebody selects something."""
    went: int = 0
    """How often the page was told to show a place, from outside the source view."""
    shown_place: int | None = None
    """The place that was last to be shown without being selected."""
    leads_to_inspect: bool = False
    """Whether the next run of another page opens Inspect."""
    view: View = "source"
    beside: str = ""
    """The second tokenizer of the tokens."""
    only: Only = "all"
    """Which chunks stand out."""
    added: dict[str, Source] = field(default_factory=dict)
    held: HeldTexts = field(default_factory=held_texts)
    """The bytes of what was added."""
    uploads: dict[str, frozenset[str]] = field(default_factory=dict)
    """By uploader, Streamlit's ids of the files in it that were read."""
    refused: tuple[str, ...] = ()
    text_in_link: str = ""
    """The key of the text that copied links are to hold."""
    followed: FollowedFiles = field(default_factory=FollowedFiles)
    """The files that the app was opened with."""
    began_at_page: bool = False
    """Whether its address said what a page is to show, until that page is opened."""
    recalled: bool = False
    """Whether what other pages said before a reload was looked for."""
    kept_notes: tuple[str, ...] = ()
    """What became of kept documents when others were last added."""
    kept_problems: dict[str, str] = field(default_factory=dict)
    """By key, why a kept document cannot be opened."""
    snapshot_problems: tuple[str, ...] = ()
    """What was wrong with what was last done to snapshots."""
    chunk_files: tuple[Snapshot, ...] = ()
    """Files of another tool's chunks that were opened, each as the config that gives them."""
    said_of_config: Said = Said()
    own_files: OwnerFiles = field(default_factory=lambda: OwnerFiles(None))
    """What a session that is an owner of its own remembers."""
    recommending: Recommending | None = None
    """The recommendation that was last worked out, or still is."""
    recommendations_dismissed: set[str] = field(default_factory=set)
    """Hashes of the texts of which none is wanted."""
    steps_dismissed: bool = False
    """Whether this visit has put the first steps away."""
    page: str = ""
    """The title of the page that was last opened."""
    wrote: dict[str, str] = field(default_factory=dict)
    """The query that was last written to the address."""
    wrote_for: Callable[[], dict[str, str]] | None = None
    """The function that made that query: each page has its own."""
    put: dict[str, Put] = field(default_factory=dict)
    """By widget, what `own` last changed there."""
    described: str | None = None
    """The strategy in the address of the Strategies page while that is open; None before."""
    missing: str = ""
    """What a link names and this session does not have, such as an uploaded document."""
    link_faults: Mapping[str, str] = field(default_factory=dict)
    """Faults of a link by setting, or by "counter", until something else is chosen there."""
    baseline_problem: str = ""
    """The fault of a link's baseline."""
    good: Config | None = None
    good_baseline: Config | None = None
    ran: dict[str, Run] = field(default_factory=dict)
    dragging: bool = False
    channel: str = field(default_factory=lambda: token_urlsafe(24))
    history: History = field(default_factory=History)
    measured: tuple[Measured, ...] = ()
    """The numbers of what was shown, the latest last."""
    wanted_boundary: Wanted | None = None
    """The boundary that was dragged in the source."""
    offered: tuple[int | None, WhatIf] = None, NO_OFFERS
    """What was selected, and what was last offered for the boundary there."""
    taken: Taken | None = None
    """The offer for a boundary that was taken last."""
    replaced: Replaced | None = None
    """The config that was taken last as a whole."""
    asked_about: int | None = None
    """The boundary far into a text that somebody wants explained, as an offset."""
    wanted: str = ""
    """The key of the model that the last click started."""
    allowed: set[str] = field(default_factory=set)
    """The keys of models that somebody allowed to be asked in this session."""
    model_problems: dict[str, str] = field(default_factory=dict)
    prices: dict[tuple[str, str], float] = field(default_factory=dict)
    comparing: Comparing | None = None
    """What Compare shows; None until it is opened, when it begins with what Inspect shows."""
    tuned: TuneChoices | None = None
    """What Tune shows; None until it is opened."""
    corpus: CorpusChoices = field(default_factory=CorpusChoices)
    """The choices of the Corpus page."""
    override_problem: str = ""
    """What was wrong with the override that was last added."""
    corpus_opened: bool = False
    """Whether a document of the corpus was opened in this run."""
    override_change: str = ""
    """How an override was changed in Inspect since the Corpus page was last left."""
    overridden: Overridden | None = None
    """The document in Inspect, where an override gives it another config than the corpus has."""
    retrieving: Retrieving = field(default_factory=Retrieving)
    """The choices of the Retrieve page."""
    embedded: dict[str, tuple[str, Embedded]] = field(default_factory=dict)
    """By row of Retrieve, which chunks were last embedded for it and what that took."""
    marks_seen: dict[str, Annotations] = field(default_factory=dict)
    """By the text's sha256, the marks as this session last read them, so that its own changes are
    known from those of others."""
    marking: Marking = field(default_factory=Marking)
    drafts_in_source: bool = True
    """Whether Inspect's views show the answers of questions that nobody has reviewed."""
    drafting: Drafting = field(default_factory=Drafting)
    """What "Draft questions" is asked for."""
    reviewing: Reviewing = field(default_factory=Reviewing)
    own_marks: AnnotationStore = field(default_factory=lambda: AnnotationStore(None))
    """The store of marks while the app serves other people too: private, and gone with the
    session."""


def this_session() -> Session:
    if _SESSION not in st.session_state:
        st.session_state[_SESSION] = _opened()
    return cast(Session, st.session_state[_SESSION])


def first_strategy() -> str:
    """What a new session opens with, where no link says otherwise."""
    return next((name for name in _FIRST_STRATEGIES if name in strategies.names()), strategies.names()[0])


def _opened() -> Session:
    """A new session, as the link says; what the link gets wrong is said and left at its default."""
    query = {name: st.query_params[name] for name in st.query_params}
    link = with_inspected(read_link(query), query)
    first = first_strategy()
    first_source = first_sample()
    session = Session(strategy=first, source=first_source.key if first_source else "")
    for _, given in session.followed.look():
        session.added[given.key] = given
        session.held.note(given.key, given.text)
    with_text = (key for key, each in session.added.items() if each.text.strip())
    session.source = next(with_text, next(iter(session.added), session.source))
    follow(session, link)
    session.began_at_page = bool(link.source or link.config)
    session.comparing = read_rows(query)
    if "strategy" not in query:  # else the link is to a page of one config
        session.retrieving = read_retrieving(query)
    if any(name in query for name in CORPUS_LINKED):
        session.corpus = read_corpus(query)
    if any(name in query for name in LINKED):
        session.tuned = read_tuned(query, link.config or Config(strategies.get(first)()))
    return session


def follow(session: Session, link: Link) -> None:
    """Choose what the link says; what it leaves out stays as it is."""
    if link.source:
        session.source, session.linked_name = link.source, link.name
    if link.config:
        session.strategy = link.config.strategy.name
        session.plans[session.strategy] = plan_of(link.config.strategy)
        session.counter, session.loader = chosen_counter(link.config), link.config.loader
    if link.baseline:
        session.baseline = link.baseline.strategy.name
        session.baseline_plans[session.baseline] = plan_of(link.baseline.strategy)
        session.baseline_counter = chosen_counter(link.baseline)
    elif link.no_baseline:
        session.baseline = NO_BASELINE
    session.selected = link.selected
    session.view, session.only = link.view, link.only
    session.missing, session.baseline_problem = link.problem, link.baseline_problem
    session.link_faults = link.faults


def open_page(title: str) -> None:
    """Note which page is open: with another one than before, the address was not written for it."""
    session = this_session()
    sessions.here()
    sessions.at_end("runs", session.ran.clear)
    if session.page != title:
        session.page, session.wrote_for, session.described, session.refused = title, None, None, ()
        session.marking = replace(session.marking, asking=None, renaming=None)  # the dialog was left with its page


def another_address(wanted: Callable[[], dict[str, str]]) -> dict[str, str]:
    """What the address says, where the person went to it: by Back or Forward, or by a link from
    another page.

    Empty otherwise: a browser that has not received the last write yet still sends the address from
    before it. `wanted` gives the query of the page that asks.
    """
    session = this_session()
    query = {name: st.query_params[name] for name in st.query_params}
    if not session.wrote or query == session.wrote:
        return {}
    return query if _went_through_history() or session.wrote_for is not wanted else {}


def _went_through_history() -> bool:
    """Whether Back or Forward in the browser asked for this run."""
    context = get_script_run_ctx()
    return bool(context and context.is_history_navigation)


def chosen_counter(config: Config) -> str:
    """The counter, or "" where it is the strategy's own."""
    return "" if config.counter == config.strategy.default_counter else config.counter


def own(key: str, value: object, *, again: bool = True) -> str:
    """Put the chosen value into the widget with this key, before it is drawn. Gives the key.

    With `again`, also where the widget has that value: one in a closed popover is not drawn and
    loses it, and one with other options than before would begin with a value of its own. Without it
    for a widget that is always drawn with the same options: else the browser would undo what the
    person did to it since this run was asked for.
    """
    before = st.session_state.get(key)
    if key in st.session_state and before != value and not _of_a_fragment():
        put, last = this_session().put, this_session().put.get(key)
        shown = last.before if last and last.value == before and monotonic() < last.until else before
        put[key] = Put(shown, value)
    if again or key not in st.session_state or before != value:
        st.session_state[key] = value
    return key


def moved(key: str) -> object:
    """What the person did to the widget with this key; for callbacks.

    A browser that has not drawn the value from `own` yet still sends the one from before it, along
    with whatever was done there: nobody chose that, and the value from `own` holds.
    """
    now, put = st.session_state.get(key), this_session().put.get(key)
    return put.value if put and now == put.before and monotonic() < put.until else now


def moved_name(key: str, known: Callable[[str], object]) -> str | None:
    """The name that the person chose in the widget with this key; for callbacks. None for one that
    `known` refuses: a browser can send any."""
    name = moved(key)
    if not isinstance(name, str):
        return None
    try:
        known(name)
    except ChunkscopeError:
        return None
    return name


def note_page_was_drawn() -> None:
    """The browser has every value from `own`, and needs a moment to draw them."""
    session, until = this_session(), monotonic() + _SECONDS_TO_DRAW
    session.put = {key: replace(put, until=min(put.until, until)) for key, put in session.put.items()}


def _of_a_fragment() -> bool:
    """Whether only a fragment runs, after which nobody notes that the page was drawn."""
    context = get_script_run_ctx()
    return bool(context and context.fragment_ids_this_run)


def write(wanted: Callable[[], dict[str, str]]) -> None:
    """Make the address say what `wanted` gives, for one page always the same function."""
    now = {name: st.query_params[name] for name in st.query_params}
    session = this_session()
    session.wrote, session.wrote_for = wanted(), wanted
    if now != session.wrote:
        st.query_params.from_dict(session.wrote)


def uploaded(key: str) -> list[Upload]:
    """The files that came into the uploader with this key since the last call; for callbacks."""
    files, session = cast("list[UploadedFile]", st.session_state.get(key) or []), this_session()
    new = [file for file in files if file.file_id not in session.uploads.get(key, frozenset())]
    session.uploads[key] = frozenset(file.file_id for file in files)
    return [Upload(file.name, file.getvalue(), refusal(file.file_id)) for file in new]


def clicked_row(key: str) -> int | None:
    """The row of the cell that was clicked in the table with this key; for callbacks."""
    table = cast("DataframeState | None", st.session_state.get(key))
    cells = table["selection"]["cells"] if table else []
    return int(cells[0][0]) if cells else None


def chosen_row(key: str) -> int | None:
    """The row that is chosen in the table with this key; for callbacks."""
    table = cast("DataframeState | None", st.session_state.get(key))
    rows = table["selection"]["rows"] if table else []
    return int(rows[0]) if rows else None


def clicked_point(key: str) -> int | None:
    """Where in the source the point that was clicked in the chart with this key leads; for
    callbacks."""
    chart = cast("PlotlyState | None", st.session_state.get(key))
    points = chart["selection"]["points"] if chart else []
    leads = points[0].get("customdata") if points else None
    return int(leads[0]) if leads else None


def strategy_in_address() -> str:
    """The strategy that the address of the Strategies page names, as it stands there; "" without
    one.

    A link from that page to itself leaves the browser's address as it was (Streamlit 1.67): it is
    written here.
    """
    session, name = this_session(), st.query_params.get("strategy", "")
    if session.described not in (None, name) and not _went_through_history():
        st.query_params.from_dict(st.query_params.to_dict())
    session.described = name
    return name

"""What Inspect shows in this session, and the choices that change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from chunking import Config, Document, Run
from chunking.core import Strategy
from chunking.errors import SettingError
from chunking.imported import MadeElsewhere
from pages.ui.choices.links import Link, read_link, write_link
from pages.ui.choices.plans import Plan, SettingValues, plan_of
from pages.ui.choices.reading import Only, View
from pages.ui.choices.resolve import Resolution, resolve
from pages.ui.choices.same_names import titles_told_apart
from pages.ui.choices.samples import Source, samples
from pages.ui.choices.shared_text import other_texts
from pages.ui.state.kept_choices import keep, kept_documents, note_open, open_kept
from pages.ui.state.session import NO_BASELINE, Said, another_address, chosen_counter, follow, this_session, write


def sources() -> tuple[Source, ...]:
    """What the picker offers: what this session added, then the samples."""
    return (*this_session().added.values(), *samples())


def document_titles() -> dict[str, str]:
    """All documents that can be chosen, by key: what this session added, what its owner kept
    besides, the samples."""
    kept = {each.about.key: each.about.title for each in kept_documents() if not each.problem}
    added = {each.key: each.title for each in added_sources()}
    titles = added | kept | {each.key: each.title for each in sources()}
    return titles_told_apart(titles, {each.key: each.text for each in sources()})


def source() -> Source | None:
    """The chosen text; None when there is nothing to choose or the link names a text that neither
    this session has nor its owner kept."""
    key = this_session().source
    found = next((known for known in sources() if known.key == key), None) or open_kept(key)
    return found or _file_of_link()


def _file_of_link() -> Source | None:
    """The file that the app was opened with and that has the name in the link: it was edited since
    then."""
    session = this_session()
    found = session.added.get(session.followed.key_of(session.linked_name))
    if found:
        session.source = found.key
    return found


def missing_source() -> str:
    """The key of the text the link asked for, when this session does not have it."""
    return "" if source() or not this_session().source else this_session().source


def missing_name() -> str:
    """The name that the link gives that text; "" where it gives none."""
    return this_session().linked_name if missing_source() else ""


def source_name() -> str:
    """The name that a link to the chosen text gives it; "" for a sample, which needs none."""
    chosen = source()
    return missing_name() if chosen is None else "" if chosen.sample else chosen.name


def refused() -> tuple[str, ...]:
    """One line for each upload that could not be read."""
    return this_session().refused


def link_problem() -> str:
    """What the link asked for and this session does not have, where it is of no setting."""
    return this_session().missing


def link_faults() -> Mapping[str, str]:
    """What the link got wrong, by the setting it is of, or "counter"; until that is changed."""
    return this_session().link_faults


def baseline_problem() -> str:
    """What the link got wrong of the baseline."""
    return this_session().baseline_problem


def plan() -> Plan:
    session = this_session()
    return session.plans.get(session.strategy, Plan(session.strategy))


def counter_choice() -> str:
    """The chosen counter, "" for the strategy's own."""
    return this_session().counter


def resolution() -> Resolution:
    """The config to run, with what is wrong with the choices beside it; the last good one is
    remembered."""
    session = this_session()
    outcome = resolve(plan(), session.counter, session.good, session.loader)
    session.good = outcome.config
    return replace(outcome, problems={**session.link_faults, **outcome.problems})


def baseline_plan() -> Plan | None:
    """The baseline's plan; None when nothing is compared."""
    session = this_session()
    if session.baseline == NO_BASELINE:
        return None
    return session.baseline_plans.get(session.baseline, Plan(session.baseline))


def baseline_resolution() -> Resolution | None:
    session, chosen = this_session(), baseline_plan()
    if chosen is None:
        return None
    outcome = resolve(chosen, session.baseline_counter, session.good_baseline, session.loader)
    session.good_baseline = outcome.config
    return outcome


def selected() -> int | None:
    """Source offset of what was clicked: it survives re-chunking."""
    return this_session().selected


def begin_at(offset: int | None) -> None:
    """Have this place selected in a document that was just opened, until somebody selects another.
    It is in no link, and stays where it is whatever is cut."""
    session = this_session()
    if offset is not None and (session.begun_at is None or session.begun_at[0] != session.source):
        session.begun_at = session.source, offset


def shown_selected() -> int | None:
    """What Inspect shows as selected: what somebody selected, else where the document began."""
    session = this_session()
    if session.selected is None and session.begun_at and session.begun_at[0] == session.source:
        return session.begun_at[1]
    return session.selected


def view() -> View:
    """How the document is read."""
    return this_session().view


def beside() -> str:
    """The tokenizer whose tokens are shown beside those of the chosen one; "" for none."""
    return this_session().beside


def only() -> Only:
    """Which chunks stand out."""
    return this_session().only


def dragging() -> bool:
    """Whether a threshold is held right now: what is slow to find out waits for the release."""
    return this_session().dragging


def channel() -> str:
    """What this session's drag is answered under (dragging/drag_socket.py), which nobody else
    knows."""
    return this_session().channel


def last_good(document: Document, strategy: Strategy) -> Run | None:
    """The last run of this document by this strategy that did not fail; by the same file or
    function, where its chunks were made elsewhere."""
    last = this_session().ran.get(strategy.name)
    if last is None or last.document != document:
        return None
    return None if isinstance(strategy, MadeElsewhere) and last.config.strategy != strategy else last


def remember(run: Run) -> None:
    this_session().ran[run.config.strategy.name] = run


def keep_good(config: Config) -> None:
    """Go on showing this while the settings of its strategy are not legal."""
    session = this_session()
    if config.strategy.name == session.strategy:
        session.good = config


def choose_source(key: str) -> None:
    session = this_session()
    session.refused = ()
    if key not in session.added and open_kept(key):
        note_open()
    if key != session.source:
        session.source, session.selected = key, None


def choose_strategy(name: str) -> None:
    """Show this strategy as it was set before, or as somebody begins with it."""
    forget_faults()
    session = this_session()
    session.strategy = name
    session.plans.setdefault(name, Plan.begun(name))


def choose_counter(name: str) -> None:
    forget_faults("counter")
    this_session().counter = name


def loader_problem() -> str:
    """What was wrong with the heading pattern or delimiter that was last written."""
    return this_session().loader_problem


def choose_loader(patterns: Sequence[str], delimiters: Sequence[str]) -> None:
    """Have these lines read as headings, or say in one line what is wrong with them."""
    session = this_session()
    try:
        loader = replace(session.loader, heading_patterns=tuple(patterns), delimiters=tuple(delimiters))
        session.loader, session.loader_problem = loader, ""
    except SettingError as wrong:
        session.loader_problem = str(wrong)


def choose_values(values: SettingValues, strategy: str = "") -> None:
    """Change settings of this strategy, or, "", of the chosen one."""
    session = this_session()
    name = strategy or session.strategy
    if name == session.strategy:
        forget_faults(*values)
    session.plans[name] = session.plans.get(name, Plan(name)).with_values(values)


def reset_values() -> None:
    """Back to the defaults of the chosen strategy."""
    forget_faults()
    this_session().plans.pop(this_session().strategy, None)


def forget_faults(*settings: str) -> None:
    """What the link got wrong is history once something else is chosen there, or, without settings,
    everywhere."""
    session = this_session()
    remaining = {} if not settings else session.link_faults
    session.link_faults = {
        name: problem for name, problem in remaining.items() if name.partition(".")[0] not in settings
    }
    if not settings:
        session.missing = ""


def choose_baseline(name: str) -> None:
    session = this_session()
    session.baseline, session.baseline_counter, session.baseline_problem = name, "", ""


def choose_baseline_values(values: SettingValues) -> None:
    chosen = baseline_plan()
    if chosen is not None:
        this_session().baseline_problem = ""
        this_session().baseline_plans[chosen.strategy] = chosen.with_values(values)


def pin(config: Config) -> None:
    """Make this config the baseline."""
    session, pinned = this_session(), plan_of(config.strategy)
    session.baseline, session.baseline_counter, session.baseline_problem = pinned.strategy, chosen_counter(config), ""
    session.baseline_plans[pinned.strategy] = pinned


def swap(config: Config) -> None:
    """Make the baseline the current config and the current one the baseline."""
    session, before = this_session(), baseline_plan()
    if before is None:
        return
    counter = session.baseline_counter
    pin(config)
    forget_faults()
    session.strategy, session.counter = before.strategy, counter
    session.plans[before.strategy] = before


def take(config: Config) -> None:
    """Have Inspect show this config."""
    session, chosen = this_session(), plan_of(config.strategy)
    forget_faults()
    session.strategy, session.counter, session.loader = chosen.strategy, chosen_counter(config), config.loader
    session.plans[chosen.strategy] = chosen


def said_of_config() -> Said:
    """What became of the config that was last opened."""
    return this_session().said_of_config


def say_of_config(text: str, *, is_problem: bool) -> None:
    """Say this until another config is opened."""
    this_session().said_of_config = Said(text, is_problem)


def added_sources() -> tuple[Source, ...]:
    """What this session added, without the samples."""
    return tuple(this_session().added.values())


def select(offset: int | None) -> None:
    this_session().selected = offset


def go(offset: int) -> None:
    """Select, and have the source come into view there, also where this was selected already."""
    select(offset)
    this_session().shown_place = None
    this_session().went += 1


def show(offset: int) -> None:
    """Have the source come into view there, while what is selected stays so."""
    this_session().shown_place = offset
    this_session().went += 1


def went() -> int:
    """How often `go` or `show` was called: a change of it brings the source into view."""
    return this_session().went


def shown_place() -> int | None:
    """The place of the last `show`; None where `go` was called after it."""
    return this_session().shown_place


def dismiss_steps() -> None:
    this_session().steps_dismissed = True


def steps_dismissed() -> bool:
    """Whether the first steps were put away in this session."""
    return this_session().steps_dismissed


def choose_view(name: View) -> None:
    this_session().view = name


def choose_beside(name: str) -> None:
    this_session().beside = name


def choose_only(name: Only) -> None:
    this_session().only = name


def drag(*, dragging: bool) -> None:
    this_session().dragging = dragging


def add_sources(added: Sequence[Source], refusals: Sequence[str], *, kept: bool = True) -> None:
    """Take what was uploaded or pasted, and show the first of it; what was refused is said, and the
    view stays. `kept` documents are there in later sessions too."""
    session, missing = this_session(), missing_source()
    no_room = {new.key: session.held.add(new.key, new.text, new.name, len(new.original)) for new in added}
    added = [new for new in added if not no_room[new.key]]
    refusals = (*refusals, *filter(None, no_room.values()))
    for new in added:
        session.added[new.key] = new
        session.kept_problems.pop(new.key, None)
    if kept:
        keep(*added)
    if missing and missing in session.added:  # what the link is about, among whatever else came with it
        session.refused = tuple(refusals)
        return
    others = other_texts(added, missing)
    if added:
        choose_source(added[0].key)
    session.refused = (*refusals, *others)


def close_refused() -> None:
    """Say no more what was refused."""
    this_session().refused = ()


def refuse_too(refusal: str) -> None:
    """Say one more thing that was refused of what was added last."""
    this_session().refused += (refusal,)


def note_pasted(text: str, field: str) -> None:
    """Count what stands in a field for pasted text, used or not."""
    this_session().held.note(field, text)


def follow_address() -> None:
    """Choose what the address says where this session did not write it: Back and Forward, or a link
    within the app."""
    query = another_address(inspect_query)
    if query:
        follow(this_session(), read_link(query))


def write_query() -> None:
    """Make the address say what is shown. Text that was uploaded or pasted is not in it, only its
    name and hash."""
    write(inspect_query)


def inspect_query() -> dict[str, str]:
    """What the address of Inspect says of the present choices."""
    session, before = this_session(), baseline_resolution()
    baseline = before.config if before else None
    return write_link(
        Link(
            session.source,
            resolution().config,
            baseline,
            baseline is None,
            session.selected,
            session.view,
            name=source_name(),
            only=session.only,
        )
    )

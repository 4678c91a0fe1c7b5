"""Choosing the document, the strategy, the counter and the baseline."""

from __future__ import annotations

import streamlit as st

from chunking import Config, strategies
from chunking.config import SettingSpec, setting_specs
from chunking.document import web_pages_allowed
from pages.ui import state
from pages.ui.choices.resolve import Resolution, counter_label, offered_counters
from pages.ui.choices.uploads import LARGEST_MB, WAY_OUT
from pages.ui.layout import controls, markup, page_frame, snapshot_choice, strategy_choice
from pages.ui.layout.adding import POPOVER, take_page, take_paste, take_uploads
from pages.ui.layout.followed_files import followed_files
from pages.ui.layout.kept_list import kept_list
from pages.ui.layout.refusals import refusals

_NOTHING = "nothing"
PAGE_IS_ASKED = (
    "The machine that runs this app asks the server in the address for the page, once and now, and sends it the "
    "address, nothing of your documents. Only public servers are asked."
)


def document_picker(*, sample_in_help: bool = False) -> None:
    """The documents at hand, and the way to add one's own. With `sample_in_help` what a sample is
    there to show takes no lines."""
    chosen, titles = state.source(), state.document_titles()
    shows = f"What this sample shows: {chosen.look_for}" if chosen and chosen.look_for else ""
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="document-row"):
        st.selectbox(
            "Document",
            list(titles),
            key=state.own("document", chosen.key if chosen else None),
            format_func=lambda key: titles.get(key, key),
            placeholder="Choose a document",
            help=(sample_in_help and shows) or None,
            filter_mode=controls.FOUND_BY,
            on_change=_take_document,
        )
        add_documents()
    refusals("document")
    for note in state.kept_notes():
        page_frame.note(note)
    followed_files()
    if shows and not sample_in_help:
        st.html(markup.shortened(shows))
    if chosen and chosen.conversion:
        page_frame.note(f"This is Markdown, {chosen.conversion}.")


def add_documents() -> None:
    """The button that opens the place to add documents."""
    with st.popover("Add", icon=":material/upload_file:", key=POPOVER, on_change="rerun"):
        _adding()


def _adding() -> None:
    st.file_uploader(
        f"Drop files here or choose them: Markdown, text, PDF, Word, HTML and others, or a zip of them, up to "
        f"{LARGEST_MB} MB each. A config (YAML) or another tool's chunks (JSON, CSV, Parquet) may be among them.",
        accept_multiple_files=True,
        key="uploads",
        on_change=take_uploads,
        args=("uploads",),
    )
    refusals("adding", closable=False)
    with st.form("paste", border=False):  # Ctrl+Enter in the text adds it, too
        pasted = st.text_area(
            "Or paste text", key="pasted", height=120, placeholder="# A heading\n\nand the text below it"
        )
        st.form_submit_button("Add text", key="use-paste", on_click=take_paste, args=("pasted",))
    state.note_pasted(pasted, "pasted")
    if web_pages_allowed():
        with st.form("page", border=False):  # Enter in the address, too
            st.text_input("Or the address of a page", key="page-address", placeholder="https://example.com/guide")
            st.caption(PAGE_IS_ASKED)
            st.form_submit_button("Add page", key="use-page", on_click=take_page, args=("page-address",))
    st.caption(WAY_OUT)
    page_frame.note("Stays on this machine. A link to this view does not contain the text.")
    kept_list()


def _take_document() -> None:
    key = state.moved("document")
    if isinstance(key, str):
        state.choose_source(key)


def strategy_picker(resolution: Resolution, *, snapshots: bool = False) -> None:
    """The strategy, also another tool's chunks that are open, and a snapshot where these are
    offered, and what is wrong with it."""
    plan, names, theirs = state.plan(), strategy_choice.names(), snapshot_choice.chunk_options()
    found = snapshot_choice.option_of(resolution.config, plan.strategy)
    standing = found if snapshots or found in theirs else plan.strategy
    offered = snapshot_choice.options(names) if snapshots else [*names, *theirs]
    st.selectbox(
        "Strategy",
        strategy_choice.with_current(offered, standing),
        key=state.own("strategy", standing),
        format_func=snapshot_choice.titled(strategy_choice.option),
        filter_mode=controls.FOUND_BY,
        on_change=_take_strategy,
    )
    if "" in resolution.problems:
        page_frame.problem(resolution.problems[""])
    if state.link_problem():
        page_frame.problem(f"in the link: {state.link_problem()}")


def strategy_line() -> None:
    """What the chosen strategy does, which its closed choice has no room for."""
    st.html(markup.two_lines(strategy_choice.does(state.plan().strategy)))


def counter_picker(resolution: Resolution) -> None:
    now, strategy = resolution.config.counter, resolution.config.strategy
    st.selectbox(
        "Tokenizer",
        offered_counters(now, strategy),
        key=state.own("counter", now),
        format_func=lambda name: counter_label(name, strategy),
        filter_mode=controls.FOUND_BY,
        help="An exact one counts as that tokenizer does: choose your embedder's own to count what it will see. "
        "Approximate ones estimate, and are labelled so.",
        on_change=_take_counter,
    )
    if "counter" in resolution.problems:
        page_frame.problem(resolution.problems["counter"])


def _take_strategy() -> None:
    if config := snapshot_choice.chosen_config(state.moved("strategy")):
        state.take(config)
    elif name := state.moved_name("strategy", strategies.get):
        state.choose_strategy(name)


def _take_counter() -> None:
    name = state.moved("counter")
    if isinstance(name, str):
        state.choose_counter(name)


def other_settings(resolution: Resolution, beneath: controls.Beneath) -> None:
    """The settings that are not dragged, with what is to be drawn `beneath` some of them."""
    plan = state.plan()
    made = strategies.get(plan.strategy)
    rest = [spec for spec in setting_specs(made) if not spec.numeric and not spec.pinned] if made.has_yaml else []
    controls.draw(rest, plan, resolution.problems, state.choose_values, "setting", beneath)
    shown = {spec.name for spec in rest}
    for name, panel in beneath.items():
        if name not in shown:  # of a strategy whose models no such setting names
            panel()
    if plan.settings and made.has_yaml:
        st.button("Back to defaults", key="reset", on_click=state.reset_values, type="tertiary", icon=":material/undo:")


def baseline_picker(now: Config, before: Resolution | None) -> None:
    """What the numbers are compared with: any strategy with its settings, or the view as it is
    now."""
    plan = state.baseline_plan()
    standing = snapshot_choice.option_of(before.config, plan.strategy) if plan and before else _NOTHING
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="baseline-row"):
        st.selectbox(
            "Baseline",
            strategy_choice.with_current([_NOTHING, *snapshot_choice.options(strategy_choice.names())], standing),
            key=state.own("baseline", standing),
            format_func=snapshot_choice.titled(
                lambda name: "Nothing" if name == _NOTHING else strategy_choice.title(name)
            ),
            filter_mode=controls.FOUND_BY,
            on_change=_take_baseline,
            help="Another way to cut this document, to compare with: its numbers stand beside those of now, and its "
            "boundaries are dashed.",
        )
        words = "Settings of the baseline"
        with st.popover(words, icon=":material/tune:", help=words, disabled=plan is None, key="was"):
            if plan and before:
                controls.draw(_settings_of(plan.strategy), plan, before.problems, state.choose_baseline_values, "was")
                if not _settings_of(plan.strategy):
                    page_frame.note(f"{strategies.get(plan.strategy).title} has no settings.")
    if state.baseline_problem():
        page_frame.problem(f"in the link: {state.baseline_problem()}")
    with st.container(horizontal=True, gap="small", key="baseline-buttons"):
        st.button(
            "Use current as baseline",
            key="pin",
            on_click=state.pin,
            args=(now,),
            icon=":material/keep:",
            help="Makes the current settings the baseline; then change something",
        )
        st.button(
            "Swap with baseline",
            key="swap",
            on_click=state.swap,
            args=(now,),
            icon=":material/swap_vert:",
            disabled=plan is None,
            help="Exchanges the current settings and the baseline",
        )


def _settings_of(strategy: str) -> tuple[SettingSpec, ...]:
    made = strategies.get(strategy)
    return tuple(spec for spec in setting_specs(made) if not spec.pinned) if made.has_yaml else ()


def _take_baseline() -> None:
    chosen = state.moved("baseline")
    if config := snapshot_choice.chosen_config(chosen):
        state.pin(config)
    elif chosen == _NOTHING:
        state.choose_baseline(state.NO_BASELINE)
    elif name := state.moved_name("baseline", strategies.get):
        state.choose_baseline(name)

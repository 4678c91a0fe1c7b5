"""The controls of a sweep: one or two settings with their ranges, the measure that is shown, and
what must hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import cast

import streamlit as st

from chunking import Config, Document
from chunking.analysis import Metric
from chunking.text import counted
from chunking.tuning import INVARIANTS, Invariant
from pages.ui import state
from pages.ui.choices.tuning import NONE, Range, Sweepable, SweepChoice, sweepable
from pages.ui.layout import caches, markup, page_frame
from pages.ui.layout.setting_names import value_words
from pages.ui.tune.measures import OMEGA, SHORTLY
from pages.ui.tune.range_job import StartRanges


def axes_chooser(config: Config, sweeping: SweepChoice, start: StartRanges) -> None:
    """The one or two settings, and how far they go."""
    settings = sweepable(config)
    known = {each.label: each for each in settings}
    _setting_picker(config, "across", "Horizontal axis", sweeping.across, list(known), known)
    _range(config, sweeping, known[sweeping.across], "across", start)
    others = [NONE, *(label for label in known if label != sweeping.across)]
    _setting_picker(config, "up", "Vertical axis", sweeping.down if sweeping.down in others else NONE, others, known)
    if sweeping.down and sweeping.down != sweeping.across:
        _range(config, sweeping, known[sweeping.down], "up", start)


def _setting_picker(
    config: Config, name: str, words: str, chosen: str, offered: Sequence[str], known: dict[str, Sweepable]
) -> None:
    st.selectbox(
        words,
        offered,
        key=state.own(f"tune-{name}", chosen),
        format_func=lambda label: known[label].title if label else "One setting only: a line",
        on_change=_take_setting,
        args=(config, name),
    )


def _range(config: Config, sweeping: SweepChoice, of: Sweepable, name: str, start: StartRanges) -> None:
    """From, to and the step, empty where steps grow; nothing for a setting with choices, all of
    which are tried."""
    if not of.spec.numeric:
        page_frame.note("all of its choices")
        return
    over, kind = sweeping.range_of(of, start.ranges), int if of.spec.kind == "whole" else float
    low, high = of.spec.minimum, of.spec.maximum
    # It is heard of each of the three, and seen above them: of a label only the first word shows.
    setting = f"{markup.plain_label(of.spec.title)} {of.label}"
    ends = (("low", "From", over.low), ("high", "To", over.high), ("step", "Step", over.step))
    with st.container(key=f"tune-range-{name}", horizontal=True, gap="small"):
        for end, words, value in ends:
            least = of.spec.step if end == "step" else low
            st.number_input(
                f"{words} {setting}",
                min_value=kind(least) if least is not None else None,
                max_value=kind(high) if high is not None and end != "step" else None,
                step=kind(of.spec.step),
                format=None if kind is int else "%g",
                key=state.own(f"tune-{name}-{end}", kind(value) if value or end != "step" else None),
                placeholder="growing" if end == "step" else None,
                on_change=_take_range,
                args=(config, of, name),
            )
    if words := _range_words(sweeping, of, start):
        with st.container(key=f"tune-note-{name}"):  # two lines high: what is below stays where it is
            page_frame.note(words)


def _range_words(sweeping: SweepChoice, of: Sweepable, start: StartRanges) -> str:
    """Why the range is this one, and that the current value is measured too where it is outside."""
    if start.searching and of.label not in dict(sweeping.ranges):
        return "Finding the range."
    over, said = sweeping.range_of(of, start.ranges), []
    on = " and ".join(
        words for words, of_these in (("smaller", start.below), ("larger", start.above)) if of.label in of_these
    )
    if of.label in start.unchanging:
        said.append("No value that was tried changes any chunk.")
    elif of.label in start.shortened:
        said.append("Ends at the largest value the other axis allows.")
    elif on:
        said.append(f"{on[:1].upper()}{on[1:]} values change the chunks as well.")
    elif of.label in start.ranges and not sweeping.ranges:
        said.append("Outside this range nothing that was tried changes the chunks.")
    if isinstance(of.now, int | float) and not over.low <= of.now <= over.high:
        said.append(f"The current value, {value_words(of.now)}, is measured too.")
    return " ".join(said)


def _take_setting(config: Config, name: str) -> None:
    sweeping, label = _sweeping(config), str(state.moved(f"tune-{name}") or NONE)
    if sweeping is None:
        return
    if name == "across":
        changed = replace(sweeping, across=label, down=NONE if sweeping.down == label else sweeping.down, chosen=None)
    else:
        changed = replace(sweeping, down=label, chosen=None)
    _change(config, changed)


def _take_range(config: Config, of: Sweepable, name: str) -> None:
    sweeping = _sweeping(config)
    ends = [state.moved(f"tune-{name}-{end}") for end in ("low", "high", "step")]
    low, high, step = (each if isinstance(each, int | float) else None for each in ends)
    if sweeping is not None and low is not None and high is not None:
        over = Range(float(low), float(high), float(step or 0))
        _change(config, replace(sweeping, ranges=sweeping.with_range(of.label, over)))


def looks(config: Config, sweeping: SweepChoice, shown: Sequence[Metric]) -> None:
    """Which number is drawn, and what must hold inside the outline: both change what is seen, and
    measure nothing."""
    names = [each.name for each in shown]
    titles = {each.name: each.title for each in shown}
    st.selectbox(
        "Shown",
        names,
        key=state.own("tune-measure", sweeping.measure if sweeping.measure in names else names[0]),
        format_func=lambda name: titles.get(name, name),
        help=f"With questions marked in the source there are also answers cut or left out, and {OMEGA}.",
        on_change=partial(_take_looks, config),
    )
    st.multiselect(
        "Requirements (outlined)",
        list(INVARIANTS),
        key=state.own("tune-must", list(sweeping.must)),
        format_func=lambda name: SHORTLY[name],
        placeholder="No requirements",
        help="\n".join(f"- {SHORTLY[name]}: {words}" for name, words in INVARIANTS.items()),
        on_change=partial(_take_looks, config),
    )


def _take_looks(config: Config) -> None:
    sweeping = _sweeping(config)
    must = cast("list[Invariant]", state.moved("tune-must") or [])
    if sweeping is not None:
        invariants = tuple(name for name in INVARIANTS if name in must)
        _change(config, replace(sweeping, measure=str(state.moved("tune-measure")), must=invariants))


def documents_chooser() -> None:
    """One document, or all of the corpus, for both views."""
    documents = len(state.corpus_documents())
    if documents > 1:
        st.toggle(
            f"All {documents:,} documents of Corpus",
            key=state.own("tune-all", state.tuned().all_documents),
            on_change=_take_documents,
        )


def measured_on(document: Document) -> tuple[Document, ...]:
    """The chosen document, or all of the corpus where it has several."""
    corpus = state.corpus_documents() if state.tuned().all_documents else ()
    return tuple(map(caches.document, corpus)) if len(corpus) > 1 else (document,)


def overrides_note(*, all_documents: bool) -> None:
    """Say of the corpus' overrides, where there are any, that they do not hold here."""
    overrides = state.corpus_choices().overrides
    if all_documents and overrides:
        page_frame.note(
            f"Without the {counted(len(overrides), 'override')} of Corpus: each config is measured on every document."
        )


def _take_documents() -> None:
    state.tune(replace(state.tuned(), all_documents=bool(state.moved("tune-all"))))


def _sweeping(config: Config) -> SweepChoice | None:
    return state.tuned().sweeping(config)


def _change(config: Config, changed: SweepChoice) -> None:
    state.tune(state.tuned().with_sweeping(config, changed))

"""Drafting questions on the Retrieve page: who words them, what is sent where and what that costs,
said before; and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from chunking import AnnotationStore, Document, Question
from chunking.core import Estimate
from chunking.drafting import DROPPED, PROVIDERS, REASONS, RULES, Attempt, drafted
from chunking.errors import ModelError
from chunking.gold import Gold
from chunking.models import key_of, server_of
from chunking.retrieval import not_english
from chunking.text import counted, shown_text
from pages.ui import state
from pages.ui.background import draft_job
from pages.ui.background.draft_job import DraftRequest
from pages.ui.background.jobs import Job
from pages.ui.choices.retrieving import LOCAL
from pages.ui.choices.reviewing import MOST_QUESTIONS, Drafting, kinds
from pages.ui.layout import model_messages, page_frame
from pages.ui.retrieve.chunked_corpus import named, with_unique_names
from pages.ui.server.owners import owner

_EVERY = 0.6
"""Seconds between two looks at what a server would be sent."""
_POPOVER = "retrieve-draft"


def request_of(documents: Sequence[Document]) -> DraftRequest:
    """What is asked for now, about these documents."""
    drafting, apart = state.drafting(), with_unique_names(documents)
    known: list[Question] = []
    for document, unique in zip(documents, apart, strict=True):
        marks = state.annotations(document)
        known += named([*marks.questions, *marks.rejected], unique)
    return DraftRequest(
        apart, drafting.provider, drafting.model, drafting.count, drafting.fill, tuple(known), owner().key
    )


def job(documents: Sequence[Document]) -> Job[Attempt] | None:
    """This owner's drafting about these documents, under way or ended."""
    return draft_job.about(owner().key, with_unique_names(documents))


def more_button(wanted: int) -> None:
    """The way to so many more questions, where those that there are tell no configs apart."""
    st.button("Draft more questions", key="retrieve-more-questions", on_click=_open_for, args=(wanted,))


def _open_for(wanted: int) -> None:
    """A callback: opens the form, which says how they are worded and what that costs."""
    state.draft_with(replace(state.drafting(), count=wanted))
    state.own(_POPOVER, True)


def form(documents: Sequence[Document]) -> None:
    """The control that asks for drafts."""
    with st.popover("Draft questions", icon=":material/edit_note:", key=_POPOVER, on_change="rerun"):
        drafting = state.drafting()
        st.selectbox(
            "Written by",
            ("", *PROVIDERS),
            key=state.own("draft-provider", drafting.provider),
            format_func=_provider,
            on_change=_take,
        )
        if _sends(drafting):
            st.text_input(
                "Model",
                key=state.own("draft-model", drafting.model),
                placeholder="the provider's default",
                max_chars=200,
                on_change=_take,
            )
        st.number_input(
            "Questions",
            min_value=1,
            max_value=MOST_QUESTIONS,
            key=state.own("draft-count", drafting.count),
            on_change=_take,
            help="As many as pass: each has to find its quote among all places of the documents.",
        )
        if drafting.provider:
            st.toggle(
                "Probes where that has none",
                key=state.own("draft-fill", drafting.fill),
                on_change=_take,
                help="Labelled as what they are.",
            )
        request = request_of(documents)
        waits = _sends(drafting) and draft_job.estimated(request).running
        part = st.fragment(_asked, run_every=_EVERY if waits else None)
        part(tuple(documents), request, waits, _busy(documents))


def _busy(documents: Sequence[Document]) -> bool:
    now = job(documents)
    return now is not None and now.running


def _asked(documents: tuple[Document, ...], request: DraftRequest, was_waiting: bool, was_busy: bool) -> None:
    """What is sent where, what it costs, and the button that begins."""
    drafting, busy = state.drafting(), _busy(documents)
    if busy and not was_busy:
        st.rerun()  # it was begun here: the page looks at how far it is, and not this part alone
    label, possible = f"Draft {counted(drafting.count, 'question')}", True
    if not drafting.provider:
        page_frame.note(
            "Rules turn English sentences, tables and lists into questions. Where that gives too few, probes are "
            "added: headings, table cells and rare terms. Nothing is sent."
        )
    elif drafting.provider == RULES:
        page_frame.note("Only what rules make of English sentences, tables and lists. Nothing is sent.")
    elif not _sends(drafting):
        page_frame.note("A small model words them on this machine, some seconds for each; nothing is sent.")
        if others := not_english(documents):
            names = ", ".join(shown_text(name) for name in others[:3])
            page_frame.note(f"It knows English only; {names} seems not to be.")
    else:
        found = draft_job.estimated(request)
        if was_waiting and not found.running:
            st.rerun()  # nothing looks again by itself any more
        possible = bool(found.found)
        if found.problem:
            page_frame.problem(found.problem)
        elif not found.found:
            page_frame.note("Counting what would be sent.")
        else:
            _sent(drafting, found.found[0])
            label = f"Send them and draft {counted(drafting.count, 'question')}" if found.found[0].calls else label
    st.button(
        "Drafting" if busy else label,
        key="draft-begin",
        type="primary",
        disabled=busy or not possible,
        on_click=_begin,
        args=(documents,),
    )


def _sent(drafting: Drafting, expected: Estimate) -> None:
    """What a server is sent at most, by the prices that were given."""
    try:
        server = server_of(drafting.provider)
    except ModelError as error:
        page_frame.problem(str(error))
        return
    key = key_of(drafting.provider)
    by = f" The key is read from {key}." if key else ""
    page_frame.note(
        f"At most {counted(expected.calls, 'quote')} with the text around, about {expected.input_tokens:,} tokens, to "
        f"{server}; about {expected.output_tokens:,} tokens come back. {expected.cached:,} more are remembered. Only "
        f"as many are sent as it takes.{by}"
    )
    of = f"{drafting.provider}/{drafting.model}"
    with st.container(horizontal=True, gap="small", key="draft-prices"):
        for way in ("in", "out"):
            st.number_input(
                f"Price per million tokens {way}",
                min_value=0.0,
                step=0.01,
                key=state.own(f"draft-price-{way}", state.price(of, way)),
                on_change=_take_price,
                args=(of, way),
            )
    page_frame.note(model_messages.cost_words(expected, (state.price(of, "in"), state.price(of, "out"))))


def progress(of: Job[Attempt]) -> None:
    """How far it is, or what came of it."""
    made = drafted(list(of.found))
    kept = len(made.questions)
    if of.running:
        with st.container(key="retrieve-drafting", horizontal=True, gap="small", vertical_alignment="center"):
            text = (
                f"{kept:,} of {counted(of.total, 'question')}, {made.tried:,} of {counted(made.quotes, 'quote')} tried"
            )
            st.progress(min(1.0, kept / of.total), text=text if made.tried else "Looking for quotes")
            st.button("Cancel", key="draft-cancel", icon=":material/stop:", on_click=of.cancel)
        return
    ended = "Cancelled; what was drafted until then is kept. " if of.cancelled else ""
    if of.problem:
        page_frame.problem(f"{of.problem}; {kinds(made.questions)} drafted before that")
    if not made.tried and not of.problem:
        page_frame.note(f"{ended}No quote to ask about was found.")
        return
    why = "; ".join(f"{number:,} {DROPPED[name]}" for name, number in made.dropped.items())
    page_frame.note(
        f"{ended}{kinds(made.questions)} drafted from {made.tried:,} of {counted(made.quotes, 'quote')} in "
        f"{of.seconds:.1f} s{f'; dropped: {why}' if why else ''}."
    )
    if made.dropped and not of.cancelled:
        with st.expander("Why quotes were dropped", key="draft-dropped"):
            for name in made.dropped:
                page_frame.note(f"{REASONS[name][:1].upper()}{REASONS[name][1:]}.")


def _begin(documents: tuple[Document, ...]) -> None:
    """A callback: begin, with what is known now. The form would lie over what comes of it."""
    state.own(_POPOVER, False)
    request = request_of(documents)
    draft_job.begin(request, _keeper(documents, state.marks_store()))
    state.review_with(replace(state.reviewing(), begun=request.key))


def _keeper(documents: Sequence[Document], store: AnnotationStore) -> Callable[[Question], None]:
    """What keeps a draft with the marks of its document; for the job's thread."""
    by_name = {unique.name: document for document, unique in zip(documents, with_unique_names(documents), strict=True)}

    def keep(question: Question) -> None:
        document = by_name[question.document]
        draft = Gold(named([question], document), ())
        store.change(document, lambda marks: marks.with_all(document, draft))

    return keep


def _sends(drafting: Drafting) -> bool:
    return drafting.provider not in ("", RULES, LOCAL)


def _provider(name: str) -> str:
    if name in ("", RULES):
        return "rules only" if name else "no model: rules, then keyword probes"
    return model_messages.option("provider", name)


def _take() -> None:
    """A callback: what the controls have now."""
    now = state.drafting()
    provider = state.moved("draft-provider")
    model, count, fill = (state.moved(f"draft-{name}") for name in ("model", "count", "fill"))
    provider = provider if isinstance(provider, str) else now.provider
    changed = replace(
        now,
        provider=provider,
        model=str(model or "").strip() if provider == now.provider else "",
        count=count if isinstance(count, int) else now.count,
        fill=fill if isinstance(fill, bool) else now.fill,
    )
    state.draft_with(changed)


def _take_price(of: str, way: str) -> None:
    value = state.moved(f"draft-price-{way}")
    if isinstance(value, int | float):
        state.set_price(of, way, float(value))

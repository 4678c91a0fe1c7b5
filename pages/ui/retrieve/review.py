"""The queue of drafted questions: one at a time with its quote in place, decided, and undone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st
from markupsafe import Markup

from chunking import Annotations, Document
from chunking.errors import GoldError
from chunking.gold import coverage_sentence, coverages
from chunking.text import counted
from pages.ui import state
from pages.ui.choices.reviewing import Decision, Draft, Queue, Reviewing, queue_of, tally
from pages.ui.components.review_card import Action, card_of, review_card
from pages.ui.layout import markup, page_frame
from pages.ui.retrieve.rows import RetrieveRow

KEY = "retrieve-review"
_MOST_REJECTED = 50
_DONE = {"accept": "accepted", "keep": "accepted in other words", "reject": "rejected"}
_KEEPS_ROOM = Markup('<i class="cs-draft" hidden></i>')
"""Where a draft comes: the browser draws it after what stands below (layout/loading.css)."""
_SHOWN = 60
"""Characters of a question in the words of what can be undone."""


def queue(documents: Sequence[Document]) -> Queue:
    """The drafts of these documents as they are now."""
    return queue_of(documents, [state.annotations(each) for each in documents])


def review(documents: Sequence[Document], rows: Sequence[RetrieveRow], of: Queue) -> None:
    """Draw the queue; nothing where nothing was ever drafted."""
    if not of.total:
        return
    reviewing = state.reviewing()
    draft = of.shown(reviewing.chosen)
    card = card_of(draft, documents[draft.at], _fates(draft, rows)) if draft else None
    with st.container(key="retrieve-card", gap=None):
        review_card(
            card,
            key=KEY,
            reviewed=(of.reviewed, of.total),
            words=of.words,
            tally=tally(of),
            undo=_undo_words(documents, reviewing),
            begun=reviewing.begun,
            on_act=partial(act, tuple(documents)),
        )
        if card:
            st.html(_KEEPS_ROOM)
    if reviewing.problem:
        page_frame.problem(reviewing.problem)
    if of.rejected:
        _rejected(documents, of)


def act(documents: Sequence[Document], action: Action, name: str, text: str) -> None:
    """A callback: what was decided about the draft with this name. Of one that is not there any
    more, as when another tab decided, that is said."""
    of, reviewing = queue(documents), state.reviewing()
    if action == "undo":
        _undo(documents, reviewing)
        return
    draft = next((each for each in of.drafts if each.name == name), None)
    if draft is None:
        gone = "That draft was decided elsewhere meanwhile, and stays so; here is the next one"
        state.review_with(Reviewing(reviewing.chosen, reviewing.decisions, gone))
        return
    following = of.after(draft).name
    if action == "next":
        state.review_with(Reviewing(following, reviewing.decisions))
        return
    document, question = documents[draft.at], draft.question.text
    if action == "reject":
        change = partial(Annotations.rejecting, document=document, question=question)
    else:
        new = text if action == "keep" else question
        change = partial(Annotations.renamed, document=document, question=question, text=new)
    try:
        before = state.annotations(document)
        state.annotate(document, change(before))
        decision = Decision(draft, _DONE[action], before, state.annotations(document))
        state.review_with(reviewing.decided(decision, following))
    except GoldError as error:
        state.review_with(Reviewing(name, reviewing.decisions, str(error)))


def _undo(documents: Sequence[Document], reviewing: Reviewing) -> None:
    """Take the last decision back; what was marked since then stays."""
    last = _last(documents, reviewing)
    if last is None:
        return
    document = next(each for each in documents if each.text_hash == last.draft.text_hash)
    others = tuple(each for each in reviewing.decisions if each is not last)
    try:
        state.annotate(document, state.annotations(document).merged(document, last.after, last.before))
    except GoldError as error:
        state.review_with(Reviewing(reviewing.chosen, reviewing.decisions, str(error)))
        return
    state.review_with(Reviewing(last.draft.name, others))


def _last(documents: Sequence[Document], reviewing: Reviewing) -> Decision | None:
    """The last decision about a document that is on the page."""
    here = {each.text_hash for each in documents}
    return next((each for each in reversed(reviewing.decisions) if each.draft.text_hash in here), None)


def _undo_words(documents: Sequence[Document], reviewing: Reviewing) -> str:
    last = _last(documents, reviewing)
    if last is None:
        return ""
    text = last.draft.question.text
    return f"{last.done}: {text if len(text) <= _SHOWN else f'{text[: _SHOWN - 1]}…'}"


def _fates(draft: Draft, rows: Sequence[RetrieveRow]) -> list[tuple[str, bool, str]]:
    """What each config makes of the first answer."""
    answer, fates = draft.question.answers[0], []
    for row in rows:
        run = row.corpus.runs[draft.at] if row.corpus and draft.at < len(row.corpus.runs) else None
        if run and run.document.text_hash == draft.text_hash:
            (coverage,) = coverages(run, [answer])
            fates.append((row.letter, coverage.whole, coverage_sentence(coverage, run).rstrip(".")))
    return fates


def _rejected(documents: Sequence[Document], of: Queue) -> None:
    """What was rejected, kept apart, with a way back for each."""
    with st.expander(f"{counted(len(of.rejected), 'rejected draft')}, never proposed again", key="retrieve-rejected"):
        for number, each in enumerate(of.rejected[:_MOST_REJECTED]):
            with st.container(
                key=f"retrieve-rejected-{number}", horizontal=True, gap="small", vertical_alignment="center"
            ):
                st.button(
                    "Review again",
                    key=f"retrieve-reopen-{number}",
                    type="tertiary",
                    icon=":material/undo:",
                    help=each.question.text[:200].replace("`", ""),
                    on_click=_reopen,
                    args=(documents[each.at], each),
                )
                st.html(markup.note(each.question.text))
        if len(of.rejected) > _MOST_REJECTED:
            page_frame.note(f"And {len(of.rejected) - _MOST_REJECTED:,} more.")


def _reopen(document: Document, draft: Draft) -> None:
    """A callback: put a rejected draft back into the queue, and show it."""
    reviewing = state.reviewing()
    try:
        state.annotate(document, state.annotations(document).reopened(document, draft.question.text))
    except GoldError as error:
        state.review_with(Reviewing(reviewing.chosen, reviewing.decisions, str(error)))
        return
    state.review_with(Reviewing(draft.name, reviewing.decisions))

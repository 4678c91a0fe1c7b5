"""A config recommended for the document, as one line to take or dismiss. It is worked out by a
process that gives way to all others, once the page is at rest; nothing is taken unasked."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial

import streamlit as st

from chunking import ChunkscopeError, Config, Document, Run
from chunking.explanation import COUNTED_WHOLE
from chunking.tokens import counter, token_index
from chunking.tuning import KEEP_WHOLE, ConfigSummary, Point, nearby, recommended
from pages.ui import state
from pages.ui.background import goal_job, recommendation_job
from pages.ui.background.goal_job import GoalRequest
from pages.ui.background.recommendation_job import CheckRequest
from pages.ui.choices.recommending import Recommending
from pages.ui.choices.samples import Source, torn_sample
from pages.ui.components.offer_line import Offer, offer_line
from pages.ui.inspect.recommendation_words import (
    ASKS_A_MODEL,
    NOTHING_BETTER,
    SEARCHING,
    SEE_TORN,
    nothing_cut,
    offer_of,
    receipt_of,
    summary_of,
)
from pages.ui.inspect.undo import undo
from pages.ui.layout import caches, within_limits
from pages.ui.server import sessions
from pages.ui.server.owners import owner

SAMPLE = 200_000
"""Characters of a text on which configs are tried, where it has more."""
_CHECKED = 8
"""How many of the configs that were found are checked, the best first."""
_NICE = 15


@st.fragment
@within_limits.part
def recommendation(document: Document, run: Run) -> None:
    """Draw the line, be it empty. While there is something to wait for, it alone is drawn again."""
    _cancel_for_other(document)
    offer, config = _receipt(document, run) or _offer(document, run)
    offer_line(
        offer,
        key="offer-line",
        on_answer={
            "look": partial(_look, document, run),
            "take": partial(_take, config, run.config),
            "undo": partial(undo, run),
            "show": partial(_show_torn, run.config),
            "dismiss": partial(_dismiss, document, run.config),
        },
    )


def _receipt(document: Document, run: Run) -> tuple[Offer, Config] | None:
    """What a config did that was taken as a whole, here or on another page; None where none was."""
    replaced = state.replaced(run.config)
    if replaced is None:
        return None
    was, unread = None, 0
    with suppress(ChunkscopeError):  # a model may have to answer first
        was = caches.run(document, replaced.was)
        unread = caches.unread_with((document,), replaced.was, run.config)
    return receipt_of(run, was, replaced.was, unread=unread), run.config


def _dismiss(document: Document, config: Config) -> None:
    """A callback: say it no more, be it what was done or what is offered."""
    if state.replaced(config):
        state.forget_replaced()
    else:
        state.dismiss_recommendation(document.text_hash)


def _offer(document: Document, run: Run) -> tuple[Offer, Config]:
    """What to show, and the config that it offers; the present one where it is only said why there
    is none."""
    if state.recommendation_dismissed(document.text_hash):
        return Offer(), run.config
    if not run.metrics.atomic_split and not run.metrics.blocks_cut:
        return _nothing_cut(run) if run.chunks else Offer(), run.config
    if _request(document, run.config) is None:
        return Offer(ASKS_A_MODEL), run.config
    asked = state.recommending()
    if asked is None or asked.text_hash != document.text_hash:
        return Offer(looks=True), run.config
    request = _request(document, asked.config)
    if request is None:
        return Offer(looks=True), run.config
    found, job = goal_job.progress_of(request)
    if job is None or job.cancelled or job.running:
        return _searching(asked, running=job is not None and job.running), run.config
    check = _check(document, run, request, found.points)
    if check is None and asked.config != run.config:
        return Offer(looks=True), run.config  # only near another config was looked until now
    if check is None:
        return Offer(NOTHING_BETTER if _summary(run, request.documents[0], found.points) else ""), run.config
    checking = recommendation_job.about(check)
    if checking is None or checking.cancelled or checking.running:
        return _searching(asked, running=True), run.config
    best = next(iter(checking.found), None)
    if best is None:
        return Offer("" if checking.problem else NOTHING_BETTER), run.config
    return offer_of(best, run.config, check.document, document), best.config


def _searching(asked: Recommending, *, running: bool) -> Offer:
    return Offer(SEARCHING if running else "", looks=True, looked=asked.looked)


def _nothing_cut(run: Run) -> Offer:
    """Of a sample also where to see what a cut block looks like, and what helps."""
    source = state.source()
    shown = SEE_TORN if source and source.sample and _torn_at(run.config) is not None else ""
    checks = () if state.dragging() else caches.health_of(run)
    return replace(nothing_cut(run.metrics, checks), shown=shown)


def _torn_at(config: Config) -> int | None:
    """Where this config tears a block of the sample that is there to show it; None for nowhere."""
    torn = torn_sample()
    if torn:
        with suppress(ChunkscopeError):  # a model may have to answer first
            for boundary in caches.run(caches.document(torn), config).torn_boundaries[:1]:
                return boundary.offset
    return None


def _show_torn(config: Config) -> None:
    """A callback: open the sample that shows a torn block, at the first block that this config
    tears."""
    torn, at = torn_sample(), _torn_at(config)
    if torn and at is not None:
        state.choose_document(torn)
        state.go(at - 1)
        st.rerun()


def _request(document: Document, config: Config) -> GoalRequest | None:
    """What is tried for this document; None where this config's strategy cannot be tried."""
    measured = beginning(document)
    space = nearby(config, _cut_blocks(measured, config)) if nearby(config) else None
    if space is None:
        return None
    return GoalRequest((measured,), KEEP_WHOLE, space, (), (), space.possible, owner().key)


def _cut_blocks(document: Document, config: Config) -> set[int]:
    """The tokens of each table, code or list that this config cuts in two."""
    with suppress(ChunkscopeError):
        run = caches.run(document, config)
        index = token_index(document.text, counter(config.counter))
        return {index.count(torn.span.start, torn.span.end) for torn in run.torn_boundaries}
    return set()


def beginning(document: Document) -> Document:
    """The document, or as much of its beginning as is tried: up to what looks like a heading, else
    a line."""
    text = document.text
    if len(text) <= SAMPLE:
        return document
    end = max(text.rfind("\n#", SAMPLE // 2, SAMPLE), 0) or text.rfind("\n", 0, SAMPLE)
    return caches.document(Source(document.name, document.name, text[: end + 1 or SAMPLE]))


def _summary(run: Run, measured: Document, points: tuple[Point, ...]) -> ConfigSummary | None:
    """The shown config's numbers on what was measured; None where they are not known."""
    known = next((point.summary for point in points if point.config == run.config), None)
    if known or measured != run.document:
        return known
    return summary_of(run)


def _check(document: Document, run: Run, request: GoalRequest, points: tuple[Point, ...]) -> CheckRequest | None:
    """What is to be checked of what was found, on the whole document where it is not too long; None
    where nothing better was found."""
    now = _summary(run, request.documents[0], points)
    better = recommended(points, run.config, now) if now else ()
    if not better:
        return None
    on = document if len(document.text) <= COUNTED_WHOLE else request.documents[0]
    return CheckRequest(on, run.config, tuple(point.config for point in better[:_CHECKED]), owner().key)


def _look(document: Document, run: Run) -> None:
    """A callback: the page is at rest, or the browser looks again."""
    config, asked = run.config, state.recommending()
    if asked is None or asked.text_hash != document.text_hash:
        asked = Recommending(document.text_hash, config)
    request = _request(document, asked.config)
    if request is None:
        return
    found, job = goal_job.progress_of(request)
    ended = job is not None and not job.running and not job.cancelled
    check = _check(document, run, request, found.points) if ended else None
    if check is not None:
        _begin_check(check, asked)
        return
    if ended and asked.config != config:
        asked = Recommending(document.text_hash, config)
        request = _request(document, config)
        if request is None:
            return
        _, job = goal_job.progress_of(request)
    if job is None or job.cancelled:
        goal_job.begin(request, nice=_NICE)
        sessions.at_end("recommendation", partial(goal_job.cancel, request.key))
    state.ask_recommendation(replace(asked, job=request.key, looked=asked.looked + 1))


def _begin_check(check: CheckRequest, asked: Recommending) -> None:
    """Check what was found, once; another check of this session ends."""
    job = recommendation_job.about(check)
    if job is None or job.cancelled:
        recommendation_job.cancel(asked.check)
        recommendation_job.begin(check, nice=_NICE)
        sessions.at_end("recommendation-check", partial(recommendation_job.cancel, check.key))
    state.ask_recommendation(replace(asked, check=check.key, looked=asked.looked + 1))


def _cancel_for_other(document: Document) -> None:
    """End what is worked out for a document that is not shown any more."""
    asked = state.recommending()
    if asked and asked.text_hash != document.text_hash:
        goal_job.cancel(asked.job)
        recommendation_job.cancel(asked.check)


def _take(config: Config, was: Config) -> None:
    """A callback: take the config, and run the whole page again."""
    state.replace_config(config, was)
    st.rerun()

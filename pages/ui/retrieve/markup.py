"""Markup of the Retrieve page: passages with their answers marked, and the leaderboard. Every text
is escaped here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from chunking.retrieval import Interval, Leaderboard, Standing, lead_words, metric_name
from pages.ui.layout import markup
from pages.ui.retrieve import messages
from pages.ui.retrieve.chunked_corpus import HitPiece
from pages.ui.retrieve.hits import FoundHits, Results
from pages.ui.side_by_side.markup import badge

_FOLDED = 320
"""Characters before the first answer that are still shown: more would push it out of sight."""
_LEFT = 120
"""Characters before it that are shown where the rest is folded."""
_LONGEST = 12_000
"""Characters of one passage that are sent to the browser."""


def head(of: FoundHits) -> str:
    """A passage's rank, where it is from, its scores, and what it holds of the answers."""
    chunk = of.chunk
    part = f" ({messages.share(of.share)})" if of.share < 1 and of.holds.startswith("part") else ""
    kind = "cs-holds cs-part" if part else "cs-holds"
    holds = f'<span class="{kind}">holds {escape(of.holds)}{part}</span>' if of.holds else ""
    lines = f"lines {chunk.start_line:,} to {chunk.end_line:,}"
    facts = f"{of.tokens:,} tokens, {lines}; {messages.scores(of.ranked)}"
    return (
        f'<div class="cs-found"><span class="cs-rank">{of.rank}</span>{markup.breadcrumb(chunk.breadcrumb)}'
        f'<p class="cs-scores">{escape(facts)}{holds}</p></div>'
    )


def passage(of: FoundHits, letter: str) -> str:
    """A passage's text with the answers marked; what is long before the first of them is folded
    away."""
    before, rest = folded(of.pieces)
    hidden = sum(len(piece.text) for piece in before)
    more = (
        f"<details><summary>… {hidden:,} characters before the answer</summary>{_text(before)}</details>"
        if before
        else ""
    )
    name = escape(f"Text of chunk {of.rank} of {letter}")
    return (
        f'<div class="cs-passage" tabindex="0" role="region" aria-label="{name}" dir="auto">{more}{_text(rest)}</div>'
    )


def folded(pieces: Sequence[HitPiece]) -> tuple[tuple[HitPiece, ...], tuple[HitPiece, ...]]:
    """What stands so long before the first answer that it would hide it, and the rest; at a line's
    start."""
    first = next((number for number, piece in enumerate(pieces) if piece.gold), None)
    if first is None or sum(len(piece.text) for piece in pieces[:first]) <= _FOLDED:
        return (), tuple(pieces)
    last = pieces[first - 1]
    cut = last.text.rfind("\n", 0, max(0, len(last.text) - _LEFT)) + 1
    before, after = replace(last, text=last.text[:cut]), replace(last, text=last.text[cut:])
    return (*pieces[: first - 1], before), tuple(piece for piece in (after, *pieces[first:]) if piece.text)


def _text(pieces: Sequence[HitPiece]) -> str:
    said, left = [], _LONGEST
    for piece in pieces:
        if left <= 0:
            said.append('<span class="cs-added">… the rest is not shown</span>')
            break
        text = escape(piece.text[:left])
        left -= len(piece.text)
        text = f'<span class="cs-added">{text}</span>' if piece.added else text
        said.append(f"<mark>{text}</mark>" if piece.gold else text)
    return "".join(said)


def total(of: Results) -> str:
    """What was retrieved in all, and what it says of the answers."""
    count = len(of.found)
    said = [f"retrieved <b>{count:,}</b> chunk{'' if count == 1 else 's'}", f"<b>{of.tokens:,}</b> tokens"]
    if of.recall is not None:
        said.append(f"<b>{messages.share(of.recall)}</b> of the answer found")
    if of.too_easy:
        said.append(f"{count:,} of {of.chunks:,} chunks: too easy to tell configs apart")
    return f'<p class="cs-numbers">{"".join(f"<span>{each}</span>" for each in said)}</p>'


def table(board: Leaderboard, letters: Sequence[str]) -> str:
    """The configs by their place, with intervals; `letters` by place."""
    searched = board.searched
    heads = ["Config", _title(board.metric), "The first leads by", "Is it real"]
    heads += ["Answers cut", "Chunks", "Tokens a question" if searched else "Tokens to embed"]
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in heads)
    rows = "".join(_row(place, letter, searched=searched) for place, letter in zip(board.places, letters, strict=True))
    return (
        '<div class="cs-scroll" tabindex="0" role="region" aria-label="Leaderboard">'
        f'<table class="cs-table cs-board"><caption>Configs by {escape(metric_name(board.metric))}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _title(metric: str) -> str:
    name = metric_name(metric)
    return name[:1].upper() + name[1:]


def _row(place: Standing, letter: str, *, searched: bool) -> str:
    of, lead = place.evaluation, place.behind
    tokens = of.retrieved_tokens if searched else float(of.tokens)
    led = f"{lead.mean:.3f} {_between(lead.low, lead.high)}" if lead else ""
    real = lead_words(lead) if lead else "leads"
    cells = [escape(led), escape(real), f"{of.answers_cut:,}", f"{of.passages:,}", f"{tokens:,.0f}"]
    name = f"{badge(letter)} {escape(place.name.removeprefix(f'{letter} '))}"
    return (
        f'<tr><th scope="row">{name}</th><td><b>{place.value.mean:.3f}</b> {_interval(place.value)}</td>'
        f"{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    )


def _interval(of: Interval) -> str:
    return f'<span class="cs-by">{_between(of.low, of.high)}</span>'


def _between(low: float, high: float) -> str:
    return f"({low:.3f} to {high:.3f})".replace("-", "−")


def advice(text: str) -> str:
    """The recommendation."""
    return f'<p class="cs-advice" role="status">{escape(text).replace("(-", "(−")}</p>'

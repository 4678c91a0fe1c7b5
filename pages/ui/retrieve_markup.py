"""Markup of the Retrieve page: passages with their answers marked, and the leaderboard. Every text is escaped here."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from chunking.certainty import Interval
from chunking.leaderboard import Leaderboard, Place, lead_words, metric_name
from pages.ui import compare_markup, markup, retrieve_words
from pages.ui.retrieve_corpus import Piece
from pages.ui.retrieve_found import Found, Results

_LONGEST = 12_000
"""Characters of one passage that are sent to the browser."""


def passage(of: Found, letter: str) -> str:
    """One passage: scores, where it is from, and its text with the answers marked."""
    chunk = of.chunk
    holds = f'<span class="cs-holds">{escape(of.holds)}</span>' if of.holds else ""
    lines = f"lines {chunk.start_line:,} to {chunk.end_line:,}"
    facts = f"{of.tokens:,} tokens, {lines}; {retrieve_words.scores(of.ranked)}"
    name = f"Chunk {of.rank} of {letter}"
    return (
        f'<div class="cs-passage">{markup.breadcrumb(chunk.breadcrumb)}'
        f'<p class="cs-scores">{escape(facts)}{holds}</p>'
        f'<div class="cs-said" tabindex="0" role="region" aria-label="{escape(name)}" dir="auto">'
        f"{_text(of.pieces)}</div></div>"
    )


def _text(pieces: Sequence[Piece]) -> str:
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
    said = [f"<b>{count:,}</b> chunk{'' if count == 1 else 's'}", f"<b>{of.tokens:,}</b> tokens"]
    if of.recall is not None:
        said.append(f"<b>{of.recall:.0%}</b> of the answer found")
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


def _row(place: Place, letter: str, *, searched: bool) -> str:
    of, lead = place.evaluation, place.behind
    tokens = of.retrieved_tokens if searched else float(of.tokens)
    led = f"{lead.mean:.3f} {_between(lead.low, lead.high)}" if lead else ""
    real = lead_words(lead) if lead else "the first"
    cells = [escape(led), escape(real), f"{of.answers_cut:,}", f"{of.passages:,}", f"{tokens:,.0f}"]
    name = f"{compare_markup.badge(letter)} {escape(place.name)}"
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
    return f'<p class="cs-advice" role="status">{escape(text)}</p>'

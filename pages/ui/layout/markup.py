"""Small pieces of markup as plain functions of plain values. Every text that comes in is escaped on
its way out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Literal

from chunking.analysis import Metric, Verdict
from chunking.tokens import counter_title

if TYPE_CHECKING:
    import pandas as pd

_DIRECTIVES = re.compile(r"([\\`*_{}\[\]()#+\-.!$~:<>|&^=@/])")


def plain_label(text: str) -> str:
    """Text for a Streamlit label, so that it is shown and never interpreted: no directive, no
    formula, no link."""
    flat = " ".join(text.split())
    return _DIRECTIVES.sub(r"\\\1", flat)


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of the strip: what it was and what it is now."""

    title: str
    now: str
    was: str = ""
    verdict: Verdict = ""
    hint: str = ""


def figure(metric: Metric, now: object, was: object | None) -> Figure:
    """A metric of what is measured now beside what was."""
    verdict = metric.verdict(metric.of(was), metric.of(now)) if was is not None else ""
    return Figure(metric.title, metric.text(now), metric.text(was) if was is not None else "", verdict, metric.help)


def strip(figures: Sequence[Figure]) -> str:
    """The slim strip of numbers, was beside now, where it follows no drag."""
    return f'<dl class="cs-strip">{"".join(_figure(figure) for figure in figures)}</dl>'


def _figure(figure: Figure) -> str:
    was = f'<span class="cs-was">was {escape(figure.was)}</span>' if figure.was else ""
    verdict = f'<span class="cs-{figure.verdict}">{figure.verdict}</span>' if figure.verdict else ""
    return (
        f'<div title="{escape(figure.hint)}"><dt>{escape(figure.title)}</dt>'
        f"<dd><b>{_number(figure.now)}</b>{was}{verdict}</dd></div>"
    )


def _number(now: str) -> str:
    """A figure with what is said beside it smaller, as number_strip.js writes it too."""
    number, comma, more = now.partition(", ")
    return f"{escape(number)}<small>{escape(comma + more)}</small>" if more else escape(number)


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a chunk's tokens."""

    name: Literal["context", "overlap", "body", "closing", "room"]
    title: str
    tokens: int


def anatomy(pieces: Sequence[Piece], counter: str) -> str:
    """A chunk's tokens as one stacked bar, each piece with its number, and what counted them."""
    whole = sum(piece.tokens for piece in pieces) or 1
    bar = "".join(
        f'<i class="cs-{piece.name}" style="width:{100 * piece.tokens / whole:.2f}%"></i>'
        for piece in pieces
        if piece.tokens
    )
    legend = "".join(
        f'<li><i class="cs-{piece.name}"></i>{escape(piece.title)} <b>{piece.tokens:,}</b></li>' for piece in pieces
    )
    drawn = f'<div class="cs-bar" aria-hidden="true">{bar}</div><ul>{legend}</ul>{counted_by(counter)}'
    return f'<div class="cs-anatomy">{drawn}</div>'


def facts(lines: Sequence[tuple[str, str]]) -> str:
    """Short facts, a name and its value each."""
    rows = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in lines)
    return f'<dl class="cs-facts">{rows}</dl>'


def problem(text: str) -> str:
    """One line on what is wrong, to stand beside the control it belongs to."""
    return f'<p class="cs-problem" role="alert">{escape(" ".join(text.split()))}</p>'


def note(text: str) -> str:
    """One quiet line."""
    return f'<p class="cs-note">{escape(text)}</p>'


def caution(text: str) -> str:
    """One line to be read before the numbers are believed."""
    return f'<p class="cs-caution" role="status">{escape(text)}</p>'


def counted_by(counter: str) -> str:
    """What counts every number of tokens on a page that does not name its own."""
    return f'<p class="cs-counted">Tokens counted by <b>{escape(counter_title(counter))}</b></p>'


def heading(text: str, *, beside: str = "") -> str:
    """The heading of a panel, with a quiet word beside it."""
    more = f"<span>{escape(beside)}</span>" if beside else ""
    return f'<h2 class="cs-heading">{escape(text)}{more}</h2>'


def warnings(texts: Sequence[str]) -> str:
    """What a run warns of: the first in view, all of them when it is opened."""
    more = f" (and {len(texts) - 1} more)" if len(texts) > 1 else ""
    listed = "".join(f"<li>{escape(text)}</li>" for text in texts)
    summary = f"<summary>Warning: {escape(texts[0])}{more}</summary>"
    return f'<details class="cs-warnings">{summary}<ul>{listed}</ul></details>'


def empty(title: str, text: str) -> str:
    """What stands where there is nothing to show yet, and what to do about it."""
    return f'<div class="cs-empty"><h2>{escape(title)}</h2><p>{escape(text)}</p></div>'


def breadcrumb(parts: Sequence[str]) -> str:
    """A breadcrumb on a line of its own."""
    return f'<p class="cs-crumb">{" › ".join(f"<bdi>{escape(part)}</bdi>" for part in parts)}</p>'


def lines(texts: Sequence[str]) -> str:
    """A short list, one text a line."""
    return f'<ul class="cs-lines">{"".join(f"<li>{escape(text)}</li>" for text in texts)}</ul>'


def folded(summary: str, texts: Sequence[str]) -> str:
    """A short list that is opened when it is wanted."""
    return f'<details class="cs-folded"><summary>{escape(summary)}</summary>{lines(texts)}</details>'


def title(text: str, *, beside: str = "") -> str:
    """A page's own heading."""
    return f'<h1 class="cs-title">{escape(text)} <code>{escape(beside)}</code></h1>'


def paragraph(text: str) -> str:
    """Running text, as it is."""
    return f'<p class="cs-paragraph">{escape(text)}</p>'


def table(frame: pd.DataFrame, *, code: Sequence[str] = ()) -> str:
    """A small table to read, its cells as they are; columns named in `code` in the code's type."""
    head = "".join(f'<th scope="col">{escape(str(name))}</th>' for name in frame.columns)
    rows = "".join(f"<tr>{_cells(frame.columns, row, code)}</tr>" for row in frame.itertuples(index=False))
    body = f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
    return f'<div class="cs-scroll"><table class="cs-table">{body}</table></div>'


def _cells(columns: Iterable[object], row: Iterable[object], code: Sequence[str]) -> str:
    return "".join(_cell(str(cell), name in code) for name, cell in zip(columns, row, strict=True))


def _cell(text: str, code: bool) -> str:
    return f"<td><code>{escape(text)}</code></td>" if code and text else f"<td>{escape(text)}</td>"

"""Markup of the Retrieve page: passages with their answers marked, leaderboard, curves."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup, escape

from chunking.export import term_spans
from chunking.retrieval import (
    Costs,
    Curve,
    Interval,
    Leaderboard,
    Standing,
    areas,
    areas_compared,
    curve_points,
    lead_words,
    metric_name,
)
from pages.ui.layout import markup
from pages.ui.retrieve import messages
from pages.ui.retrieve.chunked_corpus import HitPiece
from pages.ui.retrieve.hits import FoundHits, Results
from pages.ui.side_by_side.markup import badge

_FOLDED = 3
"""Lines of a phone before the first answer that are still shown: more push it out of sight."""
_LINE = 45
"""Characters of a line on a phone, about."""
_LEFT = 80
"""Characters of the answer's own line before it that are shown where the rest is folded."""
_TOGETHER = 320
"""Characters in which words stand together."""
_LONGEST = 12_000
"""Characters of one passage that are sent to the browser."""
_FIRST_STATEMENT = re.compile(r"([:.](?=\s|$))")
_ASKED = Markup('<b class="cs-asked">{}</b>')
_ADDED = Markup('<span class="cs-added">{}</span>')


def head(of: FoundHits) -> Markup:
    """A passage's rank, where it is from, its scores, and what it holds of the answers."""
    shown = Markup(
        '<div class="cs-found"><span class="cs-rank">{}</span>{}<p class="cs-scores">{} tokens, {}; '
        '<span title="{}">{}</span>{}</p></div>'
    )
    chunk = of.chunk
    part = f" ({messages.share(of.share)})" if of.share < 1 and of.holds.startswith("part") else ""
    kind = "cs-holds cs-part" if part else "cs-holds"
    does = "gives back" if of.returned else "contains"
    holds = Markup('<span class="{}">{} {}{}</span>').format(kind, does, of.holds, part) if of.holds else ""
    lines = f"lines {chunk.start_line:,} to {chunk.end_line:,}"
    if of.returned:
        given = of.returned
        lines += f"; gives back {given.tokens:,} tokens, lines {given.first_line:,} to {given.last_line:,}"
    crumb, scores = markup.breadcrumb(chunk.breadcrumb), messages.scores(of.ranked)
    return shown.format(of.rank, crumb, f"{of.tokens:,}", lines, messages.SCORES_MEAN, scores, holds)


def passage(of: FoundHits, letter: str, asked: Collection[str] = ()) -> Markup:
    """A passage's text with the answers marked, and the words that were `asked`; what is long
    before the first answer is folded away, without one before the chunk's own text in what a hit
    gives back, or else before the place where the most of the words that were asked stand
    together. A longer text than its box shows all where that is asked for
    (components/shared/longer_texts.js)."""
    shown = Markup(
        '<div class="cs-hit">'
        '<div class="cs-passage" role="group" aria-label="Text of chunk {} of {}" dir="auto">{}{}</div>'
        '<details class="cs-all"><summary><span>Show all</span><span>Show less</span></summary></details></div>'
    )
    answered = any(piece.gold for piece in of.pieces)
    by_word = bool(asked) and not answered and of.returned is None
    before, rest = folded(parted_at_word(of.pieces, asked) if by_word else of.pieces, to_own=of.returned is not None)
    until = "answer" if answered else "underlined words" if by_word else "chunk"
    hidden = sum(len(piece.text) for piece in before)
    more = Markup("<details><summary>… {:,} characters before the {}</summary>{}</details>")
    first = more.format(hidden, until, _text(before, asked)) if before else ""
    return shown.format(of.rank, letter, first, _text(rest, asked))


def parted_at_word(pieces: Sequence[HitPiece], asked: Collection[str]) -> tuple[HitPiece, ...]:
    """The pieces, the one parted in two in which the most of the words that were asked stand
    together: where they begin."""
    best, most = (0, 0), 0
    for number, piece in enumerate(pieces):
        near = deque[tuple[int, str]]()  # the words in front, the last of them at `end`
        for start, end in term_spans(piece.text, asked):
            near.append((start, piece.text[start:end].casefold()))
            while end > near[0][0] + _TOGETHER and len(near) > 1:
                near.popleft()
            if (different := len({word for _, word in near})) > most:
                best, most = (number, near[0][0]), different
    if not most:
        return tuple(pieces)
    (number, start), parted = best, pieces[best[0]]
    parts = replace(parted, text=parted.text[:start]), replace(parted, text=parted.text[start:], leads=True)
    return (*pieces[:number], *parts, *pieces[number + 1 :])


def folded(pieces: Sequence[HitPiece], *, to_own: bool = False) -> tuple[tuple[HitPiece, ...], tuple[HitPiece, ...]]:
    """What stands so long before the first answer, or what leads in its place, that it would hide
    it, and the rest; at its line's start, or at a word where that is far. With `to_own`, before the
    chunk's own text where there is no answer."""
    first = next((number for number, piece in enumerate(pieces) if piece.gold or piece.leads), None)
    if first is None and to_own:
        first = next((number for number, piece in enumerate(pieces) if not piece.added), None)
    text = "".join(piece.text for piece in pieces[:first])
    *whole, own = text.split("\n")
    if first is None or sum(len(line) // _LINE + 1 for line in whole) + len(own) // _LINE <= _FOLDED:
        return (), tuple(pieces)
    last = pieces[first - 1]
    cut = _near_end(last.text)
    before, after = replace(last, text=last.text[:cut]), replace(last, text=last.text[cut:])
    return (*pieces[: first - 1], before), tuple(piece for piece in (after, *pieces[first:]) if piece.text)


def _near_end(text: str) -> int:
    """Where its last line begins, or a word in it where that is far from the end."""
    line, far = text.rfind("\n") + 1, len(text) - _LEFT
    return line if line >= far else text.find(" ", far) + 1 or far


def _text(pieces: Sequence[HitPiece], asked: Collection[str]) -> Markup:
    parts, left = [], _LONGEST
    for piece in pieces:
        if left <= 0:
            parts.append(_ADDED.format("… the rest is not shown"))
            break
        text = _with_asked(piece.text[:left], asked)
        left -= len(piece.text)
        text = _ADDED.format(text) if piece.added else text
        parts.append(Markup("<mark>{}</mark>").format(text) if piece.gold else text)
    return markup.joined(parts)


def _with_asked(text: str, asked: Collection[str]) -> Markup:
    """A text in which the words that were asked stand out."""
    parts, done = [], 0
    for start, end in term_spans(text, asked) if asked else ():
        parts += [escape(text[done:start]), _ASKED.format(text[start:end])]
        done = end
    return markup.joined([*parts, escape(text[done:])])


def total(of: Results, budget: int | None = None) -> Markup:
    """What was retrieved in all, of how many tokens where there is a `budget`, and what it says of
    the answers."""
    count = len(of.found)
    numbers = [Markup("retrieved <b>{:,}</b> chunk{}").format(count, "" if count == 1 else "s")]
    of_budget = "" if budget is None else f" of {budget:,}"
    ended = "; the next chunk does not fit" if of_budget and 0 < count < of.chunks else ""
    numbers.append(Markup("<b>{:,}</b>{} tokens{}").format(of.tokens, of_budget, ended))
    if of.recall is not None:
        numbers.append(Markup("<b>{}</b> of the answer found").format(messages.share(of.recall)))
    if of.too_easy:
        numbers.append(escape(f"{count:,} of {of.chunks:,} chunks returned: too many to show a difference"))
    return Markup('<p class="cs-numbers">{}</p>').format(markup.each_in("<span>{}</span>", numbers))


def table(board: Leaderboard, letters: Sequence[str]) -> Markup:
    """The configs by their place, with intervals; `letters` by place."""
    shown = Markup(
        '<div class="cs-scroll" tabindex="0" role="region" aria-label="Leaderboard">'
        '<table class="cs-table cs-board"><caption>Configs by {}</caption>'
        "<thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"
    )
    searched = board.searched
    heads = ["Config", _title(board.metric), "Lead of the first", "Significant?"]
    heads += ["Answers cut or left out", "Chunks", "Tokens a question" if searched else "Tokens to embed"]
    rows = (_row(place, letter, searched=searched) for place, letter in zip(board.places, letters, strict=True))
    head = markup.each_in('<th scope="col">{}</th>', heads)
    return shown.format(metric_name(board.metric), head, markup.joined(rows))


def curve_table(curves: Mapping[str, Curve], metric: str) -> Markup:
    """A row for each config: the metric at each budget and the area, with intervals, and how far
    the largest area leads."""
    shown = Markup(
        '<div class="cs-scroll" tabindex="0" role="region" aria-label="{0} at budgets of tokens">'
        '<table class="cs-table cs-board"><caption>{0} at budgets of tokens</caption>'
        "<thead><tr>{1}</tr></thead><tbody>{2}</tbody></table></div>"
    )
    points, whole = curve_points(curves, metric), areas(curves, metric)
    best = max(whole, key=lambda name: whole[name].mean)
    ordered = {name: curves[name] for name in (*(name for name in curves if name != best), best)}
    leads = {before: lead for (before, after), lead in areas_compared(ordered, metric).items() if after == best}
    budgets = [f"{budget:,}" for budget in next(iter(curves.values())).budgets]
    head = markup.each_in(
        '<th scope="col">{}</th>', ["Config", *budgets, "Area", "Lead of the largest", "Significant?"]
    )
    rows = []
    for name, of in points.items():
        cells = [_valued(point.value) for point in of]
        lead = leads.get(name)
        led = f"{lead.mean:.3f} {_between(lead.low, lead.high)}" if lead else ""
        cells += [_valued(whole[name]), escape(led), escape(lead_words(lead) if lead else "the largest")]
        title = badge(name[0]) + escape(name[1:])
        rows.append(Markup('<tr><th scope="row">{}</th>{}</tr>').format(title, markup.each_in("<td>{}</td>", cells)))
    return shown.format(_title(metric), head, markup.joined(rows))


def _valued(of: Interval) -> Markup:
    return Markup("<b>{:.3f}</b> {}").format(of.mean, _interval(of))


def _title(metric: str) -> str:
    name = metric_name(metric)
    return name[:1].upper() + name[1:]


def _row(place: Standing, letter: str, *, searched: bool) -> Markup:
    of, lead = place.evaluation, place.behind
    tokens = of.retrieved_tokens if searched else float(of.tokens)
    led = f"{lead.mean:.3f} {_between(lead.low, lead.high)}" if lead else ""
    real = lead_words(lead) if lead else "the first"
    cells = [led, real, f"{of.answers_cut:,}", f"{of.passages:,}", f"{tokens:,.0f}"]
    name = badge(letter) + f" {place.name.removeprefix(f'{letter} ')}"
    shown = Markup('<tr><th scope="row">{}</th><td><b>{:.3f}</b> {}</td>{}</tr>')
    return shown.format(name, place.value.mean, _interval(place.value), markup.each_in("<td>{}</td>", cells))


def _interval(of: Interval) -> Markup:
    return Markup('<span class="cs-by">{}</span>').format(_between(of.low, of.high))


def _between(low: float, high: float) -> str:
    return f"({low:.3f} to {high:.3f})".replace("-", "−")


def reasons(text: str) -> Markup:
    """The recommendation in full."""
    return markup.paragraph(text.replace("(-", "(−"))


def advice(text: str) -> Markup:
    """The decision. What is told at once to who hears the page is its first statement: to
    `:` or the end of the sentence."""
    told, mark, more = _FIRST_STATEMENT.split(text.replace("(-", "(−"), maxsplit=1)
    return Markup('<p class="cs-advice"><span role="status">{}</span>{}{}</p>').format(told, mark, more)


def costs_table(of: Mapping[str, Costs]) -> Markup:
    """A row for each config: tokens to embed, money."""
    rows = []
    for name, each in of.items():
        money = "not known" if each.money is None else f"{each.money:,.4f}" if each.money else "0"
        cells = [f"{each.tokens:,}", money]
        title = badge(name[0]) + escape(name[1:])
        rows.append(Markup('<tr><th scope="row">{}</th>{}</tr>').format(title, markup.each_in("<td>{}</td>", cells)))
    head = markup.each_in('<th scope="col">{}</th>', ["Config", "Tokens to embed", "US dollars"])
    return Markup(
        '<div class="cs-scroll" tabindex="0" role="region" aria-label="Costs"><table class="cs-table cs-board">'
        "<thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"
    ).format(head, markup.joined(rows))

"""Small pieces of markup as plain functions of plain values.

Every text that is not Markup is escaped where it is put into some.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, LiteralString

from markupsafe import Markup, escape

from chunking.analysis import NO_LIMITS, WITH_CONTEXT, Metric, Verdict, number_and_words
from chunking.tokens import counter_title
from pages.ui.server.stylesheets import WIDE

if TYPE_CHECKING:
    import pandas as pd

_DIRECTIVES = re.compile(r"([\\`*_{}\[\]()#+\-.!$~:<>|&^=@/])")


def plain_label(text: str) -> str:
    """Text for a Streamlit label, so that it is shown and never interpreted: no directive, no
    formula, no link."""
    return without_directives(" ".join(text.split()))


def without_directives(text: str) -> str:
    """A piece of a label, with its blanks."""
    return _DIRECTIVES.sub(r"\\\1", text)


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of the strip: what it was and what it is now."""

    title: str
    now: str
    was: str = ""
    verdict: Verdict = ""
    hint: str = ""
    leads: str = ""
    """What its title, a button then, leads to: what it counts."""


_BASELINE = "Another way to cut the same text, to compare with; it is chosen among the settings"
STRIP_WORDS = (
    ("Baseline", _BASELINE),
    ("Token", "A piece of text as a model reads it: a word, a part of one or a sign. The tokenizer says what they are"),
)
"""Words of the strip that are no metrics, with their meanings."""
_WITHOUT_LIMITS = (
    "The baseline's strategy sets no minimum and no maximum: its chunks may have any size, so there is no share to "
    "compare with"
)


def figure(metric: Metric, now: object, was: object | None) -> Figure:
    """A metric of what is measured now beside what was."""
    if was is None:
        return Figure(metric.title, metric.text(now), hint=metric.help)
    shown, baseline = metric.text(now), metric.text(was)
    if shown.endswith(WITH_CONTEXT):  # said once: there is no room to say it twice
        baseline = baseline.replace(WITH_CONTEXT, ")")
    hint = f"{metric.help}. {_WITHOUT_LIMITS}" if baseline == NO_LIMITS else metric.help
    return Figure(metric.title, shown, baseline, metric.verdict(metric.of(was), metric.of(now)), hint)


def strip(figures: Sequence[Figure], *, beside: str) -> Markup:
    """The slim strip of numbers where it follows no drag; `beside` says what the smaller ones are
    of."""
    return Markup('<dl class="cs-strip">{}</dl>').format(joined(_figure(figure, beside) for figure in figures))


def explained(figures: Sequence[Figure], *, beside: str) -> Markup:
    """The same with what its numbers mean below."""
    said = meanings(((figure.title, figure.hint) for figure in figures), name="strip")
    return strip(figures, beside=beside) + said


def _figure(figure: Figure, beside: str) -> Markup:
    was = Markup('<span class="cs-was">{} {}</span>').format(beside, figure.was) if figure.was else ""
    verdict = Markup('<span class="cs-{0}">{0}</span>').format(figure.verdict) if figure.verdict else ""
    lead = Markup('<button type="button" class="cs-lead" aria-description="{}">{}</button>')
    title = lead.format(figure.leads, figure.title) if figure.leads else escape(figure.title)
    shown = Markup('<div title="{}"><dt>{}</dt><dd><b>{}</b>{}{}</dd></div>')
    return shown.format(figure.hint, title, _number(figure.now), was, verdict)


def _number(now: str) -> Markup:
    """A figure with what is said beside it smaller, as number_strip.js writes it too."""
    number, more = number_and_words(now)
    return Markup("{}<small>{}</small>").format(number, more) if more else escape(number)


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a chunk's tokens."""

    name: Literal["context", "overlap", "body", "closing", "room"]
    title: str
    tokens: int


def anatomy(pieces: Sequence[Piece], counter: str) -> Markup:
    """A chunk's tokens as one stacked bar, each piece with its number, and what counted them."""
    whole = sum(piece.tokens for piece in pieces) or 1
    part = Markup('<i class="cs-{}" style="width:{:.2f}%"></i>')
    bar = joined(part.format(piece.name, 100 * piece.tokens / whole) for piece in pieces if piece.tokens)
    legend = joined(_in_legend(piece) for piece in pieces)
    drawn = Markup('<div class="cs-anatomy"><div class="cs-bar" aria-hidden="true">{}</div><ul>{}</ul>{}</div>')
    return drawn.format(bar, legend, counted_by(counter))


def _in_legend(piece: Piece) -> Markup:
    """A piece's name and its tokens; what is left begins with the number: `6 tokens left of 7`."""
    number = Markup("<b>{:,}</b>").format(piece.tokens)
    title = piece.title.replace("tokens", "token", 1) if piece.tokens == 1 else piece.title
    words = (number, " ", title) if piece.name == "room" else (title, " ", number)
    return Markup('<li><i class="cs-{}"></i>{}</li>').format(piece.name, joined(words))


def facts(lines: Sequence[tuple[str, str]]) -> Markup:
    """Short facts, a name and its value each."""
    row = Markup("<div><dt>{}</dt><dd>{}</dd></div>")
    return Markup('<dl class="cs-facts">{}</dl>').format(joined(row.format(*line) for line in lines))


def problem(text: str) -> Markup:
    """One line on what is wrong, to stand beside the control it belongs to."""
    return Markup('<p class="cs-problem" role="alert">{}</p>').format(" ".join(text.split()))


def note(text: str) -> Markup:
    """One quiet line."""
    return Markup('<p class="cs-note">{}</p>').format(text)


def more_kept(count: int) -> Markup:
    """`3 more documents are kept`, which is seen as `3 more kept` where there is little room."""
    words = "document is" if count == 1 else "documents are"
    return Markup('<p class="cs-note">{} more <span class="cs-kept-words">{} </span>kept</p>').format(
        f"{count:,}", words
    )


def shortened(text: str) -> Markup:
    """A quiet text of which two lines are seen until it is opened."""
    return Markup('<details class="cs-note cs-shortened"><summary title="{0}">{0}</summary></details>').format(text)


def two_lines(text: str) -> Markup:
    """A quiet text in two lines, and the room of two if it has one."""
    return Markup('<p class="cs-note cs-two-lines" title="{0}">{0}</p>').format(text)


def reason(text: str) -> Markup:
    """Why a chunk ends where it does: what is read first of it."""
    return Markup('<p class="cs-reason">{}</p>').format(text)


def consequences(words: str, *, drawback: str = "") -> Markup:
    """What comes of a change, what speaks against it first; its button is quieter then
    (style.css)."""
    against = Markup("{} · ").format(_drawback(drawback)) if drawback else ""
    return Markup('<p class="cs-note">{}{}</p>').format(against, words)


def drawback(words: str) -> Markup:
    """What speaks against a change, alone."""
    return Markup('<p class="cs-note">{}</p>').format(_drawback(f"{words}."))


def _drawback(words: str) -> Markup:
    return Markup('<b class="cs-drawback">{}</b>').format(words)


def proof(fingerprint: str, chunks: str) -> Markup:
    """What proves that chunks are the same elsewhere: their fingerprint, cut short."""
    shown = Markup(
        '<p class="cs-note"><b>Proof:</b> <code title="{}">{}…</code>, the fingerprint of {}, at the end of the '
        "YAML. The second command below fails unless it comes out the same.</p>"
    )
    return shown.format(fingerprint, fingerprint[:16], chunks)


def status(text: str, *, heard: str = "") -> Markup:
    """One line that is told to those who hear the page once it is there (components/shared/
    live_region.js); in other words where what is `heard` says more."""
    return Markup('<p class="cs-note" data-tell="{}">{}</p>').format(heard or text, text)


def told(text: str) -> Markup:
    """What only those who hear the page are told, in a container that is a status
    (components/shared/names_and_roles.js); what is no news is not said again."""
    return Markup('<p class="cs-unseen">{}</p>').format(text)


def caution(text: str) -> Markup:
    """One line to be read before the numbers are believed."""
    return Markup('<p class="cs-caution" role="status">{}</p>').format(text)


def counted_by(counter: str, *, baseline: str = "") -> Markup:
    """The tokenizer of every number of tokens on a page that does not name its own, and what the
    smaller numbers are of."""
    said = Markup('<p class="cs-counted" title="{0}">Baseline <b>{1}</b></p>').format(_BASELINE, baseline)
    counted = Markup('<p class="cs-counted">Tokenizer <b>{}</b></p>').format(counter_title(counter))
    return said + counted if baseline else counted


def heading(text: str, *, beside: str = "", of: str = "") -> Markup:
    """The heading of a panel, with a quiet word beside it, which is no part of its name. What it
    is one `of` is: `Chunk 2 of 7`."""
    whole = Markup("{} <span>{}</span>").format(text, of) if of else escape(text)
    more = Markup("<span>{}</span>").format(beside) if beside else ""
    return Markup('<div class="cs-heading"><h2>{}</h2>{}</div>').format(whole, more)


def exact(text: str) -> Markup:
    """A text as it is, with its line breaks, wrapped where it is too wide; keys can scroll it. A
    NUL, which HTML leaves out, is shown by its picture."""
    return Markup('<pre class="cs-exact" tabindex="0"><code>{}</code></pre>').format(text.replace("\0", "\u2400"))


def warnings(texts: Sequence[str]) -> Markup:
    """What a run warns of: the first in view, all of them when it is opened."""
    more = f" (and {len(texts) - 1} more)" if len(texts) > 1 else ""
    shown = Markup('<details class="cs-warnings"><summary>Warning: {}{}</summary><ul>{}</ul></details>')
    return shown.format(texts[0], more, each_in("<li>{}</li>", texts))


def empty(title: str, text: str) -> Markup:
    """What stands where there is nothing to show yet, and what to do about it."""
    return Markup('<div class="cs-empty"><h2>{}</h2><p>{}</p></div>').format(title, text)


def empty_steps(title: str, steps: Sequence[tuple[str, str]]) -> Markup:
    """What stands where there is nothing to show yet: what to do, one step after the other, each
    by its name and what it gives."""
    step = Markup("<li><h3>{}</h3><p>{}</p></li>")
    shown = Markup('<div class="cs-empty cs-steps"><h2>{}</h2><ol>{}</ol></div>')
    return shown.format(title, joined(step.format(*each) for each in steps))


def missing_document(name: str) -> Markup:
    """What a link asks for that is not here, and what adding it does."""
    text = Markup("Add <b>{}</b> (same text) and the view is restored.").format(name)
    return empty("Open the document to see this view", text)


def kept(title: str, size: str, problem: str) -> Markup:
    """A kept document in its list: its title and size, or why it cannot be opened."""
    beside = Markup('<span class="cs-kept-problem">{}</span>').format(problem) if problem else size
    return Markup('<p class="cs-kept"><bdi>{}</bdi> <span>{}</span></p>').format(title, beside)


def override(text: str, documents: str) -> Markup:
    """An override in its list, and how many documents it takes."""
    return Markup('<p class="cs-kept"><bdi>{}</bdi> <span>{}</span></p>').format(text, documents)


def breadcrumb(parts: Sequence[str]) -> Markup:
    """A breadcrumb on a line of its own."""
    part = Markup("<bdi>{}</bdi>")
    return Markup('<p class="cs-crumb">{}</p>').format(Markup(" › ").join(part.format(each) for each in parts))


def lines(texts: Sequence[str]) -> Markup:
    """A short list, one text a line."""
    return Markup('<ul class="cs-lines">{}</ul>').format(each_in("<li>{}</li>", texts))


def folded(summary: str, texts: Sequence[str], *, name: str) -> Markup:
    """A short list that is opened when it is wanted, and stays so where it is drawn anew
    (components/shared/folds.js)."""
    shown = Markup('<details class="cs-folded" data-fold="{}"><summary>{}</summary>{}</details>')
    return shown.format(name, summary, lines(texts))


def meanings(said: Iterable[tuple[str, str]], *, name: str) -> Markup:
    """What numbers mean, by their titles, to be opened below them; those that say nothing are left
    out."""
    line = Markup("<dt>{}</dt><dd>{}.</dd>")
    shown = joined(line.format(title, words[:1].upper() + words[1:]) for title, words in said if words)
    return Markup(
        '<details class="cs-folded" data-fold="{}"><summary>What these numbers mean</summary><dl>{}</dl></details>'
    ).format(name, shown)


def more_controls(words: str, *, name: str) -> Markup:
    """What opens the controls that follow it on a phone; streamlit_dom.css says which."""
    return Markup('<details class="cs-more" data-fold="{}"><summary>{}</summary></details>').format(name, words)


def title(text: str, *, beside: str = "") -> Markup:
    """A page's own heading."""
    return Markup('<div class="cs-title"><h1>{}</h1> <code>{}</code></div>').format(text, beside)


def paragraph(text: str) -> Markup:
    """Running text, as it is."""
    return Markup('<p class="cs-paragraph">{}</p>').format(text)


def table(frame: pd.DataFrame, *, code: Sequence[str] = ()) -> Markup:
    """A small table to read, its cells as they are; columns named in `code` in the code's type."""
    head = each_in('<th scope="col">{}</th>', map(str, frame.columns))
    rows = each_in("<tr>{}</tr>", (_cells(frame.columns, row, code) for row in frame.itertuples(index=False)))
    shown = Markup(
        '<div class="cs-scroll" tabindex="0" role="group" aria-label="Table"><table class="cs-table"><thead><tr>{}</tr>'
        "</thead><tbody>{}</tbody></table></div>"
    )
    return shown.format(head, rows)


def _cells(columns: Iterable[object], row: Iterable[object], code: Sequence[str]) -> Markup:
    return joined(_cell(str(cell), name in code) for name, cell in zip(columns, row, strict=True))


def _cell(text: str, code: bool) -> Markup:
    return Markup("<td><code>{}</code></td>" if code and text else "<td>{}</td>").format(text)


def reserved(key: str, height: int) -> Markup:
    """A style that gives the container with this key its height in pixels on a wide screen, before
    what is in it has come."""
    style = "<style>@media {} {{ .st-key-{} {{ min-height: {}px; }} }}</style>"
    return Markup(style).format(WIDE, key, height)


def documents_in(key: str, documents: int) -> Markup:
    """A style that says how many documents the container with this key has rows for, before its
    table has come."""
    return Markup("<style>.st-key-{} {{ --cs-documents: {}; }}</style>").format(key, documents)


def joined(pieces: Iterable[str]) -> Markup:
    """Pieces one after another; what is not Markup is escaped."""
    return Markup("").join(pieces)


def each_in(element: LiteralString, pieces: Iterable[str]) -> Markup:
    """Every piece in an element of its own, one after another; what is not Markup is escaped."""
    return joined(Markup(element).format(each) for each in pieces)

"""The page of a strategy as the app shows it: the same prose, picture and tables as
docs/strategies."""

from __future__ import annotations

import re
from itertools import groupby

import pandas as pd
import streamlit as st
from markupsafe import Markup, escape

from chunking import strategy_docs
from chunking.core import Strategy
from chunking.errors import ChunkscopeError
from chunking.strategy_docs import FigureRow, PictureLine, figure_rows, picture, reason_rows, setting_rows
from chunking.tokens import counter_title
from pages.ui.layout import markup, page_frame, tables

_MARKS = {"added": "+", "overlap": "~", "flag": "!"}
_PAGE_LINK = re.compile(r"\]\(([a-z-]+)\.md\)")
_DECISIONS_LINK = "](../decisions/"
_REASONS = ("ends", "left-out", "flag")
NO_PAGE = "It comes from another package, without a page: what follows is made from its declarations."


def show(strategy: type[Strategy]) -> None:
    """Prose beside the picture, and the tables below both."""
    text = strategy_docs.page_text(strategy.name)
    prose = strategy_docs.prose(text)
    with st.container(key="strategy-page"):
        st.html(markup.title(strategy.title, beside=strategy.name))
        st.html(markup.paragraph(strategy.summary))
        if not text:
            page_frame.note(NO_PAGE)
            st.html(markup.paragraph(tables.first_paragraph(strategy.__doc__ or "")))
        st.page_link(
            "app.py",
            label="Try it on a document",
            icon=":material/arrow_forward:",
            query_params={"strategy": strategy.name},
            width="content",
        )
        left, right = st.columns([9, 10], gap="large")
        with left:
            for title in strategy_docs.PROSE:
                if prose.get(title):
                    st.html(markup.heading(title))
                    st.markdown(without_file_links(prose[title]))
        with right:
            _picture(strategy, text)
        _tables(strategy, strategy_docs.generated_part(text, "samples"))


def without_file_links(prose: str) -> str:
    """The prose of a page without links to files, which the app does not serve: a link to another
    strategy's page leads to it here, and the paragraph for developers, which cites the decisions,
    is left out."""
    paragraphs = [each for each in prose.split("\n\n") if _DECISIONS_LINK not in each]
    return _PAGE_LINK.sub(r"](?strategy=\1)", "\n\n".join(paragraphs))


def _picture(strategy: type[Strategy], text: str) -> None:
    st.html(markup.heading(strategy_docs.PICTURE, beside="the same document for every strategy, cut now"))
    config = strategy_docs.picture_config(strategy, text)
    if introduced := strategy_docs.picture_prose(text):
        st.markdown(introduced)
    try:
        made = strategy_docs.worked_example(config)
    except ChunkscopeError as error:
        page_frame.problem(str(error))
        return
    if written := strategy_docs.picture_yaml(text):
        page_frame.exact(written)
    lines = picture(made.after)
    st.html(picture_key(lines) + picture_markup(lines))
    rows = figure_rows(made.compared.before_metrics, made.compared.after_metrics)
    st.html(markup.table(_figures(rows, strategy.name)))
    page_frame.note(f"Tokenizer {counter_title(config.counter)}.")


def _figures(rows: tuple[FigureRow, ...], name: str) -> pd.DataFrame:
    before = (
        {} if name == strategy_docs.BASELINE else {f"Before: {strategy_docs.BASELINE}": [row.before for row in rows]}
    )
    return pd.DataFrame({"Metric": [row.name for row in rows], **before, f"After: {name}": [row.after for row in rows]})


def _tables(strategy: type[Strategy], samples: str) -> None:
    st.html(markup.heading("Settings"))
    settings = setting_rows(strategy)
    if settings:
        columns = ("Setting", "On screen", "Default", "Takes", "Unit", "What it does")
        cells = [(row.name, row.title, row.default, row.takes, row.unit, row.help) for row in settings]
        st.html(markup.table(pd.DataFrame(cells, columns=columns), code=("Setting", "Default")))
    else:
        page_frame.note("None: there is nothing to tune.")
    st.html(markup.heading("Reasons it gives", beside="for a boundary, for what it leaves out, and what it flags"))
    reasons = [(row.rule, row.meaning, "any strategy" if row.shared else "this one") for row in reason_rows(strategy)]
    st.html(markup.table(pd.DataFrame(reasons, columns=["Reason", "Meaning", "Given by"]), code=("Reason",)))
    page_frame.note(f"The tokenizer is {strategy.default_counter} unless another one is chosen.")
    if strategy.spec_counter:
        page_frame.note(f"Its written rules count with {strategy.spec_counter}, which is approximate.")
        as_written = {"strategy": strategy.name, "counter": strategy.spec_counter}
        st.page_link(
            "app.py",
            label="Try it as the written rules count",
            icon=":material/arrow_forward:",
            query_params=as_written,
            width="content",
        )
    if samples:
        st.html(markup.heading("On the sample documents", beside="with its defaults"))
        st.html(markup.table(_sample_table(samples), code=("Sample",)))


def _sample_table(generated: str) -> pd.DataFrame:
    """The table of the docs, which Streamlit's Markdown would make wider than a phone."""
    head, _, *rows = (
        [cell.strip(" `") for cell in line.strip("|").split("|")] for line in generated.split("\n") if line
    )
    return pd.DataFrame(rows, columns=head)


def picture_key(lines: tuple[PictureLine, ...]) -> Markup:
    """What the marks mean, those that the picture has."""
    meanings = {"added": "+ put in front", "overlap": "~ repeated from before", "hole": "left out of the text"}
    found = {line.kind for line in lines}
    mark = Markup('<span class="cs-p-{}">{}</span>')
    words = markup.joined(mark.format(kind, says) for kind, says in meanings.items() if kind in found)
    return Markup('<p class="cs-picture-key">{}</p>').format(words)


def picture_markup(lines: tuple[PictureLine, ...]) -> Markup:
    """The picture with a band for each chunk."""
    bands = []
    for number, group in groupby(lines, key=lambda line: line.chunk):
        tone = "out" if not number else "odd" if number % 2 else "even"
        bands.append(Markup('<div class="cs-{}">{}</div>').format(tone, markup.joined(map(_line, group))))
    return Markup('<div class="cs-picture">{}</div>').format(markup.joined(bands))


def _line(line: PictureLine) -> Markup:
    mark = line.line if line.line is not None else _MARKS.get(line.kind, "")
    text = escape(line.text)
    if line.kind in _REASONS:
        text = Markup("<b>{}</b>{}{}").format(*line.text.partition(":"))
    return Markup('<p class="cs-p-{}"><i>{}</i><span>{}</span></p>').format(line.kind, mark, text)

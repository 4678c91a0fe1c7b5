"""The table's Streamlit half: rows go to corpus_table.js; what was opened, ordered or filtered
comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from chunking.analysis import DocumentFigures, FailedCheck, Repeats
from pages.ui.components.corpus_table.rows import DocumentLine, whole_table
from pages.ui.components.shared.package_component import package_component, told
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "corpus_table.css")


@cache
def _component() -> ComponentRenderer:
    return package_component("corpus_table", js="corpus_table/corpus_table.js", css=_STYLE)


def corpus_table(
    lines: Sequence[DocumentLine],
    figures: Mapping[int, DocumentFigures],
    checks: Mapping[int, Sequence[FailedCheck]],
    repeats: Mapping[int, Repeats] | None,
    *,
    run: str,
    corpus: str,
    shown: Mapping[str, object],
    key: str,
    on_open: Callable[[int], None],
    on_look: Callable[[Mapping[str, object]], None],
) -> None:
    """Draw the documents of a corpus.

    `checks` are those of Health that documents do not pass, of the documents that are checked;
    `repeats` is what documents have in common, None while that is not known.
    `run` names what the figures are of, `corpus` the documents. `shown` says how the rows are
    ordered and filtered: `order`, `descending`, `show`, `check`, `path`, and `row`, the name of the
    document that was opened last. `on_open` is called with the number of the document that was
    chosen, `on_look` with what was changed of `shown`.
    """

    def opened() -> None:
        row = told(key, "opened")
        if isinstance(row, int | float) and 0 <= row < len(lines):
            on_open(int(row))

    def looked() -> None:
        looks = told(key, "looked")
        if isinstance(looks, Mapping):
            on_look(looks)

    data = whole_table(lines, figures, run=run, corpus=corpus, checks=checks, repeats=repeats, shown=shown)
    _component()(key=key, data=data, on_opened_change=opened, on_looked_change=looked)

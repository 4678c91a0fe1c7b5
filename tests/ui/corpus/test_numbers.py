"""The numbers of a corpus."""

from __future__ import annotations

from chunking import Config, parse, run
from chunking.analysis import document_figures, together
from pages.ui.corpus import numbers


def test_while_no_document_is_cut_the_strip_says_no_number() -> None:
    assert {figure.now for figure in numbers.strip(together([]), None)} == {"…"}


def test_once_one_document_is_cut_the_strip_has_its_numbers() -> None:
    figures = document_figures(run(parse("# Kettle\n\nwater\n", name="a.md"), Config.of("every-heading", {})))

    assert numbers.strip(together([figures]), None)[0].now == "1"

"""A run as one HTML file that needs nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.report.report import html_report as html_report
    from chunking.report.results_report import results_html as results_html
else:
    __getattr__, __all__ = front(
        __name__,
        report=("html_report",),
        results_report=("results_html",),
    )

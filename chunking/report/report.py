"""A run as one HTML file that needs nothing else: picture, boundaries with their reasons, metrics
and YAML.

No script, no request, no date: the same runs give the same bytes, wherever the file is opened.
"""

from __future__ import annotations

import shlex
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from markupsafe import Markup

from chunking.analysis.comparison import compare
from chunking.analysis.corpus_checks import FailedCheck, failed_checks
from chunking.analysis.counter_ratio import measured_ratio
from chunking.config.config import Config, DocumentProof
from chunking.config.proof import proof_of, proof_of_hashes
from chunking.core.metrics import Metrics
from chunking.report.charts import bars_stand_for, histogram, ribbon, sizes_sentence
from chunking.report.html import template
from chunking.report.source import change_words, changes_of, source_bands
from chunking.report.tables import (
    SETTINGS_HEAD,
    Overview,
    boundary_head,
    boundary_rows,
    comparison_words,
    left_out_words,
    metric_groups,
    metrics_head,
    overview_of,
    shown_settings,
    strip_figures,
    with_checks,
)
from chunking.runs import Run
from chunking.runtime.version import engine_version
from chunking.text.display import counted
from chunking.tokens import counter
from chunking.tokens.names import names_a_file
from chunking.tokens.offered_files import counter_title

CONFIG_NAME = "chunks.yaml"
INDEX, PAGES = "index.html", "documents"
_PLACES = [
    ("d1-numbers", "Numbers"),
    ("d1-source", "Source"),
    ("d1-boundaries", "Boundaries"),
    ("d1-metrics", "Metrics"),
]
_SECTION = Markup("<!-- section -->")
"""Stands for a document's section while the template is filled in."""
_FEW = 5
"""Names that a command line spells out; more documents are in a folder."""


@dataclass(frozen=True, slots=True)
class ReportedDocument:
    """One document's part of a report. What it was made from need not be kept: a report may hold
    many."""

    name: str
    anchor: str
    alone: bool
    """Whether it is the only one that the report is on."""
    metrics: Metrics
    warnings: tuple[str, ...]
    proof: DocumentProof
    section: str
    """Its numbers, picture and boundaries, as markup."""
    undescribed: int = 0
    """Chunks that a model was to describe and did not, those of the run it is compared with
    included."""
    checks: tuple[FailedCheck, ...] = ()
    """Those of health that it does not pass, where they were made."""

    @property
    def page(self) -> str:
        """The file of its page in a report in pages, the same whatever the others are."""
        return f"{PAGES}/{sha256(self.name.encode('utf-8', 'surrogatepass')).hexdigest()[:20]}.html"


def html_report(run: Run, baseline: Run | None = None, *, file_hash: str = "") -> str:
    """The report on one run, beside the run it is compared with.

    `file_hash` is the sha256, in hex, of the document's file, which `verify` compares; left out,
    that of its text as UTF-8, which is the file's where it has no byte order mark.
    """
    described = reported(run, baseline, file_hash=file_hash)
    return "".join(report_pieces([described], [described.section], run.config, baseline.config if baseline else None))


def reported(
    run: Run,
    baseline: Run | None = None,
    *,
    number: int = 1,
    alone: bool = True,
    file_hash: str = "",
    checked: bool = False,
) -> ReportedDocument:
    """One document's part of a report, as number `number` of it. Not `alone`, it begins with a
    heading of its own. `checked` says whether its health is looked at."""
    source = f"sha256:{file_hash or run.document.text_hash}"
    proof = proof_of_hashes(source, run.fingerprint, run.descriptions, run.document)
    return ReportedDocument(
        name=run.document.name,
        anchor=f"d{number}",
        alone=alone,
        metrics=run.metrics,
        warnings=run.warnings,
        proof=proof,
        section=_section(run, baseline, number, alone=alone),
        undescribed=run.undescribed + (baseline.undescribed if baseline else 0),
        checks=failed_checks(run) if checked else (),
    )


def report_pieces(
    documents: Sequence[ReportedDocument],
    sections: Iterable[str],
    config: Config,
    baseline: Config | None = None,
    folder: Path | None = None,
    *,
    index: str = "",
) -> Iterator[str]:
    """The whole file, piece by piece: what all documents share, around their `sections` in the same
    order.

    `folder` is where it will lie, where that is not the current one: its YAML names a
    tokenizer.json from there. A page of several has a link to their `index`.
    """
    alone = documents[0] if documents and documents[0].alone else None
    rows = [(each.name, f"#{each.anchor}", each.metrics, len(each.warnings)) for each in documents]
    overview = None if alone else overview_of(rows)
    return _pieces(documents, sections, config, baseline, folder, overview, alone=alone, index=index)


def index_pieces(
    documents: Sequence[ReportedDocument], config: Config, baseline: Config | None = None, folder: Path | None = None
) -> Iterator[str]:
    """The index of a report in pages, piece by piece: the health of all documents, and each with a
    link to its page, those that fail most checks first. The rest is as in `report_pieces`."""
    worst_first = sorted(documents, key=_fitness)
    rows = [(each.name, each.page, each.metrics, len(each.warnings)) for each in worst_first]
    overview = with_checks(overview_of(rows), [each.checks for each in worst_first])
    return _pieces(documents, None, config, baseline, folder, overview)


def _fitness(of: ReportedDocument) -> tuple[int, int, str]:
    verdicts = [each.verdict for each in of.checks]
    return -verdicts.count("fail"), -verdicts.count("warn"), of.name


def _pieces(
    documents: Sequence[ReportedDocument],
    sections: Iterable[str] | None,
    config: Config,
    baseline: Config | None,
    folder: Path | None,
    overview: Overview | None,
    *,
    alone: ReportedDocument | None = None,
    index: str = "",
) -> Iterator[str]:
    """`sections` are None where documents have pages of their own."""
    yaml = (
        ""
        if not config.strategy.has_yaml
        else config.to_yaml(proof_of(config, {each.name: each.proof for each in documents}), folder)
    )
    pieces = template("report.html").generate(
        title=alone.name if alone else counted(len(documents), "document"),
        style_hash=b64encode(sha256(style().encode()).digest()).decode(),
        style=style(),
        config=config,
        baseline=baseline,
        approximate=counter(config.counter).approximate,
        counter=counter_title(config.counter),
        places=[*(_PLACES if alone else [("main", "Documents")]), ("settings", "Settings"), ("replay", "Replay")],
        overview=overview,
        index=index,
        sections=[_SECTION] * len(documents) if sections is not None else (),
        settings=[*shown_settings(config.strategy)],
        settings_head=SETTINGS_HEAD,
        config_name=CONFIG_NAME,
        saved=b64encode(yaml.encode("utf-8", "backslashreplace")).decode(),
        yaml=yaml,
        names_a_file=names_a_file(config.counter),
        command=replay_command([each.name for each in documents]),
        version=engine_version(),
    )
    # A long section that went through the template would be copied several times in one breath.
    remaining = iter(sections or ())
    return (next(remaining) if piece == _SECTION else piece for piece in pieces)


@cache
def style() -> Markup:
    """The style of every report."""
    return Markup((files("chunking.report") / "report.css").read_text(encoding="utf-8"))


def replay_command(names: Sequence[str]) -> str:
    """The command line that checks the proof, safe to paste whatever the documents are called."""
    spelled = names if len(names) <= _FEW and not any("/" in name for name in names) else ["FOLDER"]
    paths = " ".join(shlex.quote(f"./{name}" if name.startswith("-") else name) for name in spelled)
    return f"chunkscope verify {CONFIG_NAME} {paths}"


# ---- one document ----


def _section(run: Run, baseline: Run | None, number: int, *, alone: bool) -> str:
    prefix = f"d{number}-"
    compared = compare(baseline, run) if baseline else None
    changes = changes_of(compared.boundaries) if compared else None
    was = compared.before_metrics if compared else None
    return template("document.html").render(
        run=run,
        baseline=baseline,
        anchor=f"d{number}",
        prefix=prefix,
        alone=alone,
        level=2 if alone else 3,
        strip=strip_figures(run.metrics, was),
        lost=left_out_words(run.metrics),
        compared=comparison_words(compared) if compared else "",
        ratio=measured_ratio(run),
        histogram=histogram(run, baseline),
        sizes=sizes_sentence(run),
        ribbon=ribbon(run, prefix),
        several=bars_stand_for(run),
        legend=_legend(run, baseline),
        bands=source_bands(run, changes),
        changes=changes,
        change_words=change_words,
        boundary_head=boundary_head(compared=compared is not None),
        boundaries=boundary_rows(run, changes),
        metrics_head=metrics_head(compared=compared is not None),
        metrics=metric_groups(run.metrics, was),
    )


def _legend(run: Run, baseline: Run | None) -> Iterator[tuple[str, str]]:
    """What the marks mean, those that occur."""
    yield "h0", "chunk"
    if any(chunk.context or chunk.closing for chunk in run.chunks):
        yield "added", "context, not in the source here"
    if any(chunk.overlap for chunk in run.chunks):
        yield "lap", "overlap, repeated from above"
    if run.skips or any(chunk.holes for chunk in run.chunks):
        yield "gone", "left out"
    if baseline:
        yield "was", "cut before, not now"

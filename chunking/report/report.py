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

from chunking.analysis.comparison import compare
from chunking.analysis.counter_ratio import measured_ratio
from chunking.config.config import Config, DocumentProof
from chunking.config.proof import document_proof, proof_of
from chunking.core.metrics import Metrics
from chunking.report.charts import bars_stand_for, histogram, ribbon, sizes_sentence
from chunking.report.html import attribute, line_html, source_html
from chunking.report.source import changes_of, source_bands
from chunking.report.tables import (
    boundary_table,
    comparison_words,
    metrics_table,
    overview_table,
    settings_table,
    strip,
)
from chunking.runs import Run
from chunking.runtime.version import engine_version
from chunking.text.display import counted
from chunking.tokens import counter
from chunking.tokens.names import names_a_file
from chunking.tokens.offered_files import counter_title

CONFIG_NAME = "chunks.yaml"
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


def html_report(run: Run, baseline: Run | None = None, *, file_hash: str = "") -> str:
    """The report on one run, beside the run it is compared with.

    `file_hash` is the sha256, in hex, of the document's file, which `verify` compares; left out,
    that of its text as UTF-8, which is the file's where it has no byte order mark.
    """
    described = reported(run, baseline, file_hash=file_hash)
    return "".join(report_pieces([described], [described.section], run.config, baseline.config if baseline else None))


def reported(
    run: Run, baseline: Run | None = None, *, number: int = 1, alone: bool = True, file_hash: str = ""
) -> ReportedDocument:
    """One document's part of a report, as number `number` of it. Not `alone`, it begins with a
    heading of its own."""
    proof = document_proof(run.document.text.encode("utf-8", "surrogatepass"), run.fingerprint, run.descriptions)
    if file_hash:
        proof = DocumentProof(f"sha256:{file_hash}", proof.chunks, proof.descriptions)
    return ReportedDocument(
        name=run.document.name,
        anchor=f"d{number}",
        alone=alone,
        metrics=run.metrics,
        warnings=run.warnings,
        proof=proof,
        section="".join(_section(run, baseline, number, alone=alone)),
        undescribed=run.undescribed + (baseline.undescribed if baseline else 0),
    )


def report_pieces(
    documents: Sequence[ReportedDocument],
    sections: Iterable[str],
    config: Config,
    baseline: Config | None = None,
    folder: Path | None = None,
) -> Iterator[str]:
    """The whole file, piece by piece: what all documents share, around their `sections` in the same
    order.

    `folder` is where it will lie, where that is not the current one: its YAML names a
    tokenizer.json from there.
    """
    alone = documents[0] if documents and documents[0].alone else None
    title = alone.name if alone else counted(len(documents), "document")
    yield _head(title)
    yield '<a class="jump" href="#main">Skip to the report</a>\n'
    yield _top(title, config, baseline, alone)
    yield '<main id="main">\n'
    if not alone:
        rows = [(each.name, each.anchor, each.metrics, len(each.warnings)) for each in documents]
        yield f"<section><h2>Documents</h2>{overview_table(rows)}</section>\n"
    yield from sections
    yield from _replay(documents, config, folder)
    yield f"</main>\n<footer><p>Made by Chunkscope {line_html(engine_version())}.</p></footer>\n</body>\n</html>\n"


# ---- what all documents share ----


@cache
def _style() -> str:
    return (files("chunking.report") / "report.css").read_text(encoding="utf-8")


def _head(title: str) -> str:
    """Nothing may be loaded or run; only this very style applies."""
    hashed = b64encode(sha256(_style().encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{hashed}'; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{attribute(title)} · Chunkscope report</title>\n<style>{_style()}</style>\n</head>\n<body>\n"
    )


def _top(title: str, config: Config, baseline: Config | None, alone: ReportedDocument | None) -> str:
    versus = f" Compared with {line_html(baseline.strategy.title)}." if baseline else ""
    about = "approximately " if counter(config.counter).approximate else ""
    counted = f"tokens counted {about}by <code>{line_html(counter_title(config.counter))}</code>"
    first = [
        ("d1-numbers", "Numbers"),
        ("d1-source", "Source"),
        ("d1-boundaries", "Boundaries"),
        ("d1-metrics", "Metrics"),
    ]
    places = [*(first if alone else [("main", "Documents")]), ("settings", "Settings"), ("replay", "Replay")]
    links = "".join(f'<li><a href="#{anchor}">{words}</a></li>' for anchor, words in places)
    return (
        f'<header><p class="brand">Chunkscope report</p><h1>{line_html(title)}</h1>'
        f"<p>{line_html(config.strategy.title)}, {counted}.{versus}</p></header>\n"
        f'<nav aria-label="This report"><ul>{links}</ul></nav>\n'
    )


def _replay(documents: Sequence[ReportedDocument], config: Config, folder: Path | None) -> Iterator[str]:
    yield f'<section id="settings"><h2>Settings</h2><p class="quiet">{line_html(config.strategy.summary)}</p>'
    yield f"{settings_table(config)}</section>\n"
    yaml = config.to_yaml(proof_of(config, {each.name: each.proof for each in documents}), folder)
    saved = b64encode(yaml.encode("utf-8", "backslashreplace")).decode()
    link = (
        f'<a class="save" download="{CONFIG_NAME}" href="data:application/yaml;base64,{saved}">Save {CONFIG_NAME}</a>'
    )
    yield (
        f'<section id="replay"><h2>The YAML, and the command that replays it</h2><p>{link}</p>'
        f'<pre class="code" tabindex="0" role="region" aria-label="The YAML">{source_html(yaml)}</pre>{_where(config)}'
        "<p>The same cuts again, with proof that they are the same:</p>"
        f'<pre class="code" tabindex="0" role="region" aria-label="The command">'
        f"{source_html(replay_command([each.name for each in documents]))}</pre></section>\n"
    )


def _where(config: Config) -> str:
    """Where the YAML belongs, when it names a file."""
    if not names_a_file(config.counter):
        return ""
    return "<p>The YAML names the tokenizer.json as seen from the folder of this report: save it there.</p>"


def replay_command(names: Sequence[str]) -> str:
    """The command line that checks the proof, safe to paste whatever the documents are called."""
    spelled = names if len(names) <= _FEW and not any("/" in name for name in names) else ["FOLDER"]
    paths = " ".join(shlex.quote(f"./{name}" if name.startswith("-") else name) for name in spelled)
    return f"chunkscope verify {CONFIG_NAME} {paths}"


# ---- one document ----


def _section(run: Run, baseline: Run | None, number: int, *, alone: bool) -> Iterator[str]:
    prefix, level = f"d{number}-", 2 if alone else 3
    compared = compare(baseline, run) if baseline else None
    changes = changes_of(compared.boundaries) if compared else None
    was = compared.before_metrics if compared else None

    def heading(name: str, words: str) -> str:
        return f'<section id="{prefix}{name}"><h{level}>{words}</h{level}>'

    yield f'<div class="document" id="d{number}">\n'
    if not alone:
        yield f"<h2>{line_html(run.document.name)}</h2>"
    yield f"{heading('numbers', 'Numbers')}{strip(run.metrics, was)}"
    if compared:
        yield f"<p>{comparison_words(compared)}</p>"
    yield _counted(run)
    yield _warnings(run.warnings)
    yield f'<p class="quiet fingerprint">Fingerprint <code>sha256:{run.fingerprint}</code></p>'
    yield f"{_drawings(run, baseline, prefix)}</section>\n"
    yield f"{heading('source', 'Source')}{_legend(run, baseline)}"
    yield from source_bands(run, changes, prefix=prefix, level=level + 1)
    yield "</section>\n"
    yield f"{heading('boundaries', 'Boundaries')}{boundary_table(run, changes, prefix)}</section>\n"
    yield f"{heading('metrics', 'Metrics')}{metrics_table(run.metrics, was)}</section>\n</div>\n"


def _drawings(run: Run, baseline: Run | None, prefix: str) -> str:
    dotted = " Dotted: before." if baseline else ""
    several = bars_stand_for(run)
    largest = f" Each bar shows the largest of {several} chunks." if several > 1 else ""
    return (
        f'<div class="drawings"><figure>{histogram(run, baseline)}<figcaption>How many chunks have how many tokens. '
        f"{sizes_sentence(run)}{dotted}</figcaption></figure>"
        f"<figure>{ribbon(run, prefix)}<figcaption>Tokens of each chunk, along the document.{largest}</figcaption>"
        "</figure></div>"
    )


def _counted(run: Run) -> str:
    """How far a counter that estimates is from an exact one, on this document."""
    ratio = measured_ratio(run)
    if ratio is None:
        return ""
    said = f"<p>{line_html(ratio.said)}</p>"
    return f'<div class="warnings">{said}</div>' if ratio.far else f'<div class="quiet">{said}</div>'


def _warnings(warnings: Sequence[str]) -> str:
    if not warnings:
        return ""
    listed = "".join(f"<li>{line_html(each)}</li>" for each in warnings)
    return f'<div class="warnings"><p><b>Warnings</b></p><ul>{listed}</ul></div>'


def _legend(run: Run, baseline: Run | None) -> str:
    """What the marks mean, those that occur."""
    shown = ['<li><i class="h0"></i>chunk</li>']
    if any(chunk.context or chunk.closing for chunk in run.chunks):
        shown.append('<li><i class="added"></i>context, not in the source here</li>')
    if any(chunk.overlap for chunk in run.chunks):
        shown.append('<li><i class="lap"></i>overlap, repeated from above</li>')
    if run.skips or any(chunk.holes for chunk in run.chunks):
        shown.append('<li><i class="gone"></i>left out</li>')
    if baseline:
        shown.append('<li><i class="was"></i>cut before, not now</li>')
    return f'<ul class="legend">{"".join(shown)}</ul>'

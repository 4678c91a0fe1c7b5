"""Health checks: whether a run is fit to be embedded, with the numbers and the chunks that fail.

Quick enough for a screen, since they read what the run already counted; `invariants.py` checks the
promises again from the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal

import numpy as np
from pydantic.alias_generators import to_camel

from chunking.analysis.cut_blocks import CutBlock, cuts_inside
from chunking.analysis.dangling import dangling_starts
from chunking.analysis.invariants import span_problems
from chunking.analysis.metric_table import share_text
from chunking.core.chunk import Chunk, Skip
from chunking.core.cut_blocks import LISTS, TornKind, blocks_cut
from chunking.core.metrics import (
    LEFT_OUT_BY_DESIGN,
    Metrics,
    heading_only,
    limited_sizes,
    over_with_context,
    whole_sizes,
)
from chunking.runs import Run
from chunking.text.display import be, counted
from chunking.tokens import counter
from chunking.tokens.embedder_windows import COMMON, common_windows, lost_ends

Finding = Literal["ok", "warn", "fail"]
TINY = 20
"""Tokens of a chunk's own body below which there is too little to match a question."""
_LEFT_OUT = {
    "short-tail": "last chunk below the minimum",
    "front-matter": "front matter, which is not content",
    "excluded": "excluded by the settings",
}
"""Rules that leave text out, in plain words."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check and its result. `ok`: it holds; `warn`: a person should look at it; `fail`: these
    chunks are faulty."""

    name: str
    """Short and stable, for programs."""
    title: str
    """The promise, in a few words."""
    meaning: str
    """Why it matters, in one sentence."""
    verdict: Finding
    said: str
    """What was found, with the numbers."""
    numbers: Mapping[str, int | float] = field(default_factory=dict)
    chunks: tuple[int, ...] = ()
    """Numbers, from 0, of the chunks that fail."""
    places: tuple[int, ...] = ()
    """Offsets to look at: the boundary that cuts, the start of the part left out or of the
    chunk."""
    counter: str = ""
    """The counter of its numbers, where it may differ from the run's own."""
    estimated: bool = False
    """Whether that counter only estimates those of the embedder in question."""
    finding: str = ""
    """What is wrong, in a few words: the title where the promise is not kept; "" where it is."""

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {**asdict(self), "numbers": dict(self.numbers)}


def health(run: Run) -> tuple[Check, ...]:
    """Every check on this run, in the order they are shown.

    About 10 ms for a text of 1 MB, and what it takes to count its chunks by the embedders' own
    tokenizers.
    """
    return (
        _coverage(run),
        _verbatim(run),
        _limits(run),
        *_whole(run),
        _headings(run),
        _dangling(run),
        _tiny(run),
        _repeated(run),
        *_read_whole(run),
    )


def _coverage(run: Run) -> Check:
    """Whether every visible character is in some chunk; parts left out on purpose are named."""
    metrics = run.metrics
    gaps = tuple(_gaps(run))
    left_out = {rule: count for rule, count in metrics.skipped_characters.items() if rule != "in-context" and count}
    stretches = [part for part in run.parts if isinstance(part, Skip)]
    stretches += [hole for chunk in run.chunks for hole in chunk.holes]
    places = tuple(sorted(each.body.start for each in stretches if each.because.rule not in LEFT_OUT_BY_DESIGN))
    reasons = ", ".join(_left_out(rule, count) for rule, count in left_out.items())
    share = f"{share_text(metrics.coverage, 1)} of the visible characters are in a chunk"
    result = share + (f"; {reasons}" if reasons else "")
    return Check(
        "coverage",
        "No content is lost",
        "Text in no chunk can never be retrieved; what is left out on purpose has a reason.",
        "fail" if gaps else "warn" if set(left_out) - LEFT_OUT_BY_DESIGN else "ok",
        f"{counted(len(gaps), 'passage')} {be(len(gaps))} in no chunk" if gaps else result,
        {"coverage": metrics.coverage, "left_out": sum(left_out.values()), "gaps": len(gaps)},
        (),
        gaps or places,
        finding=f"{counted(len(gaps), 'passage')} {be(len(gaps))} in no chunk" if gaps else _content_lost(metrics),
    )


def _content_lost(metrics: Metrics) -> str:
    lost = metrics.left_out
    return f"{counted(lost, 'character')} {be(lost)} left out" if lost else ""


def _left_out(rule: str, count: int) -> str:
    """What a rule leaves out: `73 characters left out (last chunk below the minimum)`."""
    return f"{counted(count, 'character')} left out ({_LEFT_OUT.get(rule, rule)})"


def _gaps(run: Run) -> Iterator[int]:
    """Offsets where a part does not begin at the end of the one before. A run made by `run` has
    none."""
    reached = 0
    for part in run.parts:
        if part.body.start != reached:
            yield min(reached, part.body.start)
        reached = part.body.end
    if reached != len(run.document.text):
        yield reached


def _verbatim(run: Run) -> Check:
    crlf = "\r\n" in run.document.text
    plain = ((number, chunk) for number, chunk in enumerate(run.chunks) if crlf or chunk.holes or chunk.overlap)
    failing = [number for number, chunk in plain if any(span_problems(chunk, run.document))]
    around = sum(bool(chunk.context or chunk.closing) for chunk in run.chunks)
    same = "each chunk's own text is in the source, character for character"
    added = f"; {_chunks(around)} {_have(around)} added context" if around else ""
    altered = [number for number, chunk in enumerate(run.chunks) if chunk.flag("altered")]
    if altered and not failing:
        same = f"{_chunks(len(altered))} whose own text differs from the source's"
    return Check(
        "verbatim",
        "Chunks match the source exactly",
        "A chunk must quote the document; added text is kept apart as context, overlap and closing.",
        "fail" if failing else "warn" if altered else "ok",
        f"{_chunks(len(failing))} with text from the wrong place" if failing else f"{same}{added}",
        {"wrong": len(failing), "altered": len(altered), "with_words_added": around},
        tuple(failing or altered),
        _starts(run, failing or altered),
        finding=_found(len(failing or altered), "does not match the source", "do not match the source"),
    )


def _limits(run: Run) -> Check:
    limits = run.config.strategy.limits_in(run.document)
    name, title = "limits", "No chunk is over the maximum"
    meaning = "An embedder reads the whole text, so the context counts too, whatever the strategy's own limit counts."
    if limits.maximum is None:
        return Check(name, title, meaning, "ok", "this strategy has no maximum")
    whole = run.columns.tokens
    own_over = np.flatnonzero(limited_sizes(run) > limits.maximum).tolist()
    context_over = over_with_context(run)
    over = sorted((*own_over, *context_over))
    flagged = sum(_flagged(run.chunks[number]) for number in own_over)
    broken = len(own_over) - flagged
    with_context = len(context_over)
    counts = (
        (broken, "over it without a reason"),
        (flagged, "over it and flagged as unsplittable"),
        (with_context, "over it only with its context" if with_context == 1 else "over it only with their context"),
    )
    found = ", ".join(f"{count:,} {words}" for count, words in counts if count)
    largest = int(whole.max()) if len(whole) else 0
    by = f" by {run.config.counter}, which is approximate" if run.approximate else ""
    raised = " (raised for this document)" if limits.maximum_raised else ""
    at = f"{_setting(limits.maximum_setting)} {limits.maximum:,}{raised}{by}"
    return Check(
        name,
        title,
        meaning,
        "fail" if broken else "warn" if over else "ok",
        f"{at}, largest {largest:,} with context" + (f": {found}" if found else ""),
        {
            "maximum": limits.maximum,
            "largest": largest,
            "unexplained": broken,
            "unsplittable": flagged,
            "with_context": with_context,
        },
        tuple(over),
        _starts(run, over),
        finding=_over(len(own_over), with_context),
    )


def _over(own: int, with_context: int) -> str:
    """How many chunks are over the maximum, and whether only their context makes them so."""
    if own:
        return _found(own + with_context, "is over the maximum", "are over the maximum")
    return _found(with_context, "is over the maximum with its context", "are over the maximum with their context")


def _flagged(chunk: Chunk) -> bool:
    return chunk.flag("unsplittable") is not None


def _whole(run: Run) -> tuple[Check, Check, Check]:
    cuts = list(cuts_inside(run))
    kinds = [block.kind for block in run.document.blocks]
    code = _whole_check(
        "fences",
        "Code blocks kept whole",
        "Half a code block explains nothing, and an unclosed fence swallows what follows.",
        [cut for cut in cuts if cut.kind == "code"],
        counted(kinds.count("code"), "code block"),
        _cut(run, "code", "code block"),
        ("fence not reopened", "fence closed and reopened"),
    )
    tables = _whole_check(
        "tables",
        "Tables kept whole",
        "Rows without their header are numbers without names.",
        [cut for cut in cuts if cut.kind == "table"],
        counted(kinds.count("table"), "table"),
        _cut(run, "table", "table"),
        ("header not repeated", "header repeated"),
    )
    return code, tables, _lists(run)


def _lists(run: Run) -> Check:
    """Lists that are cut warn and never fail: what is between two entries is a place to cut, and an
    entry mostly means something alone."""
    torn = [each for each in run.torn_boundaries if each.kind == "list"]
    there = sum(block.kind in LISTS for block in run.document.blocks)
    return Check(
        "lists",
        "Lists kept whole",
        "The later entries of a list that is cut lack the sentence that introduces them.",
        "warn" if torn else "ok",
        f"cut {_times(len(torn))}" if torn else f"{counted(there, 'list')}, none cut",
        {"cuts": len(torn)},
        tuple(each.chunk for each in torn),
        tuple(each.offset for each in torn),
        finding=_cut(run, "list", "list"),
    )


def _cut(run: Run, kind: TornKind, name: str) -> str:
    """How many blocks of this kind are cut, each once however often: `2 tables are cut in two`."""
    count = sum(found == kind for found, _ in blocks_cut(run.torn_boundaries))
    return f"{counted(count, name)} {be(count)} cut in two" if count else ""


def _whole_check(
    name: str, title: str, meaning: str, cuts: Sequence[CutBlock], there: str, finding: str, mending: tuple[str, str]
) -> Check:
    """`mending` is said of cuts that are not mended, and of those that are."""
    repaired = sum(cut.mended for cut in cuts)
    not_mended, mended = mending
    some = f"{mended} {_times(repaired)}" if repaired < len(cuts) else mended
    result = f"cut {_times(len(cuts))}, {some if repaired else not_mended}" if cuts else f"{there}, none cut"
    return Check(
        name,
        title,
        meaning,
        "ok" if not cuts else "warn" if repaired == len(cuts) else "fail",
        result,
        {"cuts": len(cuts), "mended": repaired},
        tuple(cut.chunk for cut in cuts),
        tuple(cut.offset for cut in cuts),
        finding=finding,
    )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _headings(run: Run) -> Check:
    failing = heading_only(run)
    return Check(
        "heading-only",
        "No heading-only chunks",
        "A heading without text matches questions and answers none.",
        "warn" if failing else "ok",
        f"{_chunks(len(failing))} with headings and no text" if failing else "every chunk has text of its own",
        {"chunks": len(failing)},
        failing,
        _starts(run, failing),
        finding=_found(len(failing), "is only headings", "are only headings"),
    )


def _dangling(run: Run) -> Check:
    """Whether chunks begin by pointing back; of English documents only."""
    found = dangling_starts(run)
    failing = tuple(each.chunk for each in found or ())
    begin = "begins" if len(failing) == 1 else "begin"
    first = f"{_chunks(len(failing))} {begin} so, the first with “{found[0].words}”" if found else "none begins so"
    return Check(
        "dangling",
        "No chunk begins by pointing back",
        "“It” or “As above” at a chunk's start means what neither a reader nor an embedder sees there.",
        "warn" if failing else "ok",
        "not checked: the document seems not to be in English" if found is None else first,
        {"chunks": len(failing)},
        failing,
        tuple(each.offset for each in found or ()),
        finding=_found(len(failing), "begins by pointing back", "begin by pointing back"),
    )


def _tiny(run: Run) -> Check:
    own = run.columns.body_tokens
    failing = np.flatnonzero(own < TINY).tolist()
    limits = run.config.strategy.limits_in(run.document)
    minimum, setting = limits.minimum, limits.minimum_setting
    under = run.metrics.under_minimum
    smallest = int(own.min()) if len(own) else 0
    result = (
        f"{_chunks(len(failing))} below {TINY} tokens, smallest {smallest:,}" if failing else f"smallest {smallest:,}"
    )
    promised = f"; {under:,} below {_setting(setting)} {minimum:,}" if minimum is not None else ""
    return Check(
        "tiny",
        "No chunk is tiny",
        f"A chunk whose own text has fewer than {TINY} tokens is hard to find with the right question.",
        "warn" if failing else "ok",
        result + promised,
        {"chunks": len(failing), "smallest": smallest, "under_minimum": under},
        tuple(failing),
        _starts(run, failing),
        finding=_found(len(failing), "is tiny", "are tiny"),
    )


def _repeated(run: Run) -> Check:
    """Chunks whose body repeats that of an earlier one, whatever their headings."""
    first: dict[str, int] = {}
    failing = []
    for number, chunk in enumerate(run.chunks):
        if first.setdefault(chunk.kept_text.strip(), number) != number:
            failing.append(number)
    result = f"{_chunks(len(failing))} {_repeat(len(failing))} an earlier one" if failing else "none repeats another"
    return Check(
        "repeated",
        "No duplicate chunks",
        "Equal texts take each other's places in the results, and all of them must be embedded.",
        "warn" if failing else "ok",
        result,
        {"chunks": len(failing), "same_breadcrumb": run.metrics.repeated},
        tuple(failing),
        _starts(run, failing),
        finding=_found(len(failing), "is a duplicate", "are duplicates"),
    )


def _read_whole(run: Run) -> Iterator[Check]:
    """For each common size of an embedder's window, the chunks that are longer."""
    windows = common_windows(run.config.counter)
    sizes = {name: whole_sizes(run, counter(name)).tolist() for name in dict.fromkeys(each.counter for each in windows)}
    for window in windows:
        lost = lost_ends(sizes[window.counter], window)
        special = window.tokens - window.room
        largest = lost.largest + special if run.chunks else 0
        refused = window.tokens == COMMON[-1].tokens
        beyond = f"{counted(lost.tokens, 'token')} {'too many' if refused else 'would not be read'}"
        too_long = f"too long for {_article(window.tokens)} {window.tokens:,}-token embedder"
        yield Check(
            f"embedder-{window.tokens}",
            f"Fits {_article(window.tokens)} {window.tokens:,}-token embedder",
            "A text that is too long is refused, or its end is silently dropped."
            if refused
            else "Anything past the limit is silently dropped: no question can find it.",
            "ok" if not lost.chunks else "fail" if refused else "warn",
            f"{beyond if lost.chunks else f'largest {largest:,}'} ({window.embedder}, {window.counted})",
            {
                "limit": window.tokens,
                "chunks": len(lost.chunks),
                "unread_tokens": lost.tokens,
                "largest": largest,
                "special_tokens": special,
            },
            lost.chunks,
            _starts(run, lost.chunks),
            window.counter,
            window.estimated,
            _found(len(lost.chunks), f"is {too_long}", f"are {too_long}"),
        )


def _setting(name: str | None) -> str:
    """A setting as it is written in a YAML, also one of a wrapped strategy's."""
    return ".".join(to_camel(part) for part in name.split(".")) if name else "its limit"


def _starts(run: Run, chunks: Sequence[int]) -> tuple[int, ...]:
    return tuple(run.columns.kept_start[list(chunks)].tolist())


def _chunks(count: int) -> str:
    return counted(count, "chunk")


def _found(count: int, one: str, many: str) -> str:
    """A check's finding about so many chunks; "" about none."""
    return f"{_chunks(count)} {one if count == 1 else many}" if count else ""


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def _repeat(count: int) -> str:
    return "repeats" if count == 1 else "repeat"


def _article(number: int) -> str:
    """Before a number that is read aloud: `an 8,192-token embedder`."""
    return "an" if str(number).startswith("8") else "a"

"""What a strategy passes over for an explanation, and what it remembers while a threshold moves,
changes no part of the document that matters."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from chunking import Chunk, Config, parse, run
from chunking.config import Value
from chunking.core import Part
from chunking.core.context import SplitContext
from chunking.document import BlockKind, Document, Span
from chunking.models.access import Tools
from chunking.splitting.oversize import OversizePiece, split_oversize
from chunking.strategies.block_packing import packing
from chunking.strategies.heading_window import meeting
from chunking.tokens import counter

SECTION = """## Part {n}

Water boils at one hundred degrees. The kettle hums, and the lid rattles{more}.

- fill it
- close the lid

### Detail {n}

A short line.

#### Empty

### Long detail {n}

{words}

```sh
kettle --on
```

"""
TEXT = "# Kettle\n\n" + "".join(
    SECTION.format(n=n, more=", again" * (n % 4), words="Steam rises slowly. " * (7 * n % 23)) for n in range(14)
)
PYTHON: tuple[dict[str, Value], ...] = (
    {"maxTokens": 90, "language": "python"},
    {"maxTokens": 40, "language": "python", "includeSignatures": False},
)
"""With the extra `code` alone."""
if find_spec("tree_sitter_python") is None:
    PYTHON = ()
SETTINGS: dict[str, tuple[dict[str, Value], ...]] = {
    "block-packing": (
        {"maxTokens": 60},
        {"maxTokens": 68},
        {"maxTokens": 20},
        {"maxTokens": 1},
        {"maxTokens": 4, "includeHeadings": False},
        {"maxTokens": 61, "minFill": 90},
        {"maxTokens": 60, "overlapPercentage": 40},
        {"maxTokens": 60, "overlapScope": "anywhere"},
        {"maxTokens": 60, "includeHeadings": False},
        {"maxTokens": 60, "countContext": True},
    ),
    "section-rules": (
        {"splitAbove": 90, "targetHigh": 60, "targetLow": 9, "minTokens": 30},
        {"splitAbove": 96, "targetHigh": 60, "targetLow": 9, "minTokens": 30},
        {"splitAbove": 30, "targetHigh": 20, "targetLow": 9, "minTokens": 12},
        {"splitAbove": 90, "targetHigh": 66, "targetLow": 9, "minTokens": 45},
        {"splitAbove": 90, "targetHigh": 60, "targetLow": 9, "minTokens": 30, "overlapTokens": 9},
        {"splitAbove": 90, "targetHigh": 60, "targetLow": 9, "minTokens": 30, "exclude": ["Part 3"]},
        {"splitAbove": 90, "targetHigh": 60, "targetLow": 9, "minTokens": 30, "small": "keep"},
    ),
    "recursive": ({"chunkSize": 300}, {"chunkSize": 310}, {"chunkSize": 40, "chunkOverlap": 9}, {"chunkSize": 290}),
    "fixed": ({"chunkSize": 300}, {"chunkSize": 310}, {"chunkSize": 40, "chunkOverlap": 9}, {"chunkSize": 290}),
    "hierarchical": (
        {"hardCap": 90, "target": 40},
        {"hardCap": 96, "target": 40},
        {"hardCap": 20, "target": 9},
        {"hardCap": 300, "target": 40},
    ),
    "heading-window": (
        {"maxTokens": 90, "minTokens": 20, "minTokensDeeper": 50},
        {"maxTokens": 90, "minTokens": 24, "minTokensDeeper": 50},
        {"maxTokens": 12, "minTokens": 2, "minTokensDeeper": 3},
        {"maxTokens": 99, "minTokens": 20, "minTokensDeeper": 50},
    ),
    "every-heading": ({}, {}),
    "code": (
        {"maxTokens": 60},
        {"maxTokens": 66},
        {"maxTokens": 24},
        *PYTHON,
    ),
}


@pytest.mark.parametrize("strategy", SETTINGS)
def test_a_cut_after_others_of_the_same_document_equals_the_first_cut_of_another(strategy: str) -> None:
    configs = [Config.of(strategy, settings, "cl100k_base") for settings in SETTINGS[strategy]]
    dragged = document()

    for config in [*configs, *configs, *reversed(configs)]:
        assert run(dragged, config).parts == run(document(), config).parts


@pytest.mark.parametrize("strategy", SETTINGS)
def test_what_ends_after_the_offset_that_matters_is_cut_as_ever(strategy: str) -> None:
    for settings in SETTINGS[strategy]:
        config, read = Config.of(strategy, settings, "cl100k_base"), document()
        whole = run(read, config).parts
        for place in range(1, len(whole), 13):
            end = whole[place].body.end
            again = Tools(counter("cl100k_base")).for_another_cut(matters_after=end - 1)

            parts = list(config.strategy.split(read, again))

            assert [as_cut(part) for part in parts if part.body.end >= end] == [as_cut(part) for part in whole[place:]]
            assert [part.body.end for part in parts[:-1]] == [part.body.start for part in parts[1:]]


HEADING_WINDOW: dict[str, Value] = {"maxTokens": 60, "minTokens": 20, "minTokensDeeper": 30}
NEAR: list[tuple[str, dict[str, Value]]] = [
    ("block-packing", {"maxTokens": 60}),
    ("block-packing", {"maxTokens": 1}),
    ("block-packing", {"maxTokens": 4, "includeHeadings": False}),
    ("recursive", {"chunkSize": 200, "chunkOverlap": 40}),
    ("fixed", {"chunkSize": 800, "chunkOverlap": 90}),
    ("heading-window", HEADING_WINDOW),
    ("code", {"maxTokens": 12}),
    *(("code", {**settings, "maxTokens": 12}) for settings in PYTHON),
]


@pytest.mark.parametrize(("strategy", "settings"), NEAR)
def test_an_explanation_cuts_from_near_what_matters_and_not_from_the_start_of_the_document(
    strategy: str, settings: dict[str, Value]
) -> None:
    config, read = Config.of(strategy, settings, "cl100k_base"), parse(TEXT * 3, "kettle.md")
    again = Tools(counter("cl100k_base")).for_another_cut(matters_after=len(read.text) - 1)

    first = next(iter(config.strategy.split(read, again)))

    assert len(first.body) > len(read.text) / 3


def test_block_packing_splits_a_block_once_for_each_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Span, int]] = []

    def counted(
        document: Document, span: Span, kind: BlockKind, limit: int, tools: SplitContext, *, before: str
    ) -> list[OversizePiece]:
        asked.append((span, limit))
        return split_oversize(document, span, kind, limit, tools, before=before)

    monkeypatch.setattr(packing, "split_oversize", counted)
    config, read = Config.of("block-packing", {"maxTokens": 20}, "cl100k_base"), document()

    for end in (300, 600, 900):
        list(config.strategy.split(read, Tools(counter("cl100k_base")).for_another_cut(matters_after=end)))

    assert len(asked) == len(set(asked)) > 9


@pytest.mark.parametrize("place", range(9, 60, 10))
@pytest.mark.parametrize("more", [{}, {"shortTail": "merge"}, {"lookahead": True}, {"h1Rule": False}], ids=str)
def test_heading_window_walks_only_from_where_all_walks_meet(
    more: dict[str, Value], place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meeting, "_NEAR", 0)
    monkeypatch.setattr(meeting, "_LOOK_BACK", 2)
    config = Config.of("heading-window", {**HEADING_WINDOW, **more}, "cl100k_base")
    read = document()
    whole = run(read, config).parts[-place:]
    again = Tools(counter("cl100k_base")).for_another_cut(matters_after=whole[0].body.end - 1)

    parts = list(config.strategy.split(read, again))

    assert [as_cut(part) for part in parts[-place:]] == [as_cut(part) for part in whole]
    assert len(parts) < place + 20


def as_cut(part: Part) -> object:
    """A part without its number, which depends on how many were passed over."""
    if not isinstance(part, Chunk):
        return part
    return part.body, part.ended_by, part.holes, part.overlap, part.context, part.closing, part.flags, part.tokens


def document() -> Document:
    """The text, read anew: nothing of it is remembered."""
    return parse(TEXT, "kettle.md")

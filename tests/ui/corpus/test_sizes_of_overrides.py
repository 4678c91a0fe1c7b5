"""The sizes under the thresholds of Corpus: each chunk against the limits of what cut it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

from chunking import Config, parse, run
from chunking.analysis import document_figures
from chunking.config import Override
from pages.ui.background.corpus_workers import Corpus, Cuts, workers
from pages.ui.choices.plans import plan_of
from pages.ui.choices.resolve import Resolution
from pages.ui.choices.samples import Source
from pages.ui.components.threshold_rail import Axis
from pages.ui.components.threshold_rail.histogram import binned
from pages.ui.corpus.drag import CorpusDrag
from pages.ui.corpus.live import _moved_rail
from pages.ui.corpus.numbers import histogram
from pages.ui.dragging.thresholds import thresholds_of

AXIS = Axis(1200, 1200)
MAIN = Config.of("heading-window", {"minTokens": 300, "minTokensDeeper": 300, "maxTokens": 900}, "words")
PACKED = Override("ja.md", {"maxTokens": 100}, strategy="block-packing")
TEXT = "".join(f"# Part {part}\n\n{'word ' * 60}\n\n{'more ' * 30}\n\n" for part in range(8))
CORPUS = Corpus((Source("en.md", "en.md", TEXT), Source("ja.md", "ja.md", TEXT + "The end.\n")))
CUTS = Cuts(MAIN, (PACKED,), (-1, 0))


def outside(drawn: Any) -> int:
    """How many chunks are marked as outside of their limits."""
    return sum(drawn["linear"]["outside"])


def figures(cuts: Cuts) -> dict[int, Any]:
    configs = [cuts.configs[which] for which in cuts.which]
    return {
        row: document_figures(run(parse(source.text, name=source.name), config))
        for row, (source, config) in enumerate(zip(CORPUS.documents, configs, strict=True))
        if isinstance(config, Config)
    }


def failing(found: dict[int, Any]) -> int:
    return sum(each.under_minimum + each.over_maximum for each in found.values())


def test_a_chunk_is_outside_only_where_it_is_outside_of_the_limits_of_the_config_that_cut_it() -> None:
    found = figures(CUTS)

    assert found[1].chunk_count > 8
    assert found[1].under_minimum == found[1].over_maximum == 0
    assert outside(binned(histogram(found, ()), AXIS)) == failing(found) == found[0].under_minimum
    strict = replace(CUTS, overrides=(Override("ja.md", {"maxTokens": 320}),))
    found = figures(strict)
    assert outside(binned(histogram(found, ()), AXIS)) == failing(found)


def test_a_document_that_cannot_be_cut_adds_nothing() -> None:
    wrong = replace(CUTS, overrides=(Override("ja.md", {"maxTokens": 1}),))
    found = {0: figures(CUTS)[0]}

    assert isinstance(wrong.configs[0], str)
    assert outside(binned(histogram(found, ()), AXIS)) == failing(found)


def test_the_same_holds_while_a_threshold_is_dragged() -> None:
    plan = plan_of(MAIN.strategy)
    thresholds = thresholds_of(plan, None, Resolution(MAIN))
    workers.hold(CORPUS, "someone")
    session = CorpusDrag(
        corpus=CORPUS,
        cuts=CUTS,
        rows=(0, 1),
        was={},
        plan=plan,
        counter="words",
        good=MAIN,
        thresholds=thresholds,
        rail=partial(_moved_rail, None, {}, 2, AXIS),
    )

    answered, _ = session.answer(json.dumps({"sequence": 1, "values": {"min_tokens": 400, "max_tokens": 800}}))
    workers.drop("someone")

    length = int.from_bytes(answered[:4], "little")
    head = json.loads(answered[4 : 4 + length])
    moved = replace(CUTS, config=MAIN.with_settings({"minTokens": 400, "minTokensDeeper": 400, "maxTokens": 800}))
    found = figures(moved)
    assert head["rail"]["summary"].startswith("2 documents")
    assert outside(head["rail"]["histogram"]) == failing(found)
    assert failing(found) < sum(each.chunk_count for each in found.values())

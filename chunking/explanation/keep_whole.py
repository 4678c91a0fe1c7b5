"""The smallest changes of one setting that keep a marked span whole, with their side effects.

Found by cutting again (`nearest.py`), so the result is what would happen, for any strategy. No
model is called: changes that would need new answers of a model are not tried.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from pydantic.alias_generators import to_camel

from chunking.config.config import Config
from chunking.core.cut_blocks import blocks_cut
from chunking.core.metrics import content_of, left_out
from chunking.core.strategy import Strategy
from chunking.document import Span
from chunking.explanation.nearest import Change, SpanWhole, changes
from chunking.explanation.recutting import CutTest, Recutter, cutting_strategy
from chunking.explanation.setting_values import SettingValue, plain_value
from chunking.explanation.unread_tokens import newly_unread
from chunking.gold.coverage import coverages
from chunking.models.access import Tools
from chunking.runs import Run, run
from chunking.tokens import counter

_MOST_RUNS = 12
"""How many changes, smallest first, are tried by cutting the whole document."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of one setting that keeps a span whole or puts it into a chunk, and its side
    effects."""

    setting: str
    """In camelCase, as in the YAML and on screen; after `base.` where a wrapped strategy cuts."""
    before: SettingValue
    after: SettingValue
    config: Config
    """With the change, to run or to export."""
    chunks_before: int
    chunks: int
    newly_cut: tuple[Span, ...]
    """Other marks that are whole now, and cut with the change."""
    newly_whole: tuple[Span, ...]
    """Other marks that are cut now, and whole with the change."""
    nearest: bool
    """Whether it is proven that no nearer value does it."""
    blocks_cut: int
    """Tables, code and lists that are then cut in two."""
    newly_left_out: int = 0
    """How many more visible characters of content are then in no chunk, fewer than 0 where more are
    in one."""
    newly_unread: int | None = None
    """How many more tokens an embedder that reads `READS` does not read, fewer than 0 where it
    reads more; None where they are not counted."""


@dataclass(frozen=True, slots=True)
class Fixes:
    """What a search found for one span."""

    found: tuple[Fix, ...]
    """Those that newly cut fewest other marks first, then the smallest; switches and choices after
    numbers."""
    tried: int
    """How often the document was cut again."""
    complete: bool
    """False where the work was capped before every setting was tried, so there may be more."""

    @property
    def best(self) -> Fix | None:
        return self.found[0] if self.found else None


def keep_whole(of: Run, span: Span, others: Iterable[Span] = (), tools: Tools | None = None) -> Fix | None:
    """The change of one setting that keeps the span whole and newly cuts the fewest of the
    `others`; the smallest of several such.

    None when the span is whole already, or no single setting does it.
    """
    return fixes(of, span, others, tools).best


def fixes(
    of: Run,
    span: Span,
    others: Iterable[Span] = (),
    tools: Tools | None = None,
    goes_on: Callable[[], bool] = lambda: True,
) -> Fixes:
    """Single changes that keep the span whole, and what each does to the `others`, the other marks
    of the document.

    `tools` gives its counter and what models answered. The work is bounded by the length of text
    that is cut again. `goes_on` is called before each cut, and False ends the search: for a person
    who waits.
    """
    if coverages(of, [span])[0].whole:
        return Fixes((), 0, True)
    others = [mark for mark in dict.fromkeys(others) if mark != span]
    return fixes_by(of, SpanWhole(of.document, span), others, tools, goes_on)


def fixes_by(
    of: Run,
    question: CutTest,
    others: Iterable[Span] = (),
    tools: Tools | None = None,
    goes_on: Callable[[], bool] = lambda: True,
    settings: Collection[str] | None = None,
) -> Fixes:
    """Single changes for which the answer to a question is that the cut is gone: of these settings,
    in snake_case, of all where that is None."""
    config = of.config
    lent = tools or Tools(counter(config.counter))
    # The document was cut before, so the answers of models are cached.
    cutter_tools = lent.for_another_cut(use=lent.models.use)
    cutting, of_base = cutting_strategy(config.strategy)
    run(of.document, config.with_strategy(cutting), cutter_tools)
    recutter = Recutter(of.document, cutting, cutter_tools, question)
    possible, complete, _ = changes(recutter, goes_on, settings)
    found: list[Fix] = []
    for change in possible[:_MOST_RUNS]:
        if found and not goes_on():
            break
        found.append(_outcome(of, change, of_base, others, cutter_tools))
    found.sort(key=lambda fix: len(fix.newly_cut))  # stable: of equals the smallest change stays first
    return Fixes(tuple(found), recutter.recuts, complete)


def _outcome(of: Run, change: Change, of_base: str, others: Iterable[Span], cutter_tools: Tools) -> Fix:
    before = coverages(of, others)
    after = run(of.document, of.config.with_strategy(change.strategy), cutter_tools.for_another_cut())
    pairs = list(zip(before, coverages(after, others), strict=True))
    cutting, _ = cutting_strategy(of.config.strategy)
    return Fix(
        setting=f"{of_base}{to_camel(change.setting)}",
        before=plain_value(getattr(cutting, change.setting)),
        after=plain_value(change.value),
        config=of.config.with_strategy(_wrapped(of.config.strategy, change.strategy)),
        chunks_before=len(of.chunks),
        chunks=len(after.chunks),
        newly_cut=tuple(was.span for was, now in pairs if was.whole and not now.whole),
        newly_whole=tuple(was.span for was, now in pairs if now.whole and not was.whole),
        nearest=change.nearest,
        blocks_cut=len(blocks_cut(after.torn_boundaries)),
        newly_left_out=content_of(left_out(after)) - content_of(left_out(of)),
        newly_unread=newly_unread(of, after.chunks),
    )


def _wrapped(outer: Strategy, inner: Strategy) -> Strategy:
    """The same strategy around another base."""
    if not outer.describes:
        return inner
    values: dict[str, object] = {name: getattr(outer, name) for name in type(outer).model_fields}
    return type(outer).model_validate({**values, outer.describes: _wrapped(getattr(outer, outer.describes), inner)})

"""What a recommended config would do, or why none is recommended, in one line."""

from __future__ import annotations

from chunking import Config, Document
from chunking.analysis import content_left_out
from chunking.config import number_text, setting_specs
from chunking.core import Metrics
from chunking.text import be, counted, listed
from chunking.tuning import READS, Checked, ConfigSummary
from pages.ui.components.offer_line import Offer

NOTHING_CUT = "Nothing to recommend: no table, code block or list is cut in two."
NOTHING_BETTER = "Nothing to recommend: no setting near these cuts fewer blocks without making something else worse."
SEARCHING = "Searching for settings that cut fewer blocks"
ASKS_A_MODEL = "No recommendation: other settings of a strategy that asks a model or wraps another are not tried."
SEE_HEALTH = "see Health"
SEE_TORN = "See a torn table"
"""After a sample of which nothing is cut in two."""


def nothing_cut(metrics: Metrics) -> Offer:
    """That no block is cut in two, and what is wrong all the same, with the way to it."""
    lost, over = content_left_out(metrics), metrics.over_maximum
    wrong = [f"{counted(lost, 'character')} {be(lost)} in no chunk"] if lost else []
    wrong += [f"{counted(over, 'chunk')} {be(over)} over the maximum"] if over else []
    if not wrong:
        return Offer(NOTHING_CUT)
    said = f"No table, code block or list is cut in two, but {' and '.join(wrong)}: "
    return Offer(said, leads=SEE_HEALTH, panel="checked")


def offer_words(found: Checked, config: Config, measured: Document, whole: Document) -> str:
    """The change from `config`, what it keeps whole, the number of chunks and the largest.
    `measured` is what was cut: the document, or the beginning of it."""
    on = f"On its first {len(measured.text) // 1000:,} KB, " if len(measured.text) < len(whole.text) else ""
    changed = _changed(config, found.config)
    keeps = _keeps(found.summary, found.now, measured, one=len(changed) == 1)
    return f"{on}{' and '.join(changed)} {keeps}; {'; '.join((*_costs(found), _sizes(found)))}."


def _costs(found: Checked) -> list[str]:
    """What the change makes worse: chunks under the minimum, tokens that an embedder does not
    read."""
    under, was = (round((each.under_share or 0) * each.chunks) for each in (found.summary, found.now))
    costs = [f"{counted(under, 'chunk')} {be(under)} under the minimum (was {was:,})"] if under > was else []
    unread, before = found.unread
    if unread > before:
        costs.append(f"a {READS}-token embedder misses {counted(unread, 'token')} (was {before:,})")
    return costs


def _sizes(found: Checked) -> str:
    chunks = counted(found.summary.chunks, "chunk")
    said = (
        f"{chunks} instead of {found.now.chunks:,}" if found.summary.chunks != found.now.chunks else f"still {chunks}"
    )
    largest, was = found.largest
    return said if largest == was else f"{said}, largest {counted(largest, 'token')} (was {was:,})"


def _changed(config: Config, wanted: Config) -> list[str]:
    """`Maximum 1,500`; of another strategy its title, and what differs from its defaults."""
    another = config.strategy.name != wanted.strategy.name
    before = type(wanted.strategy)() if another else config.strategy
    changed = []
    for spec in setting_specs(type(wanted.strategy)):
        was, then = getattr(before, spec.name), getattr(wanted.strategy, spec.name)
        if then != was:
            changed.append(f"{spec.title} {_value(then)}")
    return [" with ".join(filter(None, (wanted.strategy.title, " and ".join(changed))))] if another else changed


def _value(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else number_text(value) if isinstance(value, float) else str(value)


def _keeps(then: ConfigSummary, now: ConfigSummary, document: Document, *, one: bool) -> str:
    """`one` says whether one thing does it."""
    if then.atomic_split:
        cuts = "cuts" if one else "cut"
        return (
            f"{cuts} {then.atomic_split:,} of its tables, code blocks, lists and quotes instead of {now.atomic_split:,}"
        )
    others = now.atomic_split - now.tables_cut - now.code_cut - now.lists_cut
    kinds = (
        ({"table"}, "table", now.tables_cut),
        ({"code"}, "code block", now.code_cut),
        ({"list", "task-list"}, "list", now.lists_cut),
        ({"quote", "html", "math"}, "quote", others),
    )
    named = [_all(document, blocks, words) for blocks, words, cut in kinds if cut > 0]
    return f"{'keeps' if one else 'keep'} {listed(named)} whole ({now.atomic_split:,} {be(now.atomic_split)} cut now)"


def _all(document: Document, kinds: set[str], words: str) -> str:
    count = sum(block.kind in kinds for block in document.blocks)
    if count < 2:
        return f"the {words}"
    return f"both {words}s" if count == 2 else f"all {count:,} {words}s"

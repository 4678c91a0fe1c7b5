"""What a recommended config would do, or why none is recommended, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from chunking import Config, Document, Run
from chunking.analysis import Check
from chunking.core import Metrics
from chunking.text import be, counted, listed
from chunking.tuning import Checked, ConfigSummary, SummaryBuilder
from pages.ui.components.offer_line import Offer
from pages.ui.layout import drawbacks, setting_names
from pages.ui.layout.change_messages import was_words

NOTHING_CUT = "Nothing to recommend: no table, code block or list is cut in two."
NOTHING_BETTER = "Nothing to recommend: no setting near these cuts fewer blocks without making something else worse."
SEARCHING = "Searching for settings that cut fewer blocks"
ASKS_A_MODEL = "No recommendation: other settings of a strategy that asks a model or wraps another are not tried."
SEE_HEALTH = "see Health"
SEE_TORN = "See a torn table"
"""After a sample of which nothing is cut in two."""


def nothing_cut(metrics: Metrics, checks: Sequence[Check]) -> Offer:
    """That no block is cut in two, and what is wrong all the same, with the way to it. `checks` are
    Health's: of them the first that does not pass is named, where nothing weighs more."""
    lost, over = metrics.left_out, metrics.over_maximum
    wrong = [f"{counted(lost, 'visible character')} {be(lost)} in no chunk"] if lost else []
    wrong += [f"{counted(over, 'chunk')} {be(over)} over the maximum"] if over else []
    wrong = wrong or _not_passed(checks)
    if not wrong:
        return Offer(NOTHING_CUT)
    said = f"No table, code block or list is cut in two, but {' and '.join(wrong)}: "
    return Offer(said, leads=SEE_HEALTH, panel="checked")


def _not_passed(checks: Sequence[Check]) -> list[str]:
    """In the words of Health's tab: the first check that failed, else that warns, and how many more
    do."""
    failed, warned = ([check for check in checks if check.verdict == verdict] for verdict in ("fail", "warn"))
    found = failed or warned
    if not found:
        return []
    more = f"{counted(len(found) - 1, 'more check')} failed" if failed else counted(len(found) - 1, "more warning")
    return [found[0].finding or f"a check failed ({found[0].title})", *([more] if len(found) > 1 else [])]


def offer_of(found: Checked, config: Config, measured: Document, whole: Document) -> Offer:
    """The change from `config`, what it keeps whole, what it costs, the number of chunks and the
    largest. `measured` is what was cut: the document, or the beginning of it."""
    on = f"On its first {len(measured.text) // 1000:,} KB, " if len(measured.text) < len(whole.text) else ""
    changed = _changed(config, found.config)
    does = f"{on}{listed(changed)} {_keeps(found.summary, found.now, measured, one=len(changed) == 1)}"
    unread, before = found.unread
    costs, sizes = drawbacks.of_config(found.summary, found.now, unread=unread - before).words, _sizes(found)
    if not costs:
        return Offer(f"{does}; {sizes}.", takes=True)
    return Offer(f"{does}. ", costs=f"{costs}.", rest=f" {sizes[0].upper()}{sizes[1:]}.", takes=True)


def _sizes(found: Checked) -> str:
    chunks = counted(found.summary.chunks, "chunk")
    said = f"{chunks} (now {found.now.chunks:,})" if found.summary.chunks != found.now.chunks else f"still {chunks}"
    largest, was = found.largest
    with_context = " with its context" if found.largest_by_context else ""
    return said if largest == was else f"{said}, largest {counted(largest, 'token')}{with_context} (now {was:,})"


def receipt_of(run: Run, was: Run | None, before: Config, *, unread: int = 0) -> Offer:
    """What a config did that came in place of the one before, and all that it made worse; `unread`
    is how many more tokens an embedder does not read."""
    said = replaced_words(run, was, before)
    costs = drawbacks.of_config(summary_of(run), summary_of(was), unread=unread).words if was else ""
    return Offer(f"{said} " if costs else said, costs=f"{costs}." if costs else "", undoable=True)


def summary_of(run: Run) -> ConfigSummary:
    """The numbers of one run."""
    builder = SummaryBuilder(run.config)
    builder.add(run)
    return builder.summary()


def replaced_words(run: Run, was: Run | None, before: Config) -> str:
    """What a config did that came in place of the one before: `Now Maximum 1,500: 21 chunks, was
    41; 4 blocks cut in two, was 64.` `was` is None where that is not known."""
    changed = ", ".join(_changed(before, run.config)) or "other settings"
    chunks, cut = len(run.chunks), run.metrics.blocks_cut
    if was is None:
        return f"Now {changed}: {counted(chunks, 'chunk')}."
    count = was_words(counted(chunks, "chunk"), chunks, len(was.chunks))
    blocks = was_words(f"{counted(cut, 'block')} cut in two", cut, was.metrics.blocks_cut)
    said = [count, blocks] if cut or was.metrics.blocks_cut else [count]
    return f"Now {changed}: {'; '.join(said)}."


def _changed(config: Config, wanted: Config) -> list[str]:
    """`Maximum 1,500`; of another strategy its title, and what differs from its defaults."""
    changed = [f"{title} {value}" for title, value in setting_names.changed(wanted, config)]
    if config.strategy.name == wanted.strategy.name:
        return changed
    return [" with ".join(filter(None, (wanted.strategy.title, ", ".join(changed))))]


def _keeps(then: ConfigSummary, now: ConfigSummary, document: Document, *, one: bool) -> str:
    """`one` says whether one thing does it."""
    if then.atomic_split:
        leaves = "leaves" if one else "leave"
        if 0 < then.blocks_cut < now.blocks_cut:  # as the strip counts them: tables, code blocks and lists
            return f"{leaves} {counted(then.blocks_cut, 'block')} cut in two (now {now.blocks_cut:,})"
        left = f"{then.atomic_split:,} tables, code blocks, lists and quotes"
        return f"{leaves} {left} cut in two (now {now.atomic_split:,})"
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

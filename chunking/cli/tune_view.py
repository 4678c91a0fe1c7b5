"""More of what `chunkscope tune` prints: the configs that are not shown to be worse, and what each
setting of the best does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from chunking.cli.terminal import print_line, print_table, rounded
from chunking.text.display import shown_text
from chunking.tuning.effects import Effect, change_words
from chunking.tuning.goal import Goal, Point, Tuning
from chunking.tuning.trust import Evidence, config_words

_MOST_EQUALS = 10
_NUMBERS = ("tokens to embed", "chunks")


def print_equals(found: Tuning, of: Evidence) -> None:
    """Print the other configs that are not shown to be worse than the best, the cheapest first: the
    questions are too few to prove the best, as the best of many tried, better than these."""
    equals = sorted((point for point in of.not_worse if point is not found.best), key=lambda each: each.tokens)
    if not equals:
        return
    more = f", the {_MOST_EQUALS} with the fewest tokens of {len(equals):,}" if len(equals) > _MOST_EQUALS else ""
    print_line("")
    print_line(f"Not shown to be worse than the best{more}:")
    rows = []
    for point in equals[:_MOST_EQUALS]:
        value = of.interval(point)
        shown = f"{point.quality:.3f} [{value.low:.3f}, {value.high:.3f}]"
        rows.append([shown, f"{point.tokens:,}", f"{point.summary.chunks:,}", config_words(point.config)])
    print_table([found.goal.objective, *_NUMBERS, "config"], rows, numbers=_NUMBERS)


def print_effects(best: Point, effects: Sequence[Effect], goal: Goal) -> None:
    """Print what each setting of the best does, the largest change first."""
    print_line("")
    if not effects:
        print_line("The best has no setting that was varied.")
        return
    print_line(f"The best, with one setting changed ({goal.objective} of the best: {goal.shown(best.quality)}):")
    rows = [
        [
            f"{shown_text(each.setting)} {shown_text(str(each.before))} -> {shown_text(str(each.after), 60)}",
            change_words(each, best, goal),
            f"{each.point.tokens - best.tokens:+,}",
            "; ".join(each.point.summary.faults or each.point.broken),
        ]
        for each in effects
    ]
    print_table(["setting", "difference", "tokens to embed", "requirements"], rows, numbers=("tokens to embed",))


def effects_json(best: Point | None, effects: Sequence[Effect]) -> list[dict[str, object]]:
    """What `--effects --json` prints."""
    return [
        {
            "setting": each.setting,
            "before": each.before,
            "after": each.after,
            "quality": None if each.point.summary.faults else round(each.point.quality, 6),
            "difference": rounded(asdict(each.difference)) if each.difference else None,
            "tokens_to_embed": each.point.tokens,
            "tokens_more": each.point.tokens - best.tokens if best else None,
            "broken": list(each.point.broken),
        }
        for each in effects
    ]

"""Settings over ranges, and strategies searched for a goal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.tuning.batch import workers_for as workers_for
    from chunking.tuning.checked_recommendation import Checked as Checked
    from chunking.tuning.checked_recommendation import checked_of_text as checked_of_text
    from chunking.tuning.effects import Effect as Effect
    from chunking.tuning.effects import change_words as change_words
    from chunking.tuning.effects import effects_of_texts as effects_of_texts
    from chunking.tuning.goal import NEARLY_AS_GOOD as NEARLY_AS_GOOD
    from chunking.tuning.goal import NEED_QUESTIONS as NEED_QUESTIONS
    from chunking.tuning.goal import OBJECTIVES as OBJECTIVES
    from chunking.tuning.goal import SEARCHED as SEARCHED
    from chunking.tuning.goal import Objective as Objective
    from chunking.tuning.recommendation import KEEP_WHOLE as KEEP_WHOLE
    from chunking.tuning.recommendation import nearby as nearby
    from chunking.tuning.recommendation import recommended as recommended
    from chunking.tuning.settled import PATIENCE as PATIENCE
    from chunking.tuning.settled import nothing_better as nothing_better
    from chunking.tuning.space import Options as Options
    from chunking.tuning.space import options_of as options_of
    from chunking.tuning.space import space_of as space_of
    from chunking.tuning.summary import INVARIANTS as INVARIANTS
    from chunking.tuning.summary import ConfigSummary as ConfigSummary
    from chunking.tuning.summary import Invariant as Invariant
    from chunking.tuning.summary import SummaryBuilder as SummaryBuilder
    from chunking.tuning.sweeps import Axis as Axis
    from chunking.tuning.sweeps import Cell as Cell
    from chunking.tuning.sweeps import checked_axes as checked_axes
    from chunking.tuning.sweeps import grid as grid
    from chunking.tuning.sweeps import sweep as sweep
    from chunking.tuning.sweeps import with_summary as with_summary
    from chunking.tuning.trust import Evidence as Evidence
    from chunking.tuning.trust import certain_words as certain_words
    from chunking.tuning.trust import evidence as evidence
    from chunking.tuning.trust import near_misses_words as near_misses_words
    from chunking.tuning.trust import nearly_words as nearly_words
    from chunking.tuning.trust import trust_words as trust_words
    from chunking.tuning.tune import TRIALS as TRIALS
    from chunking.tuning.tune import Goal as Goal
    from chunking.tuning.tune import Point as Point
    from chunking.tuning.tune import Space as Space
    from chunking.tuning.tune import Tuning as Tuning
    from chunking.tuning.tune import points_of_texts as points_of_texts
    from chunking.tuning.value_ranges import CUTS as CUTS
    from chunking.tuning.value_ranges import ChangingRange as ChangingRange
    from chunking.tuning.value_ranges import Searched as Searched
    from chunking.tuning.value_ranges import changing_ranges as changing_ranges
    from chunking.tuning.value_ranges import ranges_of_texts as ranges_of_texts
else:
    __getattr__, __all__ = front(
        __name__,
        batch=("workers_for",),
        checked_recommendation=("Checked", "checked_of_text"),
        effects=("Effect", "change_words", "effects_of_texts"),
        goal=("NEARLY_AS_GOOD", "NEED_QUESTIONS", "OBJECTIVES", "Objective", "SEARCHED"),
        recommendation=("KEEP_WHOLE", "nearby", "recommended"),
        settled=("PATIENCE", "nothing_better"),
        space=("Options", "options_of", "space_of"),
        summary=("INVARIANTS", "Invariant", "ConfigSummary", "SummaryBuilder"),
        sweeps=("Axis", "Cell", "checked_axes", "grid", "sweep", "with_summary"),
        trust=("Evidence", "certain_words", "evidence", "near_misses_words", "nearly_words", "trust_words"),
        tune=("Goal", "Point", "Space", "TRIALS", "Tuning", "points_of_texts"),
        value_ranges=("CUTS", "ChangingRange", "Searched", "changing_ranges", "ranges_of_texts"),
    )

"""Why a boundary is there, for which settings it stays, and what change removes it, moves it or
keeps a span whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.explanation.explanation import Candidate as Candidate
    from chunking.explanation.explanation import Explanation as Explanation
    from chunking.explanation.explanation import NumberRange as NumberRange
    from chunking.explanation.explanation import OptionRange as OptionRange
    from chunking.explanation.explanation import range_sentence as range_sentence
    from chunking.explanation.keep_text import keeps as keeps
    from chunking.explanation.keep_whole import Fix as Fix
    from chunking.explanation.keep_whole import Fixes as Fixes
    from chunking.explanation.keep_whole import fixes as fixes
    from chunking.explanation.move_boundary import Move as Move
    from chunking.explanation.move_boundary import Moves as Moves
    from chunking.explanation.move_boundary import moves as moves
    from chunking.explanation.nearest import Tried as Tried
    from chunking.explanation.ranges import exactly as exactly
    from chunking.explanation.recutting import cutting_strategy as cutting_strategy
    from chunking.explanation.remove_boundary import Removal as Removal
    from chunking.explanation.remove_boundary import Removals as Removals
    from chunking.explanation.remove_boundary import counted_to_end as counted_to_end
    from chunking.explanation.remove_boundary import removals as removals
    from chunking.explanation.search import CLICK_WORK as CLICK_WORK
    from chunking.explanation.setting_values import SettingValue as SettingValue
    from chunking.explanation.setting_values import plain_value as plain_value
    from chunking.explanation.unread_tokens import COUNTED_WHOLE as COUNTED_WHOLE
    from chunking.explanation.unread_tokens import unread_in as unread_in
else:
    __getattr__, __all__ = front(
        __name__,
        explanation=("Candidate", "Explanation", "NumberRange", "OptionRange", "range_sentence"),
        keep_text=("keeps",),
        keep_whole=("Fix", "Fixes", "fixes"),
        move_boundary=("Move", "Moves", "moves"),
        nearest=("Tried",),
        ranges=("exactly",),
        recutting=("cutting_strategy",),
        remove_boundary=("Removal", "Removals", "counted_to_end", "removals"),
        search=("CLICK_WORK",),
        setting_values=("SettingValue", "plain_value"),
        unread_tokens=("COUNTED_WHOLE", "unread_in"),
    )

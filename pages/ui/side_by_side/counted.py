"""How far the estimating counters of a comparison are from an exact one, each said once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chunking import Run
from chunking.tokens import EXACT
from pages.ui import state
from pages.ui.choices.comparing import LETTERS
from pages.ui.layout.counted import ratio_note
from pages.ui.side_by_side.numbers import MeasuredRow


def compared_notes(rows: Sequence[tuple[str, MeasuredRow]]) -> None:
    """For a comparison whose own counter estimates: its ratio on the first config's chunks, and a
    switch. Then the same for each config that cuts by an estimate. They stand above the configs,
    which stay side by side.

    `rows` are the configs that were cut, each with its letter.
    """
    for letter, measured in rows[:1]:
        ratio_note(
            measured.drawn,
            lambda: state.compare(replace(state.comparing(), counter=EXACT)),
            "compare-counted-switch",
            f"All counts here are estimates. On the chunks of {letter}, ",
        )
    for letter, measured in rows:
        _cut_note(letter, measured.run)


def _cut_note(letter: str, run: Run) -> None:
    def switch() -> None:
        now, number = state.comparing(), LETTERS.index(letter)
        state.compare(now.with_row(number, now.rows[number].with_counter(EXACT)))

    ratio_note(run, switch, f"row-counted-switch-{letter}", f"{letter} is cut by an estimate: ", f"Switch {letter}")

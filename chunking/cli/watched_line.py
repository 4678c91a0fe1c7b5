"""A line on standard error that changes while a person watches, by rich.progress.

Imported when there is something to show: rich takes as long to start as the rest of the program.
"""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import Progress, TextColumn
from rich.table import Column


class WatchedLine:
    """One line, cut off at the terminal's width; gone without a trace once it is cleared."""

    def __init__(self) -> None:
        words = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis"))
        self._progress = Progress(
            words,
            console=_CursorStays(file=sys.stderr, highlight=False, emoji=False),
            # Without a thread: a worker may be forked while the line stands.
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._progress.add_task("")

    def show(self, words: str) -> None:
        """Put these words in place of what stands there."""
        self._progress.update(self._task, description=words)
        if self._progress.live.is_started:
            self._progress.refresh()
        else:
            self._progress.start()

    def clear(self) -> None:
        """Take the line away, so that what follows begins on a clean one."""
        self._progress.stop()


class _CursorStays(Console):
    """A console that never hides the cursor: whoever ends the program from outside would be left
    without one."""

    def show_cursor(self, show: bool = True) -> bool:  # noqa: ARG002
        return False

"""A line on standard error that changes while a person watches, by rich.progress.

Imported when there is something to show: rich takes as long to start as the rest of the program.
"""

from __future__ import annotations

from datetime import timedelta

from rich.console import Console
from rich.progress import Progress, TextColumn
from rich.table import Column

from chunking.text.display import counted

_SLOWEST = 0.05
"""Documents a second; below it the time that is left says more than a rate."""


class WatchedLine:
    """One line, cut off at the terminal's width; gone without a trace once it is cleared."""

    def __init__(self) -> None:
        words = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis"))
        self._progress = Progress(
            words,
            console=_CursorStays(stderr=True, highlight=False, emoji=False),
            # Without a thread: a worker may be forked while the line stands.
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._progress.add_task("", total=None)

    def count(self, documents: int, of: int | None) -> None:
        """Show how many documents are done; of how many, at which rate and until when, where that
        is known."""
        self._progress.update(self._task, completed=documents, total=of)
        task = self._progress.tasks[self._task]
        words = counted(documents, "document") if of is None else f"{documents:,} of {counted(of, 'document')}"
        speed = task.speed or 0.0
        rate = f", {speed:,.{0 if speed >= 10 else 1}f} a second" if speed >= _SLOWEST else ""
        left = f", {timedelta(seconds=task.time_remaining)} left" if task.time_remaining else ""
        self.show(words + rate + left)

    def show(self, words: str) -> None:
        """Put these words in place of what stands there."""
        self._progress.update(self._task, description=words)
        if self._progress.live.is_started:
            self._progress.refresh()
        else:
            self._progress.start()

    def clear(self) -> None:
        """Take the line away, so that what follows begins on a clean one."""
        if self._progress.live.is_started:
            self._progress.stop()


class _CursorStays(Console):
    """A console that never hides the cursor: whoever ends the program from outside would be left
    without one."""

    def show_cursor(self, show: bool = True) -> bool:  # noqa: ARG002
        return False

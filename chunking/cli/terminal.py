"""What the command line says and where: results on standard output, trouble and progress on
standard error.

Document text is shown, never obeyed: control characters are escaped, so no document can move the
cursor or the colours.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, TypeVar

import typer

from chunking.errors import ChunkscopeError, ModelError, OutputError, ReaderGoneError
from chunking.text.display import counted, for_terminal, shown_text, without_passwords

if TYPE_CHECKING:
    from rich.table import Table

    from chunking.cli.watched_line import WatchedLine
    from chunking.models.waiting import Waiting
    from chunking.runs import Run

DONE, CHECK_FAILED, WRONG_INPUT, INTERRUPTED, READER_GONE, TERMINATED = 0, 1, 2, 130, 141, 143
"""Exit codes (docs/formats/command-line.md); the last three as a shell gives them for SIGINT,
SIGPIPE and SIGTERM."""

T = TypeVar("T")

_NAMED = 12
"""Chunks that are named in a line."""
_UNFITTED = 2000
"""Columns where no terminal sets them: wide enough that no row is broken."""


def use_utf8() -> None:
    """Make both streams UTF-8 with LF whatever the locale says; what no UTF-8 can hold is written
    as its escape."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def print_line(text: str, end: str = "\n") -> None:
    """Write to standard output: exactly, but to a terminal without control characters.

    Raises ReaderGoneError when nobody reads it any more, OutputError when it is full.
    """
    _write(for_terminal(text + end) if sys.stdout.isatty() else text + end)


def _write(text: str) -> None:
    with _standard_output():
        sys.stdout.write(text)


def flush() -> None:
    """Hand over what was said so far. Raises as `print_line` does."""
    with _standard_output():
        sys.stdout.flush()


@contextmanager
def _standard_output() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGoneError from error
    except OSError as error:
        raise OutputError(f"standard output: cannot be written ({error.strerror}); write to a file with -o") from error


def forget_output() -> None:
    """Drop what could not be handed over: the interpreter would try once more on its way out, and
    complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def print_json(value: object) -> None:
    """Write a value as JSON."""
    print_line(json_text(value), end="")


def json_text(value: object) -> str:
    """A value as indented JSON, in ASCII: every reader and every locale takes it."""
    return json.dumps(value, indent=2, allow_nan=False) + "\n"


def rounded(values: Mapping[str, object]) -> dict[str, object]:
    """The values for JSON, with six decimals at most."""
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in values.items()}


def print_error(problem: object) -> None:
    """One line on standard error, whatever the message holds; a password in an address is not in
    it."""
    ProgressLine.clear()
    print(f"chunkscope: {shown_text(without_passwords(str(problem)), 1000)}", file=sys.stderr)


def note(words: str) -> None:
    """One line on standard error for a person who watches; a script that takes the results hears
    nothing."""
    if sys.stderr.isatty():
        print_error(words)


def chunk_numbers(indices: Sequence[int]) -> str:
    """Chunks by their numbers, from 1 as in the app; JSON has all of them, by their index from
    0."""
    more = f" and {len(indices) - _NAMED} more" if len(indices) > _NAMED else ""
    return f"chunk {', '.join(f'#{index + 1}' for index in indices[:_NAMED])}{more}"


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[str] = ()) -> None:
    """A table with its columns fitted to the terminal; those named in `numbers` are set to the
    right."""
    # Half of the time in which the program starts, where no table is shown.
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(for_terminal(cell)) for cell in row))
    _write(rendered(table))


def print_markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[str] = ()) -> None:
    """The same as a Markdown table, for a pull request."""
    print_line(f"| {' | '.join(columns)} |")
    print_line(f"|{''.join('---:|' if column in numbers else '---|' for column in columns)}")
    for row in rows:
        print_line(f"| {' | '.join(map(markdown_text, row))} |")


def markdown_text(text: str) -> str:
    """Text that stays in its cell or line of Markdown and shows what it holds."""
    return re.sub(r"([\\|`*_\[\]<>&#~])", r"\\\1", text)


def rendered(table: Table) -> str:
    """The table as text: fitted and in colour on a terminal; elsewhere one line a row, for grep and
    logs."""
    from rich.console import Console

    terminal = sys.stdout.isatty()
    width = None if terminal else _UNFITTED
    target = io.StringIO()
    console = Console(file=target, width=width, force_terminal=terminal, markup=False, highlight=False, emoji=False)
    console.print(table)
    return "\n".join(line.rstrip() for line in target.getvalue().splitlines()) + "\n"


class ErrorLog:
    """Documents that could not be read: each reported at once, the others go on, and the exit code
    is 2 at the end. A `strict` one ends the command with the first."""

    def __init__(self, *, strict: bool = False) -> None:
        self.count = 0
        self._strict = strict
        self._described = self._undescribed = 0

    def report(self, problem: ChunkscopeError) -> None:
        self.count += 1
        print_error(problem)
        if self._strict:
            flush()
            raise typer.Exit(WRONG_INPUT)

    def say_count(self) -> None:
        """Say how many were left out, where they are several: the lines about them may be far
        up."""
        if self.count > 1:
            print_error(f"{counted(self.count, 'document')} left out, for the reasons above")

    def descriptions(self, chunks: int, missing: int) -> None:
        """Of how many chunks descriptions are missing: that they are is said at the end, and is an
        error."""
        if missing:
            self._described += chunks
            self._undescribed += missing

    def note_descriptions(self, made: Run) -> None:
        """As `descriptions`, of a run whose warnings are not said elsewhere: those that tell
        why."""
        for warning in made.warnings if made.undescribed else ():
            print_error(f"{made.document.name}: {warning}")
        self.descriptions(len(made.chunks), made.undescribed)

    def exit_with(self, code: int = DONE) -> NoReturn:
        """End the command with `code`, or with 2 when something could not be read."""
        flush()
        if self._undescribed:
            self.report(
                ModelError(
                    f"{self._undescribed:,} of {self._described:,} chunks have no description and are as they were "
                    "without one; run again to ask only for what is missing"
                )
            )
        raise typer.Exit(WRONG_INPUT if self.count else code)


class ProgressLine:
    """How far we are, on standard error, only when a person watches and the results do not run past
    the same screen."""

    _line: WatchedLine | None = None
    """What stands on the terminal, once something did; there is one for all."""

    def __init__(self, *, results_on_screen: bool) -> None:
        self._watched = sys.stderr.isatty() and not (results_on_screen and sys.stdout.isatty())
        self._last_shown = time.monotonic()
        self._process = os.getpid()

    def through(
        self,
        things: Iterable[T],
        total: Callable[[], int | None] = lambda: None,
        besides: Callable[[], int] = lambda: 0,
    ) -> Iterator[T]:
        """The same things, documents, counted aloud as they pass.

        `total` says how many are to come, None where that is not known; it is asked only where
        somebody watches, and then their rate and the time that is left are said too. `besides`
        gives how many were done without passing here.
        """
        of = total() if self._watched else None
        for number, thing in enumerate(things, start=1):
            yield thing
            self._show(number + besides(), of)
        ProgressLine.clear()

    def of_model(self, doing: str, done: int, total: int) -> None:
        """How far a model has come with one document."""
        self._show(f"{doing}: {done} of {total}")

    def of_wait(self, waiting: Waiting | None) -> None:
        """How long a model's server has been waited for; None once it is over."""
        if os.getpid() != self._process:
            return  # a forked worker: the terminal is its parent's
        if waiting:
            self._show(f"{waiting.who}: {waiting.words} (Ctrl-C ends it)")
        else:
            ProgressLine.clear()

    def _show(self, what: str | int, of: int | None = None) -> None:
        """Show these words, or so many documents."""
        if self._watched and time.monotonic() - self._last_shown > 0.1:
            from chunking.cli.watched_line import WatchedLine

            self._last_shown = time.monotonic()
            ProgressLine._line = ProgressLine._line or WatchedLine()
            if isinstance(what, int):
                ProgressLine._line.count(what, of)
            else:
                ProgressLine._line.show(what)

    @classmethod
    def clear(cls) -> None:
        """Take the progress line away, so that what follows begins on a clean line."""
        if cls._line:
            cls._line.clear()

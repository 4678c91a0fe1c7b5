"""The `chunkscope` command: what each subcommand is called, and how anything that goes wrong is
said in one line.

A command's module is imported when it is called: `chunkscope --help` and a mistyped name are
answered at once.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from threading import current_thread, main_thread
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from chunking.cli.chunkers import in_place_of_configs
from chunking.cli.terminal import (
    DONE,
    INTERRUPTED,
    READER_GONE,
    TERMINATED,
    WRONG_INPUT,
    ProgressLine,
    flush,
    forget_output,
    print_error,
    print_line,
    use_utf8,
)
from chunking.errors import ChunkscopeError, OutputError, ReaderGoneError
from chunking.models.waiting import while_waiting
from chunking.runtime.faults import fault_message
from chunking.runtime.gc_pause import our_program
from chunking.runtime.leaving import end_if_threads_are_at_work
from chunking.runtime.version import engine_version


class Listed(NamedTuple):
    """A command before it is imported: the module in `chunking.cli` whose NAME_command it is, and
    its line of help."""

    module: str
    line: str
    passes_on: bool = False
    """Whether options that it does not know are another program's."""
    finds_config: bool = False
    """Whether its CONFIG may be left out, for the one that is found."""


COMMANDS: Mapping[str, Listed] = {
    "run": Listed("run", "Chunk files and folders.", finds_config=True),
    "plan": Listed("plan", "Say what changed between two runs, for a store of vectors."),
    "inspect": Listed("inspect", "Show one document's chunks: where each ends, and why.", finds_config=True),
    "explain": Listed("inspect", "Say why a boundary is there, and when it would go.", finds_config=True),
    "compare": Listed("compare", "Compare two configs, boundary by boundary."),
    "gate": Listed("gate", "Compare two states of documents and config, for a CI."),
    "stability": Listed("stability", "Say how many chunks keep their id when a document is edited."),
    "sweep": Listed("sweep", "Measure one or two settings over ranges.", finds_config=True),
    "tune": Listed("tune", "Search strategies and settings for a goal."),
    "evaluate": Listed("evaluate", "Measure configs on questions with known answers."),
    "benchmark": Listed("benchmark", "Measure a published table again, beside ours."),
    "results": Listed("results", "Show a results file, tell two apart, or report one."),
    "questions": Listed("questions", "Draft questions from documents, check a set, write it in other forms."),
    "search": Listed("search", "Ask a store: by meaning, by words, or by both."),
    "verify": Listed("verify", "Check what every run promises, and the proof.", finds_config=True),
    "strategies": Listed("strategies", "List the strategies, their settings and rules."),
    "cache": Listed("cache", "Show, prune or clear what is kept of models' answers and conversions."),
    "serve": Listed("serve", "Answer over HTTP what the commands print."),
    "mcp": Listed("mcp", "Answer an agent, over the Model Context Protocol."),
    "app": Listed("app", "Open the web app, for this machine alone.", passes_on=True),
}


class _Commands(TyperGroup):
    """The commands of the table, each imported when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        return command_named(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, listed.line) for name, listed in COMMANDS.items()])


def command_named(name: str) -> Any:
    """A command of the table, imported, as Typer calls it."""
    listed = COMMANDS[name]
    module = import_module(f"chunking.cli.{listed.module}")
    if (group := getattr(module, f"{name}_app", None)) is not None:
        return typer.main.get_command(group)  # with commands of its own
    function = getattr(module, f"{name}_command")
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    passing = {"allow_extra_args": True, "ignore_unknown_options": True} if listed.passes_on else {}
    if listed.finds_config:
        from chunking.cli.found_config import FindsConfig

        alone.command(name, cls=FindsConfig)(function)
    else:
        alone.command(name, context_settings=passing)(function)
    return typer.main.get_command(alone)


app = typer.Typer(
    cls=_Commands,
    name="chunkscope",
    help="See where a chunking strategy cuts a document, and why there.",
    epilog="Exit codes: 0 done; 1 the check that was asked for failed; 2 the input was wrong.",
    invoke_without_command=True,
    rich_markup_mode=None,
)


@app.callback()
def _without_a_command(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
) -> None:
    if version:
        print_line(f"chunkscope {engine_version()}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 the check failed, 2 the input was wrong.

    Source: docs/formats/command-line.md.
    """
    code = _code_of(arguments)
    end_if_threads_are_at_work(code)
    return code


def _code_of(arguments: Sequence[str] | None) -> int:
    if sys.stdout is None or sys.stderr is None:
        return WRONG_INPUT  # closed from outside (`>&-`): there is nowhere to say anything
    use_utf8()
    terminated: list[int] = []
    try:
        waits = while_waiting(ProgressLine(results_on_screen=False).of_wait)
        with our_program(), _sigterm_as_ctrl_c(terminated), waits:
            code = _run(arguments)
            flush()
        return _interrupted_code(terminated) if code == INTERRUPTED else code
    except KeyboardInterrupt:
        return _interrupted_code(terminated)
    except ReaderGoneError:
        forget_output()
        return READER_GONE
    except OutputError as error:
        forget_output()
        print_error(error)
        return WRONG_INPUT


def _interrupted_code(terminated: Sequence[int]) -> int:
    """The exit code of a command that was interrupted, after a line where that was not by
    Ctrl-C."""
    if not terminated:
        return INTERRUPTED
    print_error("ended by SIGTERM; what was not finished is not written")
    return TERMINATED


@contextmanager
def _sigterm_as_ctrl_c(came: list[int]) -> Iterator[None]:
    """Let SIGTERM end a command as Ctrl-C does, with all that is then put in order, and put it
    into `came`.

    Where somebody else handles SIGTERM, or where signals are not ours (in a thread), nothing
    changes.
    """
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return

    def interrupt(number: int, _: object) -> None:
        came.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        given = in_place_of_configs(sys.argv[1:] if arguments is None else arguments)
        code = typer.main.get_command(app).main(args=given, prog_name="chunkscope", standalone_mode=False)
    except (ReaderGoneError, OutputError):
        raise
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except ChunkscopeError as error:
        print_error(error)
        return WRONG_INPUT
    except TyperException as error:
        wrong = error.format_message().replace("Value error, ", "").rstrip(".")
        print_error(f"{wrong} (chunkscope COMMAND --help shows what it takes)")
        return WRONG_INPUT
    except BaseException as error:  # a panic in Rust is no Exception
        print_error(fault_message(error))
        return WRONG_INPUT
    finally:
        ProgressLine.clear()
    return code if isinstance(code, int) else DONE


if __name__ == "__main__":
    sys.exit(main())

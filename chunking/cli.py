"""The `chunkscope` command: what each subcommand is called, and how anything that goes wrong is said in one line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from typer.exceptions import TyperException

from chunking import (
    cli_app,
    cli_compare,
    cli_evaluate,
    cli_run,
    cli_search,
    cli_show,
    cli_strategies,
    cli_sweep,
    cli_tune,
    cli_verify,
)
from chunking.cli_terminal import (
    DONE,
    INTERRUPTED,
    READER_GONE,
    WRONG_INPUT,
    ReaderGoneError,
    complain,
    flush,
    forget_output,
    say,
    use_utf8,
)
from chunking.collecting import our_program
from chunking.config.proof import engine_version
from chunking.errors import ChunkscopeError, OutputError
from chunking.faults import fault_words

app = typer.Typer(
    name="chunkscope",
    help="See where a chunking strategy cuts a document, and why there.",
    epilog="Exit codes: 0 done; 1 the check that was asked for failed; 2 the input was wrong.",
    add_completion=False,
    invoke_without_command=True,
    rich_markup_mode=None,
)
app.command("run")(cli_run.run_command)
app.command("inspect")(cli_show.inspect_command)
app.command("explain")(cli_show.explain_command)
app.command("compare")(cli_compare.compare_command)
app.command("sweep")(cli_sweep.sweep_command)
app.command("tune")(cli_tune.tune_command)
app.command("evaluate")(cli_evaluate.evaluate_command)
app.command("search")(cli_search.search_command)
app.command("verify")(cli_verify.verify_command)
app.command("strategies")(cli_strategies.strategies_command)
app.command("app", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(cli_app.app_command)


@app.callback()
def _without_a_command(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
) -> None:
    if version:
        say(f"chunkscope {engine_version()}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 the check failed, 2 the input was wrong.

    Source: docs/formats/command-line.md.
    """
    if sys.stdout is None or sys.stderr is None:
        return WRONG_INPUT  # closed from outside (`>&-`): there is nowhere to say anything
    use_utf8()
    try:
        with our_program():
            code = _run(arguments)
        flush()
        return code
    except ReaderGoneError:
        forget_output()
        return READER_GONE
    except OutputError as error:
        forget_output()
        complain(error)
        return WRONG_INPUT


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code = typer.main.get_command(app).main(
            args=None if arguments is None else list(arguments), prog_name="chunkscope", standalone_mode=False
        )
    except (ReaderGoneError, OutputError):
        raise
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except ChunkscopeError as error:
        complain(error)
        return WRONG_INPUT
    except TyperException as error:
        complain(f"{error.format_message().rstrip('.')} (chunkscope COMMAND --help shows what it takes)")
        return WRONG_INPUT
    except BaseException as error:  # a panic in Rust is no Exception
        complain(fault_words(error))
        return WRONG_INPUT
    return code if isinstance(code, int) else DONE


if __name__ == "__main__":
    sys.exit(main())

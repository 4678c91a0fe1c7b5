"""The reference of every command as one Markdown page, made from the commands themselves:
`python -m chunking.cli.reference` prints it."""

from __future__ import annotations

import html
import re
from typing import Any

from chunking.cli.program import COMMANDS, command_named
from chunking.cli.terminal import print_line, use_utf8


def print_reference() -> None:
    """Write the page to standard output."""
    print_line("# Commands\n")
    print_line(
        "Made from the commands themselves: what `chunkscope COMMAND --help` says, in one place. Exit codes, names"
    )
    print_line("and what is read of a folder: [the command line](../formats/command-line.md).")
    for name in COMMANDS:
        command = command_named(name)
        _print_command(name, command)
        for own, each in getattr(command, "commands", {}).items():
            _print_command(f"{name} {own}", each, "###")


def _print_command(name: str, command: Any, heading: str = "##") -> None:
    context = command.make_context(name, [], resilient_parsing=True)
    print_line(f"\n{heading} {name}\n")
    print_line(f"    chunkscope {name} {' '.join(command.collect_usage_pieces(context))}\n")
    print_line(_words(command.help))
    for kind in ("argument", "option"):
        found = [each.get_help_record(context) for each in command.params if each.param_type_name == kind]
        if rows := [(names.replace("|", r"\|"), _words(said)) for names, said in filter(None, found)]:
            print_line(f"\n| {kind} | what it is |\n|---|---|")
            print_line("\n".join(f"| `{names}` | {said} |" for names, said in rows))


def _words(text: str) -> str:
    """On one line, as itself: entities, as Python's Markdown has no escape for `<`."""
    return re.sub(r"([\\|*_\[\]])", r"\\\1", html.escape(" ".join(text.split()), quote=False))


if __name__ == "__main__":
    use_utf8()
    print_reference()

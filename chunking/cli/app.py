"""`chunkscope app`: the web app in a Streamlit of its own, with our settings as flags.

Streamlit reads `.streamlit/config.toml` from the working directory, which is the user's here, so
flags carry it.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Annotated

import typer

from chunking.cli.terminal import INTERRUPTED, TERMINATED, flush, print_line
from chunking.document.given_files import WEB_PAGES, check_given, variables_of
from chunking.document.names import is_url
from chunking.errors import ConfigError, DocumentError, OutputError, UnknownCounterError
from chunking.imported import held as chunkers
from chunking.runtime.extras import missing
from chunking.text.display import shown_text
from chunking.tokens.offered_files import VARIABLE, variable_of
from chunking.tokens.tokenizer_files import bytes_of, load_tokenizer

_FIRST_PORT = 8501
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_PORTS_TRIED = 100


def app_command(
    context: typer.Context,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: the first free one from 8501 on.")] = 0,
    tokenizer: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="A tokenizer.json to count with, offered in the app; may be given again."),
    ] = None,
    chunker: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODULE:FUNCTION",
            help="A function of a text that splits it, offered in the app; may be given again.",
        ),
    ] = None,
    web_pages: Annotated[
        bool,
        typer.Option(
            "--web-pages",
            help="Let everybody who can open the app add pages of the web by their address: this machine asks for "
            "them, only at public addresses.",
        ),
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Follow files and folders while they are edited.")] = False,
    host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A name by which others may reach it, as of a proxy; may be given several times."
        ),
    ] = None,
) -> None:
    """Open the web app, for this machine alone unless told otherwise, with files and folders, where
    they come first: the page Corpus shows all of them. Anything else goes to Streamlit as it is,
    such as --server.headless true."""
    if absent := missing("app"):
        raise OutputError(f"app: {absent}")
    environment = {**os.environ, "CHUNKSCOPE_ADDRESS_SAID": "1"}
    if tokenizer:
        environment[VARIABLE] = _offered(tokenizer)
    if chunker:
        environment[chunkers.VARIABLE] = chunkers.variable_of(chunker)
    if web_pages:
        environment[WEB_PAGES] = "1"
    files, passed_on = _files(context.args)
    if watch and not files:
        raise OutputError(
            "app: --watch follows files and folders that are given to it; write chunkscope app PATH --watch"
        )
    environment |= variables_of(files, watch=watch)
    script = app_script()
    flags = dict(streamlit_flags(script))
    flags["server.port"] = str(_free_port(flags["server.address"], port))
    print_line(f"http://{flags['server.address']}:{flags['server.port']}")
    flush()
    arguments = [f"--{name}={value}" for name, value in flags.items()]
    arguments += [f"--server.allowedHosts={name}" for name in ((*_LOOPBACK, *host) if host else ())]
    # -P: a module named `pages` or `plotly` in the user's working directory must not be imported.
    raise typer.Exit(
        _serve([sys.executable, "-P", "-m", "streamlit", "run", str(script), *arguments, *passed_on], environment)
    )


def _files(arguments: Sequence[str]) -> tuple[list[Path], list[str]]:
    """The files and folders to open, which stand before the first flag, and what is Streamlit's.
    Raises DocumentError for a file that cannot be opened."""
    files = [Path(each) for each in takewhile(lambda each: not each.startswith("-"), arguments)]
    for path, said in zip(files, arguments, strict=False):
        if is_url(said):
            raise DocumentError(
                f"{shown_text(said, 200)}: the app opens files and folders; start it with --web-pages and add the page "
                "there, or take chunkscope inspect"
            )
        check_given(path)
    return files, list(arguments[len(files) :])


def _offered(paths: Sequence[Path]) -> str:
    """What the app's environment says of the tokenizers. Raises ConfigError, one line, for a file
    that is none."""
    try:
        for path in paths:
            load_tokenizer(bytes_of(path, str(path)), str(path))
    except UnknownCounterError as error:
        raise ConfigError(f"--tokenizer: {str(error).removeprefix('counter: ')}") from error
    return variable_of(paths)


def app_script() -> Path:
    """app.py: inside the package when that was installed as a wheel, else beside it. Raises
    OutputError without one."""
    package = Path(__file__).resolve().parents[1]
    for script in (package / "_app" / "app.py", package.parent / "app.py"):
        if script.is_file() and (script.parent / "pages").is_dir():
            return script
    raise OutputError("app: its files are not installed; install the wheel, or run it from the repository")


def streamlit_flags(script: Path) -> Iterator[tuple[str, str]]:
    """Every setting of the config.toml beside the app, as Streamlit's dotted names and values."""
    settings = tomllib.loads((script.parent / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    yield from _flat(settings, ())
    yield "server.showEmailPrompt", "false"


def _flat(settings: Mapping[str, object], path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, (*path, name))
        else:
            yield ".".join((*path, name)), str(value).lower() if isinstance(value, bool) else str(value)


def _free_port(address: str, wanted: int) -> int:
    """The wanted port, or the first free one. Raises OutputError when it is taken."""
    tried = (wanted,) if wanted else range(_FIRST_PORT, _FIRST_PORT + _PORTS_TRIED)
    for port in tried:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
            except OSError:
                continue
            return port
    raise OutputError(f"--port {wanted or _FIRST_PORT}: cannot be opened on {address}; choose another --port")


def _serve(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run Streamlit until it ends, and end it with us. Its exit code, or 130 after Ctrl-C and 143
    after SIGTERM."""
    came: list[int] = []  # signals, also before there is a server to end
    before = signal.signal(signal.SIGTERM, lambda number, _: came.append(number))
    server = subprocess.Popen(command, env=environment)

    def terminate(number: int, _: object) -> None:
        came.append(number)
        server.terminate()

    try:
        signal.signal(signal.SIGTERM, terminate)
        if came:
            server.terminate()
        code = max(server.wait(), 0)
        return TERMINATED if came else code
    except KeyboardInterrupt:
        server.terminate()  # from a terminal Ctrl-C reached it too, from elsewhere it did not
        server.wait()
        return INTERRUPTED
    finally:
        signal.signal(signal.SIGTERM, before)

"""The inputs of the commands: a config by path, name or standard input, and documents by path."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from chunking import strategies
from chunking.cli.chunkers import chunker_named
from chunking.cli.terminal import ErrorLog, print_error
from chunking.config.config import Config, Proof, read_yaml
from chunking.config.loader_part import LOADER_HELP
from chunking.document import Document
from chunking.document.archives import is_archive
from chunking.document.folders import FoundFile, PassedOver, Selection, find_files
from chunking.document.loader_settings import LoaderSettings
from chunking.document.loaders import extension_of
from chunking.document.loading import find, read
from chunking.document.names import is_url
from chunking.document.text_rows import ENDINGS as TABLES
from chunking.errors import ConfigError, DocumentError, GoldError
from chunking.imported.table_files import ENDINGS, is_config
from chunking.models.access import Tools
from chunking.runtime.faults import document_fault
from chunking.text.display import shown_text
from chunking.text.suggest import did_you_mean
from chunking.tokens import counter

if TYPE_CHECKING:
    from chunking.imported.sources import ChunkSource

Choice = TypeVar("Choice", bound=str)

ConfigPath = Annotated[
    str,
    typer.Argument(
        metavar="CONFIG",
        help="A YAML file, - for standard input, a strategy's name for its defaults (also another package's, such as "
        "peer:semchunk), "
        "another tool's chunks (.jsonl, .json, .csv, .parquet), --chunker package.module:function, "
        "or --chunker-command 'program --option'. Left out: the nearest chunkscope.yaml, or [tool.chunkscope] of a "
        "pyproject.toml.",
    ),
]
Paths = Annotated[list[str], typer.Argument(metavar="PATH...", help="Files, folders and pages (https://…) to read.")]
Documents = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PATH...]",
        help="Files, folders and pages (https://…) to read; left out for a folder that knows its own.",
    ),
]
Root = Annotated[
    Path | None,
    typer.Option(
        "--root",
        metavar="FOLDER",
        help="Where documents' names begin; left out, the nearest folder above with .git, "
        "else the folder above all folders that are given.",
    ),
]
Include = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATTERN", help="Read only what fits: 'docs/api/**'. '*.html' brings such files too. May be repeated."
    ),
]
Exclude = Annotated[list[str] | None, typer.Option(metavar="PATTERN", help="Leave out what fits. May be repeated.")]
Headings = Annotated[
    list[str] | None,
    typer.Option(
        "--heading", metavar="PATTERN", help=f"{LOADER_HELP['heading_patterns'].capitalize()}. May be repeated."
    ),
]
Delimiters = Annotated[
    list[str] | None,
    typer.Option("--delimiter", metavar="TEXT", help=f"{LOADER_HELP['delimiters']}. May be repeated."),
]
TextColumn = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Read CSV, JSON lines and Parquet too: each row is a document, and this column has its text. Takes the "
        "place of the config's loader.textColumn.",
    ),
]
OnePath = Annotated[str, typer.Argument(metavar="PATH", help="The document to read: a file, or a page (https://…).")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON instead of text.")]

_LARGEST_CONFIG = 1_000_000
"""Maximum of bytes read of a config. `read_yaml` refuses far fewer; this keeps a document given by
mistake from being read whole."""


def read_config(where: str) -> tuple[Config, Proof | None]:
    """The config at a path, on standard input for `-`, or of a strategy's defaults for its name,
    also of another package's splitter.

    A file of another tool's chunks is a config that gives these. Raises ConfigError or GoldError
    that names the file.
    """
    if source := chunker_named(where):
        return _of_chunks(source), None
    if is_chunk_file(where):
        from chunking.imported.sources import file_chunks

        return _of_chunks(file_chunks(Path(where))), None
    if _is_peer(where):
        return Config.of(where, {}), None
    if strategies.is_name(where) and not Path(where).exists():
        return Config(strategies.get(where)()), None
    if Path(where).name == "pyproject.toml":
        return _in_pyproject(where)
    try:
        # Relative paths in it start at its folder. A config on the command line may name files.
        return read_yaml(_standard_input(), Path()) if where == "-" else read_yaml(_bytes(where), Path(where).parent)
    except ConfigError as error:
        called = "standard input" if where == "-" else shown_text(where, 200)
        raise ConfigError(f"{called}: {error}") from error


def _of_chunks(source: ChunkSource) -> Config:
    from chunking.imported.strategy import MadeElsewhere  # a tenth of what a run of our own imports

    return Config(MadeElsewhere.of(source))


def _is_peer(where: str) -> bool:
    """Whether this names another package's splitter, and not a file."""
    if ":" not in where:
        return False
    from chunking.imported.peer import PREFIX  # as above

    return where.startswith(PREFIX) and not Path(where).exists()


def _in_pyproject(where: str) -> tuple[Config, Proof | None]:
    from chunking.cli.found_config import pyproject_config  # what only those who have one need

    try:
        return read_yaml(pyproject_config(where), Path(where).parent)
    except ConfigError as error:
        raise ConfigError(f"{shown_text(where, 200)}: {error}") from error


def is_chunk_file(where: str) -> bool:
    """Whether what stands for a config is a file of another tool's chunks, by its ending; a .json
    may be a config, too."""
    ending = Path(where).suffix.lower()
    if ending != ".json":
        return ending in ENDINGS
    try:
        return not is_config(_bytes(where))
    except ConfigError:
        return True  # not there: said of the chunks


def with_loader(
    config: Config, headings: Sequence[str] | None, delimiters: Sequence[str] | None, text_column: str = ""
) -> Config:
    """The config with the loader's settings that options give in place of its own. Raises
    ConfigError."""
    if not headings and not delimiters and not text_column:
        return config
    own = config.loader
    loader = LoaderSettings(
        tuple(headings or own.heading_patterns), tuple(delimiters or own.delimiters), text_column or own.text_column
    )
    return replace(config, loader=loader)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise ConfigError("is closed; give the path of a YAML file")
    return sys.stdin.buffer.read(_LARGEST_CONFIG)


def _bytes(where: str) -> bytes:
    try:
        with Path(where).open("rb") as file:
            return file.read(_LARGEST_CONFIG)
    except FileNotFoundError as error:
        way_out = did_you_mean(where, strategies.names())
        raise ConfigError(f"no such file, and no strategy of that name; {way_out}") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigError(f"cannot be read ({reason}); give the path of a YAML file") from error


@dataclass(frozen=True)
class Given:
    """The files, folders and pages that a command is given, and which documents of them are
    wanted."""

    paths: tuple[Path, ...]
    selection: Selection
    pages: tuple[str, ...] = ()
    """Addresses of pages of the web, which come after the files."""

    def for_configs(self, *configs: Config) -> Given:
        """With the file types that the strategies of these configs read in folders, also those of
        overrides, and with the column of tables that they name. Raises ConfigError where they name
        several."""
        cutting = [config.strategy for config in configs]
        cutting += [strategies.get(each.strategy)() for config in configs for each in config.overrides if each.strategy]
        types = frozenset[str]().union(*(strategy.folder_types() for strategy in cutting))
        column = self.selection.text_column or one_column(configs)
        return replace(self, selection=replace(self.selection, extensions=tuple(sorted(types)), text_column=column))

    def count(self) -> int | None:
        """How many documents there are; None where that is not known before an archive is
        unpacked."""
        number = 0
        for found in find_files(self.paths, self.selection):
            if isinstance(found, FoundFile):
                if is_archive(found.path.name):
                    return None
                number += 1
        return number + len(self.pages)


def one_column(configs: Sequence[Config]) -> str:
    """The column that configs name for the texts of tables. Raises ConfigError for several."""
    columns = list(dict.fromkeys(each.loader.text_column for each in configs if each.loader.text_column))
    if len(columns) > 1:
        named = " and ".join(shown_text(each) for each in columns[:2])
        raise ConfigError(f"loader.textColumn: the configs name {named}; say which one with --text-column")
    return columns[0] if columns else ""


def given(
    paths: Sequence[str],
    root: Path | None,
    include: Sequence[str] | None = None,
    exclude: Sequence[str] | None = None,
    text_column: str = "",
) -> Given:
    """As the options say. Raises DocumentError for one that is wrong."""
    wanted = Selection(root, tuple(include or ()), tuple(exclude or ()), text_column=text_column)
    files = tuple(Path(each) for each in paths if not is_url(each))
    return Given(files, wanted, tuple(dict.fromkeys(filter(is_url, paths))))


def places(wanted: Given, errors: ErrorLog) -> Iterator[FoundFile]:
    """The files of documents, in order; a path without any is reported, and at the end what was
    passed over."""
    passed_over = PassedOver()
    for found in find(wanted.paths, wanted.selection, passed_over):
        if isinstance(found, DocumentError):
            errors.report(found)
        else:
            yield found
    yield from _pages(wanted, errors)
    if passed_over.by_kind:
        print_error(f"{passed_over}; a file that is named is read, and --include PATTERN brings a type")


def _pages(wanted: Given, errors: ErrorLog) -> Iterator[FoundFile]:
    for url in wanted.pages:
        from chunking.document.web_pages import found_page  # what only those who ask for pages need

        try:
            page = found_page(url, wanted.selection)
        except DocumentError as error:
            errors.report(error)
        else:
            yield from (page,) if page else ()


def documents(wanted: Given, errors: ErrorLog) -> Iterator[Document]:
    """The documents, in order; each that cannot be read is reported and left out."""
    for found in places(wanted, errors):
        try:
            document = read(found)
        except BaseException as error:
            errors.report(document_fault(error, found.place))
        else:
            yield document


def one_document(path: str, root: Path | None = None, text_column: str = "") -> Document:
    """The only document at a path or an address, or the only row of a table. Raises DocumentError
    when it cannot be read, or when there are several."""
    if is_url(path):
        from chunking.document.web_pages import found_page

        page = found_page(path)
        assert page is not None
        return read(page)
    found = list(find([path], Selection(root, text_column=text_column)))
    if len(found) != 1 and text_column and extension_of(path) in TABLES:
        raise DocumentError(
            f"{path}: has {len(found)} rows in {shown_text(text_column)} and one is needed; "
            "chunkscope run cuts all, inspect --health checks all"
        )
    if len(found) != 1:
        raise DocumentError(f"{path}: contains {len(found)} documents and one is needed; give the path of a file in it")
    if isinstance(found[0], DocumentError):
        raise found[0]
    return read(found[0])


def announce(document: Document, *configs: Config) -> None:
    """Say what these configs will send to servers, and where, before anything is sent."""
    from chunking.models.requests import announced  # as in pipeline.py

    for config in (each.for_document(document.name) for each in configs):
        announced(config.strategy, config.read(document), Tools(counter(config.counter)), print_error)


def one_of(option: str, text: str, choices: Sequence[Choice]) -> Choice:
    """The choice that an option names, for options that Typer cannot check: lists and optional
    ones. Raises GoldError."""
    for choice in choices:
        if choice == text:
            return choice
    raise GoldError(f"{option} {shown_text(text)}: no such choice; there are: {', '.join(choices)}")

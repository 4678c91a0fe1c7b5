"""Jupyter notebooks to Markdown: text cells as they are, code and what it printed in fences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from chunking.document.conversion import Conversion, Converted
from chunking.errors import DocumentError
from chunking.runtime.version import engine_version
from chunking.text.display import counted

_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
"""Colours of a terminal, which tracebacks are full of."""


def to_markdown(raw: bytes) -> Converted:
    """The notebook's text. Raises DocumentError for what is no notebook of format 4."""
    try:
        notebook = json.loads(raw)
    except (ValueError, RecursionError):
        raise DocumentError("is not a notebook, although its name says so; it is not JSON") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise DocumentError("is not a notebook of format 4; open it in Jupyter and save it again")
    language = _language(notebook.get("metadata"))
    pieces: list[str] = []
    pictures = 0
    for cell in cells:
        if isinstance(cell, dict):
            pieces += _pieces(cell, language)
            pictures += sum(_is_picture(each) for each in _outputs(cell))
    notes = (f"{counted(pictures, 'picture')} of outputs left out",) if pictures else ()
    return Converted(
        "\n\n".join(pieces) + "\n", Conversion(f"chunkscope's reader of notebooks {engine_version()}", (), notes)
    )


def _language(metadata: object) -> str:
    found = metadata.get("language_info") if isinstance(metadata, dict) else None
    name = found.get("name") if isinstance(found, dict) else None
    return name if isinstance(name, str) and re.fullmatch(r"[\w+#.-]{1,30}", name) else "python"


def _pieces(cell: Mapping[str, object], language: str) -> Iterator[str]:
    source = _text(cell.get("source")).strip("\n")
    if not source.strip():
        return
    if cell.get("cell_type") != "code":
        yield source
        return
    yield _fenced(source, language)
    for output in _outputs(cell):
        data = output.get("data")
        shown = data.get("text/plain") if isinstance(data, dict) and not _is_picture(output) else output.get("text")
        printed = _text(shown) or "\n".join(_lines(output.get("traceback")))
        if printed.strip():
            yield _fenced(_ESCAPES.sub("", printed).strip("\n"), "text")


def _outputs(cell: Mapping[str, object]) -> list[Mapping[str, object]]:
    found = cell.get("outputs")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _is_picture(output: Mapping[str, object]) -> bool:
    data = output.get("data")
    return isinstance(data, dict) and any(str(kind).startswith("image/") for kind in data)


def _text(of: object) -> str:
    """A text of a notebook is one, or the list of its lines."""
    return of if isinstance(of, str) else "".join(_lines(of))


def _lines(of: object) -> list[str]:
    return [each for each in of if isinstance(each, str)] if isinstance(of, list) else []


def _fenced(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"

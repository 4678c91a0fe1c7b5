"""Errors in one document become one line about that document, so that the others can go on."""

from __future__ import annotations

import os

from chunking.errors import ChunkscopeError, DocumentError, ModelUnsetError, OutputError
from chunking.text.display import shown_text

_NOT_A_DOCUMENTS = (KeyboardInterrupt, SystemExit, GeneratorExit, OutputError, ModelUnsetError)


def fault_message(error: BaseException) -> str:
    """The message for an unexpected error.

    Raises the error itself if it must end the program, or if CHUNKSCOPE_TRACEBACK is set:
    developers then see the traceback.
    """
    if isinstance(error, _NOT_A_DOCUMENTS) or os.environ.get("CHUNKSCOPE_TRACEBACK"):
        raise error
    kind = type(error).__name__
    return f"internal error; please report it: {kind}: {error} (CHUNKSCOPE_TRACEBACK=1 shows where)"


def document_fault(error: BaseException, name: str) -> DocumentError:
    """The error as a DocumentError whose message begins with the document's name.

    One of our own errors keeps its message; any other, a panic in Rust included, is an internal
    error. The result holds only text, so that it can be sent between processes. Raises the error
    itself if it is not about the document: Ctrl-C, a full disk, an API key that is not set.
    """
    if isinstance(error, _NOT_A_DOCUMENTS):
        raise error
    message = str(error) if isinstance(error, ChunkscopeError) else fault_message(error)
    label = shown_text(name, 200)
    return DocumentError(message if message.startswith(f"{label}: ") else f"{label}: {message}")

"""A fault in one document is that document's line, whatever kind of fault it is; the other documents go on."""

from __future__ import annotations

import os

from chunking.errors import ChunkscopeError, DocumentError, ModelUnsetError, OutputError
from chunking.text.display import shown_text

_NOT_A_DOCUMENTS = (KeyboardInterrupt, SystemExit, GeneratorExit, OutputError, ModelUnsetError)


def fault_words(error: BaseException) -> str:
    """What to say of an error that nobody raised on purpose. Whoever wants to mend it asks for the rest: with
    CHUNKSCOPE_TRACEBACK set it is raised again, as are those that end the program."""
    if isinstance(error, _NOT_A_DOCUMENTS) or os.environ.get("CHUNKSCOPE_TRACEBACK"):
        raise error
    kind = type(error).__name__
    return f"internal error; please report it: {kind}: {error} (CHUNKSCOPE_TRACEBACK=1 shows where)"


def document_fault(error: BaseException, name: str) -> DocumentError:
    """The error as one document's line: ours with what it says, any other, a panic in Rust too, as a fault of ours.

    It is made of text alone, so that it can come from another process. Raises what is no document's: Ctrl-C, a full
    disk, a key that is not set.
    """
    if isinstance(error, _NOT_A_DOCUMENTS):
        raise error
    said = str(error) if isinstance(error, ChunkscopeError) else fault_words(error)
    called = shown_text(name, 200)
    return DocumentError(said if said.startswith(f"{called}: ") else f"{called}: {said}")

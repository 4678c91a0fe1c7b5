"""Source text -> syntax tree. The only module that imports tree-sitter and the packages that carry
its grammars (extra `code`)."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from chunking.document.source_files import Language
from chunking.errors import GrammarError
from chunking.runtime.made_once import once
from chunking.splitting.source_code.syntax import SYNTAXES
from chunking.text.display import shown_text

if TYPE_CHECKING:
    import tree_sitter

_READ = 1 << 16
"""Bytes that the parser is given at a time."""
_LONE_RETURN = re.compile(rb"\r(?!\n)")
_RETURN = re.compile(rb"(?<!\\)\r(?=\n)")


def missing_grammar(language: Language) -> str:
    """A message with the packages that are not installed for this language, and the command that
    installs them; "" if none is missing."""
    package = SYNTAXES[language].package
    absent = [each for each in ("tree-sitter", package) if find_spec(each.replace("-", "_")) is None]
    if not absent:
        return ""
    verb = "is" if len(absent) == 1 else "are"
    return f"{' and '.join(absent)} {verb} not installed; pip install 'chunkscope[code]'"


def require_grammar(language: Language, where: str, way_out: str) -> None:
    """Raises GrammarError where a language's grammar is not installed: one line with the place, the
    package and another way out."""
    if problem := missing_grammar(language):
        raise GrammarError(f"{shown_text(where, 200)}: {problem}, or {way_out}")


def plain_bytes(text: str) -> bytes:
    """The text in UTF-8 with line endings that every grammar takes, as many bytes as the text has:
    a lone CR becomes LF, the CR of a CR LF a blank (behind a backslash the two change places). A
    NUL, which some grammars take for the end, is a blank too.
    """
    raw = text.encode("utf-8", "surrogatepass")
    if b"\r" in raw:
        raw = _LONE_RETURN.sub(b"\n", raw).replace(b"\\\r\n", b" \\\n")
        raw = _RETURN.sub(b" ", raw)
    return raw.replace(b"\0", b" ")


def syntax_tree(raw: bytes, language: Language) -> tree_sitter.Tree:
    """The tree of a source text; never fails, what is wrong in it are nodes of type ERROR.

    In many short steps: other threads go on meanwhile, and a limit to work can end it.
    """
    from tree_sitter import Parser

    return Parser(_grammar(language)).parse(lambda at, _: raw[at : at + _READ], progress_callback=_go_on)


def _go_on(_at: int, _broken: bool) -> bool:
    return False


@once
def _grammar(language: Language) -> tree_sitter.Language:
    from tree_sitter import Language as Grammar

    syntax = SYNTAXES[language]
    return Grammar(getattr(import_module(syntax.module), syntax.function)())

"""The documents of a corpus, one a row, each with its boundaries and its numbers; live."""

from pages.ui.components.corpus_table.corpus_table import corpus_table
from pages.ui.components.corpus_table.rows import DocumentLine, rows_bytes

__all__ = ["DocumentLine", "corpus_table", "rows_bytes"]

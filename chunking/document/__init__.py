"""What was written, and where: Markdown read into blocks and sections, with every offset kept."""

from chunking.document.model import Block as Block
from chunking.document.model import BlockKind as BlockKind
from chunking.document.model import Document as Document
from chunking.document.model import Section as Section
from chunking.text.spans import Span as Span

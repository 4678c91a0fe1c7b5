"""Plain text: decoding, lines, grapheme clusters, spans, and safe display in messages."""

from chunking.text.decoding import decode as decode
from chunking.text.decoding import refuse_binary as refuse_binary
from chunking.text.decoding import with_whole_characters as with_whole_characters
from chunking.text.display import be as be
from chunking.text.display import counted as counted
from chunking.text.display import listed as listed
from chunking.text.display import page_range as page_range
from chunking.text.display import safe_name as safe_name
from chunking.text.display import shown_text as shown_text
from chunking.text.hashing import text_hash as text_hash
from chunking.text.languages import english_warning as english_warning
from chunking.text.rounding import rounded as rounded
from chunking.text.spans import minus as minus
from chunking.text.spans import total as total

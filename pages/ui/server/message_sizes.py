"""How large a message may be: what comes in is small, what goes out may be a whole document.

Streamlit has one setting for both, `server.maxMessageSize`. By it a frame that is too large is
refused before it is read: it is 16 MB. It is read when the server starts; what is sent is compared
later with the number that is set here.
"""

from __future__ import annotations

from streamlit.runtime import runtime_util

MOST_SENT = 400_000_000
"""Bytes: a document of 50 MB whose every line is a chunk of its own."""


def send_whole_documents() -> None:
    """Let the server send up to MOST_SENT bytes in one message."""
    runtime_util._max_message_size_bytes = MOST_SENT

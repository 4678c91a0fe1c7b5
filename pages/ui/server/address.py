"""Where the app is open, and saying so when its server starts.

Streamlit's own message is turned off (`logger.hideWelcomeMessage`): where a server is bound to all
addresses it asks an outside server for this machine's.
"""

from __future__ import annotations

import os
import sys

import streamlit as st

SAID = "CHUNKSCOPE_ADDRESS_SAID"
"""Set by `chunkscope app`, which says the address itself."""


def server_address() -> str:
    """The address to open at this machine, as http://127.0.0.1:8501."""
    address = str(st.get_option("server.address") or "")
    host = "localhost" if address in ("", "0.0.0.0", "::") else address
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    place = f"http://{f'[{host}]' if ':' in host else host}:{st.get_option('server.port')}"
    return f"{place}/{base}" if base else place


def say_address() -> None:
    """Print where the app is open, unless that was said."""
    if not os.environ.get(SAID):
        print(f"Chunkscope is open at {server_address()}", file=sys.stderr, flush=True)

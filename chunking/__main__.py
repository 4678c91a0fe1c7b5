"""`python -m chunking`: the `chunkscope` command where its script is not on the path."""

from __future__ import annotations

import sys

from chunking.cli import main

if __name__ == "__main__":
    sys.exit(main())

"""The command line: one file a command, and `main`, which the `chunkscope` script calls."""

from chunking.cli.program import main as main

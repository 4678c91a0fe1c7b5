"""Nothing to import: the library is `chunking`. `python -m chunkscope` is the command `chunkscope`.

By this file Streamlit, which looks for a module of the distribution's name, finds the folder of
`pages/ui/components/` in a checkout (see [tool.streamlit.component] in pyproject.toml).
"""

if __name__ == "__main__":
    import sys

    from chunking.cli import main

    sys.exit(main())

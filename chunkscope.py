"""Nothing to import: the library is `chunking`. By this file Streamlit, which looks for a module of
the distribution's name, finds the folder of `pages/ui/components/` in a checkout (see
[tool.streamlit.component] in pyproject.toml)."""

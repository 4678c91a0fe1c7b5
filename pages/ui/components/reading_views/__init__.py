"""A document read in other ways than as its source: rendered, as cards, by its structure, in
tokens. Streamlit components."""

from pages.ui.components.reading_views.view import cards_view, rendered_view, structure_view, tokens_view

__all__ = ["cards_view", "rendered_view", "structure_view", "tokens_view"]

"""One draft of a question with its quote in place, to be accepted, edited or rejected: a Streamlit
component."""

from pages.ui.components.review_card.review_card import Action, Card, card_of, review_card

__all__ = ["Action", "Card", "card_of", "review_card"]

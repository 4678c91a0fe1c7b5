"""One line that offers something, to be taken or dismissed: a Streamlit component."""

from pages.ui.components.offer_line.offer_line import Offer, offer_line

__all__ = ["Offer", "offer_line"]

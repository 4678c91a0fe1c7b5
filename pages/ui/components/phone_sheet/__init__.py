"""The head of the sheet at the bottom of a phone: its size and its two tabs: a Streamlit
component."""

from pages.ui.components.phone_sheet.phone_sheet import phone_sheet

__all__ = ["phone_sheet"]

"""The tabs over Inspect's right side, and a button in the header that opens one: two Streamlit
components."""

from pages.ui.components.panel_tabs.panel_tabs import Tab, panel_button, panel_tabs

__all__ = ["Tab", "panel_button", "panel_tabs"]

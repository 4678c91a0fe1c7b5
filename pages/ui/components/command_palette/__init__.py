"""Everything that can be done on a page, found by typing a part of its name: a Streamlit
component."""

from pages.ui.components.command_palette.command_palette import Listed, command_palette
from pages.ui.components.command_palette.heading_commands import heading_commands

__all__ = ["Listed", "command_palette", "heading_commands"]

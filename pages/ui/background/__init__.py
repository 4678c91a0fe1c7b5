"""Work that goes on while a page is looked at: what it has found, and configs tried for a goal."""

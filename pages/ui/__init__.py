"""Fittings of the pages: what a page shows, and the one place that remembers what was chosen."""

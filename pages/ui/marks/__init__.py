"""Questions and marks: the panel, what is done with them, and what keeps a mark whole."""

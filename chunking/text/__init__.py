"""Characters and lines: what is true of any text, before it is a document."""

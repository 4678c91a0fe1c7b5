"""The colours of configs in charts."""

COLOURS = ("#7d8496", "#d9691e", "#1a9a74", "#a864c9")
"""In the order of the rows; they differ in lightness too and stand on white and on near-black."""

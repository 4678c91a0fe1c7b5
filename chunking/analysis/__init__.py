"""A run in numbers, against another run, and fit to be embedded or not."""

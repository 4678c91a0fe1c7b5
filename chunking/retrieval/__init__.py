"""Which config finds the answers, and whether the difference is real."""

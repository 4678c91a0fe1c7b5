"""Chunks as files, and as a store that can be asked."""

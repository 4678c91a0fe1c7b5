"""Seals a chunk at a heading once it holds enough, and at any line once it would hold too much."""

from chunking.strategies.heading_window.strategy import HeadingWindow as HeadingWindow

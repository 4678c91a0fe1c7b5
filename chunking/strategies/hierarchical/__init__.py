"""Packs sections from the top: what fits under the hard cap stays together, only what does not is
split."""

from chunking.strategies.hierarchical.strategy import Hierarchical as Hierarchical

"""Typed blocks packed into a token budget, section by section, with overlap of whole sentences."""

from chunking.strategies.block_packing.strategy import BlockPacking as BlockPacking

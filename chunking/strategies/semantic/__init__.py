"""A new chunk where neighbouring sentences are less alike than a threshold."""

from chunking.strategies.semantic.strategy import Curve as Curve
from chunking.strategies.semantic.strategy import Semantic as Semantic
from chunking.strategies.semantic.strategy import semantic_of as semantic_of
from chunking.strategies.semantic.strategy import similarities as similarities

"""Counting tokens: counters by their names, and exact counts of any span from one pass over a text."""

from chunking.tokens.registry import EXACT as EXACT
from chunking.tokens.registry import TokenCounter as TokenCounter
from chunking.tokens.registry import TokenIndex as TokenIndex
from chunking.tokens.registry import counter as counter
from chunking.tokens.registry import counter_names as counter_names
from chunking.tokens.registry import token_index as token_index

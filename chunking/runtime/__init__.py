"""State of the whole Python process: cached values, garbage collector, installed extras, errors."""

from chunking.runtime.made_once import once as once

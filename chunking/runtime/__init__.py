"""What belongs to the whole Python process: made once in it, its collector, what is installed, faults in one line."""

from chunking.runtime.made_once import once as once

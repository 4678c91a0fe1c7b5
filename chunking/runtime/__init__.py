"""What belongs to the whole Python process: made once in it, its collector, what is installed, faults in one line."""

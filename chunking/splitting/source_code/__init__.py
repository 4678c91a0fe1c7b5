"""Source code as its grammar reads it: where statements and definitions begin."""

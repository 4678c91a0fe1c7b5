"""Source code, cut at functions, classes and statements."""

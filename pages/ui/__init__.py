"""The parts that the pages are made of: what they show, and the session's choices."""

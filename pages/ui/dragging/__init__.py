"""Thresholds that are dragged: what they are, and the short way on which a move is answered."""

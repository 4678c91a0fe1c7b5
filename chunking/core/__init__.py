"""What a strategy is, is lent, and hands back: chunks with their boundaries, and records of them."""

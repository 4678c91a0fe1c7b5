"""What the Strategies page is made of."""

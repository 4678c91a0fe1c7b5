"""What the Inspect page is made of."""

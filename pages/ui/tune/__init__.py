"""What the Tune page is made of."""

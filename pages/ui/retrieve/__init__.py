"""What the Retrieve page is made of."""

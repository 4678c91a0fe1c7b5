"""What all components share."""

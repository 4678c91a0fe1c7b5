"""The pages about strategies, written from their declarations."""

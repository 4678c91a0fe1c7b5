"""Settings over ranges, and strategies searched for a goal."""

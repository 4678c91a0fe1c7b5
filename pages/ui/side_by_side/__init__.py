"""Two to four configs side by side, as Compare and Retrieve show them."""

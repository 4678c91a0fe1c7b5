"""What can be chosen, as values: plans, rows, marks, and the links that say them. No Streamlit."""

"""What is drawn in the browser: Streamlit components, each with its two halves in a folder."""

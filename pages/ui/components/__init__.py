"""What is drawn in the browser: Streamlit components, each in a folder with its Python half and its
JavaScript half."""

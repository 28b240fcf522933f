"""The Streamlit interface, except for the scripts in `pages/`."""

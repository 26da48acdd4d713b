"""A study saved in one file, and brought back."""

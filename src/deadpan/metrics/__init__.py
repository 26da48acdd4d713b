"""Pure functions: numbers and text in, numbers out."""

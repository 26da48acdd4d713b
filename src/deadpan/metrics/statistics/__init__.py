"""Agreement and correlation."""

"""Judges: models that grade what no rule can, one file each."""

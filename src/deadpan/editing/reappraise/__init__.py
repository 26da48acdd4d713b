"""Memes turned from a bitter feeling to a kind one: described, planned, edited."""

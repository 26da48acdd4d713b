"""From raw posts to a benchmark: one file, nine stages, on a laptop or a cluster."""

"""From answers to results: what the command line and the Python API both call."""

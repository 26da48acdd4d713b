"""What everything stands on: errors, files, caches, JSON lines and CSV, text made printable."""

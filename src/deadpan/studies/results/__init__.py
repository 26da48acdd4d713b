"""What came out: rows, files, agreement."""

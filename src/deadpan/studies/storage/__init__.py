"""Where a study lies: its database, its files."""

"""Original memes, most of them self-deprecating, drawn by this package, with complete gold."""

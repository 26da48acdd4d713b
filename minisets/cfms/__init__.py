"""Original image–text pairs, half of them sarcastic, drawn by this package, with complete gold."""

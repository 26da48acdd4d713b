"""Each change of the tables in a module of its own."""

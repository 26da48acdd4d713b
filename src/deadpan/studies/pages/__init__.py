"""The pages in which people answer, and the ways to them."""

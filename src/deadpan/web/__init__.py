"""The base of pages that are opened from a file: head, what they may run, text put into them."""

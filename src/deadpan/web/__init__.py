"""The base of our pages: their head, what they may run, text put into them. And of local apps: who
may ask, where they listen, paging."""

"""The base of our pages: head, what they may run, text put into them; and of local apps: who may ask,
where they listen, paging."""

"""What people do with items, and what becomes of them: no page, no request."""

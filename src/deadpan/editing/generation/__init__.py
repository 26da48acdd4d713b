"""CFMS's generation study: pictures drawn from gold, for people to rate."""

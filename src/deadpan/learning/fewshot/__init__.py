"""Which worked examples a prompt shows: drawn at random, retrieved, or chosen by a policy."""

"""Worked examples in a prompt: drawn at random, retrieved, or chosen by a policy."""

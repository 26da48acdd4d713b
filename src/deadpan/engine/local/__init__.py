"""Models on this machine."""

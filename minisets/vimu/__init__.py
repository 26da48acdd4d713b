"""Original short films drawn, animated and voiced by our own code, in the released ViMU format."""
